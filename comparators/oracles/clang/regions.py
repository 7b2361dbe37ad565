"""The lines of a file that clang's labels say nothing about.

`configured`: lines that clang skipped, because a condition that a project's build decides did not hold.
`macro_made`: lines of a macro's expansion that declares a name which is not written there.
"""

import ctypes
import re

import clang.cindex as clang

# Names that a condition may ask for without making a file depend on how a project is
# configured: the language, the compiler and the system that the labels are for decide them.
FIXED = re.compile(
    r"^(defined|\d\w*|__cplusplus|__STDC__|__STDC_VERSION__|__GNUC__|__GNUC_MINOR__|__clang__"
    r"|__linux__|__linux|__unix__|__unix|_?WIN(32|64)|_WIN32_WCE|__WIN32__|_MSC_VER|__MINGW32__"
    r"|__CYGWIN__|__APPLE__|__BORLANDC__|__WATCOMC__|MSDOS|__DJGPP__|__AMIGA__|__OS400__|__OS2__"
    r"|_AIX|__sun|__FreeBSD__|__NetBSD__|__OpenBSD__|__VMS|__ANDROID__|__EMSCRIPTEN__)$"
)
# Comments, literals, and directives with the lines that continue them.
PIECES = re.compile(
    r"//[^\n]*|/\*.*?(?:\*/|\Z)"
    r'|R"([^()\\\s]{0,16})\(.*?\)\1"'
    r"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
    r"|^[ \t]*\#[ \t]*(?P<word>\w+)(?P<rest>(?:\\\r?\n|/\*.*?\*/|//[^\n]*|[^\n])*)",
    re.M | re.S,
)


class Ranges(ctypes.Structure):
    """A list of places in a source, as libclang returns it."""

    _fields_ = [("count", ctypes.c_uint), ("ranges", ctypes.POINTER(clang.SourceRange))]


clang.conf.lib.clang_getSkippedRanges.restype = ctypes.POINTER(Ranges)
file_location = clang.conf.lib.clang_getFileLocation
file_location.argtypes = [clang.SourceLocation, ctypes.POINTER(ctypes.c_void_p)]
file_location.argtypes += [ctypes.POINTER(ctypes.c_uint)] * 3
file_location.restype = None


def written_at(location):
    """Line and offset of the text that a place comes from: in an expansion, that of the argument, or
    the beginning of the expansion where no argument is that text."""
    file, line, column, offset = ctypes.c_void_p(), *(ctypes.c_uint() for _ in range(3))
    file_location(location, *map(ctypes.byref, (file, line, column, offset)))
    return line.value, offset.value


class Branch:
    """One branch of a conditional: its own lines, and whether a build decides about it."""

    def __init__(self, directive, first, configured):
        self.directive = directive
        self.first = first
        self.last = first - 1
        self.configured = configured


def branches(text):
    """The conditionals of a text, each a list of branches, by the lines of their directives."""
    of_line = {}
    open_groups = []
    line, behind = 1, 0
    for piece in PIECES.finditer(text):
        word = piece.group("word")
        if word is None or not word.startswith(("if", "el", "endif")):
            continue
        line += text.count("\n", behind, piece.start())
        behind = piece.start()
        below = line + piece.group().count("\n") + 1
        if not word.startswith("if"):
            if not open_groups:
                continue
            open_groups[-1][-1].last = line - 1
            if word == "endif":
                open_groups.pop()
                continue
        else:
            open_groups.append([])
        group = open_groups[-1]
        condition = re.sub(r"/\*.*?\*/|//[^\n]*|'[^']*'", "", piece.group("rest"), flags=re.S)
        free = not all(FIXED.match(name) for name in re.findall(r"\w+", condition))
        # Whether a branch is compiled also depends on the conditions of those above it.
        group.append(Branch(line, below, free or any(one.configured for one in group)))
        of_line[line] = group
    return of_line


def configured(unit, path, source):
    """The lines that were skipped for a condition which a project's build decides."""
    skipped = clang.conf.lib.clang_getSkippedRanges(unit, clang.File.from_name(unit, path))[0]
    if not skipped.count:
        return []
    of_line = branches(source.decode("utf-8", "replace"))
    found = []
    for index in range(skipped.count):
        # A range may hold several branches: it ends where one is compiled.
        start, end = skipped.ranges[index].start.line, skipped.ranges[index].end.line
        group = of_line.get(start)
        if group is None:
            # Not a place where a directive was seen: nothing is known about why.
            found.append([start, end])
            continue
        for branch in group:
            inside = start <= branch.directive < end
            if inside and branch.configured and branch.last >= branch.first:
                found.append([branch.first, branch.last])
    return found


class Expansions:
    """The outermost expansions of macros in a file."""

    def __init__(self, cursors):
        self.all = []
        for cursor in cursors:
            extent = cursor.extent
            self.all.append((extent.start.offset, extent.end.offset, extent.start.line, extent.end.line))
        self.all.sort(key=lambda one: (one[0], -one[1]))
        outermost = []
        for one in self.all:
            if not outermost or one[0] >= outermost[-1][1]:
                outermost.append(one)
        self.all = outermost

    def around(self, offset):
        """The expansion that the text at an offset belongs to."""
        low, high = 0, len(self.all)
        while low < high:
            middle = (low + high) // 2
            if self.all[middle][0] <= offset:
                low = middle + 1
            else:
                high = middle
        if low and self.all[low - 1][1] > offset:
            return self.all[low - 1]
        return None


def joined(ranges):
    """Ranges in order, those that touch as one."""
    done = []
    for first, last in sorted(ranges):
        if done and first <= done[-1][1] + 1:
            done[-1][1] = max(done[-1][1], last)
        else:
            done.append([first, last])
    return done


def unjudged(configured_lines, macro_lines):
    rows = [[*one, "configured"] for one in joined(configured_lines)]
    rows += [[*one, "macro_made"] for one in joined(macro_lines)]
    return sorted(rows)
