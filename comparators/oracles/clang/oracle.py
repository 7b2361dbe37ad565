"""Gold labels of C and C++ files from clang.

python3 oracle.py --root DIR < paths > labels: reads file paths relative to the root, one a line,
and prints one JSON object a line. The headers of the C and C++ libraries are those that the
ziglang package carries, so the labels do not depend on what is installed on the machine.
"""

import argparse
import ctypes
import json
import os
import re
import sys

import clang.cindex as clang
import ziglang

ORACLE = "libclang 18.1.1"
LIBRARY = os.path.join(os.path.dirname(ziglang.__file__), "lib")
C_FOLDERS = [
    "include",
    "libc/include/x86_64-linux-gnu",
    "libc/include/generic-glibc",
    "libc/include/x86-linux-any",
    "libc/include/any-linux-any",
]
CPP_FOLDERS = ["libcxx/include", "libcxxabi/include"]
# What the build of libc++ would write into its configuration header.
CPP_CONFIGURATION = [
    "-D_LIBCPP_ABI_VERSION=1",
    "-D_LIBCPP_ABI_NAMESPACE=__1",
    "-D_LIBCPP_DISABLE_VISIBILITY_ANNOTATIONS",
    "-D_LIBCXXABI_DISABLE_VISIBILITY_ANNOTATIONS",
    "-D_LIBCPP_HAS_NO_VENDOR_AVAILABILITY_ANNOTATIONS",
    "-D_LIBCPP_HARDENING_MODE=_LIBCPP_HARDENING_MODE_NONE",
    "-D_LIBCPP_PSTL_CPU_BACKEND_SERIAL",
]
HEADERS = (".h", ".hpp", ".hh", ".hxx", ".h++", ".inl", ".ipp", ".tpp", ".inc", ".def")
# More search folders than this make every include slow.
MOST_FOLDERS = 60

# Keep macros and includes, leave out the bodies of functions, go on after a missing header.
OPTIONS = 0x01 | 0x40 | 0x200

KINDS = {
    "FUNCTION_DECL": "function",
    "FUNCTION_TEMPLATE": "function",
    "CXX_METHOD": "method",
    "CONVERSION_FUNCTION": "method",
    "CONSTRUCTOR": "constructor",
    "DESTRUCTOR": "destructor",
    "STRUCT_DECL": "struct",
    "CLASS_DECL": "class",
    "CLASS_TEMPLATE": "class",
    "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION": "class",
    "UNION_DECL": "union",
    "ENUM_DECL": "enum",
    "ENUM_CONSTANT_DECL": "enum_member",
    "TYPEDEF_DECL": "typedef",
    "TYPE_ALIAS_DECL": "alias",
    "TYPE_ALIAS_TEMPLATE_DECL": "alias",
    "NAMESPACE": "namespace",
    "FIELD_DECL": "field",
    "VAR_DECL": "variable",
    "MACRO_DEFINITION": "macro",
}
TYPES = {"class", "struct", "union", "enum"}
MEMBERS_OF = {
    "NAMESPACE",
    "CLASS_DECL",
    "STRUCT_DECL",
    "UNION_DECL",
    "ENUM_DECL",
    "CLASS_TEMPLATE",
    "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION",
    "LINKAGE_SPEC",
    "UNEXPOSED_DECL",
}
# Only these can be told apart by who may link to them; a macro, a field, an enumerator and a
# namespace have no linkage.
LINKED = TYPES | {"function", "method", "constructor", "destructor", "typedef", "alias", "variable"}


# Names that a condition may ask for without making a file depend on how a project is
# configured: the language and the system that the labels are for decide them.
FIXED = re.compile(
    r"^(defined|0|1|__cplusplus|_?WIN(32|64)|_WIN32_WCE|__WIN32__|_MSC_VER|__MINGW32__|__CYGWIN__"
    r"|__APPLE__|__BORLANDC__|__WATCOMC__|MSDOS|__DJGPP__|__AMIGA__|__OS400__|__OS2__|_AIX|__sun"
    r"|__FreeBSD__|__NetBSD__|__OpenBSD__|__VMS|__ANDROID__|__EMSCRIPTEN__)$"
)


