#!/usr/bin/env python3
"""How good is navigation? Scored against compilers and language servers.

    measure.py install WORK               the oracles, of locked versions
    measure.py gold WORK CORPUS...        choose places, ask the oracle, write gold/CORPUS.json
    measure.py ask WORK CORPUS...         ask `parity nav` and the baseline about the gold
    measure.py score WORK SPLIT           the table of a split
    measure.py graph WORK SPLIT           how often the edges of `parity graph` are right, by tier
    measure.py freeze WORK                the gold of all corpora with the names of files, as gate N1 reads it
    measure.py errors WORK CORPUS...      what was answered wrongly; for the development split alone

PARITY names another program. The gold holds numbers alone: files by their position among the sorted files
of the language that git tracks, lines and columns from 1, the column in characters.
"""

import hashlib
import json
import os
import random
import statistics
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
CACHE = Path(os.environ.get("PARITY_CACHE_DIR", Path.home() / ".cache/parity"))
STRATA = ("local", "function_class", "member", "import", "external")
ENDINGS = {
    "python": (".py",),
    "typescript": (".ts", ".tsx", ".mts", ".cts"),
    "javascript": (".js", ".mjs", ".cjs", ".jsx"),
    "go": (".go",),
    "rust": (".rs",),
    "java": (".java",),
    "c": (".c", ".h"),
    "cpp": (".cc", ".cpp", ".cxx", ".hpp", ".hh", ".hxx", ".h"),
}
# Places of a stratum in one corpus, places that are asked about for them, symbols whose references are
# looked for, and most names that are looked at for one of these.
PLACES, CANDIDATES, SYMBOLS, MOST_NAMES = 50, 800, 15, 40
RESAMPLES = 2000
# The compiler's own tree classes know the place of a name.
JAVA_EXPORTS = ("--add-exports", "jdk.compiler/com.sun.tools.javac.tree=ALL-UNNAMED")
SPLITS = tomllib.loads((HERE / "corpora.toml").read_text())
LANGUAGES = {name: language for split in SPLITS.values() for name, language in split.items()}


# ------------------------------------------------------------------- install


def install(work):
    run = lambda *command, **more: subprocess.run(command, check=True, **more)  # noqa: E731
    if not (work / "python").exists():
        run(sys.executable, "-m", "venv", work / "python")
    run(work / "python/bin/pip", "install", "-q", "--require-hashes", "--no-deps", "-r", HERE / "requirements.txt")
    for name in ("package.json", "package-lock.json", "typescript_oracle.js"):
        (work / name).write_bytes((HERE / name).read_bytes())
    run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", cwd=work)
    (work / "go").mkdir(exist_ok=True)
    (work / "go/main.go").write_bytes((HERE / "go_oracle.go").read_bytes())
    (work / "go/go.mod").write_text("module oracle\n\ngo 1.23\n")
    install_rust(work, run)
    run(work / "python/bin/go", "build", "-o", work / "go_oracle", ".", cwd=work / "go", env={**os.environ, "GOFLAGS": "-mod=mod", "GOTOOLCHAIN": "local"})
    (work / "java").mkdir(exist_ok=True)
    run("javac", *JAVA_EXPORTS, "-d", work / "java", HERE / "JavaOracle.java")


# Of this version of Rust, and the digest of its language server on Linux on x86-64.
RUST, RUST_ANALYZER = "1.95.0", "ff30b71a4e997f8f2afe64c976d95ea0b2fa476ffe82e6dfd6d8fb5915888e08"


def rust_analyzer(work):
    return next((work / "rustup/toolchains").glob(f"{RUST}-*/bin/rust-analyzer"))


def install_rust(work, run):
    """A toolchain of its own, with the sources of the standard library and with the crates that these need."""
    home = {**os.environ, "RUSTUP_HOME": str(work / "rustup"), "CARGO_HOME": str(work / "cargo")}
    run("rustup", "toolchain", "install", RUST, "--profile", "minimal", "--component", "rust-analyzer,rust-src", "--no-self-update", env=home)
    program = rust_analyzer(work)
    if hashlib.sha256(program.read_bytes()).hexdigest() != RUST_ANALYZER:
        raise SystemExit("this is not the language server of Rust that is expected")
    library = program.parents[1] / "lib/rustlib/src/rust/library"
    run(program.parent / "cargo", "fetch", "--quiet", "--locked", "--manifest-path", library / "Cargo.toml", env={**home, "RUSTC_BOOTSTRAP": "1", "RUSTC": str(program.parent / "rustc")})


