#!/usr/bin/env python3
"""Fits what a unit costs to the size of its corpus.

    fit.py > model.json         from measured.json (collect.py) and processors.json (processors.py)

A cost is a + b * (files / 1000) + c * (megabytes of source), with no negative part: a start, the walk over the files, the
parsing. The weights are one over the fitted cost, so that the fitted costs add up to the measured ones. Processor seconds
of the comparator are those in the locks of the corpora, rounded up to whole seconds there; those of our units are
measured; what is neither is the wall time of recorded runs.
"""

import itertools
import json
import math
import statistics
from pathlib import Path

HERE = Path(__file__).resolve().parent
FITTED = ("comparator", "maps", "trial", "calls")
ROUNDS = 50


def features(corpus):
    return [1.0, corpus["files"] / 1000, corpus["source_bytes"] / 1e6]


def dot(coefficients, row):
    return sum(a * b for a, b in zip(coefficients, row))


def solve(rows, values, weights):
    """Weighted least squares by the normal equations; None if they have no single solution."""
    count = len(rows[0])
    matrix = []
    for i in range(count):
        line = [sum(w * row[i] * row[j] for row, w in zip(rows, weights)) for j in range(count)]
        matrix.append([*line, sum(w * row[i] * value for row, value, w in zip(rows, values, weights))])
    for i in range(count):
        pivot = max(range(i, count), key=lambda k: abs(matrix[k][i]))
        matrix[i], matrix[pivot] = matrix[pivot], matrix[i]
        if abs(matrix[i][i]) < 1e-15:
            return None
        for k in range(count):
            if k != i:
                factor = matrix[k][i] / matrix[i][i]
                matrix[k] = [a - factor * b for a, b in zip(matrix[k], matrix[i])]
    return [matrix[i][count] / matrix[i][i] for i in range(count)]


def least(rows, values, weights):
    """The best coefficients of which none is negative, over all subsets of the features."""
    best = None
    for size in range(1, len(rows[0]) + 1):
        for chosen in itertools.combinations(range(len(rows[0])), size):
            found = solve([[row[i] for i in chosen] for row in rows], values, weights)
            if found is None or min(found) < 0:
                continue
            whole = [0.0] * len(rows[0])
            for i, value in zip(chosen, found):
                whole[i] = value
            error = sum(w * (dot(whole, row) - value) ** 2 for row, value, w in zip(rows, values, weights))
            if best is None or error < best[0] - 1e-12:
                best = error, whole
    return best[1]


def fit(rows, values):
    """Coefficients, with weights that follow from the fit itself."""
    found = least(rows, values, [1 / value for value in values])
    for _ in range(ROUNDS):
        found = least(rows, values, [1 / max(dot(found, row), 1e-6) for row in rows])
    return found


def described(pairs):
    """The fit of (corpus, value) pairs and its error. Every corpus is also foretold from the others alone."""
    rows, values = [features(corpus) for corpus, _ in pairs], [value for _, value in pairs]
    found = fit(rows, values)
    ratios = [value / dot(found, row) for row, value in zip(rows, values)]
    left_out = []
    for i, (row, value) in enumerate(zip(rows, values)):
        others = fit(rows[:i] + rows[i + 1 :], values[:i] + values[i + 1 :])
        left_out.append(abs(dot(others, row) / value - 1))
    return {
        "coefficients": [round(value, 4) for value in found],
        "n": len(values),
        "median_error_left_out": round(statistics.median(left_out), 3),
        "worst_error_left_out": round(max(left_out), 3),
        # Of the logarithm of measured over fitted: how far single corpora lie from the fit.
        "spread": round(statistics.pstdev([math.log(ratio) for ratio in ratios]), 3),
    }


def model(measured, processors):
    corpora = measured["corpora"]
    units = [unit for unit in measured["units"] if unit["corpus"] in corpora]
    seconds = {kind: [] for kind in FITTED}
    kilobytes = {kind: [] for kind in FITTED}
    for unit in units:
        corpus = corpora[unit["corpus"]]
        if unit["kind"] in FITTED and corpus["mapped"]:
            if unit["bytes"]:
                kilobytes[unit["kind"]].append((corpus, unit["bytes"] / 1000))
            if unit["kind"] == "comparator":
                seconds["comparator"].append((corpus, unit["seconds"]))
    for name, kinds in processors.items():
        for kind, value in kinds.items():
            seconds[kind].append((corpora[name], value))
    explored = [unit for unit in units if unit["kind"] == "explore"]
    batches = sum(unit["units"] for unit in explored)
    fixed = [
        {key: unit[key] for key in ("kind", "units", "seconds", "bytes")}
        for unit in measured["units"]
        if unit["kind"] in ("models_comparator", "models_ours", "refresh_comparator", "refresh_ours", "repeat", "store")
    ]
    return {
        "seconds": {kind: described(pairs) for kind, pairs in seconds.items()},
        "kilobytes": {kind: described(pairs) for kind, pairs in kilobytes.items()},
        "explore": {
            "units_per_corpus": round(batches / len(explored), 2),
            "seconds": round(sum(unit["seconds"] * unit["units"] for unit in explored) / batches, 3),
            "kilobytes": round(sum(unit["bytes"] * unit["units"] for unit in explored) / batches / 1000, 1),
            "n": batches,
        },
        "fixed": fixed,
        "corpora": [
            {key: corpus[key] for key in ("files", "source_bytes", "bytes")}
            for _, corpus in sorted(corpora.items())
            if corpus["mapped"]
        ],
    }


if __name__ == "__main__":
    read = lambda name: json.loads((HERE / name).read_text())
    print(json.dumps(model(read("measured.json"), read("processors.json")), indent=1, sort_keys=True))
