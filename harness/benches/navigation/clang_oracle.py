"""Gold of C and C++: clang, by libclang.

    clang_oracle.py c|cpp CACHE list ROOT < {"files": [paths]}    names and definitions
    clang_oracle.py c|cpp CACHE ROOT < request                    what the names at some places mean

Request and answer are those of python_oracle.py. Every file is parsed for itself, once: what was read stands in
CACHE. The headers of the system are those of the ziglang package; others are not there, and a name that clang
does not resolve for that reason has no gold. A name is right at any declaration that its file sees and at the
definition, wherever among the files that is.
"""

import bisect
import ctypes
import hashlib
import json
import multiprocessing
import os
import re
import sys
from pathlib import Path

import clang.cindex as clang
import ziglang

# What is kept in the cache changes with this number.
FACTS = 1
LIBRARY = Path(ziglang.__file__).parent / "lib"
C_FOLDERS = ["include", "libc/include/x86_64-linux-gnu", "libc/include/generic-glibc", "libc/include/x86-linux-any", "libc/include/any-linux-any"]
CPP_FOLDERS = ["libcxx/include", "libcxxabi/include"]
# What the build of libc++ would write into its configuration header, and what it still has of older C++.
CPP_CONFIGURATION = [
    "-D_LIBCPP_ABI_VERSION=1",
    "-D_LIBCPP_ABI_NAMESPACE=__1",
    "-D_LIBCPP_DISABLE_VISIBILITY_ANNOTATIONS",
    "-D_LIBCXXABI_DISABLE_VISIBILITY_ANNOTATIONS",
    "-D_LIBCPP_HAS_NO_VENDOR_AVAILABILITY_ANNOTATIONS",
    "-D_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_NONE",
    "-D_LIBCPP_PSTL_CPU_BACKEND_SERIAL",
    "-D_LIBCPP_ENABLE_CXX17_REMOVED_FEATURES",
]
HEADERS = (".h", ".hpp", ".hh", ".hxx")
# Keep macros, do not finish templates at the end of a file, go on after a missing header.
OPTIONS = 0x01 | 0x02 | 0x200
OUTSIDE, UNLISTED = -1, -2

