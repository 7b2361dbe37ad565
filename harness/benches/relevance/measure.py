#!/usr/bin/env python3
"""Task relevance (E1): does a map show the files that a change will touch?

A task is a patch that Debian's maintainers carry: its subject is the message, and the files that it
changes are what a map should show. Nobody here wrote either. The repository is the upstream source
that the patch is made for. There is no chat.

    measure.py prepare PACKAGES WORK                fetch sources, make repositories and tasks
    measure.py ask WORK SPLIT SYSTEM [PACKAGE...]   answer the tasks of a split, or of some of its packages
    measure.py score WORK SPLIT                     the table of all systems that have answered

SYSTEM is ``aider`` (the pinned comparator, canonical), ``parity``, ``enhancement`` or
``enhancement-without-FACTOR``. Only names and counts are kept of what the systems answer.
"""

import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tarfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BUDGETS = (1024, 2048, 4096)
METRICS = ("shown", "with_definition", "symbols")
SOURCE = re.compile(r"\.(c|h|cc|cpp|hpp|cxx|hh|py|js|mjs|ts|rb|php|java|go|rs|el|ml|lua|cs|scala|ex)$")
NOT_SOURCE = re.compile(r"(^|/)(tests?|specs?|testing|docs?|examples?|fuzz|debian)(/|$)|(^|[^a-z])tests?([^a-z]|$)|_spec\.|Test\.java$", re.I)
FEWEST_WORDS, MOST_FILES = 4, 5
RESAMPLES = 2000
# What would configure the comparator, or make it die: it is the same for every system.
REMOVED = (".env", ".gitignore", ".gitattributes")


# ------------------------------------------------------------------- prepare


def prepare(packages, work):
    for split, sources in tomllib.loads(Path(packages).read_text()).items():
        for source, version in sources.items():
            folder = work / split / source
            if (folder / "tasks.json").exists():
                continue
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            fetch(source, version, work / "sources")
            repository(source, version, work / "sources", folder / "repository")
            tasks = list(tasks_of(source, version, work / "sources", folder / "repository"))
            (folder / "tasks.json").write_text(json.dumps(tasks, indent=1))
            print(split, source, version, len(tasks), "tasks", flush=True)


def fetch(source, version, sources):
    sources.mkdir(exist_ok=True)
    if not archives(source, version, sources):
        command = ["apt-get", "source", "--download-only", "-qq", f"{source}={version}"]
        subprocess.run(command, cwd=sources, check=True, stdout=subprocess.DEVNULL)


def archives(source, version, sources):
    """The upstream archive and Debian's own, if both are there."""
    plain = version.split(":")[-1]
    upstream = list(sources.glob(f"{source}_{plain.rsplit('-', 1)[0]}.orig.tar.[gbx]z*"))
    upstream = [path for path in upstream if not path.name.endswith(".asc")]
    debian = list(sources.glob(f"{source}_{plain}.debian.tar.*"))
    return (upstream[0], debian[0]) if upstream and debian else None


def repository(source, version, sources, folder):
    upstream, _ = archives(source, version, sources)
    unpacked = folder.parent / "unpacked"
    with tarfile.open(upstream) as archive:
        archive.extractall(unpacked, filter=lambda member, path: kept(member, path))
    tops = list(unpacked.iterdir())
    (tops[0] if len(tops) == 1 else unpacked).rename(folder)
    shutil.rmtree(unpacked, ignore_errors=True)
    shutil.rmtree(folder / "debian", ignore_errors=True)
    for name in REMOVED:
        for path in folder.rglob(name):
            path.unlink()
    git = ["git", "-C", str(folder), "-c", "user.name=a", "-c", "user.email=a@example.invalid", "-c", "core.autocrlf=false"]
    for command in (["init", "-q", "-b", "main"], ["add", "-A", "-f"], ["commit", "-q", "-m", "upstream"]):
        subprocess.run(git + command, check=True, stdout=subprocess.DEVNULL)


def kept(member, path):
    """Regular files and folders with names that are text; what the comparator dies of is left out."""
    if not (member.isfile() or member.isdir()) or member.name.endswith(".jl"):
        return None
    try:
        member.name.encode("utf-8")
    except UnicodeEncodeError:
        return None
    return tarfile.data_filter(member, path)


def tasks_of(source, version, sources, folder):
    _, debian = archives(source, version, sources)
    with tarfile.open(debian) as archive:
        members = [m for m in archive if m.isfile() and "/patches/" in m.name and m.name.endswith((".patch", ".diff"))]
        for member in sorted(members, key=lambda member: member.name):
            text = archive.extractfile(member).read().decode("utf-8", "replace")
            message, changed = subject(text), changes(text, folder)
            if len(message.split()) >= FEWEST_WORDS and 1 <= len(changed) <= MOST_FILES:
                yield {"id": Path(member.name).name, "message": message, "changed": changed}


