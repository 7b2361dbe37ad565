//! The loop that feeds a child, collects its output and ends it in time.
//!
//! One thread watches all pipes without blocking, so that a grandchild that keeps a pipe open cannot
//! block it.

use std::{
    io::{self, ErrorKind, PipeReader, PipeWriter, Read, Write},
    os::{
        fd::{AsFd, OwnedFd},
        unix::process::{CommandExt, ExitStatusExt},
    },
    time::{Duration, Instant},
};

use record::{Capture, Stop};
use rustix::{
    fs::{OFlags, fcntl_getfl, fcntl_setfl},
    process::Signal,
};

use super::{Invocation, capped::CappedBuffer, group::LiveGroup, interrupted, warden};

/// How long the pipes are still read after the whole group is dead. What the kernel still holds is read
/// at once; only a process that left the group can use up this time.
const DRAIN: Duration = Duration::from_millis(250);
/// How long a killed child may take to end; a longer wait means that a kernel call is stuck.
const REAP: Duration = Duration::from_secs(10);
const PAUSES: [Duration; 2] = [Duration::from_micros(500), Duration::from_millis(20)];
const CHUNK: usize = 16 * 1024;

/// Why a child could not be run. A child that ran badly is a [`Capture`], not an error.
#[derive(Debug, thiserror::Error)]
pub enum ProcessError {
    /// The program could not be started.
    #[error("cannot start {program} in {cwd}: {source}")]
    Start {
        /// The program as it was asked for.
        program: String,
        /// The working directory.
        cwd: String,
        /// What the system said.
        source: io::Error,
    },
    /// The pipes to the child failed.
    #[error("cannot write to or read from {program}: {source}")]
    Pipe {
        /// The program as it was asked for.
        program: String,
        /// What the system said.
        source: io::Error,
    },
    /// The child survived SIGKILL, which only a stuck kernel call can cause.
    #[error("{program} (process {pid}) did not end although it was killed; inspect it with ps")]
    Unkillable {
        /// The program as it was asked for.
        program: String,
        /// Its process id.
        pid: u32,
    },
}

/// Runs the child to its end and returns what it did.
///
/// The child leads its own process group. At the deadline, on an interrupt of this process or when the
/// child writes too much, the group gets SIGTERM, and SIGKILL after the grace time. When the child has
/// ended, everything that it left running in its group is killed.
pub fn run(invocation: &Invocation) -> Result<Capture, ProcessError> {
    run_observed(invocation, &mut |_| ())
}

/// Like [`run`]; `observe` also gets each piece of standard output as it arrives, for progress.
pub fn run_observed(
    invocation: &Invocation,
    observe: &mut dyn FnMut(&[u8]),
) -> Result<Capture, ProcessError> {
    let program = invocation.program.to_string_lossy().into_owned();
    let pipe_error = |source| ProcessError::Pipe { program: program.clone(), source };

    let (child_in, stdin) = io::pipe().map_err(pipe_error)?;
    let (stdout, child_out) = io::pipe().map_err(pipe_error)?;
    let (stderr, child_err) = io::pipe().map_err(pipe_error)?;
    let mut input = Input::new(stdin, &invocation.stdin).map_err(pipe_error)?;
    let mut stdout = Output::new(stdout, invocation.max_stdout).map_err(pipe_error)?;
    let mut stderr = Output::new(stderr, invocation.max_stderr).map_err(pipe_error)?;

    let input_end = match &invocation.held_file {
        Some(file) => OwnedFd::from(file.try_clone().map_err(pipe_error)?),
        None => OwnedFd::from(child_in),
    };

    warden::get_ready();
    let started = Instant::now();
    // Passed as text: duct would take a bare name passed as a path for a file in the current folder.
    let handle = duct::cmd(invocation.program.as_os_str(), &invocation.args)
        .full_env(&invocation.env)
        .dir(&invocation.cwd)
        .stdin_file(input_end)
        .stdout_file(child_out)
        .stderr_file(child_err)
        .unchecked()
        .before_spawn(|command| {
            command.process_group(0);
            Ok(())
        })
        .start()
        .map_err(|source| ProcessError::Start {
            program: program.clone(),
            cwd: invocation.cwd.to_string_lossy().into_owned(),
            source,
        })?;
    let pid = handle.pids().first().copied().unwrap_or_default();
    let group = LiveGroup::new(pid)
        .ok_or_else(|| pipe_error(io::Error::other("the child has no process id")))?;

    let mut stopped: Option<(Stop, Instant)> = None;
    let mut killed: Option<Instant> = None;
    let mut ended: Option<Instant> = None;
    let mut pause = PAUSES[0];
    let pipe_held = loop {
        // Checked before the pipes are read: if the child has ended, this read finds all of its output.
        let leader_ended = ended.is_some() || group.leader_ended();
        let busy = input.step() | stdout.step(observe) | stderr.step(&mut |_| ());
        let now = Instant::now();
        if leader_ended {
            if ended.is_none() {
                group.signal(Signal::KILL);
                ended = Some(now);
            }
            let open = stdout.open() || stderr.open();
            let waited = ended.map_or(Duration::ZERO, |end| now.duration_since(end));
            if !open || (waited > DRAIN && !busy) || waited > REAP {
                break open;
            }
        } else if let Some((_, since)) = stopped {
            match killed {
                None if now.duration_since(since) >= invocation.grace => {
                    group.signal(Signal::KILL);
                    killed = Some(now);
                }
                Some(at) if now.duration_since(at) >= REAP => {
                    return Err(ProcessError::Unkillable { program, pid });
                }
                _ => {}
            }
        } else if let Some(reason) = reason_to_stop(invocation, started, now, &stdout, &stderr) {
            group.signal(Signal::TERM);
            stopped = Some((reason, now));
        }
        pause = if busy { PAUSES[0] } else { (pause * 2).min(PAUSES[1]) };
        if !busy {
            std::thread::sleep(pause);
        }
    };
    let duration = ended.unwrap_or(started).duration_since(started);
    // Dropping the group sends its last signal. That comes before the leader is reaped, because then
    // its id is free again.
    drop(group);
    let status = handle.wait().map_err(pipe_error)?.status;

    Ok(Capture {
        argv: invocation.argv(),
        env: invocation.env.clone(),
        stdin: invocation.stdin.clone(),
        stdout: stdout.buffer.finish(),
        stderr: stderr.buffer.finish(),
        exit_code: status.code(),
        signal: status.signal(),
        stopped: stopped.map(|(reason, _)| reason),
        pipe_held,
        duration,
    })
}

