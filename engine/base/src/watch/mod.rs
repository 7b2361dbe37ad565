//! Marks that show which files are being parsed, for the code that watches this process.
//!
//! A pinned grammar is foreign code: it may crash, never return, or take hours. Each thread writes
//! the file that it works on into a word of its own, and a signal handler may read these words:
//! they are plain atomics, and so is everything that reading them needs. The handler may also ask a
//! thread to give up its file; parsers, queries and walks check for that every now and then.

#[cfg(debug_assertions)]
pub mod fault;

use std::{
    cell::Cell,
    hash::{Hash as _, Hasher as _},
    sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering},
};

use rustc_hash::FxHasher;

/// Number of marks. If there are more threads than that, some share a mark.
pub const MARKS: usize = 64;
/// Why a file that was given up has no answer.
pub const TIMED_OUT: &str = "parser timed out";

/// Seconds that any file may take, however small: a busy machine must not change an answer.
const LEAST_SECONDS: u32 = 2;
/// Bytes for which a file may take one second more: a tenth of what the slowest grammars parse in a
/// second.
const BYTES_A_SECOND: usize = 128 * 1024;

static WORDS: [Word; MARKS] = [const { Word::new() }; MARKS];

/// What one thread is working on.
#[derive(Debug)]
struct Word {
    /// The file's id, or 0.
    file: AtomicU64,
    /// Seconds that the file may take before it counts as late.
    seconds: AtomicU32,
    /// The id of the file that this thread has to give up, or 0.
    given_up: AtomicU64,
}

impl Word {
    const fn new() -> Self {
        Self { file: AtomicU64::new(0), seconds: AtomicU32::new(0), given_up: AtomicU64::new(0) }
    }
}

/// A mark as a signal handler sees it.
#[derive(Debug, Clone, Copy)]
pub struct Mark {
    /// The file's id, or 0.
    pub file: u64,
    /// Seconds that the size of the file explains; time beyond them is taken from the patience.
    pub seconds: u32,
}

/// The id that stands for a file in the marks: a hash of its path relative to the root, never 0.
pub fn file_id(rel: &str) -> u64 {
    let mut hasher = FxHasher::default();
    rel.hash(&mut hasher);
    hasher.finish().max(1)
}

/// Seconds that a file of so many bytes may take before it counts as late.
pub fn expected_seconds(bytes: usize) -> u32 {
    u32::try_from(bytes / BYTES_A_SECOND).unwrap_or(u32::MAX).saturating_add(LEAST_SECONDS)
}

/// Runs `work` while this thread is marked as working on the file `rel` of `bytes` bytes.
pub fn marked<T>(rel: &str, bytes: usize, work: impl FnOnce() -> T) -> T {
    let word = &WORDS[own_word() % MARKS];
    // Marks can nest: a thread that waits may take up another file.
    let _marking = Marking {
        word,
        seconds: word.seconds.swap(expected_seconds(bytes), Ordering::Relaxed),
        file: word.file.swap(file_id(rel), Ordering::Relaxed),
    };
    #[cfg(debug_assertions)]
    fault::happen_in(rel);
    work()
}

/// Keeps a word marked with a file; the previous file is restored on drop, even if the work panics.
struct Marking {
    word: &'static Word,
    file: u64,
    seconds: u32,
}

impl Drop for Marking {
    fn drop(&mut self) {
        self.word.seconds.store(self.seconds, Ordering::Relaxed);
        self.word.file.store(self.file, Ordering::Relaxed);
        self.word.given_up.store(0, Ordering::Relaxed);
    }
}

/// Whether this thread has to give up the file that it works on.
pub fn is_given_up() -> bool {
    own_file_and(|word, file| word.given_up.load(Ordering::Relaxed) == file).unwrap_or(false)
}

/// Asks the thread of a mark to give up a file. May be called in a signal handler.
pub fn give_up(mark: usize, file: u64) {
    if let Some(word) = WORDS.get(mark) {
        word.given_up.store(file, Ordering::Relaxed);
    }
}

/// The id of the file that this thread works on, or 0. May be called in a signal handler.
pub fn own_mark() -> u64 {
    own_file_and(|_, file| file).unwrap_or(0)
}

/// All marks, one per thread. May be called in a signal handler.
pub fn marks() -> impl Iterator<Item = Mark> {
    WORDS.iter().map(|word| Mark {
        file: word.file.load(Ordering::Relaxed),
        seconds: word.seconds.load(Ordering::Relaxed),
    })
}

thread_local!(static OWN: Cell<Option<usize>> = const { Cell::new(None) });

/// Calls `look` with the word of this thread and the id of the file in it; `None` if there is no
/// file.
fn own_file_and<T>(look: impl FnOnce(&Word, u64) -> T) -> Option<T> {
    let word = &WORDS[OWN.get()? % MARKS];
    let file = word.file.load(Ordering::Relaxed);
    (file != 0).then(|| look(word, file))
}

/// The number of the word that this thread writes.
fn own_word() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    OWN.get().unwrap_or_else(|| {
        let word = NEXT.fetch_add(1, Ordering::Relaxed);
        OWN.set(Some(word));
        word
    })
}

#[cfg(test)]
mod tests {
    use super::{expected_seconds, file_id, give_up, is_given_up, marked, marks};

    #[test]
    fn a_file_may_take_two_seconds_and_eight_for_each_megabyte() {
        assert_eq!([0, 1 << 20, 10 << 20].map(expected_seconds), [2, 10, 82]);
    }

    #[test]
    fn a_thread_gives_up_the_file_that_it_is_asked_to_and_no_other() {
        assert!(!is_given_up());
        marked("watched/a", 1 << 20, || {
            let file = file_id("watched/a");
            let found = marks().position(|mark| mark.file == file);
            let Some(at) = found else { panic!("it is not marked") };
            assert_eq!(marks().nth(at).map(|mark| mark.seconds), Some(expected_seconds(1 << 20)));
            give_up(at, file_id("watched/b"));
            assert!(!is_given_up());
            give_up(at, file);
            assert!(is_given_up());
            marked("watched/b", 0, || assert!(!is_given_up()));
        });
        assert!(!is_given_up());
    }
}
