"""The text of the section: numbers and causes come from the log or from recorded results."""

from collections.abc import Mapping

import pandas

from analysis.common import words
from analysis.common.by_targets import Outcome
from analysis.common.errors import EvidenceError
from analysis.common.files import parse_case
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
    """Rounds by their names, and the recorded results of the targets."""

    def __init__(self, log: pandas.DataFrame, recorded: list[Outcome]):
        self.table = log
        self.rounds = log.drop_duplicates("round").set_index("name")
        self.recorded = recorded

    def line(self, name: str) -> pandas.Series:
        if name not in self.rounds.index:
            raise EvidenceError(
                f"log.csv: the report describes a round '{name}', which is not in the log; restore its name, "
                "or correct analysis/log/story.py"
            )
        return self.rounds.loc[name]

    def why(self, name: str) -> str:
        """(round 3): what was learnt."""
        return f"(round {self.line(name)['round']}): {self.learnt(name)}"

    def failure(self, name: str) -> str:
        """The same for a round that the text reports as no help; an error if its prediction was met."""
        if (outcome := outcome_of(self.times(name))) in (MET, PART):
            raise EvidenceError(
                f"log.csv: the report says that round '{name}' did not help, but its outcome is '{outcome}'; "
                "correct analysis/log/story.py"
            )
        return self.why(name)

    def learnt(self, name: str) -> str:
        if not (said := self.line(name)["learnt"]):
            raise EvidenceError(
                f"log.csv: the report says what was learnt in round '{name}', but its `learnt` is empty; "
                "correct it"
            )
        return said

    def times(self, name: str) -> pandas.DataFrame:
        return self.table[self.table["round"] == self.line(name)["round"]]

    def share(self, name: str) -> str:
        """The round's shares of its reference's throughput; as 0.86 or 0.72 to 0.86."""
        return words.span(self.times(name)["share"])

    def standing(self, vector: Vector) -> str:
        """The share recorded for a vector, and its target."""
        for target, ratio, _ in self.recorded:
            if is_relative_to_copy(target, vector):
                known = "not recorded" if ratio is None else f"recorded {words.decimal(ratio, 3)}"
                return f"{known}, target {words.decimal(target.at_least)}"
        return "no target"


def is_relative_to_copy(target: Target, vector: Vector) -> bool:
    """Whether it is a share of the copy's throughput with that vector: from a stream, cold, aligned."""
    factors = parse_case(None, target.ours)
    stated = [factors.get(factor) for factor in ("operation", "type", "n", "submit", "cache", "off")]
    return stated == ["scan", *vector, "stream", "cold", None] and beside(target) == ["copy"]


def beside(target: Target) -> list[str]:
    return [parse_case(None, case)["operation"] for case in target.against]


def paragraphs(log: pandas.DataFrame, recorded: list[Outcome]) -> list[Paragraph]:
    rounds = Log(log, recorded)
    said = {
        "Rounds": summary(log),
        "What made the difference": difference(rounds),
        "Where the time went": causes(rounds),
        "What was refuted": refuted(rounds),
        "Other kernels": other_kernels(rounds),
        "What remains": remaining(rounds),
        "Out of reach": out_of_reach(recorded),
    }
    return [{"title": title, "text": text} for title, text in said.items() if text]


def summary(log: pandas.DataFrame) -> str:
    counts = tally(log)
    total, true, part = sum(counts.values()), counts.get(MET, 0), counts.get(PART, 0)
    others = {REFUTED: "were refuted", NO_CHANGE: "had no effect", MISSED: "first versions fell short"}
    apart = [f"{counts[outcome]} {what}" for outcome, what in others.items() if outcome in counts]
    low, high = CALLS
    return (
        "A round is one change and a prediction, written down before the change was tried. Of "
        f"{total} predictions {true} were met, {part} in part, and {total - true - part} not at all: "
        f"{words.listing(apart)}. The times are medians of throwaway benchmarks, {low} to {high} calls "
        "each, interleaved with the copy. They document the development; the reproducible evidence is in the "
        "sections above."
    )


def counted(count: int, one: str, many: str = "") -> str:
    """three changes."""
    return f"{words.small(count)} {one if count == 1 else many or one + 's'}"


def difference(rounds: Log) -> str:
    log, shown = rounds.table, vectors(rounds.table)
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
                "which may have contributed to the rise."
            )
    bests = [f"{best_so_far(of_vector(log, each))[-1]:.2f} with {name_of(each)}" for each in shown]
    number_of_steps = counted(len(found), "round was a step", "rounds were a step")
    said.append(
        f"So {number_of_steps}: both the share and our own time improved, the share by at least {STEP}. The "
        "other rounds gained less. The best shares of rounds that improved our own time too are "
        f"{words.listing(bests)}."
    )
    for each in shown:
        for row in flattered(of_vector(log, each)):
            said.append(
                f"The {row['share']:.2f} of round {row['round']} with {name_of(each)} is not a step: the "
                f"copy in that run was slow ({row['beside_us']:.1f} µs), while our time was "
                f"{row['time_us']:.1f} µs, against {row['least']:.1f} µs before."
            )
    return " ".join(said)


