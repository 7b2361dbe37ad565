//! The examples of `docs/json.md`.

use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

/// The page, relative to the checkout.
pub const PAGE: &str = "docs/json.md";

/// The text of the page.
pub fn page() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    fs::read_to_string(root.join(PAGE)).unwrap()
}

/// The examples of a page: a command behind `$`, and the lines that it prints.
pub fn examples(page: &str) -> Vec<(String, String)> {
    let blocks = page.split("```console\n").skip(1);
    let blocks = blocks.map(|block| block.split_once("```").unwrap().0);
    let example = |block: &str| {
        let (command, printed) = block.strip_prefix("$ ").unwrap().split_once('\n').unwrap();
        (command.to_owned(), printed.to_owned())
    };
    blocks.map(example).collect()
}

/// What a command prints in a shell that finds the program that was built.
pub fn printed(mut shell: Command, command: &str) -> String {
    let built = Path::new(env!("CARGO_BIN_EXE_parity")).parent().unwrap();
    let path = std::env::var("PATH").unwrap();
    shell.args(["-c", command]).env("PATH", format!("{}:{path}", built.display()));
    let Output { status, stdout, stderr } = shell.output().unwrap();
    let said = String::from_utf8_lossy(&stderr).into_owned();
    assert!(status.success() && !stdout.is_empty(), "{command}: {said}");
    String::from_utf8(stdout).unwrap()
}
