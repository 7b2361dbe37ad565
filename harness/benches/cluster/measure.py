#!/usr/bin/env python3
"""What does a cluster cost? Runs of the set in `plan.toml`, with and without it, in turn.

    measure.py PARITY REPORT        write REPORT.json and REPORT.md

PARITY is the program. It is run in this checkout, which must be clean.
"""

import hashlib
import json
import os
import statistics
import subprocess
import sys
import time
import tomllib
from pathlib import Path

HERE = Path(__file__).parent
PLAN = tomllib.loads((HERE / "plan.toml").read_text())


def run(program, cluster):
    """Seconds of one run, and the digest of the payload of its bundle."""
    command = [program, "run", "--set", PLAN["set"], "--fresh", "--json"]
    command += ["--cluster", cluster] if cluster else []
    start = time.monotonic()
    ended = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    seconds = time.monotonic() - start
    if ended.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit code {ended.returncode}")
    result = json.loads(ended.stdout.splitlines()[-1])
    payload = Path(result["bundle"]) / "attestation.intoto.json"
    return seconds, hashlib.sha256(payload.read_bytes()).hexdigest()


def measured(program):
    """The seconds of each command, and the one digest of all payloads."""
    seconds, payloads = {}, set()
    for part in ("alone", "nodes"):
        for number in range(PLAN[part]["rounds"]):
            for cluster in PLAN[part]["commands"][:: -1 if number % 2 else 1]:
                taken, payload = run(program, cluster)
                print(f"{cluster or 'no cluster':12} {taken:7.1f} s  {payload[:16]}", flush=True)
                seconds.setdefault(cluster, []).append(taken)
                payloads.add(payload)
    if len(payloads) != 1:
        sys.exit(f"the payloads differ: {sorted(payloads)}")
    return seconds, payloads.pop()


def page(document):
    """The report as a page."""
    lines = [
        "# What a cluster costs",
        "",
        f"Written by `just bench-cluster` on {document['date']}: the {document['set']} set, with every answer of the comparator asked",
        f"again, on {document['processors']} processors. Load before: {document['load_before']:.1f}. Seconds of whole commands, in the order of the rounds.",
        "",
        "| cluster | seconds | least |",
        "|---|---|---|",
    ]
    for row in document["rows"]:
        name = f"`--cluster {row['cluster']}`" if row["cluster"] else "none"
        lines.append(f"| {name} | {', '.join(f'{one:.1f}' for one in row['seconds'])} | {min(row['seconds']):.1f} |")
    mark = "met" if document["overhead_met"] else "**missed**"
    lines += [
        "",
        f"- Overhead, `{PLAN['alone']['commands'][1]}` over no cluster, least times: {document['overhead']:.3f} (target ≤ {PLAN['target']['overhead']['most']:.2f}: {mark}).",
        f"- Two nodes with one processor each finish in {document['nodes_ratio']:.2f} of the time of one: efficiency {document['efficiency']:.2f}.",
        f"- All {document['runs']} bundles have the same payload: sha256 `{document['payload_sha256']}`.",
        "",
    ]
    return "\n".join(lines)


def main():
    program, report = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    load = os.getloadavg()[0]
    seconds, payload = measured(str(program))
    least = {cluster: min(times) for cluster, times in seconds.items()}
    none, alone = (least[cluster] for cluster in PLAN["alone"]["commands"])
    one, two = (least[cluster] for cluster in PLAN["nodes"]["commands"])
    document = {
        "schema_version": 1,
        "date": time.strftime("%Y-%m-%d"),
        "set": PLAN["set"],
        "processors": os.cpu_count(),
        "load_before": load,
        "rows": [{"cluster": cluster, "seconds": times, "median": statistics.median(times)} for cluster, times in seconds.items()],
        "overhead": alone / none,
        "overhead_met": alone / none <= PLAN["target"]["overhead"]["most"],
        "nodes_ratio": two / one,
        "efficiency": one / two / 2,
        "runs": sum(len(times) for times in seconds.values()),
        "payload_sha256": payload,
    }
    report.parent.mkdir(parents=True, exist_ok=True)
    report.with_suffix(".json").write_text(json.dumps(document, indent=1) + "\n")
    report.with_suffix(".md").write_text(page(document))
    print(page(document))


if __name__ == "__main__":
    main()
