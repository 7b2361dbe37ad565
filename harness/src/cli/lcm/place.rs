//! Where the store of large content is.

use std::path::PathBuf;

use clap::Args;
use etcetera::BaseStrategy as _;
use record::{Digest, exit};

use crate::Failure;

/// Number of hexadecimal digits in the name of a project's store.
const DIGITS: usize = 16;

/// Where the store is.
#[derive(Debug, Args)]
pub(super) struct Place {
    /// The store's file [default: one in the user's data folder].
    #[arg(long, global = true, value_name = "FILE")]
    store: Option<PathBuf>,
    /// Use the store of this project, in the user's data folder.
    #[arg(long, global = true, value_name = "DIR", conflicts_with = "store")]
    root: Option<PathBuf>,
}

impl Place {
    /// The store's file, which need not exist.
    pub(super) fn find(&self) -> Result<PathBuf, Failure> {
        if let Some(store) = &self.store {
            return Ok(store.clone());
        }
        let Some(root) = &self.root else { return Ok(data_dir()?.join("lcm.sqlite")) };
        let root = root.canonicalize().map_err(|error| {
            Failure::new(exit::USAGE, format!("--root {}: {error}", root.display()))
        })?;
        let digest = Digest::of(root.as_os_str().as_encoded_bytes());
        let name = digest.as_str().get(..DIGITS).unwrap_or_default();
        Ok(data_dir()?.join(format!("lcm-{name}.sqlite")))
    }
}

/// `parity` in the user's data folder (`XDG_DATA_HOME`, `~/.local/share`).
fn data_dir() -> Result<PathBuf, Failure> {
    etcetera::choose_base_strategy().map(|folders| folders.data_dir().join("parity")).map_err(
        |_| {
            let what = "there is no data folder: give --store, or set XDG_DATA_HOME or HOME";
            Failure::new(exit::SETUP, what.to_owned())
        },
    )
}
