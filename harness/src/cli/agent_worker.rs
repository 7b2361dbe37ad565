//! `parity agent-worker`: makes a map for an agent. The program starts it itself.

use std::{io, os::fd::AsFd};

use agents::{answer, take_job};
use clap::Args;
use record::exit;

use super::supervise::{self, Patience};
use crate::{Failure, console::Output};

/// Do the job that standard input tells of; for the program's own use.
#[derive(Debug, Args)]
#[command(hide = true)]
pub struct AgentWorker;

/// Makes the map and prints the artifact.
pub fn run() -> Result<u8, Failure> {
    let job = take_job(io::stdin().as_fd().try_clone_to_owned()?)?;
    let avoided = supervise::supervise(supervise::MAP, Patience::default())?;
    supervise::patience_with_git();
    let artifact = answer(&job, avoided);
    let mut out = Output::new();
    out.json(&artifact)?;
    out.flush()?;
    Ok(exit::PASS)
}
