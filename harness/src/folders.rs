//! Where things are: the checkout, its artifacts, the user's cache and configuration.

use std::{
    env,
    path::{Path, PathBuf},
};

use record::exit;

use crate::Failure;

/// A file that every checkout has.
const MARK: &str = "protocols/v1/gates.toml";

/// The folders that a command works in.
#[derive(Debug, Clone)]
pub struct Folders {
    /// The checkout: protocols, corpora, comparators, keys.
    pub root: PathBuf,
    /// Downloads, environments and repositories, shared by all checkouts.
    pub cache: PathBuf,
}

impl Folders {
    /// Finds the checkout around the working directory, else the one this program was built in.
    pub fn find() -> Result<Self, Failure> {
        let here = env::current_dir()?;
        let built = Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_owned);
        let root = here
            .ancestors()
            .map(Path::to_owned)
            .chain(built)
            .find(|folder| folder.join(MARK).is_file())
            .ok_or_else(|| {
                Failure::new(
                    exit::USAGE,
                    format!(
                        "no checkout of Parity in {} or above it ({MARK} is missing); change into one and try again",
                        here.display()
                    ),
                )
            })?;
        Ok(Self { root, cache: cache()? })
    }

    /// Runs and bundles.
    pub fn artifacts(&self) -> PathBuf {
        self.root.join("artifacts")
    }

    /// The comparator's room.
    pub fn comparator(&self) -> PathBuf {
        self.root.join("comparators/aider")
    }
}

fn cache() -> Result<PathBuf, Failure> {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("PARITY_CACHE_DIR")
        .or_else(|| set("XDG_CACHE_HOME").map(|base| base.join("parity")))
        .or_else(|| set("HOME").map(|home| home.join(".cache/parity")))
        .ok_or_else(|| {
            Failure::new(
                exit::SETUP,
                "there is no cache folder: set PARITY_CACHE_DIR, XDG_CACHE_HOME or HOME".to_owned(),
            )
        })
}