def oracle(work, language):
    if language == "rust":
        return [work / "python/bin/python", HERE / "rust_oracle.py"], [rust_analyzer(work), work / "cargo"]
    if language == "python":
        return [work / "python/bin/python", HERE / "python_oracle.py"], ["node", work / "node_modules/pyright/langserver.index.js"]
    if language == "go":
        return [work / "go_oracle"], []
    if language == "java":
        return ["java", *JAVA_EXPORTS, "-Xss512m", "-Xmx6g", "-cp", work / "java", "JavaOracle"], []
    if language in ("c", "cpp"):
        return [work / "python/bin/python", HERE / "clang_oracle.py", language, work / "clang"], []
    return ["node", work / "typescript_oracle.js"], []


def asked(work, language, root, request, is_list=False):
    program, more = oracle(work, language)
    command = [*program, *(["list", root] if is_list else [root, *more])]
    environment = {**os.environ, "PATH": f"{work / 'python/bin'}:{os.environ['PATH']}", "GOTOOLCHAIN": "local", "CGO_ENABLED": "0"}
    output = subprocess.run([str(word) for word in command], input=json.dumps(request), stdout=subprocess.PIPE, text=True, check=True, env=environment)
    return json.loads(output.stdout)


# ---------------------------------------------------------------------- gold


def repository(corpus):
    found = [path for path in (CACHE / "repos").glob(f"{corpus}-*") if path.is_dir() and path.name[len(corpus) + 1 :].isalnum() and len(path.name) == len(corpus) + 13]
    if len(found) != 1:
        raise SystemExit(f"{corpus}: make the corpus first, with a run or a record of it")
    return found[0]


def files_of(corpus):
    listed = subprocess.run(["git", "-C", repository(corpus), "ls-files", "-z"], capture_output=True, check=True).stdout
    names = listed.decode("utf-8", "replace").split("\0")
    return sorted(name for name in names if name.endswith(ENDINGS[LANGUAGES[corpus]]))


def weight(corpus, *parts):
    return hashlib.sha256("\0".join([corpus, *map(str, parts)]).encode()).digest()


def gold(work, corpus):
    language, root, files = LANGUAGES[corpus], repository(corpus), files_of(corpus)
    listed = asked(work, language, root, {"files": files}, is_list=True)
    texts = {tuple(row[:3]): row[3] for row in listed["names"]}
    order = sorted(texts, key=lambda place: weight(corpus, *place))
    chosen = {stratum: [] for stratum in STRATA}
    looked = 0
    places = order[:CANDIDATES]
    for place, row in zip(places, asked(work, language, root, {"files": files, "places": places})["answers"], strict=True):
        looked += 1
        # A name that stands for itself asks nothing.
        if row and list(place) not in row["targets"] and len(chosen[row["stratum"]]) < PLACES:
            chosen[row["stratum"]].append([*place, row["targets"]])
    references = list(references_of(work, corpus, root, files, texts, chosen))
    first = {}
    for *place, name in listed["definitions"]:
        first.setdefault(name, []).append(place)
    baseline = {}
    for rows in chosen.values():
        for row in rows:
            candidates = first.get(texts[tuple(row[:3])], [])
            same = [one for one in candidates if one[0] == row[0]]
            baseline[" ".join(map(str, row[:3]))] = (same or candidates or [None])[0]
    head = {"corpus": corpus, "language": language, "files": hashlib.sha256("\0".join(files).encode()).hexdigest(), "places": looked}
    (HERE / "gold").mkdir(exist_ok=True)
    lines = [f" {json.dumps(stratum)}: [\n" + ",\n".join("  " + json.dumps(row) for row in rows) + "]" for stratum, rows in chosen.items()]
    lines.append(' "references": [\n' + ",\n".join("  " + json.dumps(row) for row in references) + "]")
    lines.append(' "baseline": ' + json.dumps(baseline))
    text = "{\n" + "".join(f" {json.dumps(key)}: {json.dumps(value)},\n" for key, value in head.items()) + ",\n".join(lines) + "}\n"
    (HERE / f"gold/{corpus}.json").write_text(text)
    print(corpus, looked, {stratum: len(rows) for stratum, rows in chosen.items()}, len(references), "symbols", flush=True)


