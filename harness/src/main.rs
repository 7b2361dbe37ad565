//! The `parity` program.

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    ExitCode::from(harness::cli::Cli::parse().run())
}
