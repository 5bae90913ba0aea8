"""Five findings for a reader who has a minute: the sentences of paper/findings.md, with their numbers."""

from pathlib import Path

from analysis.common.prose import Lacking, render, sections

NAME = "findings"
SOURCE = Path("paper/findings.md")


def found_in(figures: Path, source: Path = SOURCE) -> list[dict]:
    """Title, sentence and claim of each finding that there are numbers for."""
    made = []
    for head, line, text in sections(source):
        claim, title = head.split(": ", 1)
        try:
            title = render(source, figures, title, line - 1)
            sentences = render(source, figures, text, line)
        except Lacking:
            continue
        made.append({"title": title, "sentence": " ".join(sentences.split()), "claim": claim})
    return made
