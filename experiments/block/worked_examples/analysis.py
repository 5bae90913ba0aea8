"""worked_examples: the examples that the sources work by hand print what their algorithms compute."""

from analysis.core import plotting, sweep, words
from analysis.core.claim import NO_CLAIM, Evidence, Look, Results, Table, Verdict, judge, told
from experiments.block.worked_examples import grids
from experiments.block.worked_examples.errata import COLUMNS, errata, tree_misread
from experiments.block.worked_examples.examples import (
    Step,
    case_of,
    marks_of,
    printed_steps,
    result_of,
    steps_of,
)

SOURCES = {
    "padrao": "Padrão Scan em CUDA",
    "algorithmes": "Algorithmes fondamentaux",
    "prefix": "CUDA. Сумма на префиксе",
    "reducao": "Redução e Scan com CUDA",
    "arvore": "Trabalho eficiente de scan paralelo",
}
EXAMPLES = {  # as sentences and tables call them
    "six": "six elements, inclusive",
    "block": "a block of eight, inclusive",
    "inclusive": "one to eight, inclusive",
    "exclusive": "one to eight, exclusive",
    "mask": "the mask of the compaction",
    "kept": "the compaction",
    "steps": "the simple scan of eight elements",
    "tree": "the tree scan of eight elements",
    "sixteen": "sixteen elements",
    "spaced": "spaced lanes",
    "consecutive": "consecutive lanes",
    "prefixes": "one to 2,048, exclusive",
    "sum": "one to 2,048, reduced",
}
PANELS = ("six", "inclusive", "steps", "exclusive", "mask", "tree")


def judged(evidence: Evidence) -> list[Results]:
    """The machines that compared what the sources print."""
    return [each for each in (evidence.counted, evidence.timed) if each and "printed" in each.rows]


def results_of(results: Results) -> dict[str, tuple[int, int]]:
    """Printed numbers of each example's result, and how many of them the kernel contradicts."""
    rows = results.rows.drop_duplicates("name").dropna(subset=["printed"])
    pairs = zip(rows["example"], rows["printed"], rows["printed_wrong"], strict=True)
    return {example: (int(printed), int(wrong)) for example, printed, wrong in pairs if example in EXAMPLES}


def verdict(evidence: Evidence) -> Verdict:
    if not (machines := [results_of(each) for each in judged(evidence)]):
        return judge(None, NO_CLAIM, told("worked_examples: not compared"))
    wrong = {example: bad for each in machines for example, (_, bad) in each.items() if bad}
    printed = sum(count for count, _ in machines[0].values())
    if wrong:
        listed = [f"{EXAMPLES[example]} ({bad})" for example, bad in wrong.items()]
        return judge(False, NO_CLAIM, told("worked_examples: wrong", printed=printed, wrong=listed))
    lines = printed_steps(evidence.counted)
    if evidence.counted is None or not all(line.true for line in lines):
        return judge(None, NO_CLAIM, told("worked_examples: not recorded"))
    bad = {example: sum(line.wrong for line in lines if line.example == example) for example in EXAMPLES}
    worst = max(bad, key=bad.get)
    found = {"printed": printed, "count": sum(len(line.printed) for line in lines), "bad": sum(bad.values())}
    finding = told("worked_examples", **found, worst_bad=bad[worst], worst=EXAMPLES[worst])
    return judge(not found["bad"], NO_CLAIM, finding)


def figure(evidence: Evidence):
    figure, axes = plotting.new_figure(plotting.WIDE, 4.1, nrows=2, ncols=3, height_ratios=[4.6, 8])
    for panel, example in zip(axes, PANELS, strict=True):
        steps = steps_of(evidence.counted, example)
        grids.draw_steps(panel, steps, marks_of(evidence.counted, example), columns=8)
        panel.set_title(title_of(evidence.counted, example))
    plotting.legend_on_top(figure, (grids.WRITTEN, grids.UNCHANGED, grids.WRONG))
    plotting.foot(figure, "Shared memory: SIMT machine.")
    return figure


