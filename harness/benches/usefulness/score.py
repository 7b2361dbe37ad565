"""Usefulness (U1): is the answer to a question in the first tokens of a file's summary? README.md says what a row is.

    score.py ask WORK [SYSTEM...]     what the systems show of every file, at every budget
    score.py score WORK [SPLIT]       the table of all systems that have answered, of one split or of both
    score.py failed WORK SYSTEM BUDGET      the questions of the development split whose answer is not shown
    score.py check                    the rule of scoring, on texts made here
    score.py second ask|score|failed …      the same with the second set, questions-2.jsonl

Run it with the Python of the pinned comparator, whose tokenizer counts what is no summary of ours. PARITY names
another program than the one that was built here. No text of a file is kept but in WORK.
"""

import hashlib
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import check
import choose

ROOT = choose.HERE.parents[2]
BUDGETS = (500, 1000, 2000)
# In how many lines above an answer one of the words of `near` may stand.
ABOVE = 5
# An answer is looked for in so many places of a text.
PLACES = 10_000
# Whether the second set is asked.
second = False


# ------------------------------------------------------------------- scoring


def places(answer, text):
    """The lines, from 0, in which an answer stands as a whole."""
    forms = {answer}
    if answer.isdigit():
        forms.add(f"{int(answer):,}")
    found = set()
    for form in forms:
        before = r"(?<![A-Za-z0-9_])" if re.match(r"\w", form) else ""
        after = r"(?![A-Za-z0-9_])" if re.search(r"\w$", form) else ""
        matches = itertools.islice(re.finditer(before + re.escape(form) + after, text), PLACES)
        found |= {text.count("\n", 0, match.start()) for match in matches}
    return found


def is_answered(row, text):
    """Whether all strings of the answer are in a text, each near one of the words that it has to be near to."""
    lines = text.lower().split("\n")
    near = [word.lower() for word in row["near"]]

    def counts(line):
        around = "\n".join(lines[max(0, line - ABOVE):line + 1])
        return not near or any(word in around for word in near)

    return all(any(counts(line) for line in places(answer, text)) for answer in row["answer"])


def permuted(rows):
    """The questions with the answers of others: of the same kind and of a file of another format, so that what
    is found is found by chance."""
    changed = []
    for row in rows:
        others = [other for other in rows if other["kind"] == row["kind"] and other["format"] != row["format"]]
        order = lambda other: hashlib.sha256(f"{row['id']} {other['id']}".encode()).hexdigest()  # noqa: E731
        other = min(others, key=order)
        changed.append({**row, "answer": other["answer"], "near": other["near"]})
    return changed


# ------------------------------------------------------------------- systems


class Tokens:
    """Counts and cuts as cl100k_base does, with the vocabulary that the comparator is installed with."""

    def __init__(self):
        expected = (ROOT / "comparators/aider/comparator.toml").read_text()
        name = re.search(r'data_file = "(\w+)"', expected).group(1)
        found = [path for folder in sys.path for path in pathlib.Path(folder).glob(f"litellm/**/{name}")]
        os.environ["TIKTOKEN_CACHE_DIR"] = str(found[0].parent)
        import tiktoken

        self.encoding = tiktoken.get_encoding("cl100k_base")

    def count(self, text):
        return len(self.encoding.encode(text, disallowed_special=()))

    def first(self, lines, budget):
        """As many of the first lines as the budget has room for, at least a part of one."""
        kept, used = 0, 0
        while kept < len(lines) and used <= budget:
            used += self.count(lines[kept] + "\n")
            kept += 1
        # Lines together have a token more or less than each for itself.
        while kept and self.count("\n".join(lines[:kept])) > budget:
            kept -= 1
        if kept == 0 and lines:
            tokens = self.encoding.encode(lines[0][: 20 * budget], disallowed_special=())
            return [self.encoding.decode(tokens[:budget])]
        return lines[:kept]

    def last(self, lines, budget):
        turned = self.first(lines[::-1], budget)
        return turned[::-1]


def head(tokens, lines, budget):
    return "\n".join(tokens.first(lines, budget))


def tail(tokens, lines, budget):
    return "\n".join(tokens.last(lines, budget))


