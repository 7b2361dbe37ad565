//! The end of the children of a killed run.
//!
//! Nothing of ours runs after SIGKILL, so another process must wait for the end of this one: this
//! program again, as `parity warden`. It reads from a pipe which process groups run, and the pipe
//! ends when its only writer does, in whatever way. The kernel's signal at the death of a parent
//! (`PR_SET_PDEATHSIG`) would reach children but not what they started, and `npm`, `pip` and the
//! oracles start programs of their own.

use std::{
    collections::BTreeSet,
    io::{self, BufRead, PipeWriter, Write},
    os::unix::process::CommandExt,
    process::{Command, Stdio},
    sync::{
        Mutex, OnceLock, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

use rustix::process::{Pid, Signal, kill_process_group};

/// The hidden sub-command that is the warden.
pub const COMMAND: &str = "warden";

static WANTED: AtomicBool = AtomicBool::new(false);
static PIPE: OnceLock<Option<Mutex<PipeWriter>>> = OnceLock::new();

/// From the first child on, a warden ends the children of this process when it is killed. Only for
/// the program `parity`: it starts the program that runs.
pub fn want_warden() {
    WANTED.store(true, Ordering::Relaxed);
}

/// Makes sure that there is a warden, before a child is started: it must be told at once.
pub(super) fn get_ready() {
    if WANTED.load(Ordering::Relaxed) {
        PIPE.get_or_init(|| start().ok().map(Mutex::new));
    }
}

/// Tells the warden of a group that runs from now on.
pub(super) fn tell_started(group: i32) {
    tell('+', group);
}

/// Tells the warden that a group has ended. Its id is still reserved then.
pub(super) fn tell_ended(group: i32) {
    tell('-', group);
}

fn tell(sign: char, group: i32) {
    // Without a warden everything works as long as nobody kills this process.
    let Some(Some(pipe)) = PIPE.get() else { return };
    let mut pipe = pipe.lock().unwrap_or_else(PoisonError::into_inner);
    let _ = pipe.write_all(format!("{sign}{group}\n").as_bytes());
}

/// Starts the warden in a process group of its own, so that Ctrl-C does not reach it.
fn start() -> io::Result<PipeWriter> {
    let (reader, writer) = io::pipe()?;
    Command::new(std::env::current_exe()?)
        .arg(COMMAND)
        .env_clear()
        .current_dir("/")
        .process_group(0)
        .stdin(reader)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    Ok(writer)
}

/// Reads lines `+GROUP` and `-GROUP` to their end, then kills the groups that still run.
pub fn keep_watch(lines: impl BufRead) {
    let mut live = BTreeSet::new();
    for line in lines.lines().map_while(Result::ok) {
        let Some((sign, group)) = line.split_at_checked(1) else { continue };
        match (sign, group.parse::<i32>()) {
            ("+", Ok(group)) if group > 1 => live.insert(group),
            ("-", Ok(group)) => live.remove(&group),
            _ => false,
        };
    }
    for group in live.into_iter().filter_map(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    use std::process::Command;

    use super::keep_watch;

    #[test]
    fn groups_that_still_run_are_killed_and_no_others() {
        let sleep = || Command::new("sleep").arg("60").process_group(0).spawn().unwrap();
        let (mut running, mut ended) = (sleep(), sleep());
        let told = format!("+{0}\n+{1}\nnonsense\n+\n+0\n-{1}\n", running.id(), ended.id());
        keep_watch(told.as_bytes());
        assert_eq!(running.wait().unwrap().signal(), Some(9));
        assert!(ended.try_wait().unwrap().is_none());
        ended.kill().unwrap();
        ended.wait().unwrap();
    }
}
