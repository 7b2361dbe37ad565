//! Ctrl-C and termination requests, as a flag that long work looks at.

use std::{
    io,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

use signal_hook::consts::{SIGINT, SIGTERM};

static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Turns SIGINT and SIGTERM into a flag instead of an abrupt end. Call it once, early in `main`;
/// later calls change nothing.
pub fn watch_for_interrupts() -> io::Result<()> {
    if FLAG.get().is_some() {
        return Ok(());
    }
    let flag = FLAG.get_or_init(|| Arc::new(AtomicBool::new(false)));
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register(signal, Arc::clone(flag))?;
    }
    Ok(())
}

/// Whether the user asked this process to stop. Running children are stopped by whoever runs them.
pub fn interrupted() -> bool {
    FLAG.get().is_some_and(|flag| flag.load(Ordering::Relaxed))
}
