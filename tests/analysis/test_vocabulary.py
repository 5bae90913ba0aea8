"""Code and prose use the field's terms: none of the project's former words is left."""

import re
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


def files() -> list[Path]:
    found = [ROOT / "README.md", ROOT / "Makefile", ROOT / "CMakeLists.txt"]
    for folder in FOLDERS:
        found += [path for path in sorted((ROOT / folder).rglob("*")) if path.suffix in SUFFIXES]
    return [path for path in found if path != Path(__file__).resolve() and "__pycache__" not in path.parts]


def code_of(text: str) -> str:
    """C++ without comments and literals, line by line."""
    pattern = r'//[^\n]*|/\*.*?\*/|R"\(.*?\)"|"(?:\\.|[^"\\\n])*"'
    return re.sub(pattern, lambda found: "\n" * found[0].count("\n"), text, flags=re.DOTALL)


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


@pytest.mark.parametrize("former", FUNCTIONS)
def test_no_function_is_a_former_one(former):
    text_of = [(path, code_of(path.read_text())) for path in files() if path.suffix in CODE]
    found = places(rf"(?<![\w.>] )(?<![\w.>])(?:{former})\(", text_of)
    assert not found, "\n".join([f"say: {FUNCTIONS[former]}", *found])


@pytest.mark.parametrize("former", PHRASES)
def test_no_phrase_is_a_former_one(former):
    found = places(former, [(path, path.read_text()) for path in files()])
    assert not found, "\n".join([f"say: {PHRASES[former]}", *found])
