//! Ctrl-C and termination requests, as a flag that long work checks. Work that does not check it is
//! ended as well, which is safe: no file that this program writes has its final name before it is
//! complete.

use std::{
    io,
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use signal_hook::{
    consts::{SIGINT, SIGTERM},
    iterator::Signals,
};

use super::group::kill_live_groups;
use crate::Failure;

/// How long work may take to end by itself: long enough for a child that ignores signals, which has two
/// seconds, and for noting what was recorded.
const GRACE: Duration = Duration::from_secs(5);

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Makes SIGINT and SIGTERM set a flag instead of ending the process at once. After a second signal, or
/// if the work goes on for more than five seconds, the process ends with the exit code of an
/// interrupted run. Call it once, before any work; later calls change nothing.
///
/// # Errors
/// The signals cannot be caught, or the thread that waits for them cannot be started.
pub fn watch_for_interrupts() -> io::Result<()> {
    static WATCHED: OnceLock<()> = OnceLock::new();
    if WATCHED.set(()).is_err() {
        return Ok(());
    }
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    thread::Builder::new().name("interrupts".to_owned()).spawn(move || {
        for _ in signals.forever() {
            if INTERRUPTED.swap(true, Ordering::Relaxed) {
                leave();
            }
            thread::spawn(|| {
                thread::sleep(GRACE);
                leave();
            });
        }
    })?;
    Ok(())
}

/// Whether the user asked this process to stop. The code that runs a child also stops it.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Asks this process to stop, as SIGTERM does.
pub fn interrupt() {
    // Without the signal, the flag alone still ends everything that looks at it.
    INTERRUPTED.store(true, Ordering::Relaxed);
    signal_hook::low_level::raise(SIGTERM).ok();
}

/// Returns an error if the user asked this process to stop. To be called between two steps.
///
/// # Errors
/// The user interrupted this process.
pub fn go_on() -> Result<(), Failure> {
    if interrupted() { Err(Failure::interrupted()) } else { Ok(()) }
}

/// Ends this process and its children now.
fn leave() -> ! {
    kill_live_groups();
    std::process::exit(Failure::interrupted().report().into())
}
