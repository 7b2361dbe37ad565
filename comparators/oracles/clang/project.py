"""Where the includes of a project are found, and what its build would define.

What is said here about all projects is a rule; `projects.toml` says what single projects need.
"""

import os
import re
import tomllib

import ziglang

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
CPP_SOURCES = (".cc", ".cpp", ".cxx", ".c++")
SOURCES = (".c", *CPP_SOURCES)
# More search folders than this make every include slow.
MOST_FOLDERS = 60
# Headers of the C library. A folder with a file of such a name would hide the library's.
STANDARD = {
    f"{name}.h"
    for name in (
        "assert complex ctype dirent errno fcntl fenv float inttypes iso646 limits locale malloc math"
        " memory pthread sched semaphore setjmp signal stdalign stdarg stdatomic stdbool stddef"
        " stdint stdio stdlib stdnoreturn string strings tgmath threads time uchar unistd wchar wctype"
    ).split()
}


class Project:
    """The folders of a project that its own includes are found in."""

    def __init__(self, root):
        self.root = os.path.realpath(root)
        headers = {}
        wanted = {}
        hiding = set()
        of_c, of_cpp = 0, 0
        # The sources that include a header of a name, with everything that they include, in order.
        self.users = {}
        for folder, folders, files in os.walk(self.root):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(files):
                if name in STANDARD:
                    hiding.add(folder)
                if name.endswith(HEADERS):
                    headers.setdefault(name, []).append(folder)
                if name.endswith(HEADERS + SOURCES):
                    source = os.path.join(folder, name)
                    written = written_includes(source)
                    for path in set(written):
                        wanted[path] = wanted.get(path, 0) + 1
                    of_c += name.endswith(".c")
                    of_cpp += name.endswith(CPP_SOURCES)
                    if name.endswith(SOURCES):
                        for path in set(written):
                            self.users.setdefault(os.path.basename(path), []).append((source, written))
        # Whether headers named `.h` may be C++: clang reads much of what is not complete in C as C++.
        self.has_cpp = of_cpp * 10 >= of_c
        self.own = [one for one in tables() if os.path.exists(os.path.join(self.root, one["has"]))]
        self.made = {}
        for one in self.own:
            for name, template in sorted(one.get("made", {}).items()):
                path = os.path.join(self.root, name)
                self.made[path] = unconfigured(os.path.join(self.root, template))
                above, base = os.path.split(path)
                headers.setdefault(base, []).append(above)
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
        folders = [folder for folder in best if folder.startswith(self.root)]
        self.first = [os.path.join(self.root, name) for one in self.own for name in one.get("include", [])]
        self.folders = [folder for folder in folders if folder not in hiding]
        self.quoted = [folder for folder in folders if folder in hiding]

    def preludes(self, name):
        """What sources of the project include before a header of theirs; each list once, at most three."""
        found = []
        for _, written in sorted(self.users.get(os.path.basename(name), [])):
            at = next((at for at, path in enumerate(written) if f"/{name}".endswith(f"/{path}")), 0)
            if at and written[:at] not in found:
                found.append(written[:at])
        return found[:3]

    def arguments(self, language, prelude=()):
        """The arguments of clang for a file, which reads these headers first."""
        words = ["-x", language, "-target", "x86_64-linux-gnu", "-nostdinc", "-ferror-limit=0"]
        folders = C_FOLDERS
        if language == "c++":
            words += ["-std=c++20", "-nostdinc++", *CPP_CONFIGURATION]
            folders = CPP_FOLDERS + C_FOLDERS
        else:
            words += ["-std=gnu17"]
        words += self.macros
        for one in self.own:
            words += [f"-D{definition}" for definition in one.get("define", [])]
        for header in prelude:
            words += ["-include", header]
        for folder in self.first + self.folders:
            words += ["-I", folder]
        for folder in self.quoted:
            words += ["-iquote", folder]
        for folder in folders:
            words += ["-isystem", os.path.join(LIBRARY, folder)]
        return words


def tables():
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "projects.toml"), "rb") as file:
        return tomllib.load(file)["project"]


def unconfigured(template):
    """The header that a build writes from a template, if nothing was found on the machine."""
    with open(template, encoding="utf-8", errors="replace") as file:
        text = file.read()
    return re.sub(r"^[ \t]*#[ \t]*(undef|cmakedefine|cmakedefine01)\b[^\n]*", "", text, flags=re.M)


def written_includes(path):
    """The paths of a file's includes as they are written, in order."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return re.findall(r'^\s*#\s*include\s*[<"]([^>"\n]+)[>"]', file.read(), re.M)
    except OSError:
        return []