class Ranges(ctypes.Structure):
    """A list of places in a source, as libclang returns it."""

    _fields_ = [("count", ctypes.c_uint), ("ranges", ctypes.POINTER(clang.SourceRange))]


clang.conf.lib.clang_getSkippedRanges.restype = ctypes.POINTER(Ranges)


class Project:
    """The folders of a project that its own includes are found in."""

    def __init__(self, root):
        self.root = os.path.realpath(root)
        headers = {}
        wanted = {}
        for folder, folders, files in os.walk(self.root):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(files):
                if name.endswith(HEADERS):
                    headers.setdefault(name, []).append(folder)
                if name.endswith(HEADERS + (".c", ".cc", ".cpp", ".cxx", ".c++")):
                    for path in written_includes(os.path.join(folder, name)):
                        wanted[path] = wanted.get(path, 0) + 1
        found = {}
        self.macros = []
        for path, count in sorted(wanted.items()):
            above, name = os.path.split(path)
            places = headers.get(name, [])
            if not places and name.endswith("_export.h"):
                # CMake writes such a header when a project is built; its macros are empty in a
                # static library.
                base = name[: -len("_export.h")].upper()
                self.macros += [f"-D{base}_{word}=" for word in ("EXPORT", "NO_EXPORT", "DEPRECATED")]
            if len(places) > 8:
                continue
            for place in places:
                if above in ("", ".") or place.endswith("/" + above):
                    folder = place[: len(place) - len(above)].rstrip("/") if above else place
                    found[folder] = found.get(folder, 0) + count
        best = sorted(found, key=lambda folder: (-found[folder], folder))[:MOST_FOLDERS]
        self.folders = [folder for folder in best if folder.startswith(self.root)]