def subject(text):
    head = re.split(r"^(?:diff --git|--- |Index: )", text, maxsplit=1, flags=re.M)[0]
    found = re.search(r"^(?:Subject|Description):\s*(.+(?:\n[ \t].+)*)", head, re.M)
    first = re.split(r"\n[ \t]*\.?[ \t]*\n", found.group(1))[0] if found else ""
    return " ".join(re.sub(r"\[[^\]]*\]", "", first).split())


def changes(text, folder):
    """The source files that a patch changes, each with the names that its hunks stand under."""
    changed = {}
    path = None
    for line in text.splitlines():
        if found := re.match(r"\+\+\+ (?:[^/\s]+/)?(\S+)", line):
            path = found.group(1)
            is_source = SOURCE.search(path) and not NOT_SOURCE.search(path) and (folder / path).is_file()
            path = path if is_source else None
            if path:
                changed.setdefault(path, [])
        elif path and (found := re.match(r"@@ [^@]+ @@ (.+)", line)):
            name = symbol(found.group(1))
            if name and name not in changed[path]:
                changed[path].append(name)
    return changed


def symbol(context):
    """The name in the line that diff found above a hunk: the one before a bracket, else the last."""
    before = re.search(r"([A-Za-z_][\w]*[?!]?)\s*\(", context)
    names = re.findall(r"[A-Za-z_]\w*", context)
    name = before.group(1) if before else (names[-1] if names else None)
    return name if name and len(name) > 2 else None


# ----------------------------------------------------------------------- ask


def ask(work, split, system, packages):
    for folder in sorted((work / split).iterdir()):
        if packages and folder.name not in packages:
            continue
        target = folder / f"{system}.json"
        tasks = json.loads((folder / "tasks.json").read_text())
        if target.exists() or not tasks:
            continue
        asked = [(task, budget) for task in tasks for budget in BUDGETS]
        maps = (aider if system == "aider" else ours)(folder / "repository", asked, system)
        files = subprocess.run(["git", "-C", folder / "repository", "ls-files", "-z"], capture_output=True, check=True)
        known = set(files.stdout.decode("utf-8", "replace").split("\0"))
        answers = {}
        for (task, budget), (text, tokens) in zip(asked, maps, strict=True):
            answers.setdefault(task["id"], {})[str(budget)] = {**found(task["changed"], text, known), "tokens": tokens}
        target.write_text(json.dumps(answers, indent=1))
        print(split, folder.name, system, len(tasks), flush=True)


def ours(repository, asked, system):
    """Maps of our program: text and exact number of tokens of each."""
    profile, _, without = system.partition("-without-")
    program = os.environ.get("PARITY", str(ROOT / "target/debug/parity"))
    command = [program, "map", ".", "--json", "--map-mul-no-files", "1", "--profile", profile, "--requests", "-"]
    command += ["--without", without] if without else []
    command += os.environ.get("PARITY_ARGUMENTS", "").split()
    lines = "".join(json.dumps({"message": task["message"], "map_tokens": budget}) + "\n" for task, budget in asked)
    output = subprocess.run(command, cwd=repository, input=lines, capture_output=True, text=True, check=True)
    documents = [json.loads(line) for line in output.stdout.splitlines()]
    return [(document["text"], document["exact_token_count"]) for document in documents]


def aider(repository, asked, _system):
    """Maps of the pinned comparator, by the driver that records it."""
    environment = os.environ["PARITY_COMPARATOR"]
    cases = [{"id": str(at), "message": task["message"], "map_tokens": budget} for at, (task, budget) in enumerate(asked)]
    request = {"repo": str(repository), "map_mul_no_files": 1, "cases": cases}
    command = [f"{environment}/bin/python", str(ROOT / "comparators/aider/driver.py")]
    output = subprocess.run(command, input=json.dumps(request).encode(), capture_output=True, check=False)
    response = json.loads(output.stdout)
    if "error" in response and not response.get("cases"):
        raise SystemExit(response["error"]["message"])
    return [(case["listing"] or "", case["attempts"][-1].get("exact_token_count") or 0) for case in response["cases"]]


def found(changed, text, known):
    """The share of the changed files that a map shows, and of the names around their changes."""
    sections, current = {}, None
    for line in text.split("\n"):
        name = line.removesuffix(":")
        if name in known and (line == name or line == name + ":"):
            current = sections.setdefault(name, [])
        elif current is not None and line.strip() not in ("", "⋮"):
            current.append(line)
    symbols = [(path, name) for path, names in changed.items() for name in names]
    has = [re.search(rf"\b{re.escape(name)}", "\n".join(sections.get(path, []))) for path, name in symbols]
    return {
        "shown": sum(path in sections for path in changed) / len(changed),
        "with_definition": sum(bool(sections.get(path)) for path in changed) / len(changed),
        "symbols": sum(map(bool, has)) / len(symbols) if symbols else None,
    }


# --------------------------------------------------------------------- score


