//! Test cases whose expected names come from Pygments 2.19.2 on CPython 3.11, with a file for each
//! family of languages.

mod c;
mod dynamic;
mod functional;
mod jvm;
mod native;
mod numeric;
mod php;
mod script;
mod settings;
mod shell;
mod table;
mod templates;

use super::names;

/// Asserts the lexer and the names of a text.
fn check(path: &str, text: &str, lexer: &str, expected: &[&str]) {
    let found = names(path, text);
    assert_eq!(found.lexer, Some(lexer));
    assert_eq!(found.names, expected, "{text}");
}

#[test]
fn lexers_of_unusual_file_names() {
    let lexer = |path: &str, text: &str| names(path, text).lexer;
    assert_eq!(lexer("dir/Makefile.js", "var a;\n"), Some("make"));
    assert_eq!(lexer("Makefile.rs", "fn a() {}\n"), Some("rust"));
    assert_eq!(lexer("KconfigParser.java", "class A {}\n"), Some("kconfig"));
    assert_eq!(lexer("bash_completion.py", "x = 1\n"), Some("python"));
    // Pygments knows no lexer by this extension, but one by the start of the name.
    assert_eq!(lexer("bash_profile.f95", "x = 1\n"), Some("bash"));
    assert_eq!(lexer("Kconfig.f95", "x = 1\n"), Some("kconfig"));
    assert_eq!(lexer("plain.f95", "x = 1\n"), None);
    assert_eq!(lexer("a.h", "#include <x.h>\n"), Some("c"));
    assert_eq!(lexer("noextension", "x\n"), None);
}

#[test]
fn edges_of_the_text() {
    assert_eq!(names("a.rs", "").names, [""; 0]);
    assert_eq!(names("a.rs", "\n\n\n").names, [""; 0]);
    assert_eq!(names("a.rs", "\u{feff}\n\nfoo").names, ["foo"]);
    assert_eq!(names("a.py", "\u{feff}größe\n\n").names, ["größe"]);
}

#[test]
fn damaged_text_never_panics() {
    let odd =
        ["\"", "'", "`", "\\", "/*", "(*", "{-", "<<A\n", "%q", "r#\"", "é", "\u{301}", "\0", "#"];
    let paths = [
        "a.c",
        "a.cc",
        "a.h",
        "a.ts",
        "a.tsx",
        "a.js",
        "a.rs",
        "a.py",
        "Makefile.js",
        "bash_x.sol",
        "a.go",
        "a.java",
        "a.rb",
        "a.swift",
        "a.zig",
        "a.hs",
        "aSpec.hs",
        "a.f",
        "a.f90",
        "a.el",
        "a.ml",
        "a.kt",
        "a.php",
        "a.scala",
        "a.sc",
        "a.lua",
        "a.R",
        "a.r",
        "a.lisp",
        "a.cl",
        "a.d",
        "a.dart",
        "a.elm",
        "a.gleam",
        "a.ino",
        "a.m",
        "a.pony",
        "a.properties",
        "a.sol",
        "a.tf",
        "aConfig.in.js",
    ];
    for path in paths {
        for first in odd {
            for second in odd {
                for text in [format!("{first}{second}"), format!("x {first} y{second}\n{first}z")] {
                    let found = names(path, &text);
                    assert!(found.names.iter().all(|name| text.contains(name)));
                }
            }
        }
    }
}
