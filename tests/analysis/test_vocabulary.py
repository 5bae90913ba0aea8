"""Code and prose use the field's terms: none of the project's former words is left."""

import functools
import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("analysis", "docs", "experiments", "kernels", "paper", "scripts", "simt", "tests")
SUFFIXES = {".cu", ".cuh", ".h", ".cpp", ".py", ".sh", ".md", ".typ", ".txt"}
CODE = {".cu", ".cuh", ".h", ".cpp"}

# Identifiers, whole: the former one and the term.
IDENTIFIERS = {
    "landed": "full",
    "emptied": "empty",
    "show_to_bulk_copies": "fence_proxy_async",
    "show_barriers": "fence_mbarrier_init",
    "wait_until_read": "cp_async_bulk_wait_group_read",
    "arrive_before": "arrive_expect_tx",
    "end_group_of_stores": "cp_async_bulk_commit_group",
    "with": "inclusive",
    "Alone": "NoExchange",
    "Neighbours|neighbours": "Exchange",
    "PATIENCE|IS_PATIENT|PATIENT|WithHaste": "POLLS_BEFORE_RECOMPUTE, DEFER_LOOKAHEAD, EagerLookahead",
    "WaveShare|EvenShares|sum_of_share|reduce_share": "chunk",
    "ITEMS": "ITEMS_PER_THREAD",
    "whole_words|WholeWord|WideWord": "relaxed words",
    "EpochStatus|TaggedWords|TaggedValue|TaggedMemory|ChainStatus": "Versioned, VersionedArray",
    "epoch|EPOCH": "version",
    "meet|meet_warp|meet_block|meetings": "warp sync",
    "give_way|gave_way|may_give_way|turns|turns_": "yield, scheduler",
    "Crew|crew": "ThreadPool",
    "strangers|stranger": "other-warp readers",
    "entangled|stepless|ordered": "skip_profiling, omit_steps, single_core",
    "looks|in_vain|looks_kept": "polls",
    r"kept(_by|_by_warp|_in_tiles|_since)?": "selected, workspace",
}
# Words inside identifiers of C++ and Python, however these are joined: EpochStatus, epoch_of. Each is the
# start of a word, or several words in a row.
STEMS = {
    "epoch": "version",
    "tagged": "versioned",
    "tags": "versions",
    "in_vain": "polls",
    "nobody": "none",
    "for_ever_": "forever, timed out",
    "share_of": "chunk",
    "stranger": "other-warp readers",
    "crew": "thread pool",
    "patien": "polls before recompute",
    "landed": "full",
    "emptied": "empty",
}
OF_THE_LIBRARY = {"time_since_epoch"}
FUNCTIONS = {"append|join": "combine", "tiles": "ceil_div"}  # called, and no members
# Phrases of messages and prose.
PHRASES = {
    r"waits for what none of them will do": "deadlock: no resident block can make progress",
    r"elements kept than wanted": "selected 12, expected 13",
    r"waited in vain": "timed out waiting for",
    r"in vain": "failed poll",
    r"for ever\b": "times out after",
    r"some threads waste lanes": "some thread mappings leave lanes idle",
    r"\berrs \{?[\d,]": "times the error",
    r"order is free nowhere": "preserving order costs",
    r"feigns": "simulates",
    r"stand(s)? for themselves": "self-contained",
    r"for a (proven )?cause that is proven": "explained by",
    r"so many apply the operator": "lane utilisation",
    r"the others go along with their predicate off": "the rest are predicated off",
    r"\b[Nn]obody\b": "a plain subject",
    r"[Tt]his patience": "the delay",
    r"it is no step by itself": "alone it gained nothing measurable",
}


@functools.cache
def files() -> list[Path]:
    found = [ROOT / "README.md", ROOT / "Makefile", ROOT / "CMakeLists.txt"]
    for folder in FOLDERS:
        found += [path for path in sorted((ROOT / folder).rglob("*")) if path.suffix in SUFFIXES]
    return [path for path in found if path != Path(__file__).resolve() and "__pycache__" not in path.parts]


@functools.cache
def code_of(text: str) -> str:
    """C++ without comments and literals, line by line."""
    pattern = r'//[^\n]*|/\*.*?\*/|R"\(.*?\)"|"(?:\\.|[^"\\\n])*"'
    return re.sub(pattern, lambda found: "\n" * found[0].count("\n"), text, flags=re.DOTALL)


def identifiers(path: Path) -> Iterator[tuple[int, str]]:
    """Line and name of every identifier; none of those in comments and literals."""
    text = path.read_text()
    if path.suffix == ".py":
        tokens = tokenize.generate_tokens(io.StringIO(text).readline)
        yield from ((token.start[0], token.string) for token in tokens if token.type == tokenize.NAME)
        return
    for number, line in enumerate(code_of(text).splitlines(), 1):
        yield from ((number, name) for name in re.findall(r"[A-Za-z_]\w*", line))


def words_of(name: str) -> str:
    """_epoch_status_ for EpochStatus and epoch_status."""
    words = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)
    return "_" + "".join(word.lower() + "_" for word in words)


@functools.cache  # most names recur
def has_former_word(name: str) -> bool:
    return name not in OF_THE_LIBRARY and any(f"_{stem}" in words_of(name) for stem in STEMS)


def former_words(found: Iterable[tuple[int, str]]) -> list[tuple[int, str]]:
    """The identifiers that contain a former stem."""
    return [(line, name) for line, name in found if has_former_word(name)]


def places(pattern: str, text_of) -> list[str]:
    rule = re.compile(pattern)
    return [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path, text in text_of
        for number, line in enumerate(text.splitlines(), 1)
        if rule.search(line)
    ]


@pytest.mark.parametrize("former", IDENTIFIERS)
def test_no_identifier_is_a_former_one(former):
    text_of = [(path, code_of(path.read_text())) for path in files() if path.suffix in CODE]
    found = places(rf"\b(?:{former})\b", text_of)
    assert not found, "\n".join([f"say: {IDENTIFIERS[former]}", *found])


def test_no_identifier_contains_a_former_word():
    sources = [path for path in files() if path.suffix in CODE | {".py"}]
    found = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in sources
        for line, name in former_words(identifiers(path))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "name",
    ["EpochStatus", "of_epochs", "POLLS_IN_VAIN", "waitsForEver", "TaggedWord", "isPatient", "share_of"],
)
def test_a_former_word_is_found_however_it_is_joined(name):
    assert former_words([(1, name)]) == [(1, name)]


@pytest.mark.parametrize("name", ["advantages", "screwed", "forEvery", "shared_of", "Tag"])
def test_other_words_are_not_taken_for_former_ones(name):
    assert former_words([(1, name)]) == []


@pytest.mark.parametrize("former", FUNCTIONS)
def test_no_function_is_a_former_one(former):
    text_of = [(path, code_of(path.read_text())) for path in files() if path.suffix in CODE]
    found = places(rf"(?<![\w.>] )(?<![\w.>])(?:{former})\(", text_of)
    assert not found, "\n".join([f"say: {FUNCTIONS[former]}", *found])


@pytest.mark.parametrize("former", PHRASES)
def test_no_phrase_is_a_former_one(former):
    found = places(former, [(path, path.read_text()) for path in files()])
    assert not found, "\n".join([f"say: {PHRASES[former]}", *found])