def score(work, split):
    packages = {folder.name: folder for folder in sorted((work / split).iterdir())}
    systems = sorted({path.stem for folder in packages.values() for path in folder.glob("*.json")} - {"tasks"})
    answers = {
        system: {name: json.loads((folder / f"{system}.json").read_text()) for name, folder in packages.items() if (folder / f"{system}.json").exists()}
        for system in systems
    }
    table = {"split": split, "packages": {name: len(json.loads((folder / "tasks.json").read_text())) for name, folder in packages.items()}, "rows": []}
    for system in systems:
        for budget in BUDGETS:
            rows = [(name, answer[str(budget)]) for name, tasks in answers[system].items() for answer in tasks.values()]
            tokens = [row["tokens"] / budget for _, row in rows]
            line = {"system": system, "budget": budget, "tasks": len(rows)}
            for metric in METRICS:
                values = [row[metric] for _, row in rows if row[metric] is not None]
                line[metric] = round(statistics.fmean(values), 4)
                line[f"{metric}_macro"] = round(macro([(name, row[metric]) for name, row in rows if row[metric] is not None]), 4)
            line["tokens_median"], line["tokens_max"] = round(statistics.median(tokens), 4), round(max(tokens), 4)
            table["rows"].append(line)
    table["differences"] = [
        {"reference": reference, **difference(answers[reference], answers[system], system, budget)}
        for reference in ("aider", "parity") if reference in systems
        for system in systems if system not in ("aider", "parity") for budget in BUDGETS
    ]  # fmt: skip
    if "aider" in systems and "parity" in systems:
        table["parity_equals_aider"] = equal_answers(answers["aider"], answers["parity"])
    (work / f"{split}.json").write_text(json.dumps(table, indent=1) + "\n")
    show(table)


def equal_answers(one, other):
    """In how many of the maps that both have made the two agree in all that is counted."""
    pairs = [(answer, other[name][task][budget]) for name in one.keys() & other.keys()
             for task, budgets in one[name].items() for budget, answer in budgets.items()]  # fmt: skip
    return {"maps": len(pairs), "equal": sum(a == b for a, b in pairs), "packages": sorted(one.keys() & other.keys())}


def macro(rows):
    by_package = {}
    for name, value in rows:
        by_package.setdefault(name, []).append(value)
    return statistics.fmean(statistics.fmean(values) for values in by_package.values())


def difference(theirs, ours, system, budget):
    """Ours minus theirs in changed files shown with a definition: the mean over packages, and the
    middle 95 % of it over resampled patches, and over resampled packages."""
    by_package = {}
    for name in sorted(theirs.keys() & ours.keys()):
        pairs = [(ours[name][task][str(budget)], answer[str(budget)]) for task, answer in theirs[name].items()]
        by_package[name] = [mine["with_definition"] - other["with_definition"] for mine, other in pairs]
    mean = lambda groups: statistics.fmean(statistics.fmean(group) for group in groups)  # noqa: E731
    draw = random.Random(20)
    patches = sorted(mean([draw.choices(group, k=len(group)) for group in by_package.values()]) for _ in range(RESAMPLES))
    packages = sorted(mean(draw.choices(list(by_package.values()), k=len(by_package))) for _ in range(RESAMPLES))
    low, high = RESAMPLES // 40, RESAMPLES - RESAMPLES // 40 - 1
    return {
        "system": system, "budget": budget, "macro": round(mean(by_package.values()), 4),
        "by_patch": [round(patches[low], 4), round(patches[high], 4)],
        "by_package": [round(packages[low], 4), round(packages[high], 4)],
        "packages": {name: round(statistics.fmean(group), 3) for name, group in by_package.items()},
    }  # fmt: skip


def show(table):
    print(f"{table['split']}: {sum(table['packages'].values())} tasks of {len(table['packages'])} packages")
    print(f"{'system':38} {'budget':>6} {'shown':>7} {'with def':>8} {'symbols':>8} {'macro def':>9} {'tokens':>7} {'max':>6}")
    for row in table["rows"]:
        print(f"{row['system']:38} {row['budget']:6} {row['shown']:7.3f} {row['with_definition']:8.3f} {row['symbols']:8.3f} {row['with_definition_macro']:9.3f} {row['tokens_median']:7.2f} {row['tokens_max']:6.2f}")
    for row in table["differences"]:
        print(f"{row['system']:38} {row['budget']:6} minus {row['reference']} {row['macro']:+.3f}, by patch {row['by_patch']}, by package {row['by_package']}")
    print("parity equals aider:", table.get("parity_equals_aider"))


def main():
    match sys.argv[1:]:
        case ["prepare", packages, work]:
            Path(work).mkdir(parents=True, exist_ok=True)
            prepare(packages, Path(work))
        case ["ask", work, split, system, *packages]:
            ask(Path(work), split, system, packages)
        case ["score", work, split]:
            score(Path(work), split)
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main()
