//! What a file may be, for every explorer: empty, cut off, something else than its name says, in
//! other encodings, nested beyond reason, all one line. Each costs a bounded time, has a summary,
//! and what is wrong with it is said.

use base::profile::Profile;
use explore::{Exploration, Input, Project, explore};

use crate::support::{
    Seed,
    bounded::{self, DEEP},
    seeds,
};

/// Formats that are not text: of their bytes, only they can say what is wrong.
const BINARY: &[&str] =
    &["a.bin", "a.elf", "a.pdf", "a.png", "a.sqlite", "a.tar", "a.wasm", "a.zip"];

fn bounded(name: &str, bytes: Vec<u8>, profile: Profile) -> Exploration {
    let file = name.to_owned();
    bounded::bounded(name, move || {
        explore(&Input::memory(&file, &bytes), &Project::default(), profile)
    })
}

/// Both profiles.
fn both(name: &str, bytes: &[u8]) -> [Exploration; 2] {
    [Profile::Parity, Profile::Enhancement].map(|profile| bounded(name, bytes.to_vec(), profile))
}

fn texts() -> Vec<(Seed, String)> {
    let texts = seeds().into_iter().filter(|seed| !BINARY.contains(&seed.name.as_str()));
    texts.map(|seed| (seed.clone(), String::from_utf8(seed.bytes).unwrap())).collect()
}

/// What is wrong, as the summary says it.
fn told(found: &Exploration) -> &str {
    let malformed =
        found.malformed.as_ref().unwrap_or_else(|| panic!("{}: not malformed", found.file));
    assert!(found.summary.contains("\nMalformed: "), "{}: {}", found.file, found.summary);
    &malformed.what
}

#[test]
fn honest_seeds_are_not_malformed() {
    for (seed, _) in texts() {
        for found in both(&seed.name, &seed.bytes) {
            assert_eq!(found.malformed, None, "{}", String::from_utf8_lossy(&seed.bytes));
        }
    }
}

#[test]
fn empty_files_say_so() {
    for seed in seeds() {
        for bytes in [&b""[..], b"\n", b" \r\n\t\n"] {
            for found in both(&seed.name, bytes) {
                assert!(found.symbols.is_empty() && found.imports.is_empty(), "{}", seed.name);
            }
        }
    }
}

#[test]
fn files_that_are_cut_off_are_read_as_far_as_they_go() {
    for seed in seeds() {
        let length = seed.bytes.len();
        for end in (0..length).step_by((length / 15).max(1)) {
            both(&seed.name, &seed.bytes[..end]);
        }
    }
}

#[test]
fn binaries_under_the_name_of_a_text_are_told() {
    let mut noise: Vec<u8> =
        (0..4096_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    noise[0] = b'x';
    for (seed, text) in texts() {
        if seed.name == "a.txt" {
            continue;
        }
        let zeros = vec![0; 4096];
        let image = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01".to_vec();
        let program = b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x02\0".to_vec();
        let behind = [text.as_bytes(), &[0; 64]].concat();
        for bytes in [noise.clone(), zeros, image, program, behind] {
            for found in both(&seed.name, &bytes) {
                assert!(!told(&found).is_empty());
            }
        }
    }
}

#[test]
fn noise_under_the_name_of_a_binary_is_told() {
    let noise: Vec<u8> =
        (0..4096_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    for name in BINARY.iter().filter(|name| **name != "a.bin") {
        for found in both(name, &noise) {
            assert!(!told(&found).is_empty());
        }
    }
}

#[test]
fn utf16_is_read_and_named_in_summaries() {
    for (seed, text) in texts() {
        let plain = both(&seed.name, text.as_bytes());
        for big in [false, true] {
            let units = std::iter::once(0xfeff).chain(text.encode_utf16());
            let bytes: Vec<u8> = units
                .flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() })
                .collect();
            for (found, plain) in both(&seed.name, &bytes).iter().zip(&plain) {
                assert_eq!(found.symbols, plain.symbols, "{} {big}", seed.name);
                assert_eq!(found.imports, plain.imports, "{} {big}", seed.name);
                assert_eq!(found.malformed, None, "{} {big}", seed.name);
                let name = if big { "UTF-16 BE" } else { "UTF-16 LE" };
                assert!(found.summary.contains(name), "{}: {}", seed.name, found.summary);
            }
        }
    }
}

#[test]
fn carriage_returns_before_line_feeds_change_nothing() {
    for (seed, text) in texts() {
        let (unix, dos) = (both(&seed.name, &seed.bytes), text.replace('\n', "\r\n"));
        for (found, plain) in both(&seed.name, dos.as_bytes()).iter().zip(&unix) {
            let names = |found: &Exploration| -> Vec<String> {
                let symbols = found.symbols.iter().map(|one| format!("{} {}", one.line, one.name));
                symbols.chain(found.imports.iter().map(|one| one.path.clone())).collect()
            };
            assert_eq!(names(found), names(plain), "{}", seed.name);
            assert_eq!(found.malformed, plain.malformed, "{}", seed.name);
        }
    }
}

#[test]
fn lone_carriage_returns_are_survived() {
    for (seed, text) in texts() {
        both(&seed.name, text.replace('\n', "\r").as_bytes());
    }
}

#[test]
fn invalid_utf8_is_told() {
    for (seed, text) in texts() {
        // Enough that is valid beyond ASCII to say that it was meant to be UTF-8.
        let damaged = [text.as_bytes(), "é".repeat(40).as_bytes(), b"\n\xff\xfe\xc3\n"].concat();
        for found in both(&seed.name, &damaged) {
            assert!(!told(&found).is_empty());
        }
        let foreign = [text.as_bytes(), b"\ncaf\xe9 s\xfcd\n"].concat();
        for found in both(&seed.name, &foreign) {
            let summary = &found.summary;
            let noted = found.malformed.is_some()
                || ["not Unicode, read as ", " (declared)"]
                    .iter()
                    .any(|note| summary.contains(note));
            assert!(noted, "{}: {}", seed.name, found.summary);
        }
    }
}

