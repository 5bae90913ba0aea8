"""The rows of a recording as they are stored: a case's first repetition in full, of the others what differs.

A row without a name belongs to the case of the row before, and has that case's first value of every field
that it lacks. Files of Google Benchmark itself, all of whose rows have names, are left as they are. Needs
only Python's standard library.
"""


def expanded(rows: list[dict]) -> list[dict]:
    """Every row in full."""
    full, first = [], {}
    for row in rows:
        if not isinstance(row, dict) or "name" in row or not first:
            first = row if isinstance(row, dict) and "name" in row else {}
            full.append(row)
        else:
            full.append(first | row)
    return full


def condensed(rows: list[dict]) -> list[dict]:
    """The same rows as they are stored; rows of one case must be neighbours."""
    stored, first = [], {}
    for row in rows:
        if row["name"] == first.get("name") and first.keys() <= row.keys():
            stored.append({key: value for key, value in row.items() if first.get(key) != value})
        else:
            first = row
            stored.append(row)
    return stored
