"""The text of the section: numbers and causes are read from the log or from recorded results."""

from collections.abc import Mapping

import pandas

from analysis.common import words
from analysis.common.by_targets import Outcome
from analysis.common.errors import EvidenceError
from analysis.common.evidence import parse_case
from analysis.common.targets import Target
from analysis.log.rounds import (
    CALLS,
    MET,
    MISSED,
    NO_CHANGE,
    PART,
    REFUTED,
    STEP,
    Vector,
    best_so_far,
    confounded,
    flattered,
    made_the_difference,
    name_of,
    of_vector,
    outcome_of,
    steps,
    tally,
    vectors,
)

Paragraph = dict[str, str]  # title and text


class Log:
    """Rounds by their names, and what was recorded of the targets since."""

    def __init__(self, log: pandas.DataFrame, recorded: list[Outcome]):
        self.table = log
        self.rounds = log.drop_duplicates("round").set_index("name")
        self.recorded = recorded

    def line(self, name: str) -> pandas.Series:
        if name not in self.rounds.index:
            raise EvidenceError(
                f"log.csv: the report tells of a round '{name}', but none is called so; name it again, or "
                "correct analysis/log/story.py"
            )
        return self.rounds.loc[name]

    def why(self, name: str) -> str:
        """(round 3): what was learnt."""
        return f"(round {self.line(name)['round']}): {self.learnt(name)}"

    def vain(self, name: str) -> str:
        """The same of a round that the text calls no help; an error if its prediction came true after all."""
        if (outcome := outcome_of(self.times(name))) in (MET, PART):
            raise EvidenceError(
                f"log.csv: the report says that round '{name}' was no help, but its outcome is '{outcome}'; "
                "correct analysis/log/story.py"
            )
        return self.why(name)

    def learnt(self, name: str) -> str:
        if not (said := self.line(name)["learnt"]):
            raise EvidenceError(
                f"log.csv: the report says what was learnt in round '{name}', but nothing was; correct it"
            )
        return said

    def times(self, name: str) -> pandas.DataFrame:
        return self.table[self.table["round"] == self.line(name)["round"]]

    def share(self, name: str) -> str:
        """Of what ran beside the round's cases; as 0.86 or 0.72 to 0.86."""
        return words.span(self.times(name)["share"])

    def standing(self, vector: Vector) -> str:
        """What is asked for of a vector, and what is recorded."""
        for target, ratio, _ in self.recorded:
            if is_share_of_copy(target, vector):
                known = "not recorded" if ratio is None else f"recorded {words.decimal(ratio, 3)}"
                return f"{known}, asked for {words.decimal(target.at_least)}"
        return "no share is asked for"


def is_share_of_copy(target: Target, vector: Vector) -> bool:
    """Whether it asks for a share of the copy's throughput with a vector: from a stream, cold, aligned."""
    factors = parse_case(None, target.ours)
    stated = [factors.get(factor) for factor in ("operation", "type", "n", "submit", "cache", "off")]
    return stated == ["scan", *vector, "stream", "cold", None] and beside(target) == ["copy"]


def beside(target: Target) -> list[str]:
    return [parse_case(None, case)["operation"] for case in target.against]


def paragraphs(log: pandas.DataFrame, recorded: list[Outcome]) -> list[Paragraph]:
    told = Log(log, recorded)
    said = {
        "Rounds": rounds_told(log),
        "What made the difference": difference_told(told),
        "Where the time went": causes_told(told),
        "What was refuted": refuted_told(told),
        "Other kernels": others_told(told),
        "What remains": remains_told(told),
        "Out of reach": out_of_reach(recorded),
    }
    return [{"title": title, "text": text} for title, text in said.items() if text]


