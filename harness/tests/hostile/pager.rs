//! The pager: only for text that is longer than the terminal, and whatever it does, the text is not lost.

use std::{fs, path::Path, process::Command};

use crate::repository::repository;

/// A repository whose map is longer than a terminal of ten lines.
fn long_map() -> tempfile::TempDir {
    repository(|root| {
        let lines: String =
            (0..40).map(|number| format!("def number_{number}():\n    pass\n\n\n")).collect();
        fs::write(root.join("numbers.py"), lines).unwrap();
        fs::write(root.join("page.sh"), "cat > paged\n").unwrap();
    })
}

/// What a terminal of some lines shows of the map, and what the pager `page.sh` got.
fn shown(dir: &Path, rows: u32, pager: &str, flags: &str) -> (String, Option<String>) {
    let program = env!("CARGO_BIN_EXE_parity");
    let line = format!("stty rows {rows} cols 80; '{program}' map . --map-tokens 1024 {flags}");
    let output = Command::new("script")
        .args(["--quiet", "--return", "--command", &line, "/dev/null"])
        .current_dir(dir)
        .env("TERM", "xterm")
        .env("PARITY_PAGER", pager)
        .output()
        .unwrap();
    let told = String::from_utf8(output.stdout).unwrap().replace("\r\n", "\n");
    assert!(output.status.success(), "{told}");
    let paged = fs::read_to_string(dir.join("paged")).ok();
    fs::remove_file(dir.join("paged")).ok();
    (told, paged)
}

#[test]
fn only_text_that_is_longer_than_the_terminal_is_paged() {
    let dir = long_map();
    let (told, paged) = shown(dir.path(), 10, "sh page.sh", "");
    let paged = paged.unwrap();
    assert!(paged.contains("def number_3():") && !told.contains("number_3"), "{told}");
    for (rows, pager, flags) in
        [(900, "sh page.sh", ""), (10, "sh page.sh", "--no-pager"), (10, "cat", ""), (10, "", "")]
    {
        let (told, nothing) = shown(dir.path(), rows, pager, flags);
        assert_eq!(nothing, None, "{rows} {pager} {flags}");
        assert_eq!(told, paged, "{rows} {pager} {flags}");
    }
}

#[test]
fn a_pager_that_is_missing_or_ends_early_stops_nothing() {
    let dir = long_map();
    let (told, _) = shown(dir.path(), 10, "/gone", "");
    assert!(told.contains("def number_3():"), "{told}");
    let (told, _) = shown(dir.path(), 10, "true", "");
    assert_eq!(told, "", "the pager showed nothing");
}

#[test]
fn a_user_may_read_longer_than_a_parser_may_take() {
    let dir = long_map();
    let (_, paged) = shown(dir.path(), 10, "sh -c 'sleep 3; cat > paged'", "--patience 1");
    assert!(paged.unwrap().contains("def number_3():"));
}
