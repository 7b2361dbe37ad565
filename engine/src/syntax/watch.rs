//! Marks that say which files are being parsed, for whoever watches over this process.
//!
//! A pinned grammar is foreign code: it may crash or never return. The program that makes maps
//! runs the work in a process of its own and gives it a few words of shared memory; each thread
//! writes there which file it works on. Nobody has to read them, and without marks nothing is
//! written.

use std::{
    cell::Cell,
    hash::{Hash as _, Hasher as _},
    sync::{
        OnceLock,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
};

use rustc_hash::FxHasher;

/// What happens to a file on purpose, to test the watching.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The process aborts, as a failed assertion in C does.
    Crash,
    /// The parser never returns.
    Hang,
}

/// Where marks are written.
#[derive(Debug)]
pub struct Watch {
    /// One word per thread: the id of its file, or 0. Threads beyond their number share words.
    pub marks: &'static [AtomicU64],
    /// A fault and the name (without folders) of the file that has it; only tests set one.
    pub fault: Option<(Fault, String)>,
}

static WATCH: OnceLock<Watch> = OnceLock::new();

/// Starts the marking of this process. Only the first call counts.
pub fn watch(watch: Watch) {
    // A second watcher would have nobody to answer to.
    let _ = WATCH.set(watch);
}

/// The id that stands for a file in the marks: a hash of its path relative to the root, never 0.
pub fn file_id(rel: &str) -> u64 {
    let mut hasher = FxHasher::default();
    rel.hash(&mut hasher);
    hasher.finish().max(1)
}

/// Does `work` on a file while it is marked.
pub fn marked<T>(rel: &str, work: impl FnOnce() -> T) -> T {
    let Some(watch) = WATCH.get() else { return work() };
    let Some(mark) = watch.marks.get(own_word() % watch.marks.len().max(1)) else { return work() };
    // Work can nest: a thread that waits may take up another file.
    let outer = mark.swap(file_id(rel), Ordering::Relaxed);
    if let Some((fault, name)) = &watch.fault
        && crate::text::paths::basename(rel) == name
    {
        fault.happen();
    }
    let done = work();
    mark.store(outer, Ordering::Relaxed);
    done
}

impl Fault {
    fn happen(self) {
        match self {
            Self::Crash => std::process::abort(),
            Self::Hang => loop {
                std::thread::park();
            },
        }
    }
}

/// The number of the word that this thread writes.
fn own_word() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    thread_local!(static OWN: Cell<Option<usize>> = const { Cell::new(None) });
    OWN.with(|own| {
        own.get().unwrap_or_else(|| {
            let word = NEXT.fetch_add(1, Ordering::Relaxed);
            own.set(Some(word));
            word
        })
    })
}
