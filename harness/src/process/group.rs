//! The process groups of running children.

use std::{
    collections::BTreeSet,
    sync::{Mutex, PoisonError},
};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::warden;

/// Group ids of the children that are running, so that an early exit of this process can end them.
static LIVE: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

/// Kills every child that is still running. For an exit that does not unwind the threads that run them.
pub(super) fn kill_live_groups() {
    let live = LIVE.lock().unwrap_or_else(PoisonError::into_inner);
    for group in live.iter().filter_map(|&id| Pid::from_raw(id)) {
        // A group that just ended is not an error.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// A child that leads its own process group and is not reaped yet.
///
/// The unreaped leader keeps the group id reserved, so a signal cannot reach an unrelated group.
/// Dropping the value kills the group.
#[derive(Debug)]
pub(super) struct LiveGroup(Pid);

impl LiveGroup {
    /// Registers the group led by the process `id`; absent for an id that no process can have.
    pub(super) fn new(id: u32) -> Option<Self> {
        let pid = Pid::from_raw(i32::try_from(id).ok()?)?;
        let id = pid.as_raw_nonzero().get();
        warden::tell_started(id);
        LIVE.lock().unwrap_or_else(PoisonError::into_inner).insert(id);
        Some(Self(pid))
    }

    /// Sends a signal to every member; members that have ended are ignored.
    pub(super) fn signal(&self, signal: Signal) {
        let _ = kill_process_group(self.0, signal);
    }

    /// Whether the leader has ended, without reaping it.
    pub(super) fn leader_ended(&self) -> bool {
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        // An error means that the child does not exist any more.
        waitid(WaitId::Pid(self.0), look).map_or(true, |status| status.is_some())
    }
}

impl Drop for LiveGroup {
    fn drop(&mut self) {
        self.signal(Signal::KILL);
        let id = self.0.as_raw_nonzero().get();
        LIVE.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
        warden::tell_ended(id);
    }
}
