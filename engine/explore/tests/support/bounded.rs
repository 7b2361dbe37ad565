//! Explorations that must come to an end.

use std::{
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use explore::Exploration;

/// A watchdog: no input may take longer, on however busy a machine.
const DEADLINE: Duration = Duration::from_mins(2);
/// No summary may be longer, whatever the file, in bytes.
const LONGEST_SUMMARY: usize = 256 * 1024;
/// Levels of nesting.
pub const DEEP: usize = 100_000;

/// Explores on a thread with the usual small stack. Fails if that takes too long, or if the summary
/// is none.
pub fn bounded(name: &str, look: impl FnOnce() -> Exploration + Send + 'static) -> Exploration {
    let (send, receive) = mpsc::channel();
    let worker = move || drop(send.send(look()));
    let start = Instant::now();
    let thread = thread::Builder::new().stack_size(2 << 20).spawn(worker).unwrap();
    let found = receive.recv_timeout(DEADLINE).unwrap_or_else(|why| panic!("{name}: {why}"));
    thread.join().unwrap();
    if start.elapsed() > Duration::from_secs(3) {
        println!("{name}: {:?}", start.elapsed());
    }
    assert!(found.success && !found.summary.trim().is_empty(), "{name}: {:?}", found.error);
    assert!(found.summary.len() < LONGEST_SUMMARY, "{name}: {}", found.summary.len());
    found
}
