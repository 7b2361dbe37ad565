//! The contract of `parity explore` for file names; contents are tested in the crate `explore`.

#![cfg(target_os = "linux")]

use std::{ffi::OsStr, fs, os::unix::ffi::OsStrExt, process::Command};

use serde_json::Value;

/// Row 25 of the fault list, its last fault: file names that are not UTF-8.
#[test]
fn row_25_file_names_that_are_no_utf8_are_escaped_and_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let names: [&[u8]; 4] = [b"a\xff.py", b"a\xfe.py", "ä.py".as_bytes(), b"b\\c.py"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_parity"));
    command.current_dir(folder.path()).args(["explore", "--json"]);
    for name in names {
        let name = OsStr::from_bytes(name);
        fs::write(folder.path().join(name), "def found():\n    pass\n").unwrap();
        command.arg(name);
    }
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).unwrap();
    let found: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let shown: Vec<&str> = found.iter().map(|one| one["file"].as_str().unwrap()).collect();
    assert_eq!(shown, ["a\\xFF.py", "a\\xFE.py", "ä.py", "b\\c.py"]);
    for one in &found {
        assert_eq!(
            (&one["explorer_used"], &one["symbols"][0]["name"]),
            (&"python".into(), &"found".into())
        );
    }
}
