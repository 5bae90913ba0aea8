"""matplotlib's SVG made light: the same drawing with fewer and shorter elements, one to a line.

matplotlib wraps each mark in groups of its own, breaks a path after each point, and repeats font and style at
each text and marker.
"""

import re
from collections import defaultdict
from itertools import groupby
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

SVG, XLINK = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}"
GROUP, PATH, USE, TEXT, DEFINITIONS = (f"{SVG}{tag}" for tag in ("g", "path", "use", "text", "defs"))
# Where DejaVu Sans is missing: Verdana's glyphs are as wide.
FAMILY = "'DejaVu Sans', Verdana, sans-serif"
LONG = re.compile(r"-?\d+\.\d{4,}")

for prefix, namespace in (("", SVG), ("xlink", XLINK)):
    ElementTree.register_namespace(prefix, namespace.strip("{}"))


def light(svg: str) -> str:
    root = ElementTree.fromstring(svg)
    root.set("font-family", FAMILY)
    unwrap(root)
    gather_definitions(root)
    for element in root.iter():
        shorten(element)
    move_styles(root)
    for element in root.iter():
        element[:] = [merged(list(alike)) for _, alike in groupby(element, key=kind)]
    ElementTree.indent(root, " ")
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def unwrap(parent: Element) -> None:
    """Take away the groups that have nothing but a name."""
    children = []
    for child in parent:
        unwrap(child)
        children += child if child.tag == GROUP and set(child.attrib) <= {"id"} else [child]
    parent[:] = children


def gather_definitions(root: Element) -> None:
    """All in one place, so that nothing stands between marks that are alike."""
    first, *others = root.findall(DEFINITIONS)
    for each in others:
        first.extend(each)
        root.remove(each)


def shorten(element: Element) -> None:
    """Without line breaks, repeated fonts, turns by nothing, and digits below a thousandth of a point."""
    attributes = element.attrib
    for name in {"d", "x", "y", "transform"} & set(attributes):
        attributes[name] = " ".join(LONG.sub(rounded, attributes[name]).split())
    if attributes.get("transform", "").startswith("rotate(-0 "):
        del attributes["transform"]
    if element.tag == TEXT:  # browsers leave out spaces at its ends, and all but one elsewhere
        element.text = re.sub(r"^ +| +$| {2,}", lambda found: "\u00a0" * len(found[0]), element.text)
    if "style" in attributes:
        attributes["style"] = re.sub(r"font-family: [^;]*;? ?", "", attributes["style"]).rstrip("; ")


def rounded(number: re.Match) -> str:
    return f"{float(number[0]):.3f}".rstrip("0").rstrip(".")


def move_styles(root: Element) -> None:
    """A marker's style to where it is defined, if all its uses have the same."""
    uses = defaultdict(list)
    for use in root.iter(USE):
        uses[use.get(f"{XLINK}href")].append(use)
    for path in root.find(DEFINITIONS).iter(PATH):
        of_path = uses[f"#{path.get('id')}"]
        if len({use.get("style") for use in of_path}) == 1:
            path.set("style", of_path[0].get("style"))
            for use in of_path:
                del use.attrib["style"]


def kind(element: Element):
    """Equal for neighbours that may be one: opaque paths that are filled or stroked alike, but not both."""
    style = element.get("style", "")
    both = "fill: none" not in style and "stroke: " in style
    if element.tag != PATH or "id" in element.attrib or "opacity" in style or both:
        return element
    return sorted((name, value) for name, value in element.items() if name != "d")


def merged(alike: list[Element]) -> Element:
    if len(alike) > 1:
        alike[0].set("d", " ".join(path.get("d") for path in alike))
    return alike[0]
