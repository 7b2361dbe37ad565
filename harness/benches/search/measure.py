#!/usr/bin/env python3
"""How well does a search find what a question means?

R1: the documentation of a symbol is the question, the symbol is what should be found. The documentation is cut from
    a copy of the corpus, at the lines that the gold's front end gives, and never by our own reader.
R2: the subject of a patch that Debian's maintainers carry is the question, the files that it changes are what should
    be found. Tasks and repositories are those of `harness/benches/relevance`.

    measure.py prepare WORK                     make the trees and tasks of R1
    measure.py patches RELEVANCE WORK           take those of R2 from a folder that relevance/measure.py has prepared
    measure.py ask WORK SPLIT [WEIGHTS.toml]    let all systems answer
    measure.py score WORK SPLIT REPORT          write the table

The systems are those of `engine/search/examples/systems.rs`; SYSTEMS names the program. Only names, lines and counts
are kept of what they answer.
"""

import ast
import gzip
import hashlib
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
CACHE = Path(os.environ.get("PARITY_CACHE_DIR", Path.home() / ".cache/parity"))
NOT_SOURCE = re.compile(r"(^|/)(tests?|specs?|testing|docs?|examples?|fuzz|benchmarks?)(/|$)|(^|[^a-z])tests?([^a-z]|$)|_spec\.|Test\.java$", re.I)
DOCUMENTED = {"class", "struct", "enum", "interface", "trait", "function", "method", "constructor", "module", "type", "record", "singleton_method", "macro"}
FEWEST_WORDS, MOST_WORDS, MOST_QUERIES = 4, 40, 300
OVERLAP = 6
RESAMPLES = 2000
SYSTEMS = ("random", "count", "bm25", "bm25f", "full-without-coherence", "full")
PAIRS = (("bm25f", "bm25"), ("full", "bm25"), ("full", "bm25f"))
LINE_COMMENT = {"rust": "///", "go": "//", "ruby": "#"}


# ------------------------------------------------------------------- prepare


def prepare(work):
    for split, corpora in tomllib.loads((Path(__file__).parent / "corpora.toml").read_text()).items():
        for corpus, language in corpora.items():
            folder = work / split / f"r1-{corpus}"
            if (folder / "tasks.json").exists():
                continue
            shutil.rmtree(folder, ignore_errors=True)
            tree = folder / "tree"
            source = next(path for path in sorted((CACHE / "repos").glob(f"{corpus}-*")) if re.fullmatch(re.escape(corpus) + r"-[0-9a-f]{12}", path.name))
            shutil.copytree(source, tree, ignore=shutil.ignore_patterns(".git"), symlinks=True)
            tasks, counts = documentation(corpus, language, tree)
            (folder / "tasks.json").write_text(json.dumps(tasks, indent=1))
            print(split, corpus, len(tasks), "questions", counts, flush=True)


def documentation(corpus, language, tree):
    """The questions of a corpus. Their documentation is cut from the tree."""
    found = {}
    for file, symbols in gold(corpus, language):
        text = (tree / file).read_bytes()
        if NOT_SOURCE.search(file) or hashlib.sha256(text).hexdigest() != symbols["sha256"]:
            continue
        try:
            lines = text.decode().split("\n")
        except UnicodeDecodeError:
            continue
        docstrings = python_docs("\n".join(lines)) if language == "python" else None
        for line, name, kind, declared, end, *_ in symbols["symbols"]:
            if kind not in DOCUMENTED:
                continue
            doc = docstrings.get((declared, name)) if docstrings is not None else above(lines, declared, language)
            question = doc and asked(doc[0])
            if question:
                target = {"file": file, "name": name, "line": line, "from": declared, "to": end, "doc": doc[1]}
                found.setdefault((name, question), []).append(target)
    chosen = sorted(found, key=lambda key: hashlib.sha256("\0".join((*key, found[key][0]["file"])).encode()).hexdigest())[:MOST_QUERIES]
    cut(tree, [target for key in chosen for target in found[key]])
    tasks, left = [], 0
    for name, question in chosen:
        targets = found[name, question]
        if any(overlaps(tree, question, target) for target in targets):
            left += 1
            continue
        keys = [[target["file"], target["name"], target["line"]] for target in targets]
        tasks.append({"id": str(len(tasks)), "query": question, "name": name, "targets": keys})
    return tasks, {"documented": len(found), "left out because words are left in": left}


def gold(corpus, language):
    with gzip.open(ROOT / f"gold/{(ROOT / 'protocols/current').read_text().strip()}/{language}.jsonl.gz", "rt") as lines:
        next(lines)
        for line in lines:
            row = json.loads(line)
            if row["corpus"] == corpus and "excluded" not in row:
                yield row["file"], row


def python_docs(text):
    """Documentation and its lines, by first line of a declaration and name. The gold's front end reads it."""
    found = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and ast.get_docstring(node):
            expression = node.body[0]
            if expression.lineno > node.lineno:
                first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
                found[first, node.name] = (ast.get_docstring(node), (expression.lineno, expression.end_lineno, True))
    return found


