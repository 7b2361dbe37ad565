"""Freezes SciPy's answers for the test in scipy.rs.

Run with a Python that has SciPy:  python scipy_spearman.py > scipy_spearman.json
SciPy only scores; the inputs, and the items shared by two rankings, are made with plain Python.
"""

import json
import math
import random
import warnings

import scipy
from scipy.spatial.distance import jaccard
from scipy.stats import spearmanr


def spearman(ours, theirs):
    """SciPy's coefficient, or None where ours is undefined too."""
    if len(ours) < 3:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        value = float(spearmanr(ours, theirs).statistic)
    return None if math.isnan(value) else value


def paired_values(rng):
    length = rng.choice([0, 1, 2, 3, 3, 4, 5, 8, 13, 30])
    bound = rng.choice([1, 2, 3, 10, 1000])
    ours = [rng.randrange(bound) / 4 for _ in range(length)]
    theirs = [rng.randrange(bound) / 4 for _ in range(length)]
    return {"ours": ours, "theirs": theirs, "spearman": spearman(ours, theirs)}


def rankings(rng):
    universe = list(range(rng.choice([1, 3, 6, 20, 40])))
    ours = rng.sample(universe, rng.randrange(len(universe) + 1))[:30]
    theirs = rng.sample(universe, rng.randrange(len(universe) + 1))[:30]
    shared = [item for item in ours if item in theirs]
    either = sorted(set(ours) | set(theirs))
    distance = jaccard([i in ours for i in either], [i in theirs for i in either]) if either else None
    return {
        "ours": ours,
        "theirs": theirs,
        "shared": len(shared),
        "jaccard": None if distance is None else 1 - float(distance),
        "spearman": spearman(
            [ours.index(item) for item in shared], [theirs.index(item) for item in shared]
        ),
    }


def main():
    rng = random.Random(20240905)
    values = [paired_values(rng) for _ in range(150)]
    ranked = [rankings(rng) for _ in range(150)]
    lines = [f'{{"scipy": {json.dumps(scipy.__version__)},']
    for name, cases in (("values", values), ("rankings", ranked)):
        rows = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
        lines.append(f'"{name}": [\n{rows}\n]' + ("," if name == "values" else "}"))
    print("\n".join(lines))


main()
