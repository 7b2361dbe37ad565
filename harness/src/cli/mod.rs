//! The command line: one file per sub-command.

mod audit;
mod calls;
mod explore;
mod gold;
mod map;
mod preflight;
mod profile_name;
mod record;
mod report;
mod requests;
mod run;
mod score;
mod session;
mod set_name;
mod supervise;
mod verify;

use clap::{Parser, Subcommand, ValueEnum};

pub use profile_name::ProfileName;
pub use set_name::SetName;

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
    Explore(explore::Explore),
    Session(session::Session),
    Run(run::Run),
    Preflight(preflight::Preflight),
    Verify(verify::Verify),
    Report(report::Report),
    Record(record::Record),
    Audit(audit::Audit),
    Gold(gold::Gold),
    Score(score::Score),
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
            Command::Explore(explore) => explore.run(),
            Command::Session(session) => session.run(),
            Command::Run(run) => run.run(),
            Command::Preflight(preflight) => preflight.run(),
            Command::Verify(verify) => verify.run(),
            Command::Report(report) => report.run(),
            Command::Record(record) => record.run(),
            Command::Audit(audit) => audit.run(),
            Command::Gold(gold) => gold.run(),
            Command::Score(score) => score.run(),
        };
        outcome.unwrap_or_else(crate::Failure::report)
    }
}