def above(lines, declared, language):
    """The comment that ends on the line above a declaration of the gold, or that begins it, and its lines."""
    sign = LINE_COMMENT.get(language)
    if sign:
        start = declared
        # Rust's front end counts the comment to the declaration.
        while start <= len(lines) and lines[start - 1].strip().startswith(sign):
            start += 1
        end, first = start - 1, start
        while first > 1 and lines[first - 2].strip().startswith(sign):
            first -= 1
        if first > end:
            return None
        body = [line.strip().lstrip(sign[0]).strip() for line in lines[first - 1 : end]]
        return "\n".join(body), (first, end, False)
    end = declared - 1
    if end < 1 or not lines[end - 1].strip().endswith("*/"):
        return None
    first = end
    while first > 1 and "/*" not in lines[first - 1]:
        first -= 1
    if not lines[first - 1].strip().startswith("/**"):
        return None
    body = [re.sub(r"^/\*+|\*+/$|^\*", "", line.strip()).strip() for line in lines[first - 1 : end]]
    return "\n".join(body), (first, end, False)


def asked(text):
    """The first paragraph of a documentation as a question."""
    paragraph = re.split(r"\n\s*\n|\n\s*[@:]\w+", text.strip())[0]
    paragraph = re.sub(r"\{@\w+ ([^}]*)\}|</?\w+[^>]*>|[`*]+", lambda found: found.group(1) or "", paragraph)
    words = paragraph.split()
    return " ".join(words) if FEWEST_WORDS <= len(words) <= MOST_WORDS and paragraph.isascii() and not paragraph.startswith("@") else None


def cut(tree, targets):
    by_file = {}
    for target in targets:
        by_file.setdefault(target["file"], []).append(target["doc"])
    for file, docs in by_file.items():
        lines = (tree / file).read_bytes().decode().split("\n")
        for first, last, needs_statement in docs:
            indentation = re.match(r"\s*", lines[first - 1]).group()
            lines[first - 1 : last] = [indentation + "..." if needs_statement else "", *[""] * (last - first)]
        (tree / file).write_bytes("\n".join(lines).encode())


def overlaps(tree, question, target):
    """Whether six words in a row of a question stand in the lines of its target, or right above."""
    lines = (tree / target["file"]).read_bytes().decode().split("\n")[max(target["from"] - 4, 0) : target["to"]]
    text = " " + " ".join(words_of("\n".join(lines))) + " "
    words = words_of(question)
    width = min(OVERLAP, len(words))
    return any(" " + " ".join(words[at : at + width]) + " " in text for at in range(len(words) - width + 1))


def words_of(text):
    return re.findall(r"[a-z0-9]+", text.lower())


def patches(relevance, work):
    for split in ("development", "test"):
        for source in sorted((relevance / split).iterdir()):
            tasks = json.loads((source / "tasks.json").read_text()) if (source / "tasks.json").exists() else []
            if not tasks:
                continue
            folder = work / split / f"r2-{source.name}"
            folder.mkdir(parents=True, exist_ok=True)
            tree = folder / "tree"
            if not tree.exists():
                tree.symlink_to((source / "repository").resolve())
            tasks = [{"id": str(at), "query": task["message"], "targets": sorted(task["changed"])} for at, task in enumerate(tasks)]
            (folder / "tasks.json").write_text(json.dumps(tasks, indent=1))


# ----------------------------------------------------------------------- ask


def ask(work, split, weights):
    program = os.environ.get("SYSTEMS", str(ROOT / "target/debug/examples/systems"))
    for folder in sorted((work / split).iterdir()):
        tasks = json.loads((folder / "tasks.json").read_text())
        lines = "".join(json.dumps({"id": task["id"], "query": task["query"]}) + "\n" for task in tasks)
        command = [program, str((folder / "tree").resolve()), *weights]
        output = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
        answers = {}
        for line in output.stdout.splitlines():
            answer = json.loads(line)
            answers.setdefault(answer["system"], {})[answer["id"]] = answer["results"]
        (folder / "answers.json").write_text(json.dumps(answers))
        print(split, folder.name, len(tasks), flush=True)


# --------------------------------------------------------------------- score


def ranks(task, results, is_symbol):
    """The rank of each target, from 1, or none."""
    if is_symbol:
        places = [[file, name, line] for file, name, line, _, _ in results]
        at = [place + 1 for place, key in enumerate(places) if key in task["targets"]]
        return [min(at) if at else None]
    files = list(dict.fromkeys(result[0] for result in results))
    return [files.index(file) + 1 if file in files else None for file in task["targets"]]


def values(rank):
    """MRR@10, and the shares found first, among ten and among forty, of one question."""
    found = [one for one in rank if one]
    best = min(found, default=None)
    return {
        "mrr": 1 / best if best and best <= 10 else 0.0,
        "first": float(best == 1),
        "ten": sum(one <= 10 for one in found) / len(rank),
        "forty": sum(one <= 40 for one in found) / len(rank),
    }


