//! The work tree that a question about symbols is for.

use std::path::{Path, PathBuf};

use clap::Args;
use index::{
    Settings,
    nav::{NavError, Navigator},
};
use record::exit;

use super::{
    config::{ConfigOptions, in_index},
    index::settings,
    supervise,
};
use crate::Failure;

/// Where the work tree is, and what its files may take.
#[derive(Debug, Args)]
pub struct WorkTree {
    /// A directory inside the work tree.
    #[arg(long, value_name = "DIR", default_value = ".")]
    root: PathBuf,
    #[command(flatten)]
    patience: supervise::Patience,
    #[command(flatten)]
    config: ConfigOptions,
}

impl WorkTree {
    /// Opens the index of the work tree. If a parser crashes or hangs, this program starts again without
    /// the file.
    pub fn open(&self) -> Result<Navigator, Failure> {
        let avoided = supervise::supervise(supervise::NAV, self.patience)?;
        let config = self.config.load(&self.root, Vec::new())?;
        let settings =
            settings(&config).unwrap_or_else(|| in_index(&config, Settings::in_folder("")));
        Navigator::open(&self.root, Settings { avoided, ..settings }).map_err(|error| fails(&error))
    }
}

/// Paths of the command line relative to the root.
pub fn all_below(root: &Path, paths: &[PathBuf]) -> Result<Vec<String>, Failure> {
    paths.iter().map(|path| below(root, path)).collect()
}

/// A path of the command line, with links resolved and relative to the root; empty for the root.
fn below(root: &Path, path: &Path) -> Result<String, Failure> {
    let wrong = |why: String| Failure::new(exit::USAGE, format!("{}: {why}", path.display()));
    let found = std::fs::canonicalize(path).map_err(|error| wrong(error.to_string()))?;
    let below = found
        .strip_prefix(root)
        .map_err(|_| wrong(format!("lies outside of {}", root.display())))?;
    Ok(below.to_string_lossy().into_owned())
}

/// A failure of navigation.
pub fn fails(error: &NavError) -> Failure {
    Failure::new(exit::SETUP, error.to_string())
}