def references_of(work, corpus, root, files, texts, chosen):
    """Symbols with the names that refer to them and those of the same name that do not."""
    targets = {tuple(target) for stratum in ("function_class", "member") for row in chosen[stratum] for target in row[3][:1]}
    by_name = {}
    for place, text in texts.items():
        by_name.setdefault(text, []).append(place)
    symbols = [target for target in sorted(targets, key=lambda place: weight(corpus, "references", *place)) if target in texts]
    symbols = [target for target in symbols if 2 <= len(by_name[texts[target]]) <= MOST_NAMES][:SYMBOLS]
    places = sorted({place for target in symbols for place in by_name[texts[target]]})
    if not places:
        return
    answers = asked(work, LANGUAGES[corpus], root, {"files": files, "places": places})["answers"]
    meant = dict(zip(places, answers, strict=True))
    for target in symbols:
        known = [(place, meant[place]["targets"]) for place in by_name[texts[target]] if meant[place] and place != target]
        yes = [place for place, targets in known if list(target) in targets]
        no = [place for place, targets in known if list(target) not in targets]
        if yes:
            yield [*target, yes, no]


def freeze(work):
    """All gold as one file of the protocol: a corpus a line, with the names of the files that it is about."""
    lines = []
    for split, corpora in SPLITS.items():
        for corpus, language in corpora.items():
            table, files = json.loads((HERE / f"gold/{corpus}.json").read_text()), files_of(corpus)
            if hashlib.sha256("\0".join(files).encode()).hexdigest() != table["files"]:
                raise SystemExit(f"{corpus}: the gold is of other files")
            rows = [row for stratum in STRATA for row in table[stratum]]
            places = [place for row in rows for place in (row, *row[3])] + [place for row in table["references"] for place in (row, *row[3], *row[4])]
            used = sorted({place[0] for place in places} | {place[0] for place in table["baseline"].values() if place})
            number = {old: new for new, old in enumerate(used)}
            one = lambda place: [number[place[0]], *place[1:3]]  # noqa: E731
            base = lambda row: table["baseline"][" ".join(map(str, row[:3]))]  # noqa: E731
            strata = {stratum: [[*one(row), list(map(one, row[3])), base(row) and one(base(row))] for row in table[stratum]] for stratum in STRATA}
            references = [[*one(row), list(map(one, row[3])), list(map(one, row[4]))] for row in table["references"]]
            lines.append(json.dumps({"corpus": corpus, "split": split, "language": language, "files": [files[old] for old in used], **strata, "references": references}, separators=(",", ":")))
    version = (ROOT / "protocols/current").read_text().strip()
    (ROOT / f"protocols/{version}/navigation.jsonl").write_text("".join(f"{line}\n" for line in lines))
    print(len(lines), "corpora")


# ----------------------------------------------------------------------- ask


