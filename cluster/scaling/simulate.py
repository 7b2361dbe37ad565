#!/usr/bin/env python3
"""Simulates runs over many corpora on many nodes, and compares the model with runs that were made.

    simulate.py check      two recorded runs and the full set of decision 0008: foretold and measured
    simulate.py run        10,000 corpora on 1, 10 and 100 nodes; prints results.json

A run is set-up, the recording of all units, and the judgement. Units go out slowest first, as `parity run --cluster` sends
them: the driver keeps a window of units on the way, checks one answer after another, and sends a unit for each answer.
A unit reads its corpus from the shared file system when its node has not read it before. The same seed gives the same
numbers.
"""

import collections
import heapq
import json
import math
import random
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
STATED = tomllib.loads((HERE / "stated.toml").read_text())
KINDS = ("comparator", "maps", "trial", "calls")


def foretold(fit, corpus):
    a, b, c = fit["coefficients"]
    return a + b * corpus["files"] / 1000 + c * corpus["source_bytes"] / 1e6


def units_of(model, corpus, seeded, draw):
    """(seconds, kilobytes, kind) of the units of one corpus; `draw` spreads a kind's seconds around the fit.

    A seeded corpus has the seeded runs of the comparator if its own run is cheap.
    """
    composition, raw = STATED["composition"], STATED["seeded"]
    found = []
    for kind in KINDS:
        seconds = foretold(model["seconds"][kind], corpus) * draw(model["seconds"][kind]["spread"])
        kilobytes = foretold(model["kilobytes"][kind], corpus)
        found += [(seconds, kilobytes, kind)] * composition[kind]
        if kind == "comparator" and seeded and seconds <= raw["most_seconds"]:
            share = raw["of_comparator_unit"]
            found += [(seconds * share, kilobytes * share, "raw")] * raw["seeds"]
    explore = model["explore"]
    found += [(explore["seconds"], explore["kilobytes"], "explore")] * round(explore["units_per_corpus"])
    return found


def fixed_units(model):
    """The units that a run has once, however many corpora it has."""
    return [
        (unit["seconds"], unit["bytes"] / 1000, unit["kind"], None, 0.0)
        for unit in model["fixed"]
        for _ in range(unit["units"])
    ]


class Cluster:
    """Nodes with cores, a driver, a shared file system; one simulation."""

    def __init__(self, nodes, cores, stated, source):
        self.cores, self.stated, self.source = cores, stated, source
        self.now = self.driver_free = self.store_free = 0.0
        self.driver_busy = self.busy = self.read = 0.0
        self.lost = self.repeated = 0
        self.events, self.number = [], 0
        self.idle = []
        self.seen, self.age = {}, {}
        for node in range(nodes):
            self.begin(node, source.uniform(0, stated["start_seconds"]) + stated["start_seconds"])

    def push(self, at, what, *details):
        self.number += 1
        heapq.heappush(self.events, (at, self.number, what, details))

    def begin(self, node, at):
        """A node, or what replaces it, takes units from `at` on."""
        self.age[node] = self.age.get(node, 0) + 1
        self.seen[node] = set()
        self.push(at, "up", node, self.age[node])
        if self.stated["hours_between_losses"]:
            life = self.source.expovariate(1 / (self.stated["hours_between_losses"] * 3600))
            self.push(at + life, "lost", node, self.age[node])

    def start(self, node, unit, units):
        """A core of a node takes a unit."""
        seconds, _, _, corpus, size = units[unit]
        wait = 0.0
        if corpus is not None and corpus not in self.seen[node]:
            self.seen[node].add(corpus)
            self.store_free = max(self.store_free, self.now) + size / self.stated["store_bytes_per_second"]
            wait = max(self.store_free - self.now, size / self.stated["node_bytes_per_second"])
            self.read += size
        if self.source.random() < self.stated["straggler_share"]:
            seconds *= self.stated["straggler_factor"]
        took = wait + self.stated["overhead_seconds"] + seconds
        self.flying.setdefault(node, set()).add(unit)
        self.push(self.now + took, "done", node, self.age[node], unit, took)

    def run(self, units):
        """Seconds until every unit is checked."""
        waiting = list(range(len(units)))[::-1]
        sent, outside, checked = collections.deque(), 0, 0
        window = self.stated["ahead"] * len(self.seen) * self.cores
        self.flying = {}

        def send():
            nonlocal outside
            while waiting and outside < window:
                sent.append(waiting.pop())
                outside += 1
            while sent and self.idle:
                node, age = self.idle.pop()
                if self.age[node] == age:
                    self.start(node, sent.popleft(), units)

        while checked < len(units):
            self.now, _, what, details = heapq.heappop(self.events)
            if what == "up":
                node, age = details
                self.idle += [(node, age)] * self.cores
            elif what == "lost":
                node, age = details
                if self.age[node] != age:
                    continue
                self.lost += 1
                again = sorted(self.flying.pop(node, set()))
                self.repeated += len(again)
                sent.extendleft(reversed(again))
                self.begin(node, self.now + self.stated["start_seconds"])
            elif what == "done":
                node, age, unit, took = details
                if self.age[node] != age:
                    continue
                self.flying[node].discard(unit)
                self.busy += took
                self.idle.append((node, age))
                check = self.stated["check_seconds"] + units[unit][1] / 1000 * self.stated["check_seconds_per_megabyte"]
                self.driver_busy += check
                self.driver_free = max(self.driver_free, self.now) + check
                self.push(self.driver_free, "checked")
            else:
                outside -= 1
                checked += 1
            send()
        return self.now


