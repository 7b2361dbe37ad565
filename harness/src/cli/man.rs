//! `parity man`: the manual pages.

use std::path::PathBuf;

use clap::{Args, Command, CommandFactory};
use clap_mangen::{Man as Page, generate_to};
use record::exit;

use super::Cli;
use crate::{Failure, console::Output};

/// Print the manual page of a command, or write all pages into a folder.
#[derive(Debug, Args)]
pub struct Man {
    /// The command, such as `map` or `index sync`; the page of `parity` itself if left out.
    #[arg(conflicts_with = "out")]
    command: Vec<String>,
    /// Write every page into this folder, such as ~/.local/share/man/man1.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Man {
    /// Prints or writes.
    pub fn run(self) -> Result<u8, Failure> {
        let mut command = without_help(Cli::command());
        command.build();
        if let Some(folder) = self.out {
            let unwritten = |error: std::io::Error| {
                let why =
                    format!("{}: {error}; name a folder that can be written", folder.display());
                Failure::new(exit::IO, why)
            };
            std::fs::create_dir_all(&folder).map_err(unwritten)?;
            generate_to(command, &folder).map_err(unwritten)?;
            return Ok(exit::PASS);
        }
        let mut found = &command;
        for name in &self.command {
            found = found.find_subcommand(name).ok_or_else(|| {
                let why = format!(
                    "{} has no command {name:?}; `parity help` lists them",
                    found.get_name()
                );
                Failure::new(exit::USAGE, why)
            })?;
        }
        let mut page = Vec::new();
        Page::new(found.clone()).render(&mut page)?;
        let mut out = Output::new().paged();
        out.text(&String::from_utf8_lossy(&page))?;
        out.flush()?;
        Ok(exit::PASS)
    }
}

/// The command without the sub-commands `help`, which would double the number of pages.
fn without_help(command: Command) -> Command {
    command.disable_help_subcommand(true).mut_subcommands(without_help)
}
