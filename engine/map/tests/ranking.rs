//! What decides the ranks of the enhancement profile: references within a family of languages and to what a file
//! imports, the imports of the chat, and the definitions next to each other.

use std::{fs, path::Path};

use base::profile::Profile;
use map::{Factor, FileReason, MapRequest, TraceDetail, build};

/// Why each file is in the map of a folder.
fn explained(folder: &Path, chat: &[&str], without: &[Factor]) -> Vec<FileReason> {
    let map = build(&request(folder, chat, without), TraceDetail::None).unwrap();
    map.attempts.last().unwrap().explanation.clone().unwrap()
}

fn request(folder: &Path, chat: &[&str], without: &[Factor]) -> MapRequest {
    let mut request = MapRequest::new(folder);
    request.scope.subtree_only = true;
    request.profile = Profile::Enhancement;
    request.map_tokens = Some(1024.0);
    request.explain = true;
    request.chat = chat.iter().map(|file| (*file).to_owned()).collect();
    request.without = without.iter().copied().collect();
    request
}

#[test]
fn a_homonym_in_another_language_is_no_reference() {
    let place = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(place.path().join(name), text).unwrap();
    write("a.py", "def fetch():\n    other()\n\ndef other():\n    pass\n");
    write("b.js", "function fetch() {}\nfunction start() { fetch(); fetch() }\nstart()\n");
    write("c.ts", "export function run(): void { fetch() }\nrun()\n");
    let referrers = |without: &[Factor]| {
        let files = explained(place.path(), &[], without);
        let entries = files.iter().find(|file| file.file == "a.py").unwrap().entries.iter();
        let fetch = entries.clone().find(|entry| entry.name.as_deref() == Some("fetch")).unwrap();
        let mut found: Vec<_> =
            fetch.referrers.iter().filter(|one| one.refers).map(|one| one.file.clone()).collect();
        found.sort();
        found
    };
    assert!(referrers(&[]).is_empty(), "{:?}", referrers(&[]));
    assert_eq!(referrers(&[Factor::Families]), ["b.js", "c.ts"]);
}

#[test]
fn what_the_chat_imports_comes_before_what_it_does_not() {
    let place = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = place.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("app/main.py", "from .tools import saw\n\ndef main():\n    pass\n");
    for file in ["app/axes.py", "app/tools.py", "app/zips.py"] {
        write(file, &format!("def {}():\n    start()\n", &file[4..6]));
    }
    let order = |without: &[Factor]| -> Vec<String> {
        let files = explained(place.path(), &["app/main.py"], without);
        files.into_iter().map(|file| file.file).collect()
    };
    assert_eq!(order(&[]).first().map(String::as_str), Some("app/tools.py"));
    assert_ne!(order(&[Factor::Imports]).first().map(String::as_str), Some("app/tools.py"));
}

