//! The process that does a job. Whatever happens in it, whoever asked goes on at its deadline.

use std::{
    fs::File,
    io::{self, Read, Seek, Write},
    os::fd::OwnedFd,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use rustix::{
    fs::{MemfdFlags, memfd_create},
    process::{Signal, set_parent_process_death_signal},
};

use crate::{Artifact, Code, Job, Problem, process::Process};

/// The hidden sub-command that does a job.
pub const SUB_COMMAND: &str = "agent-worker";
/// How long a job goes on that nobody waits for any more.
const ALONE: Duration = Duration::from_mins(1);
/// Largest job, in bytes.
const LARGEST_JOB: u64 = 64 << 20;

/// A process that does a job.
#[derive(Debug)]
pub struct Worker {
    process: Process,
    is_attended: bool,
}

impl Worker {
    /// Starts `program` to do a job.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn start(program: &Path, job: &Job) -> Result<Self, Problem> {
        let started = as_file(job).and_then(|job| {
            Process::start(Command::new(program).arg(SUB_COMMAND).stdin(Stdio::from(job)))
        });
        let process = started.map_err(|error| {
            Problem::new(Code::InternalError, format!("no process can be started: {error}"))
        })?;
        Ok(Self { process, is_attended: job.is_attended })
    }

    /// Waits for the answer, until a moment if one is given, and as long as it is wanted.
    ///
    /// # Errors
    /// [`Code::Timeout`]: it is not there by then, or not wanted any more; [`Code::InternalError`]: the
    /// process ended without one.
    pub fn wait(
        &mut self,
        until: Option<Instant>,
        is_wanted: impl Fn() -> bool,
    ) -> Result<Artifact, Problem> {
        let answer = self
            .process
            .wait(until, is_wanted)
            .map_err(|_| Problem::new(Code::Timeout, "the map was not made in time"))?;
        serde_json::from_slice(&answer).map_err(|_| {
            let how = self.process.end();
            Problem::new(Code::InternalError, format!("the process that makes maps ended ({how})"))
        })
    }
}

impl Drop for Worker {
    /// Nothing goes on that somebody wanted to wait for.
    fn drop(&mut self) {
        if self.is_attended {
            self.process.kill();
        }
    }
}

/// The job as a file of memory, which a process that starts itself again can read once more.
fn as_file(job: &Job) -> io::Result<OwnedFd> {
    let mut file = File::from(memfd_create("parity-job", MemfdFlags::CLOEXEC)?);
    file.write_all(&serde_json::to_vec(job)?)?;
    file.rewind()?;
    Ok(file.into())
}

/// Reads the job of this process from its standard input, and ends the process when nobody waits for
/// the answer: at once, or after a minute where the job may go on alone.
///
/// # Errors
/// There is no job.
pub fn take_job(input: OwnedFd) -> io::Result<Job> {
    let mut input = File::from(input);
    input.rewind()?;
    let mut bytes = Vec::new();
    input.take(LARGEST_JOB).read_to_end(&mut bytes)?;
    let job: Job = serde_json::from_slice(&bytes)?;
    if job.is_attended {
        set_parent_process_death_signal(Some(Signal::KILL))?;
    } else {
        thread::spawn(|| {
            thread::sleep(ALONE);
            std::process::exit(0);
        });
    }
    Ok(job)
}
