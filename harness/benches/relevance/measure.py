#!/usr/bin/env python3
"""Task relevance (E1): does a map show the files that a change will touch?

A task is a patch that Debian's maintainers carry: its subject is the message, and the files that it
changes are what a map should show. Nobody here wrote either. The repository is the upstream source
that the patch is made for. There is no chat.

    measure.py prepare PACKAGES WORK                fetch sources, make repositories and tasks
    measure.py count PACKAGES WORK                  the number of tasks by split, package and language
    measure.py freeze PACKAGES WORK SPLIT OUT       write the labels of a split's tasks as JSON lines
    measure.py ask WORK SPLIT SYSTEM [PACKAGE...]   answer the tasks of a split, or of some of its packages
    measure.py score WORK SPLIT                     the table of all systems that have answered

SYSTEM is ``aider`` (the pinned comparator, canonical), ``parity``, ``enhancement``,
``enhancement-without-FACTOR``, ``list`` (names of files by BM25F) or ``repomap-mcp`` (a port of the comparator's map;
PEERS names the folder into which `harness/benches/peers` has installed it). ``list`` and ``repomap-mcp`` need the
comparator's Python, which has the tokenizer. Only names and counts are kept of what the systems answer.
"""

import collections
import hashlib
import importlib.util
import json
import math
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
NOT_SOURCE = re.compile(
    r"(^|/)(tests?|t|specs?|testing|testsuite|testcases|unittests|regress|docs?|examples?|fuzz|debian)(/|$)|(^|[^a-z])tests?([^a-z]|$)|(^|/)test[^/]*$|tests?(cases?)?\.[a-z]+$|_spec\.",
    re.I,
)
LANGUAGES = {
    "c": "c", "h": "c", "cc": "cpp", "cpp": "cpp", "hpp": "cpp", "cxx": "cpp", "hh": "cpp", "py": "python", "js": "javascript",
    "mjs": "javascript", "ts": "typescript", "rb": "ruby", "php": "php", "java": "java", "go": "go", "rs": "rust",
}  # fmt: skip
FEWEST_WORDS, MOST_FILES = 4, 5
# So that no package outweighs the others.
MOST_TASKS = 16
# White space in a message; other programs must split it in the same way.
SPACE = " \t\n\r\f\v"
# Patches from a tool that folds the headers of a mail into the subject.
MAIL_HEADERS = ("MIME-Version:", "Content-Type:", "Content-Transfer-Encoding:")
# Lines above a hunk that define nothing: imports, directives, comments, texts, labels, a type without its name.
NAMELESS = re.compile(r"\s*(?:(?:import|from|use|using|package|namespace|require|include)\b|[#@\"'<]|//|/?\*|[A-Za-z_]\w*\s*:\s*$|.*\*\s*$)")
# Messages that say where a change came from and not what it does.
MERGE = re.compile(r"\b(?:Merge (?:pull request|commit|branch|tag)|Merged r[0-9])")
# Words before a bracket, or last in a line, that are no names of anything.
KEYWORDS = frozenset(
    "abstract async await bool boolean case catch char class const constexpr continue def default define defined delete do double elif else "
    "elsif end enum except explicit export extern final finally float fn for foreach func function goto if impl implements import "
    "inline int interface long match mod module mut namespace new nil not NULL null None operator or override package private protected pub "
    "public raise register require return self short signed sizeof static struct super switch synchronized template this throw "
    "throws trait true false True False try type typedef typename union unless unsigned until use using var virtual void volatile "
    "when where while with yield __attribute__ __declspec".split()
)
RESAMPLES = 2000
# Links that the harness refuses, by package: `path_filter` in the lock leaves out the same.
LEFT_OUT = {"containerd": ("test/e2e",), "rails": ("activerecord/test/fixtures/all/admin",)}
# What would configure git or the comparator, at the root: the harness removes the same.
REMOVED = (".env", ".gitignore")


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
            commit = repository(source, version, work / "sources", folder / "repository")
            tasks = list(tasks_of(source, version, work / "sources", folder / "repository"))
            (folder / "tasks.json").write_text(json.dumps(tasks, indent=1))
            print(split, source, version, commit, len(tasks), "tasks", flush=True)


def fetch(source, version, sources):
    sources.mkdir(exist_ok=True)
    if not archives(source, version, sources):
        command = ["apt-get", *os.environ.get("APT_ARGUMENTS", "").split(), "source", "--download-only", "--only-source", "-qq", f"{source}={version}"]
        subprocess.run(command, cwd=sources, check=True, stdout=subprocess.DEVNULL)


