#!/usr/bin/env python3
"""Collects what recorded runs cost, and how large their corpora are.

    collect.py CHECKOUT CACHE RUN... > measured.json

CHECKOUT has the locks of the corpora, CACHE the materialised repositories and the answers of the comparator. The RUNs
are complete runs with two jobs on two processors. There a unit has one processor to itself, so that its wall time stands
for its processor time, which runs do not record. For each corpus and kind of unit the median over the runs is kept.
"""

import json
import os
import statistics
import sys
import tomllib
from pathlib import Path


def kind(unit):
    """The kind of a unit, from its key."""
    parts = unit.split("/")[1:]
    if parts[0] == "trial":
        return "calls" if parts[1] == "calls" else "trial"
    if parts[0] in ("models", "refresh"):
        return f"{parts[0]}_{'comparator' if parts[-1] == 'comparator' else 'ours'}"
    return parts[0]


def extensions(checkout):
    """Endings of the files that a map of the parity profile parses."""
    tables = (tomllib.loads(path.read_text()) for path in sorted(checkout.glob("queries/*/language.toml")))
    return {end for table in tables for end in table.get("tags", {}).get("extensions", [])}


def size(folder, parsed):
    """Files, their bytes, and the bytes of those that a map parses; without git's own."""
    files = total = source = 0
    for parent, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != ".git"]
        for name in names:
            path = os.path.join(parent, name)
            if os.path.isfile(path) and not os.path.islink(path):
                length = os.path.getsize(path)
                files, total = files + 1, total + length
                source += length if os.path.splitext(name)[1] in parsed else 0
    return {"files": files, "bytes": total, "source_bytes": source}


def rows(checkout):
    """The rows of all locks, by name of the corpus."""
    found = {}
    for path in sorted(checkout.glob("corpora/*.lock.toml")):
        for row in tomllib.loads(path.read_text()).get("corpus", []):
            found[row["name"]] = row
    return found


def kept(store, name):
    """Compressed bytes of a recording: what a worker answers with."""
    recording = json.loads((store / "recordings" / f"{name}.json").read_text())
    streams = (recording[stream]["sha256"] for stream in ("stdin", "stdout", "stderr"))
    return sum(blob.stat().st_size for blob in (store / "blobs" / f"{digest}.gz" for digest in streams) if blob.exists())


def answers(cache):
    """Compressed bytes of the comparator's answers, by kind and corpus."""
    store, found = cache / "answers", {}
    for path in sorted((store / "keys").glob("*.json")):
        entry = json.loads(path.read_text())
        recording = json.loads((store / "recordings" / f"{entry['name']}.json").read_text())
        of_kind = found.setdefault((kind(recording["unit"]), recording["corpus"]), [])
        of_kind.append(kept(store, entry["name"]))
    return found


def collect(checkout, cache, runs):
    """Everything, as one object."""
    locks, cached = rows(checkout), answers(cache)
    corpora, units, host, whole = {}, {}, None, []
    for run in runs:
        about = json.loads((run / "environment.json").read_text())
        plan = json.loads((run / "evidence/plan.json").read_text())
        index = json.loads((run / "evidence/index.json").read_text())
        host = {key: about["host"][key] for key in ("processor", "processors", "memoryBytes", "system")}
        whole.append({"run": run.name, "started_at": about["startedAt"], "wall_seconds": about["wallMs"] / 1000})
        for corpus in plan["corpora"]:
            name = corpus["name"]
            folder = cache / "repos" / f"{name}-{corpus['commit'][:12]}"
            if folder.is_dir():
                corpora.setdefault(name, folder)
        for key, took in about["units"].items():
            unit = units.setdefault((kind(key), key.split("/")[0]), {})
            unit.setdefault(key, []).append((took / 1000, kept(run / "evidence", index[key])))
    for name, row in locks.items():
        folder = cache / "repos" / f"{name}-{row['commit'][:12]}"
        if folder.is_dir():
            corpora.setdefault(name, folder)
    result = {"host": host, "runs": whole, "corpora": {}, "units": []}
    parsed = extensions(checkout)
    for name, folder in sorted(corpora.items()):
        row = locks.get(name, {})
        result["corpora"][name] = {
            **size(folder, parsed),
            "fetched_bytes": row.get("size", 0),
            "mapped": "comparator_cpu_seconds" in row,
            "required": row.get("required", True),
        }
        if "comparator_cpu_seconds" in row:
            taken = cached.get(("comparator", name), [])
            result["units"].append(
                {
                    "kind": "comparator",
                    "corpus": name,
                    "units": 1,
                    "seconds": row["comparator_cpu_seconds"],
                    "bytes": round(statistics.mean(taken)) if taken else None,
                }
            )
    for (of_kind, name), found in sorted(units.items()):
        if of_kind in ("comparator", "models_comparator") and name in locks:
            continue
        seconds = [statistics.median(took for took, _ in taken) for taken in found.values()]
        stored = [statistics.median(stored for _, stored in taken) for taken in found.values()]
        result["units"].append(
            {
                "kind": of_kind,
                "corpus": name,
                "units": len(found),
                "seconds": round(statistics.mean(seconds), 4),
                "bytes": round(statistics.mean(stored)),
            }
        )
    return result


if __name__ == "__main__":
    checkout, cache, *folders = map(Path, sys.argv[1:])
    print(json.dumps(collect(checkout, cache, folders), indent=1, sort_keys=True))
