//! A command of `duct` that leads its own process group, as all our children do.

use std::{
    io,
    os::unix::process::CommandExt,
    process::Output,
    thread,
    time::{Duration, Instant},
};

use duct::Expression;

use super::{group::LiveGroup, interrupted, warden};

/// The first and the longest pause between two checks of a child; each pause is twice the one before.
const PAUSES: [Duration; 2] = [Duration::from_micros(500), Duration::from_millis(20)];

/// Runs a command to its end. Returns `None` if it did not end within `deadline` or the user stopped
/// this process; the command and everything that it started were then killed.
///
/// # Errors
/// The command cannot be started, waited for or killed.
pub fn finish(command: &Expression, deadline: Duration) -> io::Result<Option<Output>> {
    let own_group = |child: &mut std::process::Command| {
        child.process_group(0);
        Ok(())
    };
    warden::get_ready();
    let handle = command.before_spawn(own_group).start()?;
    let until = Instant::now() + deadline;
    let group = handle.pids().first().copied().and_then(LiveGroup::new);
    let group = group.ok_or_else(|| io::Error::other("the child has no process id"))?;
    let mut pause = PAUSES[0];
    let has_ended = loop {
        if group.leader_ended() {
            break true;
        }
        if Instant::now() >= until || interrupted() {
            break false;
        }
        thread::sleep(pause);
        pause = (pause * 2).min(PAUSES[1]);
    };
    // Dropping the group sends its last signal. That comes before the leader is reaped, because then
    // its id is free again.
    drop(group);
    let output = if has_ended { handle.wait_deadline(until)?.cloned() } else { None };
    if output.is_none() {
        handle.kill()?;
    }
    Ok(output)
}
