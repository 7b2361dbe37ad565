//! The command line: one file per sub-command.

pub mod exit;
mod failure;
mod map;

use clap::{Parser, Subcommand, ValueEnum};

pub use failure::Failure;

/// Repo maps and file explorations for coding agents, with proof of how good they are.
#[derive(Debug, Parser)]
#[command(name = "parity", version, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Map(map::Map),
}

/// How a command prints its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// One JSON object.
    Json,
}

impl Cli {
    /// Runs the command and returns its exit code.
    pub fn run(self) -> u8 {
        let outcome = match self.command {
            Command::Map(map) => map.run(),
        };
        outcome.unwrap_or_else(|failure| failure.report())
    }
}

/// Says something to the user: on standard error, where data never goes.
pub fn talk(message: &str) {
    use std::io::Write;
    // Nobody is left to tell when standard error is closed.
    let _ = writeln!(std::io::stderr(), "{message}");
}