fn reason_to_stop(
    invocation: &Invocation,
    started: Instant,
    now: Instant,
    stdout: &Output,
    stderr: &Output,
) -> Option<Stop> {
    if stdout.buffer.overflowed() || stderr.buffer.overflowed() {
        Some(Stop::Flood)
    } else if interrupted() {
        Some(Stop::Interrupt)
    } else if now.duration_since(started) >= invocation.deadline {
        Some(Stop::Deadline)
    } else {
        None
    }
}

/// The child's standard input; the pipe is closed after the last byte.
struct Input<'a> {
    pipe: Option<PipeWriter>,
    rest: &'a [u8],
}

impl<'a> Input<'a> {
    fn new(pipe: PipeWriter, bytes: &'a [u8]) -> io::Result<Self> {
        never_block(&pipe)?;
        let pipe = (!bytes.is_empty()).then_some(pipe);
        Ok(Self { pipe, rest: bytes })
    }

    /// Writes what the pipe accepts now; returns whether it accepted anything.
    fn step(&mut self) -> bool {
        let Some(pipe) = &mut self.pipe else { return false };
        match pipe.write(self.rest) {
            Ok(count) => {
                self.rest = self.rest.get(count..).unwrap_or_default();
                if self.rest.is_empty() {
                    self.pipe = None;
                }
                true
            }
            Err(error) if is_transient(&error) => false,
            // A child that does not read its input is judged by its output.
            Err(_) => {
                self.pipe = None;
                false
            }
        }
    }
}

/// One of the child's output streams.
struct Output {
    pipe: Option<PipeReader>,
    buffer: CappedBuffer,
}

impl Output {
    fn new(pipe: PipeReader, limit: usize) -> io::Result<Self> {
        never_block(&pipe)?;
        Ok(Self { pipe: Some(pipe), buffer: CappedBuffer::new(limit) })
    }

    fn open(&self) -> bool {
        self.pipe.is_some()
    }

    /// Reads what is available now, at most one chunk; returns whether there was anything.
    fn step(&mut self, observe: &mut dyn FnMut(&[u8])) -> bool {
        let Some(pipe) = &mut self.pipe else { return false };
        let mut chunk = [0; CHUNK];
        match pipe.read(&mut chunk) {
            Ok(0) => {
                self.pipe = None;
                true
            }
            Ok(count) => {
                let piece = chunk.get(..count).unwrap_or_default();
                self.buffer.push(piece);
                observe(piece);
                true
            }
            Err(error) if is_transient(&error) => false,
            Err(_) => {
                self.pipe = None;
                false
            }
        }
    }
}

fn is_transient(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}

/// Affects only our end of the pipe: the child's end has its own flags and still blocks.
fn never_block(pipe: &impl AsFd) -> io::Result<()> {
    let flags = fcntl_getfl(pipe)?;
    Ok(fcntl_setfl(pipe, flags | OFlags::NONBLOCK)?)
}