def archives(source, version, sources):
    """The upstream archive and Debian's own, if both are there."""
    plain = version.split(":")[-1]
    upstream = list(sources.glob(f"{source}_{plain.rsplit('-', 1)[0]}.orig.tar.[gbx]z*"))
    upstream = [path for path in upstream if not path.name.endswith(".asc")]
    debian = list(sources.glob(f"{source}_{plain}.debian.tar.*"))
    return (upstream[0], debian[0]) if upstream and debian else None


def corpus(source):
    return "debian-" + re.sub(r"[^a-z0-9]+", "-", source.lower()).strip("-")


def repository(source, version, sources, folder):
    """Makes the repository that the harness makes of the same archive, with the same commit id."""
    upstream, _ = archives(source, version, sources)
    unpacked = folder.parent / "unpacked"
    with tarfile.open(upstream) as archive:
        archive.extractall(unpacked, filter=lambda member, path: kept(member, path))
    tops = list(unpacked.iterdir())
    (tops[0] if len(tops) == 1 else unpacked).rename(folder)
    shutil.rmtree(unpacked, ignore_errors=True)
    for path in folder.iterdir():
        if path.name in REMOVED or path.name.startswith(".aider"):
            path.unlink()
    for name in LEFT_OUT.get(source, ()):
        (folder / name).unlink()
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            path.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)
    git(folder, "init", "-q", "--template=", "-b", "main")
    (folder / ".git/info").mkdir()
    # The repository's own attributes, under which git changes no byte.
    (folder / ".git/info/attributes").write_text("* -text -eol -filter -ident -working-tree-encoding\n")
    git(folder, "add", "-A", "-f")
    git(folder, "commit", "-q", "--allow-empty", "-m", f"Corpus {corpus(source)}: {source} {version}")
    return git(folder, "rev-parse", "HEAD").strip()


