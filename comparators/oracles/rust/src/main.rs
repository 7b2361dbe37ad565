//! Gold labels for Rust: what `syn` reads in the files that are named on standard input.
//!
//! `rust-oracle --root DIR` reads paths relative to DIR, one a line, and prints one JSON object a
//! line. A file that `syn` rejects has `parse_errors` 1 and no symbols: it is no gold.

mod imports;
mod packages;
mod symbols;

use std::{
    io::{self, BufRead, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    thread,
};

use packages::Packages;
use serde_json::{json, Value};

/// `syn` descends into nested code by recursion; this much suffices for a file of nothing else.
const STACK: usize = 1 << 30;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(flag), Some(root), None) = (arguments.next(), arguments.next(), arguments.next())
    else {
        eprintln!("usage: rust-oracle --root DIR < paths");
        return ExitCode::from(2);
    };
    if flag != "--root" {
        eprintln!("usage: rust-oracle --root DIR < paths");
        return ExitCode::from(2);
    }
    let worker = thread::Builder::new().stack_size(STACK).spawn(move || run(&PathBuf::from(root)));
    match worker.map(thread::JoinHandle::join) {
        Ok(Ok(Ok(()))) => ExitCode::SUCCESS,
        Ok(Ok(Err(error))) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
        _ => ExitCode::FAILURE,
    }
}

fn run(root: &Path) -> io::Result<()> {
    let packages = Packages::below(root);
    let mut out = io::BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let file = line?;
        if !file.is_empty() {
            serde_json::to_writer(&mut out, &label(root, &file, &packages))?;
            out.write_all(b"\n")?;
        }
    }
    out.flush()
}

fn label(root: &Path, file: &str, packages: &Packages) -> Value {
    let (mut errors, mut error) = (0, None);
    let (mut symbols, mut imports) = (Vec::new(), Vec::new());
    match std::fs::read_to_string(root.join(file)) {
        Err(unread) => error = Some(unread.to_string()),
        Ok(text) => match syn::parse_file(&text) {
            Err(rejected) => {
                errors = 1;
                error = Some(format!("line {}: {rejected}", rejected.span().start().line));
            }
            Ok(parsed) => {
                symbols = symbols::of(&parsed.items);
                imports = imports::of(&parsed.items, &packages.around(file));
            }
        },
    }
    json!({
        "file": file, "language": "rust", "oracle": "syn 2.0.90",
        "parse_errors": errors, "error": error,
        "symbols": symbols, "imports": imports,
    })
}