def ends(tokens, lines, budget):
    """Half of the budget for the first lines, half for the last."""
    first = tokens.first(lines, budget // 2 - 2)
    rest = lines[len(first):]
    return "\n".join([*first, "...", *(tokens.last(rest, budget // 2 - 2) if rest else [])])


def numbered(lines):
    return [f"{number}\t{line}" for number, line in enumerate(lines, 1)]


TEXTS = {
    "head": lambda tokens, lines, budget: head(tokens, lines, budget),
    "head, numbered": lambda tokens, lines, budget: head(tokens, numbered(lines), budget),
    "tail, numbered": lambda tokens, lines, budget: tail(tokens, numbered(lines), budget),
    "head and tail": lambda tokens, lines, budget: ends(tokens, lines, budget),
    "head and tail, numbered": lambda tokens, lines, budget: ends(tokens, numbered(lines), budget),
}


def ctags(file):
    """Line, kind, scope and name of every tag, in the order of the lines; nothing for a file without a parser."""
    command = ["ctags", "--options=NONE", "--sort=no", "-x", "--_xformat=%n\t%K\t%s\t%N%S", str(file)]
    said = subprocess.run(command, capture_output=True, check=False).stdout.decode("utf-8", "replace")
    tags = [line.split("\t", 3) for line in said.splitlines() if line.count("\t") >= 3]
    tags = [(int(line), f"{line} {kind} {scope + '.' if scope else ''}{name}") for line, kind, scope, name in tags]
    return [text for _, text in sorted(tags, key=lambda tag: tag[0])]


def ours(root, paths, profile, budget):
    """Summaries of files of one corpus."""
    program = os.environ.get("PARITY", str(ROOT / "target/debug/parity"))
    command = [program, "explore", "--json", "--root", ".", "--profile", profile]
    command += ["--budget", str(budget)] if budget else []
    output = subprocess.run([*command, "--", *paths], cwd=root, capture_output=True, text=True, check=False)
    found = {}
    for path, line in zip(paths, output.stdout.rstrip("\n").split("\n"), strict=True):
        found[path] = json.loads(line)["summary"]
    return found


OURS = {"enhancement": "enhancement", "parity": "parity"}
SYSTEMS = (*OURS, *TEXTS, "ctags", "whole file")
# Systems that are scored once more with the answers of other questions, of which next to none may be found.
CONTROLLED = ("enhancement", "whole file")


def ask(work, systems):
    rows = questions()
    roots = choose.corpora(choose.CACHE)
    files = sorted({(row["corpus"], row["path"]) for row in rows})
    tokens = Tokens()
    for system in systems or SYSTEMS:
        answers = {}
        if system in OURS:
            for corpus in sorted({corpus for corpus, _ in files}):
                paths = [path for name, path in files if name == corpus]
                for budget in BUDGETS:
                    for path, summary in ours(roots[corpus], paths, OURS[system], budget).items():
                        used = tokens.count(summary)
                        assert used <= budget, (corpus, path, used, budget)
                        answers.setdefault(f"{corpus}/{path}", {})[str(budget)] = summary
        else:
            for corpus, path in files:
                file = roots[corpus] / path
                lines = file.read_bytes().decode("utf-8", "replace").split("\n")
                if system == "ctags":
                    tags = ctags(file)
                    shown = {budget: head(tokens, tags, budget) for budget in BUDGETS}
                elif system == "whole file":
                    shown = {budget: "\n".join(numbered(lines)) for budget in BUDGETS}
                else:
                    shown = {budget: TEXTS[system](tokens, lines, budget) for budget in BUDGETS}
                answers[f"{corpus}/{path}"] = {str(budget): text for budget, text in shown.items()}
        (work / f"{system}.json").write_text(json.dumps(answers))
        print("asked", system, flush=True)


# --------------------------------------------------------------------- table


def frozen():
    return (choose.RULE["second"] if second else choose.RULE)["frozen"]


def questions():
    """The frozen questions of the set that is asked; another text than the frozen one is refused."""
    rows = check.SECOND if second else check.ROWS
    text = rows.read_bytes()
    if hashlib.sha256(text).hexdigest() != frozen():
        raise SystemExit(f"{rows.name} is not what was frozen")
    return [json.loads(line) for line in text.decode().splitlines()]


def share(rows, answers, budget):
    if not rows:
        return "-"
    found = sum(is_answered(row, answers[f"{row['corpus']}/{row['path']}"][str(budget)]) for row in rows)
    return f"{found / len(rows):.3f}"


def table(rows, answers, title):
    """One block: a line for each system, a column for each budget, then the kinds at the middle budget."""
    kinds = [kind for kind in check.KINDS if any(row["kind"] == kind for row in rows)]
    files = len({(row["corpus"], row["path"]) for row in rows})
    counts = {kind: sum(row["kind"] == kind for row in rows) for kind in kinds}
    columns = [f"{budget:>7}" for budget in BUDGETS] + [f"{kind} {counts[kind]}".rjust(12) for kind in kinds]
    lines = [f"{title}: {len(rows)} questions about {files} files", " " * 40 + "".join(columns)]

    def line(name, rows, shown):
        values = [share(rows, shown, budget).rjust(7) for budget in BUDGETS]
        for kind in kinds:
            values.append(share([row for row in rows if row["kind"] == kind], shown, BUDGETS[1]).rjust(12))
        lines.append(name.ljust(40) + "".join(values))

    for system in (name for name in SYSTEMS if name in answers):
        line(system, rows, answers[system])
    for system in (name for name in CONTROLLED if name in answers):
        line(f"{system}, answers of other questions", permuted(rows), answers[system])
    return lines


def score(work, split):
    answers = {path.stem: json.loads(path.read_text()) for path in sorted(work.glob("*.json"))}
    rows = [row for row in questions() if split in (None, row["split"])]
    blocks = [table([row for row in rows if row["split"] == name], answers, f"split {name}")
              for name in sorted({row["split"] for row in rows})]
    print("Share of the questions of harness/benches/usefulness whose answer is in the first 500, 1,000 and 2,000 tokens")
    print("(cl100k_base) of what a system shows of the file, and by kind of question at 1,000. The README there says what")
    print(f"the systems are and who wrote the questions, whose sha256 is {frozen()}.\n")
    print("\n\n".join("\n".join(block) for block in blocks))


def failed(work, system, budget):
    answers = json.loads((work / f"{system}.json").read_text())
    for row in questions():
        file = f"{row['corpus']}/{row['path']}"
        if row["split"] == "development" and not is_answered(row, answers[file][budget]):
            print(row["kind"], row["format"], file, row["question"], row["answer"], row["where"], sep=" | ")


def check_rule():
    """An answer is whole, near its words, and all of it is there; else it is none."""
    row = {"answer": ["8080"], "near": ["port"]}
    for text, expected in [
        ("port 8080", True), ("Ports:\n\n  a: 8080", True), ("port: 8,080", True), ("8080", False),
        ("port 18080", False), ("port 8080_a", False), ("8080\nport", False),
        ("port\n1\n2\n3\n4\n8080", True), ("port\n1\n2\n3\n4\n5\n8080", False),
    ]:  # fmt: skip
        assert is_answered(row, text) == expected, (text, expected)
    both = {"answer": ["a.b", "x y"], "near": []}
    assert is_answered(both, "x y (a.b)") and not is_answered(both, "x y") and not is_answered(both, "a.bc x y")
    rows = questions()
    pairs = list(zip(rows, permuted(rows), strict=True))
    assert all(row["id"] == other["id"] and row["question"] == other["question"] for row, other in pairs)
    assert sum(row["answer"] == other["answer"] for row, other in pairs) <= len(rows) // 20
    tokens = Tokens()
    lines = [f"line {number}" for number in range(1000)]
    for budget in BUDGETS:
        for name, show in TEXTS.items():
            assert tokens.count(show(tokens, lines, budget)) <= budget, name
    print("the rule holds")


def main():
    global second
    arguments = sys.argv[1:]
    if arguments[:1] == ["second"]:
        second, arguments = True, arguments[1:]
    match arguments:
        case ["ask", work, *systems]:
            pathlib.Path(work).mkdir(parents=True, exist_ok=True)
            ask(pathlib.Path(work), systems)
        case ["score", work, *split]:
            score(pathlib.Path(work), split[0] if split else None)
        case ["failed", work, system, budget]:
            failed(pathlib.Path(work), system, budget)
        case ["check"]:
            check_rule()
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main()
