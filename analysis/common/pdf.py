"""Make a PDF smaller without changing what it says.

Typst writes every tag of a table cell as an object of its own, uncompressed: half of the file. PDF 1.5 allows
such objects to stand together in compressed streams (ISO 32000-1, 7.5.7 and 7.5.8).
"""

import re
import zlib

TOGETHER = 500  # objects in a stream: a reader decompresses all of them to get at one
FREE, PLAIN, PACKED = 0, 1, 2  # kinds of entries of a cross-reference stream


def packed(pdf: bytes) -> bytes:
    """The same document with its small objects compressed; as it is, if it lists them in another way."""
    start = int(pdf[pdf.rindex(b"startxref") + 9 :].split()[0])
    table = re.match(rb"xref\s+0 (\d+)\s+", pdf[start:])
    if not table:
        return pdf
    objects, trailer = read(pdf, start, int(table[1]), start + table.end())
    made = bytearray(pdf[: min(offset for offset, _ in objects.values())])
    entries = {0: (FREE, 0, 65535)}
    small = []
    for number, (_, body) in sorted(objects.items()):
        if body.endswith(b"endstream"):
            entries[number] = (PLAIN, len(made), 0)
            made += b"%d 0 obj\n%b\nendobj\n" % (number, body)
        else:
            small.append((number, body))
    fresh = max(objects) + 1
    for first in range(0, len(small), TOGETHER):
        some = small[first : first + TOGETHER]
        entries |= {number: (PACKED, fresh, index) for index, (number, _) in enumerate(some)}
        entries[fresh] = (PLAIN, len(made), 0)
        made += together(fresh, some)
        fresh += 1
    entries[fresh] = (PLAIN, len(made), 0)
    return bytes(made) + references(fresh, entries, trailer, len(made))


def read(pdf: bytes, end: int, count: int, table: int) -> tuple[dict[int, tuple[int, bytes]], bytes]:
    """Offset and body of each object in use, by number, and what the trailer says apart from its size."""
    lines = [pdf[table + 20 * i : table + 20 * (i + 1)].split() for i in range(count)]
    offsets = {number: int(offset) for number, (offset, _, kind) in enumerate(lines) if kind == b"n"}
    ends = dict(zip(sorted(offsets.values()), [*sorted(offsets.values())[1:], end], strict=True))
    whole = {number: pdf[offset : ends[offset]] for number, offset in offsets.items()}
    bodies = {
        number: body[body.index(b"obj") + 3 : body.rindex(b"endobj")].strip()
        for number, body in whole.items()
    }
    trailer = re.search(rb"trailer\s*<<(.*)>>\s*startxref", pdf[end:], re.DOTALL)[1]
    return {n: (offsets[n], body) for n, body in bodies.items()}, re.sub(rb"/Size \d+", b"", trailer)


def together(number: int, objects: list[tuple[int, bytes]]) -> bytes:
    """An object stream."""
    bodies, places, at = [body for _, body in objects], [], 0
    for name, body in objects:
        places.append(b"%d %d" % (name, at))
        at += len(body) + 1
    head = b" ".join(places) + b"\n"
    about = b"/Type /ObjStm /N %d /First %d" % (len(objects), len(head))
    return stream(number, about, head + b"\n".join(bodies))


def references(number: int, entries: dict[int, tuple], trailer: bytes, start: int) -> bytes:
    """The cross-reference stream, in place of table and trailer, and the end of the file."""
    rows = [entries.get(each, (FREE, 0, 0)) for each in range(number + 1)]
    data = b"".join(
        kind.to_bytes(1, "big") + value.to_bytes(4, "big") + index.to_bytes(2, "big")
        for kind, value, index in rows
    )
    about = b"/Type /XRef /Size %d /W [1 4 2] %b" % (len(rows), trailer.strip())
    return stream(number, about, data) + b"startxref\n%d\n%%%%EOF\n" % start


def stream(number: int, about: bytes, data: bytes) -> bytes:
    small = zlib.compress(data, 9)
    head = b"%d 0 obj\n<< %b /Filter /FlateDecode /Length %d >>\n" % (number, about, len(small))
    return head + b"stream\n" + small + b"\nendstream\nendobj\n"
