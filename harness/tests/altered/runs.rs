//! The runs whose recordings are altered. Each is made once, by the program itself.

use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::OnceLock,
};

use serde_json::Value;

/// A run of maps and of code: two packages, and the authored corpora that show every stage, all
/// repeats and all call sequences.
const MAPS: [&str; 6] =
    ["run", "--json", "--set", "smoke", "--corpus", "^(slice|stages|requests|flask)$"];
/// A run of data formats.
const FORMATS: [&str; 10] = [
    "score",
    "--json",
    "--set",
    "full",
    "--gate",
    "B4",
    "--language",
    "markdown,xml,yaml",
    "--corpus",
    "^(mdbook|roxmltree|saphyr-parser)$",
];

/// The evidence of the run of maps and code.
pub fn maps() -> &'static Path {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    MADE.get_or_init(|| evidence(&MAPS, "/run"))
}

/// The evidence of the run of data formats.
pub fn formats() -> &'static Path {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    MADE.get_or_init(|| evidence(&FORMATS, "/run"))
}

/// Runs the program and returns the folder of its evidence. The verdict does not matter here: some
/// gates have too little to judge.
fn evidence(arguments: &[&str], pointer: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_parity"))
        .args(arguments)
        .current_dir(root)
        .output()
        .unwrap();
    let talk = String::from_utf8_lossy(&run.stderr);
    let document: Value = serde_json::from_slice(&run.stdout)
        .unwrap_or_else(|error| panic!("{error}: {arguments:?} ended with {}: {talk}", run.status));
    let folder = document.pointer(pointer).and_then(Value::as_str);
    Path::new(folder.unwrap_or_else(|| panic!("no run in {document}"))).join("evidence")
}
