//! `parity diff`: what changed between two runs or bundles.

use std::path::PathBuf;

use clap::Args;
use record::exit;

use super::against::Folder;
use crate::{
    Failure,
    console::Output,
    history::{Diff as Compared, Side, compare},
};

/// Compare two runs or bundles: gates, cells that changed their verdict or moved, corpora that came or went.
/// Nothing is verified.
#[derive(Debug, Args)]
pub struct Diff {
    /// The older one: the folder of a run or of a bundle, or an exported bundle.
    before: PathBuf,
    /// The newer one.
    after: PathBuf,
    /// Exit with 10 if something no longer passes, or is no longer measured.
    #[arg(long)]
    check: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

impl Diff {
    /// Compares and prints.
    pub fn run(self) -> Result<u8, Failure> {
        let side = |path: &PathBuf| -> Result<Side, Failure> {
            let folder = Folder::of(path)?;
            Ok(Side { path: path.clone(), ..Side::read(folder.path())? })
        };
        let diff = compare(&side(&self.before)?, &side(&self.after)?)?;
        let code = if self.check { diff.exit_code() } else { exit::PASS };
        Failure::after(print(&diff, self.json), code)
    }
}

/// Prints a comparison.
pub fn print(diff: &Compared, json: bool) -> Result<(), Failure> {
    let mut out = Output::new().paged();
    if json {
        let mut document = serde_json::json!(diff);
        document["schema_version"] = 1.into();
        document["regression"] = diff.is_regression().into();
        out.pretty_json(&document)?;
    } else {
        out.text(&diff.to_string())?;
    }
    Ok(out.flush()?)
}
