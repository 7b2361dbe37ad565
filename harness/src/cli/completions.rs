//! `parity completions`: what a shell needs to complete command lines.

use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};
use record::exit;

use super::Cli;
use crate::{Failure, console::Output};

/// Print the completions of a shell, to be loaded by it.
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell.
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    /// Prints the completions.
    pub fn run(self) -> Result<u8, Failure> {
        let mut script = Vec::new();
        generate(self.shell, &mut Cli::command(), "parity", &mut script);
        let mut out = Output::new();
        out.text(&String::from_utf8_lossy(&script))?;
        out.flush()?;
        Ok(exit::PASS)
    }
}