TYPES = {"STRUCT_DECL", "UNION_DECL", "CLASS_DECL", "ENUM_DECL", "CLASS_TEMPLATE", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"}
NAMED_TYPES = TYPES | {"TYPEDEF_DECL", "TYPE_ALIAS_DECL", "TYPE_ALIAS_TEMPLATE_DECL"}
FUNCTIONS = {"FUNCTION_DECL", "FUNCTION_TEMPLATE", "CXX_METHOD", "CONSTRUCTOR", "DESTRUCTOR"}
MACROS = {"MACRO_DEFINITION"}
BOUND = {"PARM_DECL", "TEMPLATE_TYPE_PARAMETER", "TEMPLATE_NON_TYPE_PARAMETER", "TEMPLATE_TEMPLATE_PARAMETER", "LABEL_STMT"}
SPACES = {"NAMESPACE", "NAMESPACE_ALIAS"}
DECLARED = NAMED_TYPES | FUNCTIONS | MACROS | BOUND | SPACES | {"FIELD_DECL", "ENUM_CONSTANT_DECL", "VAR_DECL"}
REFERENCES = {
    "DECL_REF_EXPR", "MEMBER_REF_EXPR", "TYPE_REF", "TEMPLATE_REF", "NAMESPACE_REF", "MEMBER_REF", "LABEL_REF",
    "VARIABLE_REF", "OVERLOADED_DECL_REF", "MACRO_INSTANTIATION",
}  # fmt: skip
# Names of kinds by their numbers, which are compared many times.
KIND_NAMES = {}

lib = clang.conf.lib
POINTER = ctypes.POINTER(ctypes.c_void_p)
NUMBER = ctypes.POINTER(ctypes.c_uint)
lib.clang_getFileLocation.argtypes = [clang.SourceLocation, ctypes.POINTER(POINTER), NUMBER, NUMBER, NUMBER]
lib.clang_getFileLocation.restype = None


def kind_of(cursor):
    """The name of a cursor's kind."""
    number = cursor._kind_id
    if number not in KIND_NAMES:
        try:
            KIND_NAMES[number] = clang.CursorKind.from_id(number).name
        except ValueError:
            KIND_NAMES[number] = ""
    return KIND_NAMES[number]


class Text:
    """A file, with columns in characters."""

    def __init__(self, path):
        self.bytes = Path(path).read_bytes()
        self.starts = [0, *(at.end() for at in re.finditer(rb"\n", self.bytes))]
        self.is_plain = self.bytes.isascii()

    def place(self, offset):
        line = bisect.bisect_right(self.starts, offset)
        before = self.bytes[self.starts[line - 1] : offset]
        return line, 1 + (len(before) if self.is_plain else len(before.decode("utf-8", "replace")))


class Project:
    def __init__(self, root, files, language):
        self.root, self.files, self.language = root, files, language
        self.numbers = {os.path.realpath(root / name): number for number, name in enumerate(files)}
        self.texts, self.paths = {}, {}
        folders = set()
        for name in files:
            if name.endswith(HEADERS):
                folders |= set(Path(name).parents)
        self.folders = [root, root / "include", root / "src", root / "lib", *(root / one for one in sorted(folders))]

    def text(self, number):
        if number not in self.texts:
            self.texts[number] = Text(self.root / self.files[number])
        return self.texts[number]

    def number_of(self, name):
        if name not in self.paths:
            path = os.path.realpath(name)
            outside = UNLISTED if path.startswith(str(self.root) + os.sep) else OUTSIDE
            self.paths[name] = self.numbers.get(path, outside)
        return self.paths[name]

    def arguments(self):
        words = ["-target", "x86_64-linux-gnu", "-nostdinc", "-ferror-limit=0", "-w", "-D_GNU_SOURCE"]
        if self.language == "cpp":
            words += ["-x", "c++", "-std=gnu++17", "-nostdinc++", *CPP_CONFIGURATION]
        else:
            words += ["-x", "c", "-std=gnu17"]
        for folder in (CPP_FOLDERS if self.language == "cpp" else []) + C_FOLDERS:
            words += ["-isystem", str(LIBRARY / folder)]
        for folder in self.folders:
            words += ["-idirafter", str(folder)]
        return words


class File:
    """What clang reads in one file: its names, what it declares, and what its names refer to."""

    def __init__(self, project, number):
        self.project, self.number = project, number
        self.names, self.declared, self.referred, self.included = [], [], {}, []
        self.text = project.text(number)
        self.known, self.called = {}, []
        path = str(project.root / project.files[number])
        self.unit = clang.Index.create().parse(path, args=project.arguments(), options=OPTIONS)
        self.main = lib.clang_getFile(self.unit, path)
        self.included = sorted({project.number_of(one.include.name) for one in self.unit.get_includes()} - {OUTSIDE, UNLISTED})
        self.tokens()
        visitor = clang.callbacks["cursor_visit"](self.visit)
        lib.clang_visitChildren(self.unit.cursor, visitor, None)
        for cursor, offset in self.called:
            self.construct(cursor, offset)

    def facts(self):
        referred = [[*place, *found] for place, found in self.referred.items()]
        return {"names": self.names, "declared": self.declared, "included": self.included}, referred

    def where(self, location):
        """File and offset; a name in an argument of a macro is where it is written."""
        file, line, column, offset = POINTER(), ctypes.c_uint(), ctypes.c_uint(), ctypes.c_uint()
        lib.clang_getFileLocation(location, file, line, column, offset)
        if not file:
            return OUTSIDE, 0
        key = ctypes.cast(file, ctypes.c_void_p).value
        if key not in self.known:
            self.known[key] = self.project.number_of(str(lib.clang_getFileName(clang.File(file))))
        return self.known[key], offset.value

    def tokens(self):
        """Identifiers, without the words of the preprocessor and what stands behind an include."""
        skipped, before = 0, None
        for token in self.unit.get_tokens(extent=self.unit.cursor.extent):
            kind = lib.clang_getTokenKind(token)
            if kind == 4:
                continue
            word = token.spelling
            offset = token.location.offset
            if kind in (1, 2) and before is not None:
                line = self.text.bytes[self.text.starts[self.text.place(offset)[0] - 1] : before]
                if not line.strip():
                    before = None
                    if word in ("include", "include_next", "import", "error", "warning", "pragma", "line"):
                        skipped = self.text.place(offset)[0]
                    continue
            before = offset if word == "#" else None
            if kind == 2 and self.text.bytes[offset : offset + len(word.encode())] == word.encode():
                place = self.text.place(offset)
                if place[0] != skipped:
                    self.names.append([*place, word])

    def visit(self, cursor, parent, _):
        cursor._tu = self.unit
        number, offset = self.where(lib.clang_getCursorLocation(cursor))
        if number != self.number:
            # Nothing of this file is within what another declares; a space may be opened by a macro.
            return 1 if kind_of(parent) == "TRANSLATION_UNIT" else 2
        kind = kind_of(cursor)
        if kind in DECLARED:
            self.declare(cursor, kind, offset)
        elif kind in REFERENCES:
            self.refer(cursor, kind, offset)
        elif kind == "CALL_EXPR":
            self.called.append((cursor, offset))
        return 2

    def name_at(self, cursor, kind, number, offset):
        """The place where the name of a declaration is written, or nothing where a macro makes it."""
        name = cursor.spelling
        if kind in ("CONSTRUCTOR", "DESTRUCTOR", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"):
            name = name.split("<")[0]
        text = self.project.text(number)
        if name.startswith("~"):
            name = name[1:]
            offset += 1
            while text.bytes[offset : offset + 1].isspace():
                offset += 1
        raw = name.encode()
        if not raw or text.bytes[offset : offset + len(raw)] != raw or text.bytes[offset + len(raw) : offset + len(raw) + 1].isalnum():
            return None, name, offset
        return [number, *text.place(offset)], name, offset

    def is_mention(self, cursor, kind, number, offset):
        """Whether a type is not declared but only mentioned: `struct s *f(void);`."""
        if kind not in TYPES or lib.clang_isCursorDefinition(cursor):
            return False
        behind = self.project.text(number).bytes[offset + len(cursor.spelling.encode()) :][:40].lstrip()
        return not behind.startswith((b";", b":"))

    def declare(self, cursor, kind, offset):
        place, name, offset = self.name_at(cursor, kind, self.number, offset)
        if not place:
            return
        if self.is_mention(cursor, kind, self.number, offset):
            self.referred.setdefault(tuple(place[1:]), [kind, *self.targets(cursor, name), False])
            return
        usr = str(lib.clang_getCursorUSR(cursor))
        self.declared.append([*place[1:], name, kind, usr, self.is_definition(cursor, kind), self.is_shared(cursor, kind)])

    @staticmethod
    def is_definition(cursor, kind):
        return kind in MACROS or bool(lib.clang_isCursorDefinition(cursor))

    def is_shared(self, cursor, kind):
        """Whether other files may declare the same."""
        return kind in NAMED_TYPES | SPACES or kind == "FIELD_DECL" or lib.clang_getCursorLinkage(cursor) > 3 and kind not in BOUND

    def refer(self, cursor, kind, offset):
        meant = lib.clang_getCursorReferenced(cursor)
        several = cursor if kind == "OVERLOADED_DECL_REF" else meant
        if several is not None and kind_of(several) == "OVERLOADED_DECL_REF":
            # A call that depends on a template's argument, of the one function of that name.
            if lib.clang_getNumOverloadedDecls(several) != 1:
                return
            meant = lib.clang_getOverloadedDecl(several, 0)
        if meant is None or kind_of(meant) not in DECLARED:
            return
        meant._tu = self.unit
        own = kind_of(meant)
        name = meant.spelling.split("<")[0] if own in ("CONSTRUCTOR", "DESTRUCTOR", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION") else meant.spelling
        raw = name.lstrip("~").encode()
        if name.startswith("~"):
            while self.text.bytes[offset : offset + 1] in (b"~", b" "):
                offset += 1
        end = offset + len(raw)
        if not raw or self.text.bytes[offset:end] != raw or re.match(rb"\w", self.text.bytes[end : end + 1]):
            # Of another name of a type, as `using std::string`, clang names what it stands for.
            if kind == "TYPE_REF" and self.where(lib.clang_getCursorLocation(meant))[0] == OUTSIDE:
                self.referred.setdefault(self.text.place(offset), [own, [], [[OUTSIDE, 0, 0, False]], False])
            return
        before = self.text.bytes[max(0, offset - 200) : offset].rstrip()
        place = self.text.place(offset)
        found = [own, *self.targets(meant, name), before.endswith((b".", b"->"))]
        if kind == "MACRO_INSTANTIATION":
            self.referred[place] = found
        else:
            self.referred.setdefault(place, found)

    def construct(self, cursor, offset):
        """A type that is called: its constructor is right too."""
        meant = lib.clang_getCursorReferenced(cursor)
        if meant is None or kind_of(meant) != "CONSTRUCTOR":
            return
        meant._tu = self.unit
        name = meant.spelling.split("<")[0]
        found = re.compile(rb"(?:\w+\s*::\s*)*(" + re.escape(name.encode()) + rb")\b").match(self.text.bytes, offset)
        row = found and self.referred.get(self.text.place(found.start(1)))
        if row and row[0] in NAMED_TYPES:
            usrs, places = self.targets(meant, name)
            row[1] += [one for one in usrs if one not in row[1]]
            row[2] += [one for one in places if one not in row[2]]

    def targets(self, meant, name):
        """The symbols that are meant, and where this file sees them declared."""
        usrs, places = [], []
        pattern = lib.clang_getSpecializedCursorTemplate(meant)
        for one in (meant, pattern, *self.others(meant), *self.others(pattern)):
            if one is None or not one._kind_id or not kind_of(one) or kind_of(one).startswith(("INVALID", "NO_DECL")):
                continue
            one._tu = self.unit
            number, offset = self.where(lib.clang_getCursorLocation(one))
            if number == OUTSIDE:
                places.append([OUTSIDE, 0, 0, False])
                continue
            if number == UNLISTED:
                places.append([UNLISTED, 0, 0, False])
                continue
            usr = str(lib.clang_getCursorUSR(one))
            if usr and usr not in usrs:
                usrs.append(usr)
            own = kind_of(one)
            place, _, offset = self.name_at(one, own, number, offset)
            if not place or self.is_mention(one, own, number, offset) or self.is_implicit(one, own, name):
                continue
            row = [*place, self.is_definition(one, own)]
            if row not in places:
                places.append(row)
        return usrs, places

    def others(self, cursor):
        if cursor is None or not cursor._kind_id:
            return ()
        cursor._tu = self.unit
        return lib.clang_getCanonicalCursor(cursor), lib.clang_getCursorDefinition(cursor)

    @staticmethod
    def is_implicit(cursor, kind, name):
        """A function that C takes to be declared where it is first called."""
        return kind == "FUNCTION_DECL" and cursor.extent.end.offset - cursor.extent.start.offset <= len(name.encode())


def read(job):
    project, number, folder = job
    for end in ("names", "referred"):
        if not (folder / f"{number}.{end}").exists():
            break
    else:
        return
    try:
        names, referred = File(project, number).facts()
    except (OSError, clang.TranslationUnitLoadError):
        names, referred = {"names": [], "declared": [], "included": []}, []
    for end, found in (("referred", referred), ("names", names)):
        made = folder / f"{number}.{end}.new"
        made.write_text(json.dumps(found))
        made.rename(folder / f"{number}.{end}")


def prepare(project, cache):
    """The folder of what was read of every file."""
    key = hashlib.sha256("\0".join([str(FACTS), project.language, str(project.root), *project.files]).encode()).hexdigest()[:16]
    folder = Path(cache) / key
    folder.mkdir(parents=True, exist_ok=True)
    jobs = [(project, number, folder) for number in range(len(project.files))]
    with multiprocessing.Pool(2, maxtasksperchild=20) as pool:
        for at, _ in enumerate(pool.imap_unordered(read, jobs)):
            if at % 100 == 99:
                print(at + 1, "read", file=sys.stderr, flush=True)
    return folder


def listed(project, folder):
    names, definitions = [], []
    for number in range(len(project.files)):
        found = json.loads((folder / f"{number}.names").read_text())
        names += [[number, *row] for row in found["names"]]
        rows = {(line, column, name) for line, column, name, kind, _, is_definition, _ in found["declared"] if is_definition and kind in NAMED_TYPES | FUNCTIONS | MACROS}
        definitions += [[number, *row] for row in sorted(rows)]
    return {"names": names, "definitions": definitions}


def answered(project, folder, places):
    declared, at, included = {}, {}, []
    for number in range(len(project.files)):
        found = json.loads((folder / f"{number}.names").read_text())
        included.append({number, *found["included"]})
        for line, column, _, kind, usr, is_definition, is_shared in found["declared"]:
            if usr:
                declared.setdefault(usr, []).append((number, line, column, is_definition, is_shared))
            at.setdefault((number, line, column), []).append((usr, kind, is_definition))
    files = {}

    def row(file, line, column):
        if file not in files:
            files[file] = {tuple(one[:2]): one[2:] for one in json.loads((folder / f"{file}.referred").read_text())}
        own = at.get((file, line, column))
        if own:
            kind, usrs, seen, is_selected = own[0][1], [usr for usr, *_ in own], [(file, line, column, own[0][2])], False
        elif (line, column) in files[file]:
            kind, usrs, seen, is_selected = files[file][line, column]
        else:
            return None
        inside = {tuple(one[:3]): one[3] for one in seen if one[0] >= 0}
        usrs = set(usrs) | {usr for place in inside for usr, *_ in at.get(place, ())}
        same = [one for usr in usrs for one in declared.get(usr, ())]
        inside |= {one[:3]: one[3] for one in same if one[0] in included[file] and (one[4] or one[0] in {place[0] for place in inside})}
        if not any(inside.values()):
            inside |= {one[:3]: True for one in same if one[3] and one[4]}
        if not inside:
            # What a macro makes or another kind of file of the root declares is not known.
            return {"targets": [], "stratum": "external"} if seen and all(one[0] == OUTSIDE for one in seen) else None
        targets = sorted(inside, key=lambda place: (not inside[place], place))
        return {"targets": targets, "stratum": stratum(kind, file, targets, is_selected)}

    return {"answers": [row(*place) for place in places]}


def stratum(kind, file, targets, is_selected):
    if kind == "FIELD_DECL" or is_selected and kind not in MACROS:
        return "member"
    if kind in NAMED_TYPES | FUNCTIONS | MACROS:
        return "function_class"
    if kind in SPACES:
        return "import"
    return "local" if any(place[0] == file for place in targets) else "import"


def main():
    language, cache, *words = sys.argv[1:]
    root = Path(os.path.realpath(words[-1]))
    request = json.load(sys.stdin)
    project = Project(root, request["files"], language)
    folder = prepare(project, cache)
    json.dump(listed(project, folder) if words[0] == "list" else answered(project, folder, request["places"]), sys.stdout)


if __name__ == "__main__":
    main()
