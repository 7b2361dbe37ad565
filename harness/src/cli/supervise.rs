//! A map or an exploration whose parser may crash or hang: that loses only that file.
//!
//! When a thread gets a fatal signal while it parses a file, or stays on one file for minutes, the
//! program starts itself again with that file left out, as often as it takes. The list of such
//! files travels in an environment variable, which nobody else needs to set.
//!
//! Test hook of builds with debug assertions, which a release has not:
//! `PARITY_TEST_PARSER=crash:NAME` (or `hang:NAME`, `panic:NAME`) makes the parsing of every file
//! of that name crash (or hang, or panic), and shortens the patience with a file to five seconds.
//! `overflow:NAME` exhausts the stack, as a parser that recurses does.
//! `PARITY_TEST_GIT_SECONDS=N` shortens the patience with git.

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicU32, AtomicU64, Ordering},
};

#[cfg(debug_assertions)]
use ::map::repo::shorten_time;
use base::watch::{self, MARKS};

use crate::{
    Failure,
    process::restart::{self, Event, Restart},
};

/// Most files that are left out; a crash in one more ends the program.
const MAX_AVOIDED: usize = 64;
/// Looks after which a thread that is still on the same file counts as stuck.
const PATIENCE: u32 = 5;

/// What is watched.
#[derive(Debug, Clone, Copy)]
pub struct Supervised {
    /// Carries the files to leave out from one start of the program to the next.
    variable: &'static str,
    /// Seconds between two looks at the marks.
    tick: u32,
}

/// Maps. The slowest file of any corpus takes two seconds; the patience is long because a busy
/// machine must not change a map.
pub const MAP: Supervised = Supervised { variable: "PARITY_MAP_AVOIDED", tick: 60 };
/// Explorations. A file of 50 MiB takes some ten seconds; the patience is below that of
/// `parity score`, so that a stuck file has a summary that says so.
pub const EXPLORE: Supervised = Supervised { variable: "PARITY_EXPLORE_AVOIDED", tick: 24 };

/// Watches over this process; returns the files that may not be parsed, by id, with the reason.
pub fn supervise(what: Supervised) -> Result<BTreeMap<u64, String>, Failure> {
    let variable = what.variable;
    let tick = if inject_fault() { 1 } else { what.tick };
    let findings = std::env::var(variable).unwrap_or_default();
    let avoided = findings.split(';').filter_map(|finding| reason(finding, tick)).collect();
    restart::arm(&Restart { variable, findings, max_findings: MAX_AVOIDED, tick, judge })?;
    Ok(avoided)
}

/// Takes over the patience with git that a test has set, in seconds.
#[cfg(debug_assertions)]
pub fn patience_with_git() {
    let asked = std::env::var("PARITY_TEST_GIT_SECONDS").ok();
    if let Some(seconds) = asked.and_then(|seconds| seconds.parse().ok()) {
        shorten_time(std::time::Duration::from_secs(seconds));
    }
}

#[cfg(not(debug_assertions))]
pub const fn patience_with_git() {}

/// Injects the fault that a test asks for; whether there is one.
#[cfg(debug_assertions)]
fn inject_fault() -> bool {
    use watch::fault::{Fault, inject};
    let asked = std::env::var("PARITY_TEST_PARSER").unwrap_or_default();
    let Some((kind, name)) = asked.split_once(':') else { return false };
    let fault = match kind {
        "crash" => Fault::Crash,
        "hang" => Fault::Hang,
        "overflow" => Fault::Overflow,
        "panic" => Fault::Panic,
        _ => return false,
    };
    inject(fault, name.to_owned());
    true
}

#[cfg(not(debug_assertions))]
const fn inject_fault() -> bool {
    false
}

/// The file of a finding, and why it may not be parsed.
fn reason(finding: &str, tick: u32) -> Option<(u64, String)> {
    let (file, signal) = finding.split_once(':')?;
    let file = u64::from_str_radix(file, 16).ok()?;
    let why = match signal.parse::<u32>().ok()? {
        0 => format!("parser timed out after {} s", tick * PATIENCE),
        signal => format!("parser crashed (signal {signal})"),
    };
    Some((file, why))
}

/// Runs in a signal handler: the file to blame, if there is one.
fn judge(event: Event) -> Option<u64> {
    static SEEN: [AtomicU64; MARKS] = [const { AtomicU64::new(0) }; MARKS];
    static LOOKS: [AtomicU32; MARKS] = [const { AtomicU32::new(0) }; MARKS];
    match event {
        Event::Crash => Some(watch::own_mark()).filter(|file| *file != 0),
        Event::Tick => {
            let mut stuck = None;
            for ((seen, looks), now) in SEEN.iter().zip(&LOOKS).zip(watch::marks()) {
                if seen.swap(now, Ordering::Relaxed) != now {
                    looks.store(0, Ordering::Relaxed);
                } else if now != 0 && looks.fetch_add(1, Ordering::Relaxed) + 1 >= PATIENCE {
                    stuck = Some(now);
                }
            }
            stuck
        }
    }
}

#[cfg(test)]
mod tests {
    use super::reason;

    #[test]
    fn findings_are_read_back() {
        let crashed = reason("00000000000000ff:011", 60).unwrap();
        assert_eq!(crashed, (255, "parser crashed (signal 11)".to_owned()));
        let stuck = reason("ffffffffffffffff:000", 60).unwrap();
        assert_eq!(stuck, (u64::MAX, "parser timed out after 300 s".to_owned()));
        for nothing in ["", "x:1", "ff", "ff:", "ff:x"] {
            assert_eq!(reason(nothing, 60), None, "{nothing}");
        }
    }
}
