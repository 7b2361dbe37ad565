//! Ctrl-C and termination requests, as a flag that long work looks at. Work that does not look is
//! ended, too: nothing that this program writes is complete before it has its final name.

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

/// How long work may take to end by itself: a deaf child has two seconds of grace, and what was
/// recorded until then is noted.
const GRACE: Duration = Duration::from_secs(5);

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Turns SIGINT and SIGTERM into a flag instead of an abrupt end. Work that goes on for more than
/// five seconds nevertheless, or until a second signal, is ended with the exit code of an
/// interrupted run. Call it once, before any work; later calls change nothing.
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

/// Whether the user asked this process to stop. Running children are stopped by whoever runs them.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Goes on, unless the user asked this process to stop. For the seams between two steps.
///
/// # Errors
/// The interrupt.
pub fn go_on() -> Result<(), Failure> {
    if interrupted() { Err(Failure::interrupted()) } else { Ok(()) }
}

/// Ends this process and its children now.
fn leave() -> ! {
    kill_live_groups();
    std::process::exit(Failure::interrupted().report().into())
}