def load(work, split, task):
    rows = {}
    for folder in sorted((work / split).glob(f"{task}-*")):
        tasks = json.loads((folder / "tasks.json").read_text())
        answers = json.loads((folder / "answers.json").read_text())
        rows[folder.name.removeprefix(f"{task}-")] = (tasks, answers)
    return rows


def score(work, split, report):
    out = [f"split: {split}", "questions: corpora of harness/benches/search/corpora.toml and patches of relevance/packages.toml", ""]
    for task, title in (("r1", "R1: documentation -> symbol"), ("r2", "R2: subject of a patch -> changed files")):
        rows = load(work, split, task)
        if rows:
            out += table(rows, task, title)
    Path(report).parent.mkdir(parents=True, exist_ok=True)
    Path(report).write_text("\n".join(out) + "\n")
    print("\n".join(out))


def table(rows, task, title):
    is_symbol = task == "r1"
    scored = {
        system: {name: [values(ranks(one, answers[system].get(one["id"], []), is_symbol)) for one in tasks] for name, (tasks, answers) in rows.items()}
        for system in SYSTEMS
    }
    count = sum(len(tasks) for tasks, _ in rows.values())
    out = [f"{title}: {count} questions of {len(rows)} corpora", ""]
    out.append(f"{'system':26} {'MRR@10':>7} {'first':>7} {'in 10':>7} {'in 40':>7}   MRR@10 of each corpus (number of questions)")
    for system, by_corpus in scored.items():
        pooled = [value for group in by_corpus.values() for value in group]
        means = [statistics.fmean(value[key] for value in pooled) for key in ("mrr", "first", "ten", "forty")]
        each = ", ".join(f"{name} {statistics.fmean(value['mrr'] for value in group):.3f} ({len(group)})" for name, group in by_corpus.items())
        out.append(f"{system:26} " + " ".join(f"{mean:7.3f}" for mean in means) + f"   {each}")
    if is_symbol:
        free = {name: [at for at, one in enumerate(tasks) if not name_is_said(one)] for name, (tasks, _) in rows.items()}
        out += ["", f"questions that do not say the symbol's name: {sum(map(len, free.values()))}"]
        for system, by_corpus in scored.items():
            picked = [by_corpus[name][at]["mrr"] for name, chosen in free.items() for at in chosen]
            out.append(f"{system:26} {statistics.fmean(picked):7.3f}")
    out += ["", "differences of MRR@10, with the middle 95 % of 2000 resamples by question and by corpus"]
    for one, other in PAIRS:
        out.append(difference(scored[one], scored[other], f"{one} - {other}"))
    out += ["", "control: the targets belong to another question of the same corpus"]
    for system in ("random", "bm25f", "full"):
        permuted = []
        for tasks, answers in rows.values():
            for at, one in enumerate(tasks):
                other = {**one, "targets": tasks[(at + 1) % len(tasks)]["targets"]}
                # A question may share its target with the next one.
                if len(tasks) > 1 and other["targets"] != one["targets"]:
                    permuted.append(values(ranks(other, answers[system].get(one["id"], []), is_symbol))["mrr"])
        out.append(f"{system:26} {statistics.fmean(permuted):7.3f}")
    return [*out, ""]


def name_is_said(task):
    parts = re.findall(r"[a-z]+|\d+", re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", task["name"]).lower())
    said = words_of(task["query"])
    return all(any(word.startswith(part) or part.startswith(word) and len(word) > 3 for word in said) for part in parts)


def difference(one, other, title):
    groups = {name: [a["mrr"] - b["mrr"] for a, b in zip(one[name], other[name], strict=True)] for name in one}
    pooled = [value for group in groups.values() for value in group]
    draw = random.Random(20)
    by_question = sorted(statistics.fmean(draw.choices(pooled, k=len(pooled))) for _ in range(RESAMPLES))
    lists = list(groups.values())
    by_corpus = sorted(
        statistics.fmean(value for group in draw.choices(lists, k=len(lists)) for value in group) for _ in range(RESAMPLES)
    )
    low, high = RESAMPLES // 40, RESAMPLES - RESAMPLES // 40 - 1
    mean = statistics.fmean(pooled)
    return (f"{title:26} {mean:+.3f}   by question [{by_question[low]:+.3f}, {by_question[high]:+.3f}]"
            f"   by corpus [{by_corpus[low]:+.3f}, {by_corpus[high]:+.3f}]")  # fmt: skip


def main():
    match sys.argv[1:]:
        case ["prepare", work]:
            prepare(Path(work))
        case ["patches", relevance, work]:
            patches(Path(relevance), Path(work))
        case ["ask", work, split, *weights]:
            ask(Path(work), split, weights)
        case ["score", work, split, report]:
            score(Path(work), split, report)
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main()
