//! The command line: one file per sub-command.

mod against;
mod agent_options;
mod agent_worker;
mod appearance;
mod artifact;
mod audit;
mod bundle;
mod calls;
mod chunks;
mod completions;
mod config;
mod diff;
mod doctor;
mod explain;
mod explore;
mod export;
mod fuzz;
mod gold;
mod graph;
mod hook;
mod index;
mod keys;
mod lcm;
mod man;
mod map;
mod matrix;
mod mcp;
mod nav;
mod nightly;
mod preflight;
mod profile_name;
mod protocol;
mod record;
mod reference;
mod report;
mod requests;
mod run;
mod runs;
mod schema;
mod score;
mod search;
mod session;
mod set_name;
mod sign;
mod store;
mod supervise;
mod symbol;
mod unit;
mod verify;
mod warden;
mod work_tree;

use ::record::exit;
use base::memory;
use clap::{Parser, Subcommand, ValueEnum};

use crate::{
    Failure,
    console::{report_panics, talk},
    process,
};

pub use profile_name::ProfileName;
pub use set_name::SetName;

/// Repo maps and file explorations for coding agents, with proof of how good they are.
#[derive(Debug, Parser)]
#[command(name = "parity", version, max_term_width = 100)]
pub struct Cli {
    #[command(flatten)]
    appearance: appearance::Appearance,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Map(map::Map),
    Explore(explore::Explore),
    Search(search::Search),
    Symbol(symbol::Symbol),
    Graph(graph::Graph),
    Chunks(chunks::Chunks),
    Session(session::Session),
    Index(index::Index),
    Nav(nav::Nav),
    Hook(hook::Hook),
    Mcp(mcp::Mcp),
    Run(run::Run),
    Matrix(matrix::Matrix),
    Unit(unit::Unit),
    Store(store::Store),
    Preflight(preflight::Preflight),
    Verify(verify::Verify),
    Sign(sign::Sign),
    Diff(diff::Diff),
    Runs(runs::Runs),
    Nightly(nightly::Nightly),
    Keys(keys::Keys),
    Bundle(bundle::Bundle),
    Reference(reference::Reference),
    Report(report::Report),
    Record(record::Record),
    Audit(audit::Audit),
    Gold(gold::Gold),
    Score(score::Score),
    Fuzz(fuzz::Fuzz),
    Lcm(lcm::Lcm),
    Protocol(protocol::Protocol),
    Doctor(doctor::Doctor),
    Schema(schema::Schema),
    Completions(completions::Completions),
    Man(man::Man),
    Warden(warden::Warden),
    AgentWorker(agent_worker::AgentWorker),
}

impl Command {
    /// Whether it starts other programs and writes files, so that it must be able to stop between two
    /// steps. The other commands end at a signal like any program.
    const fn has_steps(&self) -> bool {
        !matches!(
            self,
            Self::Map(_)
                | Self::Explore(_)
                | Self::Search(_)
                | Self::Symbol(_)
                | Self::Graph(_)
                | Self::Chunks(_)
                | Self::Session(_)
                | Self::Index(_)
                | Self::Nav(_)
                | Self::Lcm(_)
                | Self::Hook(_)
                | Self::Mcp(_)
                | Self::Store(_)
                | Self::Doctor(_)
                | Self::Schema(_)
                | Self::Completions(_)
                | Self::Man(_)
                | Self::Warden(_)
                | Self::AgentWorker(_)
        )
    }
}

/// How a command prints its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// One JSON object.
    Json,
}

/// Parses the command line, runs the command, and returns the exit code.
pub fn main() -> u8 {
    report_panics();
    match Cli::try_parse() {
        Ok(cli) => cli.run(),
        // Errors go through `talk` because they may quote an argument with control characters; help and
        // version quote none.
        Err(error) if error.use_stderr() => {
            talk(&error.to_string());
            if hook::answers_event(std::env::args_os()) { exit::PASS } else { exit::USAGE }
        }
        Err(error) => error.print().map_or(exit::IO, |()| exit::PASS),
    }
}

impl Cli {
    /// Runs the command and returns its exit code. A command that was interrupted counts as incomplete,
    /// whatever it returned.
    pub fn run(self) -> u8 {
        self.appearance.apply();
        if self.command.has_steps() {
            process::warden::want_warden();
            if let Err(error) = process::watch_for_interrupts() {
                return Failure::from(error).report();
            }
        } else {
            memory::no_huge_pages();
        }
        let outcome = match self.command {
            Command::Map(map) => map.run(),
            Command::Explore(explore) => explore.run(),
            Command::Search(search) => search.run(),
            Command::Symbol(symbol) => symbol.run(),
            Command::Graph(graph) => graph.run(),
            Command::Chunks(chunks) => chunks.run(),
            Command::Session(session) => session.run(),
            Command::Index(index) => index.run(),
            Command::Nav(nav) => nav.run(),
            Command::Hook(hook) => hook.run(),
            Command::Mcp(mcp) => mcp.run(),
            Command::Run(run) => run.run(),
            Command::Matrix(matrix) => matrix.run(),
            Command::Unit(unit) => unit.run(),
            Command::Store(store) => store.run(),
            Command::Preflight(preflight) => preflight.run(),
            Command::Verify(verify) => verify.run(),
            Command::Sign(sign) => sign.run(),
            Command::Diff(diff) => diff.run(),
            Command::Runs(runs) => runs.run(),
            Command::Nightly(nightly) => nightly.run(),
            Command::Keys(keys) => keys.run(),
            Command::Bundle(bundle) => bundle.run(),
            Command::Reference(reference) => reference.run(),
            Command::Report(report) => report.run(),
            Command::Record(record) => record.run(),
            Command::Audit(audit) => audit.run(),
            Command::Gold(gold) => gold.run(),
            Command::Score(score) => score.run(),
            Command::Fuzz(fuzz) => fuzz.run(),
            Command::Lcm(lcm) => lcm.run(),
            Command::Protocol(protocol) => protocol.run(),
            Command::Doctor(doctor) => doctor.run(),
            Command::Schema(schema) => schema.run(),
            Command::Completions(completions) => completions.run(),
            Command::Man(man) => man.run(),
            Command::Warden(warden::Warden) => Ok(warden::run()),
            Command::AgentWorker(agent_worker::AgentWorker) => agent_worker::run(),
        };
        if process::interrupted() {
            return Failure::interrupted().report();
        }
        outcome.unwrap_or_else(Failure::report)
    }
}
