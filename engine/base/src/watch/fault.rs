//! Faults on purpose, to test the watching. Programs that are built without debug assertions, which
//! is how releases are built, have none of this.

use std::sync::OnceLock;

use crate::text::paths::basename;

/// What happens to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The process aborts, as a failed assertion in C does.
    Crash,
    /// The parser never returns.
    Hang,
    /// The parser takes as long as it may.
    Slow,
    /// The stack is exhausted, as by a parser that recurses.
    Overflow,
    /// The thread panics.
    Panic,
}

static FAULT: OnceLock<(Fault, String)> = OnceLock::new();

/// Makes the work on every file of this name (without folders) fail.
pub fn inject(fault: Fault, name: String) {
    // The first fault stays.
    let _ = FAULT.set((fault, name));
}

/// What was injected happens if it is meant for this file.
pub(super) fn happen_in(rel: &str) {
    if let Some((fault, name)) = FAULT.get()
        && basename(rel) == name
    {
        fault.happen();
    }
}

impl Fault {
    fn happen(self) {
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
            Self::Overflow => drop(deeper(0)),
            Self::Panic => std::panic::resume_unwind(Box::new("a fault on purpose")),
        }
    }
}

/// Calls itself until the stack ends.
fn deeper(depth: u64) -> u64 {
    use std::hint::black_box;
    if black_box(depth) == u64::MAX { 0 } else { black_box(deeper(depth + 1)) + 1 }
}
