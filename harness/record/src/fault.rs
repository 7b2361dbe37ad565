//! Ends the process on purpose at a write, to test that a run that is killed anywhere and resumed comes to
//! the same result. Programs that are built without debug assertions, such as releases, contain none of this.

/// The variable that says at which point the process dies, counted from 1.
pub const VARIABLE: &str = "PARITY_TEST_WRITE_KILL";

/// A point of a write, before or after a step that cannot be undone. If a test asks for it, the process ends
/// here as by `kill -9`.
#[cfg(debug_assertions)]
pub fn point() {
    use std::sync::{
        LazyLock,
        atomic::{AtomicU64, Ordering},
    };

    use rustix::process::{Signal, getpid, kill_process};

    static LAST: LazyLock<Option<u64>> =
        LazyLock::new(|| std::env::var(VARIABLE).ok().and_then(|number| number.parse().ok()));
    static PASSED: AtomicU64 = AtomicU64::new(0);
    if LAST.is_some_and(|last| PASSED.fetch_add(1, Ordering::SeqCst) + 1 == last) {
        let _ = kill_process(getpid(), Signal::KILL);
    }
}

/// A point of a write; does nothing in this build.
#[cfg(not(debug_assertions))]
pub const fn point() {}
