#!/usr/bin/env python3
"""Other tools about the same gold: do they name the definition, and how much is read until it is seen?

    peers.py install WORK              the peers, of locked versions
    peers.py ask WORK CORPUS...        ask every peer about the gold places
    peers.py score WORK SPLIT          the values of a split, with what could not be measured
    peers.py table FILE...             the tables of what `score` wrote

Run it with the Python of the pinned comparator, which has the tokenizer. PARITY names another program.
"""

import hashlib
import json
import os
import re
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent / "usefulness"))
import measure  # noqa: E402
from peer_tools import PATIENCE, PEERS, PROGRAM, Corpus  # noqa: E402
from score import Tokens  # noqa: E402

# Lines of a window, and tokens after which a reader gives up.
WINDOW, MOST_TOKENS = 20, 100_000
# The first places of a stratum, which the gold has in the order of a digest; and where it is counted what is read.
PLACES, READ = 20, ("function_class", "member", "import")


def install(work):
    run = lambda *command: subprocess.run(command, check=True, cwd=work / "peers")  # noqa: E731
    if not (work / "peers/python").exists():
        run(sys.executable, "-m", "venv", work / "peers/python")
    run(work / "peers/python/bin/pip", "install", "-q", "--require-hashes", "--no-deps", "-r", HERE / "peers.requirements.txt")
    for line in (HERE / "peers.packages.txt").read_text().splitlines():
        name, version, digest = line.split()
        if installed(name) != version:
            run("apt-get", "-q", "download", f"{name}={version}")
            package = next((work / "peers").glob(f"{name}_*.deb"))
            if hashlib.sha256(package.read_bytes()).hexdigest() != digest:
                raise SystemExit(f"{package.name} is not the package that is expected")
            run("apt-get", "-q", "-y", "install", package)


def installed(name):
    return subprocess.run(["dpkg-query", "-W", "-f", "${Version}", name], capture_output=True, text=True, check=False).stdout


# ---------------------------------------------------------------------- ask


def ask(work, name):
    corpus, tokens = Corpus(work, name), Tokens()
    table = json.loads((HERE / f"gold/{name}.json").read_text())
    if hashlib.sha256("\0".join(corpus.files).encode()).hexdigest() != table["files"]:
        raise SystemExit(f"{name}: the gold is of other files")
    answers = {}
    for title, kind in PEERS.items():
        corpus.failed = 0
        peer, answers[title] = kind(corpus), {}
        for stratum in measure.STRATA:
            rows = answers[title][stratum] = []
            for *place, targets in table[stratum][:PLACES]:
                text, answer = corpus.name_at(place), {}
                defined = list(peer.definition(place, text)) if peer.definition else []
                if peer.definition:
                    answer["entries"] = places(defined)
                if stratum in READ:
                    read = defined if kind.read is kind.definition else list(peer.read(place, text))
                    answer["named"], answer["shown"] = seen(corpus, tokens, read, targets)
                rows.append(answer)
        if peer.references:
            answers[title]["references"] = [places(peer.references(row[:3], corpus.name_at(row))) for row in table["references"]]
        answers[title]["failed"], answers[title]["broken"] = corpus.failed, sorted(peer.broken)
        peer.stop()
    (work / f"peers/{name}.answers.json").write_text(json.dumps(answers))
    print(name, "asked", {title: (one["failed"], one["broken"]) for title, one in answers.items() if one["failed"] or one["broken"]}, flush=True)


def places(answer):
    return [where for _, where in answer if where]


