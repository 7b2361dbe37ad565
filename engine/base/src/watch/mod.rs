//! Marks that say which files are being parsed, for the code that watches this process.
//!
//! A pinned grammar is foreign code: it may crash or never return. Each thread writes into a word
//! of its own which file it works on, and a handler of fatal signals may read the words: they are
//! plain atomics, and so is everything that reading them needs.

#[cfg(debug_assertions)]
pub mod fault;

use std::{
    cell::Cell,
    hash::{Hash as _, Hasher as _},
    sync::atomic::{AtomicU64, AtomicUsize, Ordering},
};

use rustc_hash::FxHasher;

/// Number of marks. Threads beyond it share words.
pub const MARKS: usize = 64;

static WORDS: [AtomicU64; MARKS] = [const { AtomicU64::new(0) }; MARKS];

/// The id that stands for a file in the marks: a hash of its path relative to the root, never 0.
pub fn file_id(rel: &str) -> u64 {
    let mut hasher = FxHasher::default();
    rel.hash(&mut hasher);
    hasher.finish().max(1)
}

/// Does `work` on a file while it is marked.
pub fn marked<T>(rel: &str, work: impl FnOnce() -> T) -> T {
    let word = &WORDS[own_word() % MARKS];
    // Work can nest: a thread that waits may take up another file.
    let _mark = Mark { word, outer: word.swap(file_id(rel), Ordering::Relaxed) };
    #[cfg(debug_assertions)]
    fault::happen_in(rel);
    work()
}

/// A word while a file is in it; what was there before comes back even if the work panics.
struct Mark {
    word: &'static AtomicU64,
    outer: u64,
}

impl Drop for Mark {
    fn drop(&mut self) {
        self.word.store(self.outer, Ordering::Relaxed);
    }
}

/// The file that this thread works on, or 0. May be called in a signal handler.
pub fn own_mark() -> u64 {
    OWN.get().map_or(0, |word| WORDS[word % MARKS].load(Ordering::Relaxed))
}

/// All marks: one file, or 0, per thread. May be called in a signal handler.
pub fn marks() -> impl Iterator<Item = u64> {
    WORDS.iter().map(|word| word.load(Ordering::Relaxed))
}

thread_local!(static OWN: Cell<Option<usize>> = const { Cell::new(None) });

/// The number of the word that this thread writes.
fn own_word() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    OWN.get().unwrap_or_else(|| {
        let word = NEXT.fetch_add(1, Ordering::Relaxed);
        OWN.set(Some(word));
        word
    })
}
