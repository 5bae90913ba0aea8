"""Worked examples: evidence that confirms the claim, and the verdict for changed evidence."""

from analysis.core.verdict import CONFIRMED, NO_CLAIM, NOT_COUNTED, REFUTED
from analysis.test.made_up import Found, counted_row, with_counter, with_findings
from experiments.block.worked_examples import analysis as worked_examples


def default_counts() -> list[dict]:
    """Every example with its printed results; the one of sixteen elements with its operations."""
    rows = []
    for number, example in enumerate(worked_examples.EXAMPLES):
        found = {"printed": number, "printed_wrong": 0}
        found |= {"printed_ops_0": 26} if example == "sixteen" else {}
        name = f"scan/{'brent_kung' if number % 2 else 'blelloch'}/source:padrao/example:{example}/n:16"
        rows.append(counted_row(name, {"ops": 26}, ops=26, **found))
    return rows


def default_times() -> dict:
    return {
        f"scan/blelloch/source:padrao/example:{example}/cache:{cache}/n:16": Found(
            3.0, printed=number, printed_wrong=0
        )
        for number, example in enumerate(worked_examples.EXAMPLES)
        for cache in ("cold", "warm")
    }


VERDICTS = [
    (
        None,
        None,
        (CONFIRMED, NO_CLAIM),
        "All 78 printed results and all 1 printed intermediate numbers are correct.",
    ),
    (
        with_counter(default_counts(), "example:sixteen", "ops", 27),
        None,
        (REFUTED, NO_CLAIM),
        "1 of 1 printed intermediate numbers are wrong or missing, 1 of them in sixteen elements",
    ),
    (
        with_counter(default_counts(), "example:six/", "printed_wrong", 2),
        None,
        (REFUTED, NO_CLAIM),
        "some are wrong: six elements, inclusive (2)",
    ),
    (
        None,
        with_findings(default_times(), "example:tree", printed_wrong=1),
        (REFUTED, NO_CLAIM),
        "the tree scan of eight elements (1)",
    ),
    (
        with_counter(default_counts(), "example:tree", "printed_value_up1_0", 4),
        None,
        (NOT_COUNTED, NO_CLAIM),
        "intermediate steps were not recorded",
    ),
    (False, None, (NOT_COUNTED, NO_CLAIM), "were not recorded"),
    (None, False, (CONFIRMED, NO_CLAIM), ""),
]