/// Files that use a homonym, with what it means there, and its other definitions.
const SCOPED: &[(&str, &str, &str)] = &[
    ("p/use.py", "from .b import *\n\ndef main():\n    fetch_it()\n", "p/b.py"),
    ("p/a.py", "def fetch_it():\n    pass\n", ""),
    ("p/b.py", "def fetch_it():\n    pass\n", ""),
    // A package passes on what it imports.
    ("q/use.py", "from q import sub\n\ndef main():\n    load_it()\n", "q/sub/one.py"),
    ("q/sub/__init__.py", "from .one import load_it\n\nVERSION = 1\n", ""),
    ("q/sub/one.py", "def load_it():\n    pass\n", ""),
    ("q/sub/two.py", "def load_it():\n    pass\n", ""),
    // Its name is referred to, but never means it.
    ("q/other.py", "def save_it():\n    start()\n", ""),
    ("q/sub/save.py", "def save_it():\n    start()\n", ""),
    ("q/keep.py", "from .sub.save import save_it\nsave_it()\n", "q/sub/save.py"),
    // A header includes another one, whose functions are in the file of the same name.
    ("c/use.c", "#include \"all.h\"\nint run(void) { return read_it(); }\n", "c/io.c c/io.h"),
    ("c/all.h", "#include <io.h>\nstruct all { int a; };\n", ""),
    ("c/io.h", "struct io { int a; };\nint read_it(void);\n", ""),
    ("c/io.c", "int read_it(void) { return 1; }\n", ""),
    ("c/other.c", "int read_it(void) { return 2; }\n", ""),
    // One folder is one package.
    ("g/use.go", "package g\n\nfunc run() { send_it() }\n", "g/send.go"),
    ("g/send.go", "package g\n\nfunc send_it() {}\n", ""),
    ("h/send.go", "package h\n\nfunc send_it() {}\n", ""),
    (
        "r/src/main.rs",
        "mod deep;\nuse crate::deep::make_it;\nfn main() { make_it(); }\n",
        "r/src/deep/mod.rs",
    ),
    ("r/src/deep/mod.rs", "pub fn make_it() {}\n", ""),
    ("r/src/flat.rs", "pub fn make_it() {}\n", ""),
    (
        "j/com/a/Use.java",
        "package com.a;\nimport com.b.Saw;\nclass Use { void run() { cut_it(); } }\n",
        "j/com/b/Saw.java",
    ),
    ("j/com/b/Saw.java", "package com.b;\nclass Saw { static void cut_it() {} }\n", ""),
    ("j/com/c/Saw.java", "package com.c;\nclass Saw { static void cut_it() {} }\n", ""),
    // Nothing that is imported defines it, so all are meant.
    ("n/use.py", "import p.a\n\ndef main():\n    load_it()\n", "q/sub/one.py q/sub/two.py"),
    // The file defines it itself: tags do not tell which one is meant.
    (
        "n/own.py",
        "from p.b import fetch_it\n\ndef fetch_it():\n    fetch_it()\n",
        "n/own.py p/a.py p/b.py",
    ),
];

#[test]
fn a_name_means_what_the_file_imports_if_that_defines_it() {
    let place = tempfile::tempdir().unwrap();
    for (name, text, _) in SCOPED {
        let path = place.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let edges = |without: &[Factor]| {
        let map = build(&request(place.path(), &[], without), TraceDetail::AllEdges).unwrap();
        map.attempts.last().unwrap().ranking.as_ref().unwrap().edges.clone().unwrap()
    };
    let (edges, without) = (edges(&[]), edges(&[Factor::Scopes]));
    let defining = |edges: &[(String, String, String, f64)], user: &str| {
        let of_user =
            edges.iter().filter(|(from, _, name, _)| from == user && name.ends_with("_it"));
        let mut found: Vec<_> = of_user.map(|(_, to, ..)| to.clone()).collect();
        found.sort();
        found.join(" ")
    };
    for (user, _, meant) in SCOPED.iter().filter(|(.., meant)| !meant.is_empty()) {
        assert_eq!(defining(&edges, user), *meant, "{user}");
        if !user.starts_with("n/") {
            assert_ne!(defining(&without, user), *meant, "{user} without the factor");
        }
    }
    // What no reference means any more stays in the graph.
    assert!(edges.iter().any(|(_, to, ..)| to == "q/other.py"));
}

#[test]
fn definitions_next_to_an_important_one_come_before_others_like_them() {
    let place = tempfile::tempdir().unwrap();
    let names = ["one", "two", "three", "four", "five", "six", "seven"];
    let text: String =
        names.iter().map(|name| format!("def {name}():\n    return 1\n\n")).collect();
    fs::write(place.path().join("a.py"), text).unwrap();
    fs::write(place.path().join("b.py"), "from a import four\n\nfour()\nfour()\n").unwrap();
    let order = |without: &[Factor]| {
        let files = explained(place.path(), &[], without);
        let file = files.into_iter().find(|file| file.file == "a.py").unwrap();
        let mut entries = file.entries;
        entries.sort_by_key(|entry| entry.candidate);
        let lifted = |entry: &map::EntryReason| entry.worth.unwrap().own.unwrap().neighbours > 0.0;
        assert_eq!(entries.iter().any(lifted), without.is_empty());
        entries.iter().take(3).map(|entry| entry.name.clone().unwrap()).collect::<Vec<_>>()
    };
    let mut first = order(&[]);
    first[1..].sort();
    assert_eq!(first, ["four", "five", "three"]);
    let without = order(&[Factor::Neighbours]);
    assert_eq!(without[0], "four");
    assert!(!without.contains(&"five".to_owned()) || !without.contains(&"three".to_owned()));
}
