"""The policy that plays the model: it finds the code that a message is about, with what it was sent and nothing else.

It reads the best file that it has seen named. If none is good enough, it searches for the next word of the message, by
`grep` and `glob`. If a file that it has read is one that the true patch changes, it recognises that, edits the file and
ends. With no word and no file left, it asks where the code is.

A map is text like any other: it names files and shows lines of them, as the result of a search does.
"""

import json
import re

WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{2,}")
PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
MAP = re.compile(r"<repository-map (\w+)>\n(.*?)</repository-map \1>", re.S)
EDITED = "Edit applied successfully"
SEARCHES = ("grep", "glob")
# Lines of an edit that are replaced; more of them if the file has the same lines twice.
BLOCK = 3


def parts(text):
    """The parts of the names in a text: `tif_dirInfo` has tif, dir and info."""
    return {part.lower() for part in PART.findall(text) if len(part) > 2}


def is_specific(word):
    """Whether a word can only be a name of a program."""
    return bool(re.search(r"_|[0-9]|[a-z][A-Z]", word))


def words_of(message, stop, most):
    """The words to search for: names first, then the longest. None of them says less than one that is left out."""
    found = {}
    for word in WORD.findall(message):
        if word.lower() not in stop and parts(word):
            found.setdefault(word.lower(), word)
    return sorted(found.values(), key=lambda word: (not is_specific(word), -len(word)))[:most]


class Context:
    """What a request says: the message, the files that have been named with lines of them, and the calls so far."""

    def __init__(self, body):
        system = "\n".join(text(message) for message in body["messages"] if message["role"] == "system")
        self.root = re.search(r"^ *Working directory: (.+)$", system, re.M)[1]
        self.message = next(text(message) for message in body["messages"] if message["role"] == "user")
        self.seen, self.calls = {}, []
        self.mapped = []
        for found in MAP.finditer(system):
            self.add_map(found[2])
        asked = {}
        for message in body["messages"]:
            for call in message.get("tool_calls") or ():
                asked[call["id"]] = (call["function"]["name"], json.loads(call["function"]["arguments"]))
            if message["role"] == "tool":
                name, arguments = asked[message["tool_call_id"]]
                self.calls.append((name, arguments, text(message)))
                if name in SEARCHES:
                    self.add_found(text(message))

    def add(self, path, line=None):
        lines = self.seen.setdefault(path.removeprefix(self.root + "/"), [])
        if line:
            lines.append(line)

    def add_map(self, listing):
        path = None
        for line in listing.splitlines():
            if line and line[0] not in " \t│⋮":
                path = line.removesuffix(":")
                self.mapped.append(path)
                self.add(path)
            elif path and line.strip():
                self.add(path, line)

    def add_found(self, result):
        """The result of a search, unless it is cut: a word that is everywhere says nothing, and what is cut is chance."""
        if "truncated" in result:
            return
        path = None
        for line in result.splitlines():
            if line.startswith(self.root + "/"):
                path = line.removesuffix(":")
                self.add(path)
            elif path and (found := re.match(r"\s+Line \d+: (.*)", line)):
                self.add(path, found[1])

    def of(self, name):
        return [call for call in self.calls if call[0] == name]

    def read(self):
        """The files that were read, in that order."""
        return [arguments["filePath"].removeprefix(self.root + "/") for _, arguments, _ in self.of("read")]


def text(message):
    content = message.get("content") or ""
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def ranked(seen, words):
    """The files that have anything to do with the words, best first: path, score, and whether that is good enough to read
    it now. A word counts the less the more files have it."""
    having = {word: {path for path, lines in seen.items() if any(parts(word) <= parts(line) for line in (path, *lines))} for word in words}
    rows = []
    for path in seen:
        of_it = [word for word in words if path in having[word]]
        score = sum(1 / len(having[word]) for word in of_it)
        if of_it:
            rows.append((path, score, len(of_it) > 1 or is_specific(of_it[0])))
    return sorted(rows, key=lambda row: (-row[1], row[0]))


class Policy:
    def __init__(self, plan, is_source, is_right):
        self.plan, self.is_source, self.is_right = plan, is_source, is_right
        self.stop = set(plan["stop"].split())

    def words(self, message):
        return words_of(message, self.stop, self.plan["most_words"])

    def answer(self, body):
        context = Context(body)
        read = context.read()
        if read and self.is_right(read[-1]):
            return self.edit(context, read[-1])
        words = self.words(context.message)
        files = {path: lines for path, lines in context.seen.items() if self.is_source(path)}
        left = [row for row in ranked(files, words) if row[0] not in read]
        searched = len(context.of("grep"))
        good = [path for path, _, is_good in left if is_good]
        if len(read) < self.plan["most_reads"]:
            if good:
                return self.open(context, good[0])
            if searched < len(words):
                return search(words[searched])
            if left:
                return self.open(context, left[0][0])
        return {"text": "Where is the code that this is about?"}

    def open(self, context, path):
        arguments = {"filePath": f"{context.root}/{path}", "limit": self.plan["lines"]}
        return {"calls": [{"name": "read", "arguments": arguments}]}

    def edit(self, context, path):
        edits = context.of("edit")
        if edits and EDITED in edits[-1][2]:
            return {"text": "The change is made."}
        shown = re.findall(r"^\d+: (.*)$", context.of("read")[-1][2], re.M)
        most = BLOCK * 2 ** len(edits)
        if most > 2 * len(shown):
            return {"text": "The file cannot be edited."}
        # The last lines: the first ones are often the same licence as elsewhere.
        block = "\n".join(shown[-most:])
        arguments = {"filePath": f"{context.root}/{path}", "oldString": block, "newString": block + "\n"}
        return {"calls": [{"name": "edit", "arguments": arguments}]}


def search(word):
    plain = is_specific(word)
    return {
        "calls": [
            {"name": "grep", "arguments": {"pattern": word if plain else f"(?i){word}"}},
            {"name": "glob", "arguments": {"pattern": f"**/*{word if plain else word.lower()}*"}},
        ]
    }
