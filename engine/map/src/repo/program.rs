//! Runs a program to get an answer from it: with a deadline and a limit on its output. No process
//! of its group survives the answer.

use std::{
    io::{self, Read, Write},
    os::{fd::AsFd, unix::process::CommandExt},
    process::{Child, Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    process::{Pid, Signal, kill_process_group},
};

/// Maximum number of bytes of an error message that are kept; the rest is read and dropped.
const MESSAGE: usize = 16 << 10;
/// Number of bytes that are read at once.
const CHUNK: usize = 64 << 10;
/// Number of bytes that a writable pipe accepts without blocking, on every system.
const WRITE: usize = 512;
/// Limit on the memory that the program may allocate, in bytes; mapped files do not count.
#[cfg(target_os = "linux")]
const MEMORY: u64 = 2 << 30;

/// The limits of a program.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Longest time from its start to its end.
    pub time: Duration,
    /// Most bytes that it may print.
    pub output: usize,
}

/// The result of a program.
#[derive(Debug)]
pub(super) struct Ended {
    pub status: ExitStatus,
    pub stdout: Vec<u8>,
    /// The beginning of its standard error output.
    pub stderr: Vec<u8>,
}

/// Why a program gave no answer.
#[derive(Debug)]
pub(super) enum Stopped {
    /// It cannot be started, or its pipes failed.
    Io(io::Error),
    /// It was killed at its deadline.
    Deadline,
    /// It was killed because it printed too much.
    Flood,
}