def rounds_told(log: pandas.DataFrame) -> str:
    counts = tally(log)
    total, true, part = sum(counts.values()), counts.get(MET, 0), counts.get(PART, 0)
    others = {REFUTED: "were refuted", NO_CHANGE: "changed nothing", MISSED: "first versions fell short"}
    apart = [f"{counts[outcome]} {what}" for outcome, what in others.items() if outcome in counts]
    low, high = CALLS
    return (
        "A round is one change, and a prediction that was written down before the change was tried. Of "
        f"{total} predictions {true} came true, {part} in part, and {total - true - part} not at all: "
        f"{words.listing(apart)}. The times are medians of throw-away benchmarks, {low} to {high} calls "
        "each, interleaved with the copy. They tell of the way; the evidence is that of the sections above, "
        "which anyone can take anew."
    )


def counted(count: int, one: str, many: str = "") -> str:
    """three changes."""
    return f"{words.small(count)} {one if count == 1 else many or one + 's'}"


def difference_told(told: Log) -> str:
    log, shown = told.table, vectors(told.table)
    if not shown:
        return ""
    firsts = [f"{of_vector(log, each)['share'].iloc[0]:.2f} with {name_of(each)}" for each in shown]
    said = [f"Of the copy's throughput the first ring reached {words.listing(firsts)}."]
    changes = log.drop_duplicates("round").set_index("round")["change"]
    found = made_the_difference(log)
    for number in found:
        rises = [(each, steps(of_vector(log, each)).get(number)) for each in shown]
        each = [f"{rise[0]:.2f} to {rise[1]:.2f} with {name_of(vector)}" for vector, rise in rises if rise]
        said.append(f"Round {number}, {changes[number].rstrip('.')}: from {words.listing(each)}.")
        doubtful = [name_of(vector) for vector in shown if number in confounded(of_vector(log, vector))]
        if doubtful:
            said.append(
                f"With {words.listing(doubtful)} the cache was cleared in another way from this round on, "
                "which may have its part in the rise."
            )
    bests = [f"{best_so_far(of_vector(log, each))[-1]:.2f} with {name_of(each)}" for each in shown]
    steps_told = counted(len(found), "round was a step", "rounds were a step")
    said.append(
        f"So {steps_told}: a share and our own time both better, the share by {STEP} at least. The others "
        f"brought less. The best are {words.listing(bests)}."
    )
    for each in shown:
        for row in flattered(of_vector(log, each)):
            said.append(
                f"The {row['share']:.2f} of round {row['round']} with {name_of(each)} is no step: the copy "
                f"beside it was slow, {row['beside_us']:.1f} µs, while our time was "
                f"{row['time_us']:.1f} µs, and {row['least']:.1f} µs before."
            )
    return " ".join(said)


def causes_told(told: Log) -> str:
    side_by_side = told.line("all statuses at a time")
    return (
        "The clock of the multiprocessors, read inside the kernel, told where to look. First "
        f"{told.why('a stage emptied late')}. So the look-ahead was in the way. The prediction of round "
        f"{side_by_side['round']}, “{side_by_side['prediction']}”, was "
        f"{outcome_of(told.times('all statuses at a time'))}: {side_by_side['learnt']}. "
        f"Later {told.why('two looks a tile')}. At last "
        f"{told.why('one look, less to add')}."
    )


def refuted_told(told: Log) -> str:
    is_step = told.line("patience")["round"] in made_the_difference(told.table)
    step = "" if is_step else ", though it is no step by itself"
    return (
        "More looks at the statuses of other tiles seemed to be the remedy, and were not. "
        f"Looking before a tile has landed {told.vain('looks before the tile is there')}. "
        f"Two warps that look {told.vain('two look-ahead warps')}. "
        f"Asking for the next tile's statuses early {told.vain('statuses of the next tile on their way')}. "
        f"Looking late is right {told.why('patience')}. This patience is kept{step}. "
        "But nothing can be added to it. "
        f"Two patient warps {told.vain('two patient warps')}. Asking early, with patience "
        f"{told.vain('patience, and statuses on their way')}. Nor does it matter which warps look "
        f"{told.vain('look-ahead in the first warps')}; in which groups {told.vain('smaller groups')}; or "
        f"whether the block's own sum is out {told.vain('looks once its own sum is out')}."
    )


