#!/usr/bin/env python3
"""Checks the fit and the simulation on cases whose answer is known without them; ends with 1 if one is wrong."""

import random
import sys

sys.dont_write_bytecode = True
import fit  # noqa: E402
import simulate  # noqa: E402

QUIET = {
    "ahead": 8,
    "start_seconds": 0.0,
    "hours_between_losses": 0,
    "straggler_share": 0.0,
    "straggler_factor": 1.0,
    "overhead_seconds": 0.0,
    "node_bytes_per_second": 1e6,
    "store_bytes_per_second": 1e6,
    "check_seconds": 0.0,
    "check_seconds_per_megabyte": 0.0,
}


def cluster(nodes, cores, **changes):
    return simulate.Cluster(nodes, cores, {**QUIET, **changes}, random.Random(1))


def units(count, seconds, corpus=None, size=0.0):
    return [(seconds, 0.0, "unit", corpus, size)] * count


def near(found, wanted, what):
    if abs(found - wanted) > 1e-6 * max(1.0, abs(wanted)):
        sys.exit(f"{what}: {found} instead of {wanted}")


def true(condition, what):
    if not condition:
        sys.exit(what)


def main():
    rows = [[1.0, files, source] for files in (0.1, 0.5, 2.0) for source in (0.3, 1.0, 7.0)]
    found = fit.fit(rows, [2 + 3 * row[1] + 4 * row[2] for row in rows])
    for value, wanted in zip(found, (2, 3, 4)):
        near(value, wanted, "a cost that is a sum of its parts is found again")
    found = fit.fit(rows, [5 - 0.5 * row[1] for row in rows])
    true(min(found) >= 0, "no part of a cost is negative")

    near(cluster(1, 1).run(units(10, 3.0)), 30.0, "one core makes one unit after another")
    near(cluster(5, 2).run(units(10, 3.0)), 3.0, "ten cores make ten units at once")
    near(cluster(1, 2).run(units(3, 3.0)), 6.0, "two cores need two rounds for three units")
    slow = cluster(10, 10, check_seconds=1.0)
    near(slow.run(units(100, 5.0)), 105.0, "the driver checks one answer after another")
    near(slow.driver_busy, 100.0, "every answer is checked once")
    few = cluster(1, 4, ahead=1, check_seconds=10.0)
    near(few.run(units(8, 0.0)), 80.0, "a unit that is not checked keeps its place on the way")

    read = cluster(1, 1)
    near(read.run(units(4, 1.0, corpus=7, size=2e6)), 6.0, "a node reads a corpus once")
    near(read.read, 2e6, "and no more of it")
    both = cluster(2, 1, node_bytes_per_second=1e9)
    near(both.run(units(2, 1.0, corpus=7, size=2e6)), 5.0, "two nodes share the bandwidth of the store")

    lost = cluster(4, 2, hours_between_losses=0.01, start_seconds=5.0)
    took = lost.run(units(400, 10.0))
    true(lost.lost > 0 and lost.repeated > 0, "nodes are lost, and their units made again")
    true(took > 500.0, "which takes time")
    true(lost.busy == 4000.0, "what a lost node had begun does not count, and each unit counts once")
    again = cluster(4, 2, hours_between_losses=0.01, start_seconds=5.0)
    near(again.run(units(400, 10.0)), took, "the same seed gives the same run")
    late = cluster(1, 1, straggler_share=1.0, straggler_factor=5.0)
    near(late.run(units(2, 1.0)), 10.0, "a straggler takes its factor")


if __name__ == "__main__":
    main()
