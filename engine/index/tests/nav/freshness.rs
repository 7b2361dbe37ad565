//! Answers are about the files as they are.

use std::{fs, os::unix::fs::symlink, process::Command};

use index::nav::{Query, answer::Resolution::Import};

use crate::place::{Place, one};

#[test]
fn an_edit_a_new_file_and_a_deleted_one_are_seen_at_once() {
    let place =
        Place::of(&[("a.py", "def f():\n    pass\n"), ("b.py", "from a import f\n‹f›()\n")]);
    let mut navigator = place.navigator();
    assert_eq!(place.definitions(), one("a.py", 1, 5, "function", Import));
    place.write("a.py", "\n\ndef f():\n    pass\n");
    assert_eq!(navigator.definition(&place.query()).unwrap().definitions[0].line, 3);
    place.write("c.py", "def f():\n    pass\n");
    assert_eq!(navigator.definition(&Query::symbol("f")).unwrap().total_count, 2);
    fs::remove_file(place.root().join("a.py")).unwrap();
    assert_eq!(navigator.definition(&Query::symbol("f")).unwrap().total_count, 1);
}

#[test]
fn what_git_ignores_is_not_there_and_what_it_does_not_track_is() {
    let place = Place::of(&[
        (".gitignore", "out/\n"),
        ("out/a.py", "def f(): pass\n"),
        ("b.py", "def f(): pass\n"),
    ]);
    let git = Command::new("git").args(["init", "--quiet"]).current_dir(place.root()).status();
    assert!(git.unwrap().success());
    let found = place.navigator().definition(&Query::symbol("f")).unwrap();
    assert_eq!(found.total_count, 1);
    assert!(found.definitions[0].file_path.ends_with("b.py"));
}

#[test]
fn loops_of_links_and_odd_line_ends_do_no_harm() {
    let place = Place::of(&[("a.py", "\u{feff}x = 1\r\ny = \"é𝛼\"; ‹x›\r\n")]);
    symlink(".", place.root().join("loop")).unwrap();
    symlink("self.py", place.root().join("self.py")).unwrap();
    assert_eq!(place.definitions()[0].1, 1);
    assert_eq!(place.definitions()[0].2, 1, "a mark of byte order is no column");
    let references = place.references();
    assert_eq!(references.iter().map(|one| (one.1, one.2)).collect::<Vec<_>>(), [(1, 1), (2, 11)]);
}

#[test]
fn a_file_of_one_long_line_is_read() {
    let text = format!("var first = 1;{}‹first›;\n", "var other = 2;".repeat(5000));
    let place = Place::of(&[("a.js", &text)]);
    assert_eq!(place.definitions()[0].2, 5);
}