def seen(corpus, tokens, printed, targets):
    """Tokens until a line of the answer names a target, and until a line that is read shows it."""
    gold = {tuple(target[:2]) for target in targets}
    at = next((number for number, (_, where) in enumerate(printed) if where and tuple(where[:2]) in gold), None)
    named = None if at is None else counted(tokens, [text for text, _ in printed[: at + 1]])
    texts, read = [text for text, _ in printed], set()
    size = sum(map(len, texts))
    for _, where in printed:
        # Nobody reads a place twice, or on for ever.
        if where and where[0] >= 0 and tuple(where[:2]) not in read and size < 10 * MOST_TOKENS:
            file, line = where[:2]
            lines = corpus.lines(file)
            first = max(1, line - WINDOW // 2)
            window = [number for number in range(first, min(first + WINDOW, len(lines) + 1)) if (file, number) not in read]
            texts += [f"{number}\t{lines[number - 1]}" for number in window]
            size += sum(len(lines[number - 1]) for number in window)
            read |= {(file, number) for number in window}
            if gold & read:
                return named, counted(tokens, texts)
    return named, None


def counted(tokens, texts):
    text = "\n".join(texts)
    count = tokens.count(text) if len(text) < 10 * MOST_TOKENS else MOST_TOKENS + 1
    return count if count <= MOST_TOKENS else None


# -------------------------------------------------------------------- score


def with_columns(entries, targets):
    """A place without a column is the one of the gold, if that is in its line."""
    of_line = {tuple(target[:2]): target for target in targets}
    return [one if one[2] else of_line.get(tuple(one[:2]), one) for one in entries]


def values_of(table, answers):
    """Rows of (metric, value), by the rule of measure.py."""
    table = {**table, **{stratum: table[stratum][:PLACES] for stratum in measure.STRATA}}
    can_define, can_refer = "entries" in answers["local"][0], "references" in answers
    filled = {"references": answers.get("references", [[] for _ in table["references"]])}
    for stratum in measure.STRATA:
        filled[stratum] = [{"entries": with_columns(one.get("entries", []), row[3]), "resolution": "name_match"} for one, row in zip(answers[stratum], table[stratum], strict=True)]
    for row in measure.scored("", table, filled):
        if can_refer if row["metric"].startswith("references") else can_define and row["metric"].endswith((": among", ": first", ": invented")):
            yield row["metric"], row["value"]
    for stratum in READ:
        for one in answers[stratum]:
            for how in ("named", "shown"):
                yield f"tokens until {how}", one[how]


def score(work, split):
    found, failed, broken, corpora = {}, {}, set(), []
    for corpus in measure.SPLITS[split]:
        path = work / f"peers/{corpus}.answers.json"
        if not path.exists():
            continue
        corpora.append(corpus)
        table = json.loads((HERE / f"gold/{corpus}.json").read_text())
        for peer, answers in json.loads(path.read_text()).items():
            failed[peer] = failed.get(peer, 0) + answers["failed"]
            broken |= {f"{peer}: {kind}" for kind in answers["broken"]}
            for metric, value in values_of(table, answers):
                for language in (table["language"], "all"):
                    found.setdefault((language, peer, metric), []).append(value)
    rows = []
    for (language, peer, metric), values in sorted(found.items()):
        row = {"language": language, "peer": peer, "metric": metric, "n": len(values)}
        seed = f"{split} {language} {peer} {metric}"
        if metric.startswith("tokens"):
            rows.append({**row, **of_tokens(values, seed)})
        else:
            low, high = measure.interval(values, seed)
            rows.append({**row, "value": round(statistics.fmean(values), 4), "low": low, "high": high})
    missing = [corpus for corpus in measure.SPLITS[split] if corpus not in corpora]
    table = {"split": split, "corpora": corpora, "not asked": missing, "peers": status(work), "failed calls": failed, "kinds that always fail": sorted(broken), "rows": rows}
    (work / f"peers.{split}.json").write_text(json.dumps(table, indent=1) + "\n")
    print(tables(table))


def of_tokens(values, seed):
    """Shares and quantiles; a place that is never seen is beyond every number, and null as a median."""
    known = sorted(value for value in values if value is not None)
    low, high = measure.interval([float(value is not None) for value in values], seed)
    at = lambda share, count: int(share * (count - 1) + 0.5)  # noqa: E731
    all_values = known + [None] * (len(values) - len(known))
    return {
        "seen": round(len(known) / len(values), 4), "low": low, "high": high,
        "median of seen": known[at(0.5, len(known))] if known else None,
        "90th percentile of seen": known[at(0.9, len(known))] if known else None,
        "median": all_values[at(0.5, len(values))],
    }


def status(work):
    """The version of each peer, and why one could not be asked."""
    locked = dict(re.findall(r"^([\w-]+)==(\S+)", (HERE / "peers.requirements.txt").read_text(), re.MULTILINE))
    first = lambda *command: subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True).stdout.split("\n")[0]  # noqa: E731
    try:
        home = {**os.environ, "HOME": str(work / "peers/home")}
        subprocess.run([work / "peers/python/bin/codebase-memory-mcp", "--version"], capture_output=True, env=home, timeout=PATIENCE, check=True)
        memory = "not measured: it starts here, but nothing asks it yet"
    except (OSError, subprocess.SubprocessError):
        memory = "not measured: its package has no program, and the download of one at the first start failed"
    return {
        "parity nav": first(PROGRAM, "--version"), "tags alone": "the same", "universal-ctags": f"{installed('universal-ctags')} (Debian)", "grep -w": first("grep", "--version"),
        "mcp-server-tree-sitter": locked["mcp-server-tree-sitter"], "codebase-memory-mcp": f"{locked['codebase-memory-mcp']}: {memory}",
    }


