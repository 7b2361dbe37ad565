//! A program that is waited for until a deadline or until nobody wants its answer any more.

use std::{
    io::{self, Read},
    os::unix::process::CommandExt,
    process::{Child, Command, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process_group};

/// The pause between two looks whether the answer is still wanted.
const PAUSE: Duration = Duration::from_millis(50);
/// Most bytes of an answer.
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
    /// It was not there at the deadline.
    Late,
    /// Nobody wants it any more.
    Unwanted,
}

impl Process {
    /// Starts a program, whose standard output is its answer.
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
                // What is cut short is no answer, and is read as none.
                let _ = answer.take(LARGEST).read_to_end(&mut bytes);
            }
            // Whoever does not wait any more needs no answer.
            let _ = send.send(bytes);
        });
        Ok(Self { child, output })
    }

    /// Waits for the answer, until a moment if one is given, and as long as it is wanted.
    ///
    /// # Errors
    /// It was not waited for to the end.
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

    /// How a program that has answered ended, in words.
    pub fn end(&mut self) -> String {
        self.child.wait().map_or_else(|error| error.to_string(), |how| how.to_string())
    }

    /// Ends it with all that it started.
    pub fn kill(&mut self) {
        // A process that was reaped has left its number to others.
        if !matches!(self.child.try_wait(), Ok(None)) {
            return;
        }
        let group = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        // One that ends at this moment is no error.
        let _ = group.map(|group| kill_process_group(group, Signal::KILL));
        let _ = self.child.wait();
    }
}
