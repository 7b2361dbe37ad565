//! `parity mcp`: the server for agents.

use std::{env, path::PathBuf};

use agents::{
    Configured,
    mcp::{Setup, serve},
};
use clap::Args;
use record::exit;

use super::agent_options::AgentOptions;
use crate::{Failure, console};

/// The variable in which a client names the folder of the project.
const PROJECT: &str = "CLAUDE_PROJECT_DIR";

/// Serve agents over standard input and output (Model Context Protocol): maps, explorations and symbols of
/// one repository. Ends with its input.
#[derive(Debug, Args)]
pub struct Mcp {
    /// A directory inside the work tree [default: the client's project, or the working directory].
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    #[command(flatten)]
    options: AgentOptions,
}

impl Mcp {
    /// Serves until standard input ends.
    pub fn run(self) -> Result<u8, Failure> {
        let named = env::var_os(PROJECT).filter(|root| !root.is_empty()).map(PathBuf::from);
        let root = self.root.or(named).unwrap_or_else(|| ".".into());
        let held = self.options.load(&root, Vec::new());
        let setup = Setup {
            root,
            max_tokens: held.config.max_tokens(),
            configured: Configured::from(&held.config),
            refresh: held.refresh(),
            without_files: held.without_files,
            cache: held.cache,
            program: env::current_exe()?,
        };
        serve(&setup, std::io::stdin().lock(), console::protocol()?)?;
        Ok(exit::PASS)
    }
}