def ask(work, corpus):
    table = json.loads((HERE / f"gold/{corpus}.json").read_text())
    root, files = repository(corpus), files_of(corpus)
    if hashlib.sha256("\0".join(files).encode()).hexdigest() != table["files"]:
        raise SystemExit(f"{corpus}: the gold is of other files")
    numbers = {str(root.resolve() / name): number for number, name in enumerate(files)}
    program = os.environ.get("PARITY", str(ROOT / "target/debug/parity"))
    environment = {**os.environ, "PARITY_CACHE_DIR": str(work / "cache")}

    def nav(operation, row, *more):
        command = [program, "nav", operation, files[row[0]], "--line", str(row[1]), "--column", str(row[2]), "--json", "--limit", "1000", *more]
        output = subprocess.run(command, cwd=root, capture_output=True, text=True, env=environment, check=False)
        return json.loads(output.stdout) if output.stdout.startswith("{") else {}

    def entries(found, name):
        return [[numbers.get(one["file_path"], -1), one["line"], one["column"], one["resolution"]] for one in found.get(name, [])]

    def definition(row):
        found = nav("definition", row)
        return {"entries": entries(found, "definitions"), "resolution": found.get("resolution")}

    nav("definition", (table["local"] or table["external"])[0])
    with ThreadPoolExecutor(2) as threads:
        answers = {stratum: list(threads.map(definition, table[stratum])) for stratum in STRATA}
        answers["references"] = list(threads.map(lambda row: entries(nav("references", row), "references"), table["references"]))
    (work / f"{corpus}.answers.json").write_text(json.dumps(answers))
    print(corpus, "asked", flush=True)


# --------------------------------------------------------------------- score


# What was drawn for an interval depends on the name that the value had then.
DRAWN_AS = {"not name_match: hit rate": "not name_match: precision"}


def score(work, split):
    rows = []
    for corpus in SPLITS[split]:
        if (work / f"{corpus}.answers.json").exists():
            table = json.loads((HERE / f"gold/{corpus}.json").read_text())
            rows += scored(corpus, table, json.loads((work / f"{corpus}.answers.json").read_text()))
    languages = sorted({row["language"] for row in rows})
    table = {"split": split, "corpora": {corpus: LANGUAGES[corpus] for corpus in SPLITS[split]}, "rows": []}
    for language in languages:
        own = [row for row in rows if row["language"] == language]
        for metric in dict.fromkeys(row["metric"] for row in own):
            values = [row["value"] for row in own if row["metric"] == metric]
            low, high = interval(values, f"{split} {language} {DRAWN_AS.get(metric, metric)}")
            table["rows"].append({"language": language, "metric": metric, "n": len(values), "value": round(statistics.fmean(values), 4), "low": low, "high": high})
    (work / f"{split}.json").write_text(json.dumps(table, indent=1) + "\n")
    for row in table["rows"]:
        print(f"{row['language']:11} {row['metric']:36} {row['n']:5} {row['value']:.3f}  {row['low']:.3f}..{row['high']:.3f}")


def scored(corpus, table, answers):
    """One row for each value that goes into a mean."""
    language = table["language"]
    row = lambda metric, value: {"language": language, "metric": metric, "value": float(value)}  # noqa: E731
    for stratum in STRATA:
        for (*place, targets), answer in zip(table[stratum], answers[stratum], strict=True):
            found = [entry[:3] for entry in answer["entries"]]
            if stratum == "external":
                yield row("external: invented", bool(found))
                yield row("external: invented, baseline", table["baseline"][" ".join(map(str, place))] is not None)
            else:
                base = table["baseline"][" ".join(map(str, place))]
                yield row(f"{stratum}: among", any(same(one, targets) for one in found))
                yield row(f"{stratum}: first", bool(found) and same(found[0], targets))
                yield row(f"{stratum}: first, baseline", base is not None and same(base, targets))
                yield row(f"{stratum}: entries", len(found))
            if found and answer["resolution"] != "name_match":
                yield row("not name_match: hit rate", any(same(one, targets) for one in found))
    for (*_, yes, no), found in zip(table["references"], answers["references"], strict=True):
        places = {tuple(one[:3]) for one in found}
        yes, no = {tuple(place) for place in yes}, {tuple(place) for place in no}
        yield row("references: recall", len(places & yes) / len(yes))
        if places & (yes | no):
            yield row("references: precision", len(places & yes) / len(places & (yes | no)))


def same(place, targets):
    """Whether a place is one of the targets. A module is its file, wherever its start is said to be."""
    return any(place[:3] == target or place[0] == target[0] and place[1] == target[1] == 1 and 1 in (place[2], target[2]) and target[2] == 1 for target in targets)


# --------------------------------------------------------------------- graph


