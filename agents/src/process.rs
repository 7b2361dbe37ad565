//! Runs a program until it has answered, its deadline passes, or its answer is no longer wanted.

use std::{
    io::{self, Read},
    os::unix::process::CommandExt,
    process::{Child, Command, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process_group};

/// Pause between two checks whether the answer is still wanted.
const PAUSE: Duration = Duration::from_millis(50);
/// Largest answer, in bytes.
const LARGEST: u64 = 64 << 20;

/// A running program, the leader of a process group of its own.
#[derive(Debug)]
pub struct Process {
    child: Child,
    output: Receiver<Vec<u8>>,
}

/// Why a program gave no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unanswered {
    /// It had not answered at the deadline.
    Late,
    /// Its answer is no longer wanted.
    Unwanted,
}

impl Process {
    /// Starts a program whose standard output is its answer.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn start(command: &mut Command) -> io::Result<Self> {
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::null()).process_group(0).spawn()?;
        let answer = child.stdout.take();
        let (send, output) = channel();
        thread::spawn(move || {
            let mut bytes = Vec::new();
            if let Some(answer) = answer {
                // An answer that was cut off is incomplete, so it is treated as none.
                let _ = answer.take(LARGEST).read_to_end(&mut bytes);
            }
            // If nobody is waiting any more, the answer is dropped.
            let _ = send.send(bytes);
        });
        Ok(Self { child, output })
    }

    /// Waits for the answer: until a deadline, if there is one, and only as long as the answer is
    /// wanted.
    ///
    /// # Errors
    /// The waiting ended before the program answered.
    pub fn wait(
        &self,
        until: Option<Instant>,
        is_wanted: impl Fn() -> bool,
    ) -> Result<Vec<u8>, Unanswered> {
        loop {
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            match self.output.recv_timeout(left.map_or(PAUSE, |left| left.min(PAUSE))) {
                Ok(bytes) => return Ok(bytes),
                Err(RecvTimeoutError::Disconnected) => return Ok(Vec::new()),
                Err(RecvTimeoutError::Timeout) if !is_wanted() => return Err(Unanswered::Unwanted),
                Err(RecvTimeoutError::Timeout) if left.is_some_and(|left| left.is_zero()) => {
                    return Err(Unanswered::Late);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// In words, how a program ended after its answer.
    pub fn end(&mut self) -> String {
        self.child.wait().map_or_else(|error| error.to_string(), |how| how.to_string())
    }

    /// Kills the program and everything that it started.
    pub fn kill(&mut self) {
        // The process id of a program that was waited for may belong to another process by now.
        if !matches!(self.child.try_wait(), Ok(None)) {
            return;
        }
        let group = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        // A process group that ends at this moment is no error.
        let _ = group.map(|group| kill_process_group(group, Signal::KILL));
        let _ = self.child.wait();
    }
}
