"""The verdicts on speed at every noise threshold, cold and warm, for the reader to be the judge."""

from analysis.common.report import Section
from analysis.common.thresholds import THRESHOLDS
from analysis.common.verdict import speed_in_words


def judged(sections: list[Section]) -> dict:
    """The claims that are about speed: their verdicts by threshold, in words; the first is the analysis'."""
    documents = [section.documents[0] for section in sections]
    return {
        "thresholds": list(THRESHOLDS),
        "claims": [
            {
                "id": each["claim"]["id"],
                "title": each["claim"]["title"],
                "speed": speed_in_words(each["verdict"]),
                **each["thresholds"],
            }
            for each in documents
            if each.get("thresholds")
        ],
    }
