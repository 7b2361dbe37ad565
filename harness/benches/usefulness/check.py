"""Check questions.jsonl of the protocol against the files it asks about, and print its digest. README.md says what a row is.

    python3 check.py [CACHE]             prints every fault; ends with status 1 if there is one
    python3 check.py second [CACHE]      the same for questions-2.jsonl
"""

import collections
import hashlib
import json
import pathlib
import re
import sqlite3
import struct
import sys
import tarfile
import zipfile

import choose

PROTOCOLS = pathlib.Path(__file__).resolve().parents[3] / "protocols"
# The questions are part of the protocol in force, since gate U1 judges by them.
ROWS = PROTOCOLS / (PROTOCOLS / "current").read_text().strip() / "questions.jsonl"
SECOND = pathlib.Path(__file__).resolve().parent / "questions-2.jsonl"
KINDS = ("defined", "value", "depends", "members", "count", "line")
FIELDS = ("id", "split", "format", "corpus", "path", "sha256", "kind", "question", "answer", "near", "where")
FEWEST = {"questions": 220, "files": 110, "formats": 30}
FEWEST_OF_SECOND = {"questions": 120, "files": 60, "formats": 30}


def sqlite_lines(file):
    """Name and number of rows of every table, then its columns, without a lock or a journal beside the file."""
    database = sqlite3.connect(f"file:{file}?mode=ro&immutable=1", uri=True)
    lines = []
    query = "select name from sqlite_master where type = 'table' and sql not like 'CREATE VIRTUAL%' order by name"
    for (table,) in database.execute(query).fetchall():
        (rows,) = database.execute(f'select count(*) from "{table}"').fetchone()
        lines.append(f"table {table} rows {rows}")
        columns = database.execute(f'pragma table_info("{table}")').fetchall()
        lines += [f"column {table}.{column[1]} {column[2]}" for column in columns]
    return lines


def lines_of(kind, file):
    """What `where` counts: lines of a text; of a database, archive or image what the standard library reads; of
    any other binary file its bytes between line feeds."""
    data = file.read_bytes()
    if kind == "sqlite":
        return sqlite_lines(file)
    if kind == "archive" and zipfile.is_zipfile(file):
        with zipfile.ZipFile(file) as archive:
            return [f"{entry.filename} {entry.file_size}" for entry in archive.infolist()]
    if kind == "archive":
        with tarfile.open(file) as archive:
            return [f"{entry.name} {entry.size}" for entry in archive]
    if kind == "image":
        width, height, depth = struct.unpack(">IIB", data[16:25])
        return [f"width {width}", f"height {height}", f"depth {depth}"]
    if kind in ("executable", "pdf"):
        return data.decode("latin-1").split("\n")
    return data.decode().split("\n")


def whole(answer, text):
    """Does the answer stand in the text, not inside of a longer word or number?"""
    before = r"(?<![A-Za-z0-9_])" if re.match(r"\w", answer) else ""
    after = r"(?![A-Za-z0-9_])" if re.search(r"\w$", answer) else ""
    return re.search(before + re.escape(answer) + after, text) is not None


def faults_of(row, root):
    """What is wrong with one row; the strings are shown to the writer of the row."""
    missing = [field for field in FIELDS if field not in row]
    if missing or row["kind"] not in KINDS:
        return [f"fields {missing} missing, or kind unknown"]
    file = root / row["path"]
    if not file.is_file() or hashlib.sha256(file.read_bytes()).hexdigest() != row["sha256"]:
        return ["no such file with this sha256"]
    lines, faults, answer, near = lines_of(row["format"], file), [], row["answer"], row["near"]
    if row["split"] != choose.split(row["corpus"]):
        faults.append("wrong split")
    if not answer or not all(answer):
        faults.append("no answer")
    if any(whole(text, row["question"]) for text in answer):
        faults.append("the question holds an answer")
    if all(whole(text, row["path"]) for text in answer):
        faults.append("the path holds the answer")
    if not near and any(len(text) < 4 or text.isdigit() for text in answer) and len(answer) == 1:
        faults.append("a short answer needs words near it")
    if any(not 1 <= number <= len(lines) for number in row["where"]):
        return faults + ["no such line"]
    text = "\n".join(lines[number - 1] for number in row["where"])
    around = "\n".join("\n".join(lines[max(0, number - 6):number]) for number in row["where"]).lower()
    if any(len(word) < 2 for word in near):
        faults.append("a word near it of one letter")
    if near and row["where"] and not any(word.lower() in around for word in near):
        faults.append("no word near it is near it in the file")
    if row["kind"] == "count":
        found = len(re.findall(row["counted"], "\n".join(lines), re.MULTILINE))
        if answer != [str(found)] or not near or row["where"]:
            faults.append(f"counted {found}")
    elif row["kind"] == "line":
        if answer != [str(row["where"][0])] or len(row["where"]) != 1 or not any(word in text for word in near):
            faults.append("the name does not stand on this line")
    else:
        faults += [f"{part!r} is not at its lines" for part in answer if not whole(part, text)]
    return faults


def main(cache, second):
    rows_file, frozen, fewest, choice = ROWS, choose.RULE["frozen"], FEWEST, choose.choose
    if second:
        rows_file, frozen = SECOND, choose.RULE["second"]["frozen"]
        fewest, choice = FEWEST_OF_SECOND, choose.choose_second
    roots = choose.corpora(cache)
    rows = [json.loads(line) for line in rows_file.read_text().splitlines()]
    chosen = {(name, path): kind for kind, name, _, path in choice(cache)}
    faults = [f"{row['id']}: {fault}" for row in rows for fault in faults_of(row, roots[row["corpus"]])]
    faults += [f"{row['id']}: not chosen by the rule" for row in rows
               if chosen.get((row["corpus"], row["path"])) != row["format"]]
    files = {(row["corpus"], row["path"]) for row in rows}
    faults += [f"no question about {corpus}/{path}" for corpus, path in sorted(set(chosen) - files)]
    counts = {"questions": len(rows), "files": len(files), "formats": len({row["format"] for row in rows})}
    faults += [f"{counts[what]} {what}, of at least {least}" for what, least in fewest.items() if counts[what] < least]
    for what in ("id", "question"):
        seen = collections.Counter((row["sha256"], row[what]) if what == "question" else row[what] for row in rows)
        faults += [f"{what} twice: {key}" for key, times in seen.items() if times > 1]
    digest = hashlib.sha256(rows_file.read_bytes()).hexdigest()
    if digest != frozen:
        faults.append(f"{rows_file.name} is not what was frozen")
    print(*faults, sep="\n", end="\n" if faults else "")
    print(*(f"{count} {what}" for what, count in counts.items()), sep=", ")
    for what in ("kind", "split"):
        print(what, dict(sorted(collections.Counter(row[what] for row in rows).items())))
    print("sha256", digest)
    return 1 if faults else 0


if __name__ == "__main__":
    asked_second = sys.argv[1:2] == ["second"]
    arguments = sys.argv[2:] if asked_second else sys.argv[1:]
    sys.exit(main(pathlib.Path(arguments[0]) if arguments else choose.CACHE, asked_second))
