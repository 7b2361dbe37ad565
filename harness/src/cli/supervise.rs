//! A map whose parser may crash or hang: that costs the file, not the map.
//!
//! The map is made and printed by a worker process. If the worker is ended by a signal, or one of
//! its threads stays on one file for too long, it is started again without that file. After a
//! crash the first new attempt runs on one thread, because then the file that is marked is the
//! file that crashed; from then on files are left out one by one.
//!
//! Test hook: `PARITY_TEST_PARSER=crash:NAME` (or `hang:NAME`) makes the parsing of every file of
//! that name crash (or hang), and shortens the patience with a file to one second.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use engine::syntax::watch::{self, Fault, Watch};

use super::{Failure, exit};
use crate::process::worker::{self, Ending, Side, Worker};

/// Longest time that a thread may stay on one file. The slowest file of any corpus takes two
/// seconds.
const PATIENCE: Duration = Duration::from_secs(60);
/// Most files that are left out before the map is given up.
const MAX_AVOIDED: usize = 64;
/// How often the marks are looked at.
const LOOK: Duration = Duration::from_millis(200);

/// Files that may not be parsed, by id, with the reason.
pub type Avoided = BTreeMap<u64, String>;

/// What a worker is told.
#[derive(Debug, Clone, Default)]
pub struct Orders {
    /// Files to leave out.
    pub avoided: Avoided,
    /// True to use one thread, so that marks are exact.
    pub single_thread: bool,
}

/// Does `work` in a worker process, as often as it takes; returns its exit code.
///
/// Must be called before the process has started a thread.
pub fn supervise(work: impl FnOnce(Orders) -> u8) -> Result<u8, Failure> {
    let hook = Hook::from_environment();
    let marks = worker::shared_words()?;
    let mut orders = Orders::default();
    loop {
        for mark in marks {
            mark.store(0, Ordering::Relaxed);
        }
        let mut worker = match worker::fork()? {
            Side::Worker => {
                watch::watch(Watch { marks, fault: hook.fault });
                std::process::exit(i32::from(work(orders)));
            }
            Side::Watcher(worker) => worker,
        };
        match observe(&mut worker, marks, hook.patience)? {
            Outcome::Ended(Ending::Exited(code)) => return Ok(code),
            Outcome::Ended(Ending::Signalled(signal)) => {
                let at_work = at_work(marks);
                match at_work.iter().next() {
                    // With several threads at work nobody knows which of their files it was.
                    Some(_) if !orders.single_thread && at_work.len() > 1 => {}
                    Some(file) => {
                        orders.avoided.insert(*file, format!("parser crashed (signal {signal})"));
                    }
                    None => return Err(given_up(&format!("ended by signal {signal}"))),
                }
                orders.single_thread = true;
            }
            Outcome::Stuck(file) => {
                worker.kill()?;
                let seconds = hook.patience.as_secs();
                orders.avoided.insert(file, format!("parser timed out after {seconds} s"));
            }
        }
        if orders.avoided.len() > MAX_AVOIDED {
            return Err(given_up(&format!("stopped by more than {MAX_AVOIDED} files")));
        }
    }
}

fn given_up(what: &str) -> Failure {
    Failure::new(exit::INTERNAL, format!("the process that makes the map was {what}"))
}

enum Outcome {
    Ended(Ending),
    /// A thread stays on the file with this id.
    Stuck(u64),
}

/// Watches a worker to its end, or until one of its threads stays on a file.
fn observe(
    worker: &mut Worker,
    marks: &[AtomicU64],
    patience: Duration,
) -> Result<Outcome, Failure> {
    let mut seen: Vec<(u64, Instant)> = vec![(0, Instant::now()); marks.len()];
    loop {
        if let Some(ending) = worker.wait(LOOK)? {
            return Ok(Outcome::Ended(ending));
        }
        for ((file, since), mark) in seen.iter_mut().zip(marks) {
            let now = mark.load(Ordering::Relaxed);
            if now != *file {
                (*file, *since) = (now, Instant::now());
            } else if now != 0 && since.elapsed() >= patience {
                return Ok(Outcome::Stuck(now));
            }
        }
    }
}

/// The files that were being parsed.
fn at_work(marks: &[AtomicU64]) -> BTreeSet<u64> {
    marks.iter().map(|mark| mark.load(Ordering::Relaxed)).filter(|file| *file != 0).collect()
}

/// The test hook.
struct Hook {
    fault: Option<(Fault, String)>,
    patience: Duration,
}

impl Hook {
    fn from_environment() -> Self {
        let asked = std::env::var("PARITY_TEST_PARSER").ok();
        let fault = asked.as_deref().and_then(|text| match text.split_once(':')? {
            ("crash", name) => Some((Fault::Crash, name.to_owned())),
            ("hang", name) => Some((Fault::Hang, name.to_owned())),
            _ => None,
        });
        let patience = if fault.is_some() { Duration::from_secs(1) } else { PATIENCE };
        Self { fault, patience }
    }
}
