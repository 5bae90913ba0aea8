"""Five findings for a reader who has a minute: the sentences of paper/findings.md, with their numbers."""

import re
from pathlib import Path

from analysis.common.prose import Lacking, render

NAME = "findings"
SOURCE = Path("paper/findings.md")
HEAD = re.compile(r"^## (\w+): (.+)\n", re.MULTILINE)


def found_in(figures: Path, source: Path = SOURCE) -> list[dict]:
    """Title, sentence and claim of each finding that there are numbers for."""
    text = source.read_text(encoding="utf-8")
    heads = list(HEAD.finditer(text))
    made = []
    for head, end in zip(heads, [*(head.start() for head in heads[1:]), len(text)], strict=True):
        line = text.count("\n", 0, head.end()) + 1
        try:
            title = render(source, figures, head[2], line - 1)
            sentences = render(source, figures, text[head.end() : end], line)
        except Lacking:
            continue
        made.append({"title": title, "sentence": " ".join(sentences.split()), "claim": head[1]})
    return made
