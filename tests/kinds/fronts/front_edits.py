"""Edits of fronts in shards, which an audit has to name."""


def last_point(rows):
    return [row for row in rows if row["point"] is not None][-1]


def lower(rows):
    last_point(rows)["objectives"][0] -= 0.25


def lower_test(rows):
    last_point(rows)["test_objectives"] = None


def renumber(rows):
    last_point(rows)["point"] += 5


def unfound(rows):
    last_point(rows)["status"] = "unknown"


def add_work(rows):
    last_point(rows)["work"] = 3


def without_front(rows):
    rows[:] = [row for row in rows if row["point"] is None]
