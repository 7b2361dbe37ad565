//! Ends the children of a run that was killed.
//!
//! After SIGKILL none of our code runs, so another process must wait for the end of this one: a second
//! process of this program, `parity warden`. It reads from a pipe which process groups are running, and
//! the pipe closes when its only writer ends, for whatever reason. The kernel's signal at the death of
//! a parent (`PR_SET_PDEATHSIG`) would reach children but not the programs that they started, and
//! `npm`, `pip` and the oracles start programs of their own.

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

/// Asks for a warden, which ends the children of this process if it is killed. It is started with the
/// first child. Only the program `parity` may ask for it, because the warden is started from the
/// running program's file.
pub fn want_warden() {
    WANTED.store(true, Ordering::Relaxed);
}

/// Starts the warden if one is wanted and none is running. Called before a child is started, so that
/// the child can be announced at once.
pub(super) fn get_ready() {
    if WANTED.load(Ordering::Relaxed) {
        PIPE.get_or_init(|| start().ok().map(Mutex::new));
    }
}

/// Announces a process group that is running from now on.
pub(super) fn tell_started(group: i32) {
    tell('+', group);
}

/// Announces that a group has ended. Its id must still be reserved.
pub(super) fn tell_ended(group: i32) {
    tell('-', group);
}

fn tell(sign: char, group: i32) {
    // Without a warden, children are left running only if this process is killed.
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

/// Reads lines `+GROUP` and `-GROUP` until the input ends, then kills the groups that are still running.
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
