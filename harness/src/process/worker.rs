//! Work in a process of its own that shares a few words of memory with this one.
//!
//! A map is made in a forked copy of this program, so that a crash in a grammar's C code ends the
//! copy and not the map. Forking costs well under a millisecond where starting the program again
//! would cost several (`docs/decisions/0005-map-worker.md`).

use std::{
    io::{self, Read as _},
    os::unix::net::UnixStream,
    sync::atomic::AtomicU64,
    time::Duration,
};

use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

/// Number of shared words.
pub const WORDS: usize = 64;

/// Which side of a fork this is.
pub enum Side {
    /// The new process, to do the work and then exit.
    Worker,
    /// The old process, with a handle on the new one.
    Watcher(Worker),
}

/// A forked copy of this process. Dropping it kills the copy if it still runs.
#[derive(Debug)]
pub struct Worker {
    pid: Pid,
    /// Closed by the kernel when the worker ends, however it ends.
    alive: UnixStream,
    reaped: bool,
}

/// How a worker ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// By itself, with an exit code.
    Exited(u8),
    /// By a signal.
    Signalled(i32),
}

/// Words that a worker forked later shares with this process, all 0. They are never freed.
#[allow(unsafe_code, reason = "only the kernel gives memory that a fork does not copy")]
pub fn shared_words() -> io::Result<&'static [AtomicU64]> {
    let length = WORDS * size_of::<AtomicU64>();
    let (access, kind) =
        (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED | libc::MAP_ANONYMOUS);
    // SAFETY: an anonymous mapping touches no memory that exists. It is page-aligned, zeroed,
    // large enough for the words, never unmapped, and only ever used as atomics.
    unsafe {
        let page = libc::mmap(std::ptr::null_mut(), length, access, kind, -1, 0);
        if page == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(std::slice::from_raw_parts(page.cast::<AtomicU64>(), WORDS))
    }
}

/// Forks this process.
///
/// Must be called while the process has one thread; a copy would have none of the others, but
/// all of their locks. Where threads can be counted, more than one is an error.
#[allow(unsafe_code, reason = "the standard library does not fork")]
pub fn fork() -> io::Result<Side> {
    let (alive, held_by_worker) = UnixStream::pair()?;
    let parent = rustix::process::getpid();
    // SAFETY: the process has a single thread, as documented, so that no lock is held and no
    // invariant is half restored when the copy starts.
    let pid = unsafe { libc::fork() };
    match Pid::from_raw(pid) {
        None => {
            drop(alive);
            // Held open until this process ends.
            std::mem::forget(held_by_worker);
            follow(parent);
            Ok(Side::Worker)
        }
        Some(pid) if pid.as_raw_pid() > 0 => {
            Ok(Side::Watcher(Worker { pid, alive, reaped: false }))
        }
        Some(_) => Err(io::Error::last_os_error()),
    }
}

/// Ends this worker when its parent dies, where the system offers that, and leaves no core file:
/// the working directory may be the repository.
fn follow(parent: Pid) {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let none = Rlimit { current: Some(0), maximum: Some(0) };
    // Neither request is needed for the work itself.
    let _ = setrlimit(Resource::Core, none);
    #[cfg(target_os = "linux")]
    {
        let _ = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
        if rustix::process::getppid() != Some(parent) {
            std::process::exit(1);
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = parent;
}

impl Worker {
    /// Waits for the worker to end, at most `patience`; nothing if it still runs then.
    pub fn wait(&mut self, patience: Duration) -> io::Result<Option<Ending>> {
        self.alive.set_read_timeout(Some(patience))?;
        match self.alive.read(&mut [0]) {
            Ok(_) => self.reap().map(Some),
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::WouldBlock
                        | io::ErrorKind::TimedOut
                        | io::ErrorKind::Interrupted
                ) =>
            {
                Ok(None)
            }
            // The other end is gone.
            Err(_) => self.reap().map(Some),
        }
    }

    /// Kills the worker.
    pub fn kill(mut self) -> io::Result<()> {
        kill_process(self.pid, Signal::KILL)?;
        self.reap().map(drop)
    }

    fn reap(&mut self) -> io::Result<Ending> {
        let waited = loop {
            match waitpid(Some(self.pid), WaitOptions::empty()) {
                Err(rustix::io::Errno::INTR) => {}
                other => break other?,
            }
        };
        self.reaped = true;
        let (_, status) =
            waited.ok_or_else(|| io::Error::other("the worker cannot be waited for"))?;
        Ok(match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => Ending::Exited(u8::try_from(code).unwrap_or(u8::MAX)),
            (None, signal) => Ending::Signalled(signal.unwrap_or_default()),
        })
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        if !self.reaped {
            // It may have ended meanwhile.
            let _ = kill_process(self.pid, Signal::KILL);
            let _ = self.reap();
        }
    }
}
