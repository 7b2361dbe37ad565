//! Faults on purpose, to test the watching of parses. They exist only in programs that are built
//! with debug assertions, which releases are not.

use std::{sync::OnceLock, time::Duration};

use crate::text::paths::basename;

/// The kinds of faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The process aborts, as a failed assertion in C does.
    Crash,
    /// The parser never returns.
    Hang,
    /// The parser takes as long as it is allowed to.
    Slow,
    /// The parser takes eight seconds of CPU time, which is late, and then finishes.
    Late,
    /// The stack is exhausted, as by a parser that recurses.
    Overflow,
    /// The thread panics.
    Panic,
}

static FAULT: OnceLock<(Fault, String)> = OnceLock::new();

/// Makes the work on every file of this name (without folders) fail. Only the first call has an
/// effect.
pub fn inject(fault: Fault, name: String) {
    // The first fault stays.
    let _ = FAULT.set((fault, name));
}

/// Causes the injected fault if it is meant for this file.
pub(super) fn happen_in(rel: &str) {
    if let Some((fault, name)) = FAULT.get()
        && basename(rel) == name
    {
        fault.happen(name);
    }
}

/// CPU time that [`Fault::Late`] takes: the longest time that four looks can be apart.
const LATE: Duration = Duration::from_secs(8);

impl Fault {
    /// Causes this fault in a file of this name.
    #[allow(clippy::panic, reason = "it is what a panic of a parser looks like")]
    fn happen(self, name: &str) {
        match self {
            Self::Crash => std::process::abort(),
            Self::Hang => loop {
                std::hint::spin_loop();
            },
            Self::Slow => {
                while !super::is_given_up() {
                    std::hint::spin_loop();
                }
            }
            Self::Late => {
                let until = own_time() + LATE;
                while !super::is_given_up() && own_time() < until {
                    std::hint::spin_loop();
                }
            }
            Self::Overflow => drop(deeper(0)),
            Self::Panic => panic!("a fault on purpose in {name}"),
        }
    }
}

/// The CPU time that this thread has used.
#[allow(clippy::disallowed_methods, reason = "the system's file, not one of a repository")]
fn own_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let used = text.split(' ').next().and_then(|used| used.parse().ok());
    // Where the system does not tell, the fault ends at once, and its test fails.
    used.map_or(Duration::MAX.saturating_sub(LATE), Duration::from_nanos)
}

/// Calls itself until the stack ends.
fn deeper(depth: u64) -> u64 {
    use std::hint::black_box;
    if black_box(depth) == u64::MAX { 0 } else { black_box(deeper(depth + 1)) + 1 }
}