def graph(work, split):
    """Precision of edges by tier, and how many of the uses of functions, classes and members have one."""
    program = os.environ.get("PARITY", str(ROOT / "target/debug/parity"))
    environment = {**os.environ, "PARITY_CACHE_DIR": str(work / "cache")}
    values = {}
    for corpus, language in SPLITS[split].items():
        table, files = json.loads((HERE / f"gold/{corpus}.json").read_text()), files_of(corpus)
        output = subprocess.run([program, "graph", ".", "--json"], cwd=repository(corpus), capture_output=True, text=True, env=environment, check=True)
        edges = {}
        for node in json.loads(output.stdout)["symbols"]:
            for edge in node["edges"]:
                edges[node["file"], edge["line"], edge["column"]] = edge
        for stratum in STRATA:
            for file, line, column, targets in table[stratum]:
                edge = edges.get((files[file], line, column))
                is_right = edge is not None and any([files[one[0]], one[1]] == [edge["to"]["file"], edge["to"]["line"]] for one in targets if stratum != "external")
                if edge:
                    values.setdefault((language, f"{edge['tier']}: precision"), []).append(float(is_right))
                if stratum in ("function_class", "member"):
                    values.setdefault((language, "recall"), []).append(float(is_right))
        print(corpus, len(edges), "edges", flush=True)
    rows = []
    for (language, metric), found in sorted(values.items()):
        low, high = interval(found, f"graph {split} {language} {metric}")
        rows.append({"language": language, "metric": metric, "n": len(found), "value": round(statistics.fmean(found), 4), "low": low, "high": high})
        print(f"{language:11} {metric:22} {len(found):5} {rows[-1]['value']:.3f}  {low:.3f}..{high:.3f}")
    (work / f"graph.{split}.json").write_text(json.dumps({"split": split, "rows": rows}, indent=1) + "\n")


def interval(values, seed):
    """The middle 95 % of the mean over resampled values."""
    draw = random.Random(seed)
    means = sorted(statistics.fmean(draw.choices(values, k=len(values))) for _ in range(RESAMPLES))
    return round(means[int(RESAMPLES * 0.025)], 4), round(means[int(RESAMPLES * 0.975) - 1], 4)


def errors(work, corpus):
    if corpus not in SPLITS["development"]:
        raise SystemExit(f"{corpus} is not looked at: it is of the test split")
    table, answers = json.loads((HERE / f"gold/{corpus}.json").read_text()), json.loads((work / f"{corpus}.answers.json").read_text())
    files, root = files_of(corpus), repository(corpus)
    show = lambda place: f"{files[place[0]]}:{place[1]}:{place[2]}" if place[0] >= 0 else "outside"  # noqa: E731
    line = lambda place: (root / files[place[0]]).read_text(errors="replace").split("\n")[place[1] - 1].strip()  # noqa: E731
    for stratum in STRATA:
        for (*place, targets), answer in zip(table[stratum], answers[stratum], strict=True):
            found = answer["entries"]
            if bool(found) if stratum == "external" else not (found and same(found[0], targets)):
                print(f"{stratum:15} {show(place)}: {line(place)[:100]}\n    gold {[show(one) for one in targets][:3]}\n    ours {len(found)} {answer['resolution']} {[show(one) for one in found][:3]}")
    for (*target, yes, no), found in zip(table["references"], answers["references"], strict=True):
        places = {tuple(one[:3]) for one in found}
        for kind, wrong in (("missed", {tuple(one) for one in yes} - places), ("too many", {tuple(one) for one in no} & places)):
            for place in sorted(wrong)[:3]:
                print(f"references of {show(target)}: {len(wrong)} {kind}: {show(place)}: {line(place)[:100]}")


def main():
    command, work, *names = sys.argv[1:]
    work = Path(work).resolve()
    work.mkdir(parents=True, exist_ok=True)
    if command == "install":
        install(work)
    elif command in ("gold", "ask", "errors"):
        for corpus in names:
            {"gold": gold, "ask": ask, "errors": errors}[command](work, corpus)
    elif command == "freeze":
        freeze(work)
    elif command in ("score", "graph"):
        {"score": score, "graph": graph}[command](work, names[0])
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main()