def git(folder, *arguments):
    date, clean = "946684800 +0000", {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    who = {f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER") for what, value in (("NAME", "Parity"), ("EMAIL", "parity@example.invalid"), ("DATE", date))}
    environment = clean | who | {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_ATTR_NOSYSTEM": "1"}
    command = ["git", "-C", str(folder), "-c", "core.autocrlf=false", "-c", "gc.auto=0", *arguments]
    return subprocess.run(command, check=True, env=environment, capture_output=True).stdout.decode("utf-8", "surrogateescape")


def kept(member, path):
    """Regular files, links and folders with names that are text; what the comparator dies of is left out."""
    if not (member.isfile() or member.isdir() or member.issym()) or member.name.endswith(".jl"):
        return None
    try:
        member.name.encode("utf-8")
    except UnicodeEncodeError:
        return None
    return tarfile.data_filter(member, path)


def tasks_of(source, version, sources, folder):
    """The patches that make a task, by their paths below `debian/patches`; the README has the rules."""
    _, debian = archives(source, version, sources)
    # Regular files only: a link has no text of its own.
    listed = (line.split(None, 3) for line in git(folder, "ls-files", "-s", "-z").split("\0") if line)
    files = {path for mode, _, _, path in listed if mode.startswith("100")}
    seen = set()
    tasks = []
    for name, content in patches(debian):
        text = content.decode("utf-8", "replace").replace("\r\n", "\n")
        message, changed = subject(text), changes(text, files)
        if len(message.split(" ")) < FEWEST_WORDS or "=?" in message or MERGE.search(message) or not 1 <= len(changed) <= MOST_FILES:
            continue
        # A patch that is there twice, or two that cannot be told apart by what they say.
        edits = "\n".join(line for line in text.split("\n") if line[:1] in ("+", "-"))
        if seen & {message, edits}:
            continue
        seen |= {message, edits}
        changed = {path: [symbol for symbol in symbols if stands_in(symbol, folder / path)] for path, symbols in changed.items()}
        tasks.append({"id": name, "message": message, "changed": changed})
    # The digest of its message says nothing about a task, so this choice favours none.
    chosen = sorted(tasks, key=lambda task: digest(task["message"]))[:MOST_TASKS]
    return sorted(chosen, key=lambda task: task["id"])


def patches(debian):
    """The patches that Debian applies, in the order of their paths."""
    with tarfile.open(debian) as archive:
        members = {member.name.split("debian/patches/", 1)[1]: member for member in archive if member.isfile() and "debian/patches/" in member.name}
        series = archive.extractfile(members["series"]).read().decode("utf-8", "replace")
        words = (line.split("#")[0].split() for line in series.split("\n"))
        applied = {line[0] for line in words if line}
        for name in sorted(applied & members.keys()):
            if name.endswith((".patch", ".diff")):
                yield name, archive.extractfile(members[name]).read()


def digest(message):
    return hashlib.sha256(message.encode()).hexdigest()


def subject(text):
    """The first paragraph of the first `Subject` or `Description` in the head of a patch."""
    paragraph = None
    for line in text.split("\n"):
        if line.startswith(("diff --git", "--- ", "Index: ")):
            break
        if paragraph is None:
            name, colon, value = line.partition(":")
            if not colon or name not in ("Subject", "Description"):
                continue
            paragraph = []
        elif line[:1] in (" ", "\t"):
            value = line
        else:
            break
        value = value.strip(SPACE)
        if value.startswith(MAIL_HEADERS) or (paragraph and value in ("", ".")):
            break
        if value not in ("", "."):
            paragraph.append(value)
    bare = re.sub(r"\[[^\]]*\]", "", " ".join(paragraph or []))
    return " ".join(word for word in re.split(f"[{SPACE}]+", bare) if word)


def changes(text, files):
    """The source files that a patch changes, each with the names that its hunks stand under."""
    changed = {}
    path, before = None, ""
    for line in text.split("\n"):
        if before.startswith("--- ") and (found := re.match(r"\+\+\+ (?:[^/\s]+/)?(\S+)", line)):
            path = found.group(1)
            path = path if SOURCE.search(path) and not NOT_SOURCE.search(path) and path in files else None
            if path:
                changed.setdefault(path, [])
        elif path and (found := re.match(r"@@ [^@]+ @@ (.+)", line)):
            name = symbol(found.group(1))
            if name and name not in changed[path]:
                changed[path].append(name)
        before = line
    return changed


def symbol(context):
    """The name that the line above a hunk defines: after a word that defines something, else before a bracket,
    else the last one."""
    if NAMELESS.match(context):
        return None
    # `func (r *T) name(`: the bracket after `func` is not the one of the name.
    receiver = re.match(r"func\s*\([^)]*\)\s*([A-Za-z_]\w*)", context)
    kind = "" if "(" in context.split("=")[0] else "|struct|union|enum|namespace|module|type|impl"
    defined = receiver or re.search(rf"\b(?:class|interface|trait|def|func|function|fn|sub{kind})\s+(?:self\.)?([A-Za-z_]\w*[?!]?)", context)
    called = [name for name in re.findall(r"([A-Za-z_]\w*[?!]?)\s*\(", context) if name not in KEYWORDS]
    names = [name for name in re.findall(r"[A-Za-z_]\w*", context) if name not in KEYWORDS]
    name = defined.group(1) if defined else called[0] if called else names[-1] if names else None
    return name if name and len(name) > 2 and name not in KEYWORDS else None


def stands_in(name, path):
    """Whether a name stands in a file as a whole word. diff cuts long lines, within names too."""
    text = path.read_bytes().decode("utf-8", "replace")
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


# -------------------------------------------------------------------- freeze


def freeze(packages, work, split, out):
    """Writes the labels of the tasks of a split, without a word of a patch or of its message."""
    rows = []
    for source in tomllib.loads(Path(packages).read_text())[split]:
        for task in json.loads((work / split / source / "tasks.json").read_text()):
            told = {"corpus": corpus(source), "patch": task["id"], "message_sha256": digest(task["message"])}
            rows.append({**told, "language": language(task["changed"]), "changed": task["changed"]})
    rows.sort(key=lambda row: (row["corpus"], row["patch"]))
    lines = (json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows)
    Path(out).write_text("".join(lines), encoding="utf-8")


def count(packages, work):
    """Prints the number of tasks by split, package and language: that of most changed files of a task."""
    for split, sources in tomllib.loads(Path(packages).read_text()).items():
        total = collections.Counter()
        for source in sources:
            tasks = json.loads((work / split / source / "tasks.json").read_text())
            here = collections.Counter(language(task["changed"]) for task in tasks)
            total += here
            print(split, source, len(tasks), dict(here.most_common()))
        print(split, "all", total.total(), dict(total.most_common()), flush=True)


def language(changed):
    found = collections.Counter(LANGUAGES.get(extension := path.rsplit(".", 1)[1], extension) for path in changed)
    return min(found, key=lambda name: (-found[name], name))


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
        maps = SYSTEMS.get(system, ours)((folder / "repository").resolve(), asked, system)
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


def peers():
    """The bench of other servers: its client, and its count of tokens."""
    path = ROOT / "harness/benches/peers/measure.py"
    module = importlib.util.module_from_spec(spec := importlib.util.spec_from_file_location("peers", path))
    spec.loader.exec_module(module)
    return module


def repomap_mcp(repository, asked, _system):
    """Maps of the port. It takes no message, so all tasks of a package get the same three maps."""
    bench = peers()
    peer = next(server for server in bench.PLAN["server"] if server["name"] == "repomap-mcp")
    server, tokens = bench.Server(peer, repository, {"work": str(Path(os.environ["PEERS"]).resolve())}), bench.Tokens()
    try:
        server.greet()
        maps = {budget: json.loads(server.call(peer["map"], budget))["repo_map"] for budget in BUDGETS}
    finally:
        server.end()
    return [(maps[budget], tokens.count(maps[budget])) for _, budget in asked]


def listing(repository, asked, _system):
    """The names of the files that match a message best, one a line, until the budget is used up."""
    ranking, tokens = Ranking(repository), peers().Tokens()
    maps = []
    for task, budget in asked:
        names, low, high = ranking.best(task["message"]), 0, budget
        # No name is shorter than a token, and the count grows with every line.
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if tokens.count(lines(names[:middle])) <= budget else (low, middle - 1)
        text = lines(names[:low])
        maps.append((text, tokens.count(text)))
    return maps


def lines(names):
    return "".join(f"{name}\n" for name in names)


class Ranking:
    """BM25F over the paths, the defined names and the texts of all files of a repository."""

    WEIGHTS, K1, B = {"path": 3.0, "names": 2.0, "text": 1.0}, 1.2, 0.75
    LARGEST = 1_000_000
    DEFINES = re.compile(r"\b(?:class|struct|union|enum|interface|trait|module|type|def|func|function|fn)\s+(?:\([^)]*\)\s*)?(\w+)|^(?=\S)[^\n(;=#]*?(\w+)\s*\(", re.M)

    def __init__(self, repository):
        self.files = [path for path in git(repository, "ls-files", "-z").split("\0") if path]
        self.fields = {field: [] for field in self.WEIGHTS}
        for path in self.files:
            full = repository / path
            text = full.read_text("utf-8", "replace") if full.is_file() and not full.is_symlink() and full.stat().st_size <= self.LARGEST else ""
            text = "" if "\0" in text else text
            defined = " ".join(one or two for one, two in self.DEFINES.findall(text))
            for field, content in (("path", path), ("names", defined), ("text", text)):
                self.fields[field].append(collections.Counter(words(content)))
        self.mean = {field: statistics.fmean(counts.total() for counts in files) or 1 for field, files in self.fields.items()}
        self.lengths = {field: [counts.total() for counts in files] for field, files in self.fields.items()}
        self.having = collections.Counter(word for at in range(len(self.files)) for word in set().union(*(files[at] for files in self.fields.values())))

    def best(self, message):
        """All files that share a word with the message, the best first; then the rest by name."""
        asked = sorted(set(words(message)))
        scores = []
        for at, path in enumerate(self.files):
            score = 0.0
            for word in asked:
                weight = sum(
                    self.WEIGHTS[field] * files[at][word] / (1 - self.B + self.B * self.lengths[field][at] / self.mean[field])
                    for field, files in self.fields.items() if word in files[at]
                )  # fmt: skip
                if weight:
                    rarity = math.log(1 + (len(self.files) - self.having[word] + 0.5) / (self.having[word] + 0.5))
                    score += rarity * weight / (self.K1 + weight)
            scores.append((-score, path))
        return [path for _, path in sorted(scores)]


def words(text):
    """Lower-case words; of a name that consists of several, its parts too."""
    for name in re.findall(r"[A-Za-z0-9_]+", text):
        parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+", name)
        yield from (part.lower() for part in parts)
        if len(parts) > 1:
            yield name.lower()


SYSTEMS = {"aider": aider, "list": listing, "repomap-mcp": repomap_mcp}


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
    has = [re.search(rf"(?<!\w){re.escape(name)}(?!\w)", "\n".join(sections.get(path, []))) for path, name in symbols]
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
        case ["count", packages, work]:
            count(packages, Path(work))
        case ["freeze", packages, work, split, out]:
            freeze(packages, Path(work), split, out)
        case ["ask", work, split, system, *packages]:
            ask(Path(work), split, system, packages)
        case ["score", work, split]:
            score(Path(work), split)
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main()