def written_includes(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return set(re.findall(r'^\s*#\s*include\s*[<"]([^>"\n]+)[>"]', file.read(), re.M))
    except OSError:
        return set()


def arguments(project, language):
    words = ["-x", language, "-target", "x86_64-linux-gnu", "-nostdinc", "-ferror-limit=0"]
    folders = C_FOLDERS
    if language == "c++":
        words += ["-std=c++20", "-nostdinc++", *CPP_CONFIGURATION]
        folders = CPP_FOLDERS + C_FOLDERS
    else:
        words += ["-std=gnu17"]
    words += project.macros
    for folder in project.folders:
        words += ["-I", folder]
    for folder in folders:
        words += ["-isystem", os.path.join(LIBRARY, folder)]
    return words


class File:
    """One file as clang sees it in one language."""

    def __init__(self, project, name, language):
        self.project = project
        self.path = os.path.join(project.root, name)
        self.language = language
        with open(self.path, "rb") as file:
            self.source = file.read()
        self.symbols = []
        self.imports = []
        unit = clang.Index.create().parse(
            self.path, args=arguments(project, language), options=OPTIONS
        )
        self.errors = sum(
            1
            for diagnostic in unit.diagnostics
            if diagnostic.severity >= 3 and self.is_here(diagnostic.location)
        )
        self.undecided = self.configured(unit)
        self.walk(unit.cursor, None)
        self.symbols.sort(key=lambda symbol: symbol.pop("offset"))

    def configured(self, unit):
        """The first line that is not compiled for a reason which a project's build decides."""
        file = clang.File.from_name(unit, self.path)
        skipped = clang.conf.lib.clang_getSkippedRanges(unit, file)[0]
        lines = self.source.decode("utf-8", "replace").split("\n")
        for index in range(skipped.count):
            line = skipped.ranges[index].start.line
            condition = re.sub(r"^\s*#\s*\w+|/\*.*|//.*", "", lines[line - 1])
            names = re.findall(r"\w+", condition)
            if not names or not all(FIXED.match(name) for name in names):
                return line
        return None

    def is_here(self, location):
        return location.file is not None and location.file.name == self.path

    def walk(self, cursor, parent):
        for child in cursor.get_children():
            if not self.is_here(child.location):
                continue
            kind = child.kind.name
            if kind == "INCLUSION_DIRECTIVE":
                self.include(child)
                continue
            name = self.name(child)
            if kind in KINDS and name and self.is_declaration(child):
                self.add(child, KINDS[kind], name, parent)
            if kind in MEMBERS_OF:
                inside = parent
                if name and kind in KINDS:
                    inside = f"{parent}::{name}" if parent else name
                self.walk(child, inside)

    @staticmethod
    def name(cursor):
        name = cursor.spelling
        if "(unnamed " in name or "(anonymous " in name:
            return ""
        if cursor.kind.name in ("CONSTRUCTOR", "DESTRUCTOR"):
            name = name.split("<")[0]
        return name

    def is_declaration(self, cursor):
        """False for a type that another declaration only mentions: `struct s *f(void);`."""
        if KINDS[cursor.kind.name] not in TYPES or cursor.is_definition():
            return True
        behind = self.source[cursor.extent.end.offset :].lstrip()
        return behind.startswith((b";", b":")) or cursor.kind.name == "CLASS_TEMPLATE"

    def add(self, cursor, kind, name, parent):
        owner = cursor.semantic_parent
        if owner is not None and cursor.lexical_parent is not None and owner != cursor.lexical_parent:
            parent = self.qualified(owner)
        access = cursor.access_specifier.name.lower()
        member = owner is not None and owner.kind.name in MEMBERS_OF - {"NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL"}
        shown = member and self.language == "c++" and access in ("public", "protected", "private")
        hidden = shown and access != "public"
        internal = cursor.linkage.name == "INTERNAL"
        self.symbols.append(
            {
                "name": name,
                "kind": kind,
                "line": cursor.location.line,
                "decl_line": cursor.extent.start.line or cursor.location.line,
                "end_line": cursor.extent.end.line or cursor.location.line,
                "parent": parent,
                "visibility": access if shown else None,
                "exported": kind in LINKED and not hidden and not internal,
                "offset": cursor.location.offset,
            }
        )

    def qualified(self, cursor):
        names = []
        while cursor is not None and cursor.kind.name != "TRANSLATION_UNIT":
            if cursor.kind.name in KINDS:
                names.append(self.name(cursor))
            cursor = cursor.semantic_parent
        return "::".join(reversed([name for name in names if name])) or None

    def include(self, cursor):
        text = self.source[cursor.extent.start.offset : cursor.extent.end.offset]
        quoted = b'"' in text
        try:
            found = os.path.realpath(cursor.get_included_file().name)
        except (AssertionError, AttributeError, clang.LibclangError):
            found = None
        if found and found.startswith(os.path.realpath(LIBRARY) + os.sep):
            category = "stdlib"
        elif quoted or (found and found.startswith(self.project.root + os.sep)):
            category = "local"
        else:
            category = "third_party"
        self.imports.append(
            {"path": cursor.spelling, "names": [], "category": category, "line": cursor.location.line}
        )


def label(project, name):
    if name.endswith(".c"):
        return "c", File(project, name, "c")
    if name.endswith(".h"):
        file = File(project, name, "c")
        if file.errors:
            other = File(project, name, "c++")
            if other.errors < file.errors:
                return "cpp", other
        return "c", file
    return "cpp", File(project, name, "c++")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", required=True)
    project = Project(parser.parse_args().root)
    for line in sys.stdin:
        name = line.rstrip("\n")
        if not name:
            continue
        labels = {"file": name, "language": "c", "oracle": ORACLE, "parse_errors": 0, "error": None}
        labels |= {"symbols": [], "imports": []}
        try:
            language, file = label(project, name)
            labels |= {"language": language, "parse_errors": file.errors}
            labels |= {"symbols": file.symbols, "imports": file.imports}
            if file.undecided:
                # What stands there has no labels, so the file has none.
                labels["error"] = f"line {file.undecided} depends on how the project is built"
        except (OSError, clang.TranslationUnitLoadError) as error:
            labels["error"] = str(error)
        print(json.dumps(labels), flush=True)


if __name__ == "__main__":
    main()
