//! Where things are: the checkout, its artifacts, the user's cache and configuration.

use std::{
    env,
    path::{Path, PathBuf},
};

use etcetera::BaseStrategy as _;
use record::exit;
use verdict::bundle::reference::checkout_around;

use crate::{Failure, corpus, shared::Shared};

/// A file that every checkout has.
const MARK: &str = record::protocol::CURRENT;

/// The folders that a command works in.
#[derive(Debug, Clone)]
pub struct Folders {
    /// The checkout: protocols, corpora, comparators, keys.
    pub root: PathBuf,
    /// Downloads, environments and repositories, shared by all checkouts.
    pub cache: PathBuf,
    /// The store that is shared with other machines, if there is one.
    pub store: Option<Shared>,
}

impl Folders {
    /// Finds the checkout around the working directory, else the one this program was built in.
    ///
    /// # Errors
    /// There is no checkout, or no cache folder is known.
    pub fn find() -> Result<Self, Failure> {
        let here = env::current_dir()?;
        let built = Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_owned);
        let root = here
            .ancestors()
            .map(Path::to_owned)
            .chain(built)
            .find(|folder| folder.join(MARK).is_file())
            .ok_or_else(|| nowhere(&here))?;
        Ok(Self { root, cache: cache_dir()?, store: None })
    }

    /// The same folders with the store at a URL, if one is given.
    ///
    /// # Errors
    /// The program that serves stores is not there.
    pub fn with_store(self, url: Option<&str>) -> Result<Self, Failure> {
        Ok(Self { store: url.map(Shared::at).transpose()?, ..self })
    }

    /// The corpora in the cache. What is not there is fetched from the shared store, else from its registry.
    pub fn corpora(&self) -> corpus::Store {
        let Some(shared) = self.store.clone() else { return corpus::Store::open(&self.cache) };
        corpus::Store::with_download(&self.cache, move |row, cache, into| {
            match corpus::fetch::from_shared(&shared, row, into) {
                Some(file) => Ok(file),
                None => corpus::fetch::from_registry(row, cache, into),
            }
        })
    }

    /// The checkout around the working directory, and no other.
    ///
    /// # Errors
    /// There is none.
    pub fn around() -> Result<PathBuf, Failure> {
        let here = env::current_dir()?.canonicalize()?;
        checkout_around(&here, &[]).ok_or_else(|| nowhere(&here))
    }

    /// Runs and bundles.
    pub fn artifacts(&self) -> PathBuf {
        self.root.join("artifacts")
    }

    /// The comparator's folder.
    pub fn comparator(&self) -> PathBuf {
        self.root.join("comparators/aider")
    }
}

fn nowhere(here: &Path) -> Failure {
    let why = format!(
        "no checkout of Parity in {} or above it ({MARK} is missing); change into one and try again",
        here.display()
    );
    Failure::new(exit::USAGE, why)
}

/// The user's `parity.toml`, which need not exist. `None` if neither `XDG_CONFIG_HOME` nor `HOME` is
/// set, as in recorded runs.
pub fn config_file() -> Option<PathBuf> {
    let is_told = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    ["XDG_CONFIG_HOME", "HOME"].into_iter().find(|name| is_told(name))?;
    let folders = etcetera::choose_base_strategy().ok()?;
    Some(folders.config_dir().join("parity").join(config::FILE))
}

/// The folder of the user's cache: `PARITY_CACHE_DIR`, else `parity` in the cache folder of the base
/// directory specification (`XDG_CACHE_HOME`, `~/.cache`). Nothing is created.
///
/// # Errors
/// None of the variables that determine the folder is set.
pub fn cache_dir() -> Result<PathBuf, Failure> {
    if let Some(folder) = env::var_os("PARITY_CACHE_DIR").filter(|value| !value.is_empty()) {
        return Ok(folder.into());
    }
    etcetera::choose_base_strategy().map(|folders| folders.cache_dir().join("parity")).map_err(
        |_| {
            Failure::new(
                exit::SETUP,
                "there is no cache folder: set PARITY_CACHE_DIR, XDG_CACHE_HOME or HOME".to_owned(),
            )
        },
    )
}
