//! Prints what a new row of a corpora lock has to say.
//!
//! Write the row with zeros for the digests that only a fetch can tell (`tree_sha256`,
//! `filtered_tree_sha256`, `commit`) into a folder of its own, then
//! `cargo run --example measure_corpus -- FOLDER [NAME…]`. The artifact's own digest must be
//! right from the start: it is checked before anything is unpacked. One JSON object a line.

use std::{path::PathBuf, process::ExitCode};

use harness::{
    cache_dir,
    corpus::{Lock, Store},
};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(folder) = arguments.next().map(PathBuf::from) else {
        eprintln!("usage: measure_corpus FOLDER [NAME…]");
        return ExitCode::from(2);
    };
    let names: Vec<String> = arguments.collect();
    match measure(&folder, &names) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::from(20),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(20)
        }
    }
}

/// Measures the rows with these names, or all; returns how many could not be measured.
fn measure(folder: &std::path::Path, names: &[String]) -> Result<u64, Box<dyn std::error::Error>> {
    let lock = Lock::load_dir(folder)?;
    let store = Store::open(cache_dir().map_err(|failure| failure.to_string())?);
    let mut failed = 0;
    for row in lock.rows().filter(|row| names.is_empty() || names.contains(&row.name)) {
        match store.measure(row) {
            Ok(measured) => println!(
                "{}",
                serde_json::json!({
                    "name": row.name,
                    "tree_sha256": measured.tree_sha256,
                    "removed": measured.removed,
                    "filtered_files": measured.filtered_files,
                    "filtered_tree_sha256": measured.filtered_tree_sha256,
                    "commit": measured.commit,
                })
            ),
            Err(error) => {
                failed += 1;
                eprintln!("{}: {error}", row.name);
            }
        }
    }
    Ok(failed)
}