def drawn(model, count, source):
    """Corpora from the recorded ones, each a little larger or smaller."""
    found = []
    for _ in range(count):
        corpus, factor = source.choice(model["corpora"]), math.exp(source.gauss(0, STATED["draw"]["spread"]))
        found.append({key: value * factor for key, value in corpus.items()})
    return found


def plan(model, corpora, source):
    """Units of a run over these corpora, slowest first: seconds, kilobytes, kind, corpus, bytes of the corpus."""
    units = fixed_units(model)
    share = STATED["seeded"]["share_of_corpora"]
    for number, corpus in enumerate(corpora):
        spread = lambda sigma: math.exp(source.gauss(-sigma * sigma / 2, sigma))
        seeded = source.random() < share
        units += [(*unit, number, corpus["bytes"]) for unit in units_of(model, corpus, seeded, spread)]
    return sorted(units, key=lambda unit: -unit[0])


def simulated(units, nodes, **changes):
    """One simulation, as numbers to report."""
    stated = {**STATED["driver"], **STATED["nodes"], **changes}
    cores = int(stated["cores"])
    cluster = Cluster(nodes, cores, stated, random.Random(STATED["draw"]["seed"] + nodes))
    seconds = cluster.run(units)
    megabytes = sum(unit[1] for unit in units) / 1000
    return {
        "nodes": nodes,
        "hours_recording": round(seconds / 3600, 2),
        "hours_judging": round(megabytes * STATED["judging"]["seconds_per_megabyte"] / 3600, 2),
        "cores_busy": round(cluster.busy / (seconds * nodes * cores), 3),
        "driver_busy": round(cluster.driver_busy / seconds, 3),
        "terabytes_read": round(cluster.read / 1e12, 2),
        "nodes_lost": cluster.lost,
        "units_made_again": cluster.repeated,
    }


def results(model):
    """All that docs/scaling.md tells."""
    source = random.Random(STATED["draw"]["seed"])
    corpora = drawn(model, STATED["draw"]["corpora"], source)
    units = plan(model, corpora, source)
    seconds = [unit[0] for unit in units]
    variants = {
        "no stragglers, no losses": {"straggler_share": 0.0, "hours_between_losses": 0},
        "as stated": {},
        "a node lost each 2 hours": {"hours_between_losses": 2},
        "checks ten times as quick": {
            key: STATED["driver"][key] / 10 for key in ("check_seconds", "check_seconds_per_megabyte")
        },
        "a tenth of the store's bandwidth": {"store_bytes_per_second": STATED["nodes"]["store_bytes_per_second"] / 10},
    }
    return {
        "units": len(units),
        "processor_hours": round(sum(seconds) / 3600, 1),
        "gigabytes_of_recordings": round(sum(unit[1] for unit in units) / 1e6, 1),
        "longest_unit_seconds": round(max(seconds)),
        "rows": [
            {"variant": name, **simulated(units, nodes, **changes)}
            for name, changes in variants.items()
            for nodes in STATED["draw"]["nodes"]
            if nodes == max(STATED["draw"]["nodes"]) or name in ("no stragglers, no losses", "as stated")
        ],
    }


def check(model):
    """Recorded runs beside what the model foretells of them."""
    measured = json.loads((HERE / "measured.json").read_text())["corpora"]
    authored = {"files": 0, "source_bytes": 0, "bytes": 0, "required": False}
    found = []
    for run in STATED["recorded"]:
        chosen = [measured[name] for name in run.get("corpora", sorted(measured))]
        corpora = [corpus for corpus in chosen if corpus["mapped"]] + [authored] * run["authored"]
        units = fixed_units(model)
        for number, corpus in enumerate(corpora):
            seeded = run["seeded"] and corpus["required"]
            units += [(*unit, number, 0.0) for unit in units_of(model, corpus, seeded, lambda _: 1.0)]
        if run["recalled"]:
            known = ("comparator", "models_comparator")
            units = [(0.0 if unit[2] in known else unit[0], *unit[1:]) for unit in units]
        units.sort(key=lambda unit: -unit[0])
        alone = {"straggler_share": 0.0, "hours_between_losses": 0, "start_seconds": 0.0}
        stated = {**STATED["driver"], **STATED["nodes"], **alone}
        start = STATED["setup"]["seconds"]
        if run["cluster"]:
            start += STATED["setup"]["ray_seconds"]
        else:
            stated["overhead_seconds"] = 0.0
        recording = Cluster(1, run["jobs"], stated, random.Random(0)).run(units)
        judging = sum(unit[1] for unit in units) / 1000 * STATED["judging"]["seconds_per_megabyte"]
        total = start + recording + judging
        row = {"run": run["name"], "units": len(units), "foretold_seconds": round(total, 1)}
        off_by = round(total / run["wall_seconds"] - 1, 3)
        found.append({**row, "measured_seconds": run["wall_seconds"], "off_by": off_by})
    return found


if __name__ == "__main__":
    model = json.loads((HERE / "model.json").read_text())
    what = {"check": check, "run": results}[sys.argv[1]]
    print(json.dumps(what(model), indent=1))