impl From<io::Error> for Stopped {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Starts a program, writes `input` to it and waits for its end.
pub(super) fn ask(command: &mut Command, input: &[u8], limits: Limits) -> Result<Ended, Stopped> {
    let until = Instant::now() + limits.time;
    let stdin = if input.is_empty() { Stdio::null() } else { Stdio::piped() };
    command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    end_with_us(command);
    let mut running = Running(command.spawn()?);
    running.bound_memory();
    let (stdout, stderr) = running.talk(input, limits.output, until)?;
    let mut pause = Duration::from_micros(100);
    loop {
        if let Some(status) = running.0.try_wait()? {
            return Ok(Ended { status, stdout, stderr });
        }
        if Instant::now() >= until {
            return Err(Stopped::Deadline);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    }
}

/// Makes the kernel kill the program when this process is killed: a repository can make git wait
/// for ever, and then nobody would be left to enforce the deadline.
#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "only the new process itself can ask for the signal")]
fn end_with_us(command: &mut Command) {
    use rustix::process::{getpid, getppid, set_parent_process_death_signal};
    let parent = getpid();
    // SAFETY: the code between fork and exec makes two system calls. It allocates nothing, takes no
    // lock, and reads only one captured number.
    unsafe {
        command.pre_exec(move || {
            set_parent_process_death_signal(Some(Signal::KILL))?;
            // The parent may have been killed before the signal was set up.
            if getppid() == Some(parent) { Ok(()) } else { Err(rustix::io::Errno::SRCH.into()) }
        });
    }
}

#[cfg(not(target_os = "linux"))]
fn end_with_us(_: &mut Command) {}

/// A running program, the leader of its own process group. If it is dropped before it has ended,
/// the whole group is killed.
struct Running(Child);

impl Running {
    #[cfg(target_os = "linux")]
    fn bound_memory(&self) {
        use rustix::process::{Resource, Rlimit, prlimit};
        let most = Rlimit { current: Some(MEMORY), maximum: Some(MEMORY) };
        // The program may have ended already.
        let _ = prlimit(self.id(), Resource::Data, most);
    }

    #[cfg(not(target_os = "linux"))]
    fn bound_memory(&self) {}

    fn id(&self) -> Option<Pid> {
        Pid::from_raw(i32::try_from(self.0.id()).ok()?)
    }

    /// Writes the input and reads both outputs until the program closes them.
    fn talk(
        &mut self,
        input: &[u8],
        most: usize,
        until: Instant,
    ) -> Result<(Vec<u8>, Vec<u8>), Stopped> {
        let (mut stdin, mut rest) = (self.0.stdin.take(), input);
        let (mut stdout, mut stderr) = (self.0.stdout.take(), self.0.stderr.take());
        let (mut printed, mut message) = (Vec::new(), Vec::new());
        let mut chunk = vec![0; CHUNK];
        while stdout.is_some() || stderr.is_some() {
            let ready = ready(stdin.as_ref(), stdout.as_ref(), stderr.as_ref(), until)?;
            if ready.stdin
                && let Some(pipe) = &mut stdin
            {
                let piece = rest.get(..WRITE).unwrap_or(rest);
                // A program that does not read its input is judged by its answer.
                let taken = pipe.write(piece).unwrap_or(rest.len());
                rest = rest.get(taken..).unwrap_or_default();
                if rest.is_empty() {
                    stdin = None;
                }
            }
            if ready.stdout {
                read(&mut stdout, &mut chunk, &mut printed)?;
                if printed.len() > most {
                    return Err(Stopped::Flood);
                }
            }
            if ready.stderr {
                read(&mut stderr, &mut chunk, &mut message)?;
                message.truncate(MESSAGE);
            }
        }
        Ok((printed, message))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Once the program has been waited for, its group's id may belong to another process.
        if let (Ok(None), Some(id)) = (self.0.try_wait(), self.id()) {
            let _ = kill_process_group(id, Signal::KILL);
            let _ = self.0.wait();
        }
    }
}

/// Which pipes can be used without blocking.
#[derive(Debug, Default)]
struct Ready {
    stdin: bool,
    stdout: bool,
    stderr: bool,
}

/// Waits until a pipe can be used; a pipe that is absent never can.
fn ready(
    stdin: Option<&impl AsFd>,
    stdout: Option<&impl AsFd>,
    stderr: Option<&impl AsFd>,
    until: Instant,
) -> Result<Ready, Stopped> {
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(Stopped::Deadline);
        }
        let mut pipes = Vec::with_capacity(3);
        pipes.extend(stdout.map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        pipes.extend(stderr.map(|pipe| PollFd::new(pipe, PollFlags::IN)));
        pipes.extend(stdin.map(|pipe| PollFd::new(pipe, PollFlags::OUT)));
        let patience = Timespec::try_from(left).map_err(io::Error::other)?;
        match poll(&mut pipes, Some(&patience)) {
            Ok(0) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(Stopped::Io(error.into())),
            Ok(_) => {
                let mut events = pipes.iter().map(|pipe| !pipe.revents().is_empty());
                let mut of = |is_open: bool| is_open && events.next().unwrap_or_default();
                return Ok(Ready {
                    stdout: of(stdout.is_some()),
                    stderr: of(stderr.is_some()),
                    stdin: of(stdin.is_some()),
                });
            }
        }
    }
}

/// Reads the available bytes; at the end of the stream the pipe is closed.
fn read(pipe: &mut Option<impl Read>, chunk: &mut [u8], bytes: &mut Vec<u8>) -> io::Result<()> {
    let Some(open) = pipe else { return Ok(()) };
    match open.read(chunk) {
        Ok(0) => *pipe = None,
        Ok(count) => bytes.extend_from_slice(chunk.get(..count).unwrap_or_default()),
        Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
        Err(error) => return Err(error),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::{
        process::Command,
        time::{Duration, Instant},
    };

    use super::{Limits, Stopped, ask};

    fn shell(script: &str, input: &[u8], seconds: u64) -> Result<super::Ended, Stopped> {
        let limits = Limits { time: Duration::from_secs(seconds), output: 1 << 20 };
        ask(Command::new("sh").args(["-c", script]), input, limits)
    }

    #[test]
    fn a_program_answers_while_it_still_reads() {
        let input = vec![b'x'; 700_000];
        let ended = shell("cat; echo done >&2; exit 3", &input, 60).unwrap();
        assert_eq!(ended.stdout, input);
        assert_eq!(ended.stderr, b"done\n");
        assert_eq!(ended.status.code(), Some(3));
    }

    #[test]
    fn what_never_ends_is_killed_with_all_that_it_started() {
        let dir = tempfile::tempdir().unwrap();
        let mark = dir.path().join("mark");
        let started = Instant::now();
        for script in ["sleep 300", "exec >&- 2>&-; sleep 300", "sleep 300 & wait"] {
            assert!(matches!(shell(script, b"", 1), Err(Stopped::Deadline)), "{script}");
        }
        let later = format!("(sleep 2; touch '{}') & sleep 300", mark.display());
        assert!(matches!(shell(&later, b"", 1), Err(Stopped::Deadline)));
        std::thread::sleep(Duration::from_secs(2));
        assert!(!mark.exists());
        assert!(started.elapsed() < Duration::from_mins(1));
    }

    #[test]
    fn a_flood_is_stopped_and_long_complaints_are_cut() {
        assert!(matches!(shell("yes", b"", 60), Err(Stopped::Flood)));
        let ended = shell("yes | head -c 900000 >&2", b"", 60).unwrap();
        assert_eq!(ended.stderr.len(), super::MESSAGE);
    }

    #[test]
    fn input_that_nobody_reads_is_no_failure() {
        let ended = shell("exec <&-; echo x", &vec![b'x'; 300_000], 60).unwrap();
        assert_eq!(ended.stdout, b"x\n");
    }
}
