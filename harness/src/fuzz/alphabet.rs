//! Words, names and characters that at least one of the two sides treats specially.

/// Names of folders.
pub const FOLDERS: [&str; 12] = [
    "src",
    "lib",
    "tests",
    "core",
    "a",
    "a b",
    ".github/workflows",
    "Über",
    "docs",
    "src/deep",
    "x_y",
    "日本",
];
/// Names of files without an ending.
pub const STEMS: [&str; 22] = [
    "main",
    "mod",
    "index",
    "utils",
    "a",
    "README",
    "Makefile",
    "Kconfig",
    "bash_profile",
    "Spec",
    "setup",
    "user_profile",
    "__init__",
    "CMakeLists",
    "go",
    "package",
    "naïve",
    "x y",
    "test-case",
    ".hidden",
    "Dockerfile",
    "external.in",
];
/// Whole names, some of which have a meaning for one side.
pub const NAMES: [&str; 16] = [
    "README.md",
    "pyproject.toml",
    "go.mod",
    "Makefile",
    "Dockerfile",
    "BUILD",
    "CMakeLists.txt",
    "requirements.txt",
    "package.json",
    "notes.txt",
    ".env.sample",
    "run",
    "Makefile.js",
    "bash_x.py",
    "Main.Config.in.py",
    "empty",
];
/// Endings that no query reads, or that only look like one that is read.
pub const ENDINGS: [&str; 14] = [
    ".txt", ".md", ".json", ".sh", ".pyi", ".PY", ".html", ".vue", ".yaml", ".hh", ".mts", ".cjs",
    ".css", "",
];
/// Pieces of text that parsers, line splitters or token counters may treat differently.
pub const PIECES: [&str; 32] = [
    "\r\n",
    "\r",
    "\u{c}",
    "\u{b}",
    "\u{1c}",
    "\u{85}",
    "\u{2028}",
    "\u{2029}",
    "\u{feff}",
    "\0",
    "\t",
    "\u{a0}",
    "é",
    "日本語",
    "😀",
    "\u{301}",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "'",
    "`",
    "\\",
    "/*",
    "*/",
    "//",
    "#",
    "<<EOF\n",
    "<?php ",
];
/// Bytes that are not UTF-8.
pub const BROKEN: [&[u8]; 3] = [b"\xff", b"\xc3(", b"\xed\xa0\x80"];
/// Characters before and after a word of a message that end or quote it.
pub const AROUND: [(&str, &str); 8] = [
    ("", ""),
    ("`", "`"),
    ("'", "',"),
    ("\"", "\"."),
    ("(", ")"),
    ("", "?"),
    ("*", "*"),
    ("", ":\n"),
];
/// Words of a message that are not names of files or identifiers.
pub const FILLERS: [&str; 6] = ["look", "at", "tests", "and", "Über", "src/"];
