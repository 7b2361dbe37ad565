//! The process that does a job. Whatever happens in it, the program that started it can continue at
//! its deadline.

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

use serde::Serialize;

use crate::{Artifact, Code, Job, Problem, process::Process};

/// The hidden sub-command that does a job.
pub const SUB_COMMAND: &str = "agent-worker";
/// How long a job continues after nobody waits for it any more.
const ALONE: Duration = Duration::from_mins(1);
/// Largest job, in bytes.
const LARGEST_JOB: u64 = 64 << 20;

/// A running process that does a job.
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

    /// Waits for the answer: until a deadline, if there is one, and only as long as the answer is
    /// wanted.
    ///
    /// # Errors
    /// [`Code::Timeout`]: there was no answer in time, or it is no longer wanted;
    /// [`Code::InternalError`]: the process ended without an answer.
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
    /// A process whose answer somebody wanted to wait for must not keep running.
    fn drop(&mut self) {
        if self.is_attended {
            self.process.kill();
        }
    }
}

/// A value as JSON in a file in memory, which a process that starts itself again can read a second time.
pub fn as_file(value: &impl Serialize) -> io::Result<OwnedFd> {
    let mut file = File::from(memfd_create("parity-job", MemfdFlags::CLOEXEC)?);
    file.write_all(&serde_json::to_vec(value)?)?;
    file.rewind()?;
    Ok(file.into())
}

/// Reads the job of this process from its standard input. The process is then ended when nobody
/// waits for its answer any more: at once, or after a minute if the job may continue on its own.
///
/// # Errors
/// The job cannot be read.
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
