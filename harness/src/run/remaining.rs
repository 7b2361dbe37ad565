//! How long a run will still take, estimated from the measured costs of its units.

use std::time::Duration;

/// Seconds of expected work that must be done before the actual pace is taken into account.
const ENOUGH: f64 = 20.0;

/// The work of a run that is still open, in seconds of one processor.
#[derive(Debug, Clone)]
pub struct Remaining {
    open: f64,
    done: f64,
    workers: f64,
}

impl Remaining {
    /// The open units, by cost in seconds, and how many workers run at once.
    pub fn new(open: impl IntoIterator<Item = u64>, workers: usize) -> Self {
        let open = open.into_iter().map(|seconds| seconds as f64).sum();
        Self { open, done: 0.0, workers: workers.max(1) as f64 }
    }

    /// A unit of this cost has ended.
    pub fn done(&mut self, seconds: u64) {
        self.open = (self.open - seconds as f64).max(0.0);
        self.done += seconds as f64;
    }

    /// The remaining time in words, `elapsed` after the start. Expected costs are upper bounds; once
    /// enough work is done, the pace so far corrects them. It never says that nothing is left.
    pub fn in_words(&self, elapsed: Duration) -> String {
        let expected = self.open / self.workers;
        let pace = if self.done < ENOUGH {
            1.0
        } else {
            (elapsed.as_secs_f64() * self.workers / self.done).clamp(0.05, 20.0)
        };
        let seconds = expected * pace;
        if seconds < 10.0 {
            "some seconds left".to_owned()
        } else if seconds < 90.0 {
            format!("about {:.0} s left", (seconds / 10.0).ceil() * 10.0)
        } else {
            format!("about {:.0} min left", (seconds / 60.0).ceil())
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Remaining;

    #[test]
    fn two_of_many_units_are_not_the_end() {
        // As in a run whose comparator answers all come from the cache: 386 units of ours are open.
        let mut left = Remaining::new([0, 0].into_iter().chain([1; 386]), 2);
        left.done(0);
        left.done(0);
        assert_eq!(left.in_words(Duration::from_millis(100)), "about 4 min left");
        // They turn out to take a quarter of their bound.
        for _ in 0..86 {
            left.done(1);
        }
        assert_eq!(left.in_words(Duration::from_secs(11)), "about 40 s left");
        for _ in 0..300 {
            left.done(1);
        }
        assert_eq!(left.in_words(Duration::from_mins(1)), "some seconds left");
    }
}