#[test]
fn byte_order_marks_are_left_out_however_many() {
    for (seed, _) in texts() {
        let plain = both(&seed.name, &seed.bytes);
        for marks in [1, 2] {
            let bytes = [b"\xef\xbb\xbf".repeat(marks), seed.bytes.clone()].concat();
            for (found, plain) in both(&seed.name, &bytes).iter().zip(&plain) {
                assert_eq!(found.symbols, plain.symbols, "{} {marks}", seed.name);
                assert_eq!(found.malformed, None, "{} {marks}", seed.name);
            }
        }
    }
}

#[test]
fn a_hundred_thousand_levels_of_brackets_cost_no_stack() {
    for (seed, _) in texts() {
        for (open, close) in [("(", ")"), ("[", "]"), ("{", "}")] {
            let text = open.repeat(DEEP);
            bounded(&seed.name, text.clone().into_bytes(), Profile::Parity);
            bounded(&seed.name, (text + &close.repeat(DEEP)).into_bytes(), Profile::Enhancement);
        }
    }
}

#[test]
fn a_hundred_thousand_levels_of_blocks_cost_no_stack() {
    let cases: &[(&str, &str, &str)] = &[
        ("a.c", "void f() {", "{"),
        ("a.cpp", "", "namespace a {"),
        ("a.cs", "", "class A {"),
        ("a.css", "", "@media a {"),
        ("a.go", "package a\nfunc f() {", "func() {"),
        ("a.java", "", "class A {"),
        ("a.js", "", "function a() {"),
        ("a.json", "", "{\"a\":"),
        ("a.kt", "", "class A {"),
        ("a.lua", "", "do "),
        ("a.ml", "", "module A = struct "),
        ("a.php", "<?php ", "if (a) {"),
        ("a.py", "", "lambda: ("),
        ("a.rb", "", "module A\n"),
        ("a.rs", "", "mod a {"),
        ("a.scala", "", "object A {"),
        ("a.scss", "", "a {"),
        ("a.sh", "", "if a; then "),
        ("a.swift", "", "struct A {"),
        ("a.ts", "", "namespace A {"),
        ("a.tsx", "x = ", "<a>"),
        ("a.ex", "", "defmodule A do\n"),
        ("a.jl", "", "module A\n"),
        ("a.tcl", "", "namespace eval a {"),
        ("a.tex", "", "\\begin{a}"),
        ("a.tex", "", "\\section{"),
        ("a.md", "", "> "),
        ("a.md", "", "- "),
        ("a.md", "", "["),
        ("a.md", "", "*a _b "),
        ("a.html", "", "<div>"),
        ("a.html", "", "<b><p>"),
        ("a.html", "", "<svg><g><table>"),
        ("a.xml", "", "<a>"),
        ("a.yaml", "", "- "),
        ("a.yaml", "", "? "),
        ("a.yaml", "", "{a: "),
        ("a.toml", "a = ", "["),
        ("a.toml", "a = ", "{a = "),
        ("a.ini", "", "[a.b"),
        ("a.csv", "", "\""),
        ("a.log", "", "{\"a\": "),
        ("a.c", "", "#if A\n"),
        ("a.c", "int x = ", "-"),
        ("a.rs", "/*", "/*"),
        ("a.cpp", "", "template <class "),
        ("a.cpp", "a", "<a"),
    ];
    for (name, start, open) in cases {
        let text = format!("{start}{}", open.repeat(DEEP));
        bounded(name, text.into_bytes(), Profile::Parity);
    }
}

#[test]
fn one_line_of_five_megabytes_is_bounded() {
    for (seed, text) in texts() {
        let word = format!("{text}{}", "x".repeat(5_000_000));
        bounded(&seed.name, word.into_bytes(), Profile::Parity);
    }
}

#[test]
fn a_file_of_one_repeated_line_without_breaks_is_bounded() {
    for (seed, text) in texts() {
        let line = text.replace('\n', " ");
        let times = 1_000_000 / line.len();
        bounded(&seed.name, line.repeat(times).into_bytes(), Profile::Parity);
    }
}

#[test]
fn the_same_file_a_thousand_times_over_is_bounded() {
    for (seed, text) in texts() {
        bounded(&seed.name, text.repeat(1_000).into_bytes(), Profile::Parity);
    }
}

#[test]
fn files_of_comments_alone_have_a_summary() {
    for (comment, extensions) in [
        (
            "// only this\n",
            "c cpp cu m ino cs d dart gleam go java js kt php pony ql rs scala scss sol swift ts tsx zig chatito",
        ),
        ("/* only this */\n", "css c cpp java js ts tsx scss"),
        ("# only this\n", "ex jl py r rb rules sh tcl tf yaml toml ini properties"),
        ("-- only this\n", "elm hs lua"),
        ("; only this\n", "clj el lisp rkt ini"),
        ("(* only this *)\n", "ml mli"),
        ("! only this\n", "f90"),
        ("% only this\n", "m tex"),
        ("<!-- only this -->\n", "html xml md"),
    ] {
        for extension in extensions.split(' ') {
            for found in both(&format!("a.{extension}"), comment.repeat(500).as_bytes()) {
                assert!(found.symbols.is_empty(), "{extension}: {:?}", found.symbols);
            }
        }
    }
}