def others_told(told: Log) -> str:
    return (
        f"One wave of blocks, for short vectors: with smaller blocks the share of the copy goes from "
        f"{from_to(told, 'one wave as first built', 'one wave of smaller blocks')}. A compaction whose "
        f"tiles wait in registers {told.vain('compaction with resident blocks')}. On the ring its share of a "
        "copy of as many bytes goes from "
        f"{from_to(told, 'compaction with resident blocks', 'compaction on the ring')}: "
        f"{told.learnt('compaction on the ring')}. The reduction's share of a read goes from "
        f"{from_to(told, 'reduction as first built', 'reduction with more on its way')}, by "
        f"{told.line('reduction with more on its way')['prediction'].split(': ')[-1]}."
    )


def from_to(told: Log, first: str, last: str) -> str:
    """0.69 to 0.74 at n = 2²⁰ and ..: for every length of both rounds."""
    before, after = (told.times(name).set_index("n")["share"] for name in (first, last))
    return words.listing(
        [f"{before[n]:.2f} to {after[n]:.2f} at n = {words.power(n)}" for n in after.index if n in before]
    )


def remains_told(told: Log) -> str:
    long, middle, narrow = ("int32", 1 << 24), ("int32", 1 << 22), ("int8", 1 << 28)
    return (
        f"With {name_of(long)} ({told.standing(long)}) it is the look under load, as "
        f"{told.learnt('one look, less to add')}. And it is the end {told.vain('other ends of patience')}. "
        f"Tiles of other sizes are no help {told.vain('other tiles')}. Nor is a hint to evict first what was "
        f"loaded first {told.vain('first loaded, first evicted')}. "
        f"With {name_of(middle)} ({told.standing(middle)}) one wave of blocks reads all, then writes all. "
        f"More waves are no help {told.vain('one wave in parts')}. Nor is the ring "
        f"{told.vain('the ring at 2²²')}. With {name_of(narrow)} ({told.standing(narrow)}) more warps are no "
        f"help {told.vain('more warps for bytes')}. {short_told(told.recorded)}"
    )


def short_told(recorded: list[Outcome]) -> str:
    """Of vectors that are scanned a call at a time."""
    shares = {}
    for target, ratio, _ in recorded:
        factors = parse_case(None, target.ours)
        if factors.get("submit") == "live" and beside(target) == ["copy"] and ratio is not None:
            shares[factors["n"]] = ratio
    what = "Short vectors cost a launch and one crossing of the second-level cache"
    if not shares:
        return f"{what}; calls at a time were not recorded."
    said = [f"{share:.2f} of the copy at n = {words.power(n)}" for n, share in shares.items()]
    return f"{what}: a call at a time the scan reaches {words.listing(said)}."


def out_of_reach(recorded: list[Outcome]) -> str:
    """Targets over CUB that not even the copy would meet."""
    of_copy = {target.ours: ratio for target, ratio, _ in recorded if beside(target) == ["copy"]}
    said = []
    for target, ratio, _ in recorded:
        share = of_copy.get(target.ours)
        if beside(target) == ["copy"] or ratio is None or share is None:
            continue
        if (bound := ratio / share) < target.at_least:
            said.append(
                f"“{target.work}” asks for {words.decimal(target.at_least)}, but the copy itself is only "
                f"{bound:.2f} times as fast. A scan at its speed would miss that."
            )
    return " ".join(said)


def in_numbers(log: pandas.DataFrame) -> Mapping:
    """For those who read the document: outcomes, steps and best shares by vector."""
    return {
        "outcomes": tally(log),
        "made_the_difference": made_the_difference(log),
        "best": {name_of(each): best_so_far(of_vector(log, each))[-1] for each in vectors(log)},
    }
