"""Segments: evidence that confirms the claim, and the verdict for changed evidence."""

from analysis.core.verdict import CONFIRMED, NO, NOT_COUNTED, NOT_MEASURED, ONLY_WHERE, REFUTED, YES
from analysis.test.made_up import COUNTED, N, changed, counted_row, references, with_counter
from experiments.uses.segments import analysis as segments

LENGTHS = (4, 64, 1024)


def default_counts() -> list[dict]:
    counters = {"launches": 1, "barriers": 80, "warp_instructions": 9, "shared_load_requests": 5}
    counters |= {"global_bytes_written": 4 * COUNTED}
    rows = []
    for way, lengths in (("whole", ("",)), ("keys", LENGTHS), ("offsets", LENGTHS)):
        for length in lengths:
            read = {"global_bytes_read": (8 if way == "keys" else 4) * COUNTED}
            stated = {"launches": 1} | ({} if way == "offsets" else read)
            case = f"scan/{way}" + (f"/segment:{length}" if length else "")
            rows.append(counted_row(f"{case}/n:{COUNTED}", stated, **counters, **read))
    return rows


def default_times() -> dict:
    """As long as the bytes say."""
    times = {}
    for cache in ("cold", "warm"):
        tail = f"/cache:{cache}/n:{N}"
        times |= {f"scan/whole{tail}": 100.0} | references(tail)
        for way in segments.LOOKS:
            for length in LENGTHS:
                time = 100 * segments.by_bytes(way, length)
                times[f"scan/{way}/segment:{length}{tail}"] = time
    return times


VERDICTS = [
    (None, None, (CONFIRMED, YES), "by key takes 1.50 times as long as one of the whole vector"),
    (
        None,
        changed(default_times(), keys=170),
        (CONFIRMED, ONLY_WHERE),
        "by key takes 1.70 times as long as one of the whole vector",
    ),
    (None, changed(default_times(), keys=170, offsets=130), (CONFIRMED, NO), "offsets up to 1.30 times"),
    (None, changed(default_times(), keys__warm=900), (CONFIRMED, YES), "1.50"),
    (
        None,
        changed(default_times(), **{"offsets__segment:4/": 130}),
        (CONFIRMED, ONLY_WHERE),
        "up to 1.16 times",
    ),
    (
        with_counter(default_counts(), "keys__segment:64", "global_bytes_read", 1),
        None,
        (REFUTED, YES),
        "counts 1 global bytes read, not 524,288",
    ),
    (None, False, (CONFIRMED, NOT_MEASURED), ""),
    (False, None, (NOT_COUNTED, YES), ""),
]
