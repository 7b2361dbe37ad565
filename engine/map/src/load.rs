//! Limits how much source is parsed at the same time, so that memory is bounded for any number of
//! threads.

use std::sync::{Condvar, Mutex, PoisonError};

/// Total size, in bytes, of the files whose syntax trees may be in memory together. Dense code
/// needs up to 120 bytes per byte of source, so this is two gigabytes.
const MOST: usize = 16 << 20;
/// Files up to this size, in bytes, are not counted: all threads together hold few of them.
const SMALL: usize = 64 << 10;

/// The files that are being parsed.
#[derive(Debug, Default)]
pub struct Load {
    bytes: Mutex<usize>,
    less: Condvar,
}

impl Load {
    /// Runs `work` on a file of so many bytes as soon as the limit allows it. A file that is larger
    /// than the limit is processed alone.
    pub fn with<T>(&self, bytes: usize, work: impl FnOnce() -> T) -> T {
        if bytes <= SMALL {
            return work();
        }
        let bytes = bytes.min(MOST);
        let lock = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let room = self.less.wait_while(lock, |loaded| *loaded + bytes > MOST);
        *room.unwrap_or_else(PoisonError::into_inner) += bytes;
        let _part = Part { load: self, bytes };
        work()
    }
}

/// A share of the load, which ends when the work is done or has panicked.
struct Part<'a> {
    load: &'a Load,
    bytes: usize,
}

impl Drop for Part<'_> {
    fn drop(&mut self) {
        *self.load.bytes.lock().unwrap_or_else(PoisonError::into_inner) -= self.bytes;
        self.load.less.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::{Load, MOST, SMALL};

    #[test]
    fn what_is_loaded_together_never_exceeds_the_room() {
        let load = Load::default();
        let (now, peak) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for bytes in [MOST / 2, MOST / 2 + 1, MOST / 4, 3 * MOST, SMALL + 1, MOST / 2] {
                let (load, now, peak) = (&load, &now, &peak);
                scope.spawn(move || {
                    load.with(bytes, || {
                        let bytes = bytes.min(MOST);
                        let loaded = now.fetch_add(bytes, Ordering::SeqCst) + bytes;
                        peak.fetch_max(loaded, Ordering::SeqCst);
                        std::thread::sleep(std::time::Duration::from_millis(20));
                        now.fetch_sub(bytes, Ordering::SeqCst);
                    });
                });
            }
        });
        assert!(peak.load(Ordering::SeqCst) <= MOST);
        assert_eq!(load.with(SMALL, || 7), 7);
    }
}
