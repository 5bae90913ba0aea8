"""Predictions, counts and hardware counters, one line per case and quantity."""

import pandas

from analysis.agreement.causes import UNEXPLAINED, Pair, cause_of
from analysis.common.evidence import Evidence, Results

QUANTITIES = {
    "ops": "operations",
    "shared_load_requests": "load requests",
    "shared_store_requests": "store requests",
    "shared_load_wavefronts": "load wavefronts",
    "shared_store_wavefronts": "store wavefronts",
    "bank_conflicts": "bank conflicts",
    "global_load_sectors": "sectors loaded",
    "global_store_sectors": "sectors stored",
    "bulk_bytes_loaded": "bulk bytes loaded",
    "bulk_bytes_stored": "bulk bytes stored",
    "barriers": "barriers",
    "launches": "launches",
}
COLUMNS = [
    "claim",
    "kernel",
    "case",
    "quantity",
    "predicted",
    "counted",
    "hardware",
    "difference",
    "cause",
]


# Accesses to shared memory. The GPU's metrics include neither bulk copies nor operations on mbarriers.
SHARED = {name for name in QUANTITIES if name.startswith("shared_")} | {"bank_conflicts"}
BULK = {"bulk_bytes_loaded", "bulk_bytes_stored"}
# Where blocks communicate, by volatile loads, these depend on the order in which blocks run.
BY_ORDER = {"ops", "global_load_sectors"}


def cells(counted: Results, counters: Results) -> pandas.DataFrame:
    """Every quantity that both rows of a case have, in the order of the counts; a cause if they differ."""
    by_name = {row["name"]: row for row in counters.rows.to_dict("records")}
    found = []
    for row in counted.rows.to_dict("records"):
        if hardware := by_name.get(row["name"]):
            pair = Pair(in_whole_sectors(row), hardware)
            found += [
                {"claim": counted.claim["id"]} | cell(pair, quantity)
                for quantity in QUANTITIES
                if pair.both(quantity) and comparable(pair, quantity)
            ]
    return pandas.DataFrame(found, columns=COLUMNS)


def comparable(pair: Pair, quantity: str) -> bool:
    """Whether both rows measure the same. The hardware counts floating-point operations only: it has no count
    for a kernel without any."""
    if quantity in BY_ORDER and pair.counted.get("volatile_load_requests", 0) > 0:
        return False
    if quantity in BULK and not pair.counted[quantity]:
        return False
    if quantity in SHARED and pair.counted.get("operator") == "segmented_sum":
        return False  # nvcc loads the flag and then, on a branch, the value
    if quantity == "global_store_sectors" and pair.counted.get("places_by_order", 0) > 0:
        return False  # the order of atomic additions decides where a block writes
    if quantity != "ops" or pair.hardware.get("operator_instructions") != 0:
        return True
    return not (pair.hardware["ops"] == 0 and pair.counted["ops"] > 0)


def in_whole_sectors(row: dict) -> dict:
    """The counts, with the bytes of bulk stores as the GPU counts them: those of all sectors written."""
    sectors = row.get("bulk_sectors_stored")
    return row if pandas.isna(sectors) else row | {"bulk_bytes_stored": 32 * sectors}


def cell(pair: Pair, quantity: str) -> dict:
    row = pair.counted
    predicted, counted = row.get(f"predicted_{quantity}"), row[quantity]
    hardware = pair.hardware[quantity]
    stated = pandas.notna(predicted)
    equal = hardware == counted and (not stated or predicted == counted)
    return {
        "kernel": f"{row['operation']}/{row['algorithm']}",
        "case": row["name"],
        "quantity": quantity,
        "predicted": predicted if stated else None,
        "counted": counted,
        "hardware": hardware,
        "difference": hardware - counted,
        "cause": "" if equal else cause_of(pair, quantity),
    }


def is_traffic(rows: pandas.DataFrame) -> pandas.Series:
    """The rows of timed cases, profiled for the bytes they move: their names say cold or warm."""
    return rows["cache"].notna() if "cache" in rows else pandas.Series(False, index=rows.index)


def unmatched(counted: Results, counters: Results) -> dict[str, list[str]]:
    """Cases that only one of the two has."""
    names = counters.rows["name"][~is_traffic(counters.rows)]
    return {
        "not_profiled": [name for name in counted.rows["name"] if name not in set(counters.rows["name"])],
        "not_counted": [name for name in names if name not in set(counted.rows["name"])],
    }


def tally(table: pandas.DataFrame) -> dict[str, int]:
    """All cells, the equal ones, and those that differ with and without a proven cause."""
    stated = table[table["predicted"].notna()]
    return {
        "cells": len(table),
        "equal": int((table["cause"] == "").sum()),
        "explained": int((~table["cause"].isin(["", UNEXPLAINED])).sum()),
        "unexplained": int((table["cause"] == UNEXPLAINED).sum()),
        "stated": len(stated),
        "all_three_equal": int((stated["cause"] == "").sum()),
    }


def tally_of(evidence: Evidence) -> dict[str, int] | None:
    """The tally of one claim on one GPU; None without counters."""
    if evidence.counted is None or evidence.counters is None:
        return None
    return tally(cells(evidence.counted, evidence.counters))