def causes(rounds: Log) -> str:
    side_by_side = rounds.line("all statuses at once")
    return (
        "The multiprocessors' clock, read inside the kernel, located the bottlenecks. First "
        f"{rounds.why('a stage released late')}. So the look-ahead was the bottleneck. The prediction of "
        f"round {side_by_side['round']}, “{side_by_side['prediction']}”, was "
        f"{outcome_of(rounds.times('all statuses at once'))}: {side_by_side['learnt']}. Later "
        f"{rounds.why('two polls a tile')}. Finally {rounds.why('one poll, less to add')}."
    )


def refuted(rounds: Log) -> str:
    is_step = rounds.line("deferred look-ahead")["round"] in made_the_difference(rounds.table)
    alone = "" if is_step else ", although alone it gained nothing measurable"
    return (
        "Polling the statuses of other tiles more often did not help. Polling before a tile's load completes "
        f"{rounds.failure('polls before the tile has arrived')}. Two polling warps "
        f"{rounds.failure('two look-ahead warps')}. Prefetching the next tile's statuses "
        f"{rounds.failure('statuses of the next tile in flight')}. Delayed polling is right "
        f"{rounds.why('deferred look-ahead')}. We kept the delay{alone}. Nothing added to it helped. Two "
        f"warps with delayed polling {rounds.failure('two deferred look-aheads')}. "
        f"Prefetching with delayed polling {rounds.failure('deferred look-ahead, statuses in flight')}. "
        f"Nor does it matter which warps poll {rounds.failure('look-ahead in the first warps')}; "
        "in which groups "
        f"{rounds.failure('smaller groups')}; or whether the block's own aggregate is already published "
        f"{rounds.failure('polls once its own sum is published')}."
    )


def other_kernels(rounds: Log) -> str:
    return (
        "One wave of blocks, for short vectors: with smaller blocks the share of the copy goes from "
        f"{from_to(rounds, 'one wave as first built', 'one wave of smaller blocks')}. A compaction that "
        f"holds its tiles in registers does not help {rounds.failure('compaction with resident blocks')}. On "
        "the ring its share of a copy of as many bytes goes from "
        f"{from_to(rounds, 'compaction with resident blocks', 'compaction on the ring')}: "
        f"{rounds.learnt('compaction on the ring')}. The reduction's share of a read goes from "
        f"{from_to(rounds, 'reduction as first built', 'reduction with more in flight')}, by "
        f"{rounds.line('reduction with more in flight')['prediction'].split(': ')[-1]}."
    )


def from_to(rounds: Log, first: str, last: str) -> str:
    """0.69 to 0.74 at n = 2²⁰ and ..: for every length of both rounds."""
    before, after = (rounds.times(name).set_index("n")["share"] for name in (first, last))
    return words.listing(
        [f"{before[n]:.2f} to {after[n]:.2f} at n = {words.power(n)}" for n in after.index if n in before]
    )


def remaining(rounds: Log) -> str:
    long, middle, narrow = ("int32", 1 << 24), ("int32", 1 << 22), ("int8", 1 << 28)
    return (
        f"With {name_of(long)} ({rounds.standing(long)}) the limit is polling under load: "
        f"{rounds.learnt('one poll, less to add')}. Another limit is the end of the vector "
        f"{rounds.failure('other ends of the deferral')}. Other tile sizes do not help "
        f"{rounds.failure('other tiles')}. Nor does a hint to evict first what was loaded first "
        f"{rounds.failure('first loaded, first evicted')}. With {name_of(middle)} "
        f"({rounds.standing(middle)}) one wave of blocks first reads everything, then writes. More waves do "
        f"not help {rounds.failure('one wave in parts')}. Nor does the ring "
        f"{rounds.failure('the ring at 2²²')}. With {name_of(narrow)} ({rounds.standing(narrow)}) more warps "
        f"do not help {rounds.failure('more warps for bytes')}. {short_vectors(rounds.recorded)}"
    )


def short_vectors(recorded: list[Outcome]) -> str:
    """The shares of vectors scanned one call at a time."""
    shares = {}
    for target, ratio, _ in recorded:
        factors = parse_case(None, target.ours)
        if factors.get("submit") == "live" and beside(target) == ["copy"] and ratio is not None:
            shares[factors["n"]] = ratio
    what = "Short vectors cost a launch and one round trip to the L2 cache"
    if not shares:
        return f"{what}; single calls were not recorded."
    said = [f"{share:.2f} of the copy at n = {words.power(n)}" for n, share in shares.items()]
    return f"{what}: one call at a time, the scan reaches {words.listing(said)}."


def out_of_reach(recorded: list[Outcome]) -> str:
    """Targets relative to CUB that not even the copy would meet."""
    of_copy = {target.ours: ratio for target, ratio, _ in recorded if beside(target) == ["copy"]}
    said = []
    for target, ratio, _ in recorded:
        share = of_copy.get(target.ours)
        if beside(target) == ["copy"] or ratio is None or share is None:
            continue
        if (bound := ratio / share) < target.at_least:
            said.append(
                f"“{words.raised(target.work)}” has a target of {words.decimal(target.at_least)}, but the "
                f"copy itself reaches only {bound:.2f}: not even a scan at copy speed would meet it."
            )
    return " ".join(said)


def in_numbers(log: pandas.DataFrame) -> Mapping:
    """For readers of the document: outcomes, steps and best shares by vector."""
    return {
        "outcomes": tally(log),
        "made_the_difference": made_the_difference(log),
        "best": {name_of(each): best_so_far(of_vector(log, each))[-1] for each in vectors(log)},
    }