def title_of(counted: Results, example: str) -> str:
    source = SOURCES[case_of(counted, example)["source"]]
    selected = " ".join(map(str, result_of(counted, "kept")))
    total = words.integer(counted.count("result_last", example=example))
    below = {"mask": f"\nmask; selected: {selected}", "tree": f"\ntotal {total}", "exclusive": "\n "}
    return source + below.get(example, "")


def drawings(evidence: Evidence) -> dict:
    counted = evidence.counted
    known = steps_of(counted, "sixteen") and result_of(counted, "prefixes")
    return {"sixteen": draw_sixteen(counted)} if known else {}


def draw_sixteen(counted: Results):
    figure, (above, below) = plotting.new_figure(plotting.WIDE, 3.2, nrows=2, height_ratios=[8, 2])
    steps = steps_of(counted, "sixteen")
    last = list(steps.values())[-1].values

    def look(step: Step, element: int):
        return grids.FINAL if step.values[element] == last[element] else grids.UNCHANGED

    grids.draw_steps(above, steps, marks_of(counted, "sixteen"), 16, grids.bits_in_words, look)
    prefixes = result_of(counted, "prefixes")
    for row, values in enumerate((range(1, len(prefixes) + 1), prefixes)):
        for column, value in enumerate(values):
            grids.draw_box(below, row, column, str(value), grids.WRITTEN if row else grids.UNCHANGED)
    below.set(xlim=(0, len(prefixes)), ylim=(2, 0))
    below.set_yticks([0.5, 1.5], ["input", "scan"])
    grids.bare(below)
    total = words.integer(counted.count("result_last", example="sum"))
    above.set_title(f"{SOURCES['arvore']}: sixteen elements")
    below.set_title(f"{SOURCES['reducao']}: 1, 2, 3 … 2,048; their sum is {total}")
    plotting.legend_on_top(figure, (grids.FINAL, grids.MISSING))
    plotting.foot(figure, "Shared memory: SIMT machine.")
    return figure


def cause(evidence: Evidence) -> str:
    lines = [line for line in printed_steps(evidence.counted) if line.example == "steps"]
    if not lines or not all(line.true for line in lines):
        return ""
    found = {"wrong": sum(line.wrong for line in lines), "total": sum(len(line.printed) for line in lines)}
    misread = tree_misread(evidence, lines)
    return told("worked_examples: cause", source=SOURCES["reducao"], **found, misread=misread)


def tables(evidence: Evidence) -> list[Table]:
    machines, lines = [results_of(each) for each in judged(evidence)], printed_steps(evidence.counted)

    def source(example: str) -> str:
        found = [name for each in judged(evidence) for name in each.levels("source", example=example)]
        return SOURCES[found[0]] if found else words.NOTHING

    def of_results(part: int):
        def cell(example: str) -> str:
            found = [each[example][part] for each in machines if example in each]
            return words.integer(max(found, default=None))

        return cell

    def of_lines(value):
        own = {each: [line for line in lines if line.example == each and line.true] for each in EXAMPLES}
        return lambda example: words.integer(sum(map(value, own[example])) if own[example] else None)

    cells = {
        "source": source,
        "result,\nprinted": of_results(0),
        "result,\nwrong": of_results(1),
        "intermediate,\nprinted": of_lines(lambda line: len(line.printed)),
        "wrong or\nmissing": of_lines(lambda line: line.wrong),
    }
    looks = {example: Look(name, plotting.BLACK) for example, name in EXAMPLES.items()}
    names, caption = [(each,) for each in EXAMPLES], told("worked_examples: table")
    return [
        sweep.table(caption, ["example"], names, cells, looks, text_columns=2),
        Table(told("errata"), list(COLUMNS), errata(evidence, SOURCES), text_columns=len(COLUMNS)),
    ]