# -------------------------------------------------------------------- table


def tables(table):
    rows = {(row["language"], row["peer"], row["metric"]): row for row in table["rows"]}
    peers, empty = list(table["peers"]), "–"
    reached = lambda row: f"{row['value']:.2f} ({row['low']:.2f}–{row['high']:.2f})" if row else empty  # noqa: E731
    number = lambda value: empty if value is None else f"{value:,}"  # noqa: E731
    metrics = [f"{stratum}: {what}" for stratum in measure.STRATA[:4] for what in ("among", "first")] + ["external: invented", "references: recall", "references: precision"]
    lines = ["| value, all languages | " + " | ".join(peers) + " |", "|---" * (len(peers) + 1) + "|"]
    lines += [f"| {metric} | " + " | ".join(reached(rows.get(("all", peer, metric))) for peer in peers) + " |" for metric in metrics]
    languages = [language for language in measure.ENDINGS if any(row["language"] == language for row in table["rows"])]
    metric = "function_class: first"
    lines += ["", f"| {metric} | " + " | ".join(languages) + " |", "|---" * (len(languages) + 1) + "|"]
    lines += [f"| {peer} | " + " | ".join(reached(rows.get((language, peer, metric))) for language in languages) + " |" for peer in peers if ("all", peer, metric) in rows]
    lines += ["", "| tokens, all languages | places | seen | median of seen | 90th percentile of seen | median, never seen as infinite |", "|---|---|---|---|---|---|"]
    for how in ("named", "shown"):
        for peer in peers:
            row = rows.get(("all", peer, f"tokens until {how}"))
            if row:
                columns = [row["n"], f"{row['seen']:.2f} ({row['low']:.2f}–{row['high']:.2f})", number(row["median of seen"]), number(row["90th percentile of seen"]), "∞" if row["median"] is None else number(row["median"])]
                lines.append(f"| {how}: {peer} | " + " | ".join(map(str, columns)) + " |")
    return "\n".join(lines)


def main():
    command, *words = sys.argv[1:]
    if command == "table":
        for path in words:
            print(tables(json.loads(Path(path).read_text())))
        return
    work = Path(words[0]).resolve()
    (work / "peers").mkdir(parents=True, exist_ok=True)
    if command == "install":
        install(work)
    elif command == "ask":
        for corpus in words[1:]:
            ask(work, corpus)
    elif command == "score":
        score(work, words[1])
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main()
