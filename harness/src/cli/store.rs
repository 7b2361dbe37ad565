//! `parity store`: the store that machines share. The program `parity-store` does all of it.

use std::{ffi::OsString, os::unix::process::CommandExt, process::Command};

use clap::Args;
use record::exit;

use crate::{Failure, shared};

/// Put, get, list, verify and collect what machines share: answers, corpora, comparators, engines.
///
/// The arguments are those of the program `parity-store`, which is built by itself (docs/cluster.md):
/// `put KIND KEY FILE`, `get KIND KEY FILE`, `list`, `verify`, `gc`, each with `--store URL` and `--json`.
/// `parity store help` shows them.
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub struct Store {
    /// What the program is told.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
    arguments: Vec<OsString>,
}

impl Store {
    /// Runs the command: this process becomes that program.
    pub fn run(self) -> Result<u8, Failure> {
        let program = shared::program()?;
        let error = Command::new(&program).args(self.arguments).exec();
        let why = format!("{} cannot be started: {error}", program.display());
        Err(Failure::new(exit::SETUP, why))
    }
}
