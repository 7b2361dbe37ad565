//! Parsers that may crash or hang while a map or an exploration is made: only the file at fault is lost.
//!
//! When a thread gets a fatal signal while it parses a file, the program starts itself again without
//! that file, as often as necessary. The list of such files is passed on in an environment variable
//! that only this program sets.
//!
//! Each file may take the time that its size explains. Any time beyond that is taken from one patience
//! that all files share; once it is used up, every file that is late is given up. A thread normally
//! notices that by itself and goes on with the next file. Only if it does not, because foreign code
//! never returns, does the program start again.
//!
//! Test hook that exists only in builds with debug assertions, and so not in a release:
//! `PARITY_TEST_PARSER=crash:NAME` (or `hang:NAME`, `panic:NAME`) makes the parser of every file of
//! that name crash (or hang, or panic); `slow:NAME` makes it take as long as it may, `late:NAME`
//! eight seconds.
//! `overflow:NAME` exhausts the stack, as a parser that recurses does.
//! `PARITY_TEST_GIT_SECONDS=N` shortens the patience with git.

use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicU32, AtomicU64, Ordering},
};

#[cfg(debug_assertions)]
use ::map::repo::shorten_time;
use base::watch::{self, MARKS};
use clap::Args;

use super::calls::{self, Calls};
use crate::{
    Failure,
    process::restart::{self, Event, Findings, Restart},
};

/// The most files that are left out; a crash in one more ends the program.
const MAX_AVOIDED: usize = 256;
/// How many more times a thread may be seen on a file after it was asked to give the file up.
const REACTION: u32 = 2;
/// The default patience, in seconds.
const SECONDS: u32 = 60;
/// The file number of the finding that carries the used patience, in seconds.
const PATIENCE: u64 = 0;
/// The number for a file whose parser never returned; other numbers are the signal that ended it.
const HANG: u32 = 0;

/// The variable with the files to leave out of a map at the next start of the program.
pub const MAP: &str = "PARITY_MAP_AVOIDED";
/// The same for explorations.
pub const EXPLORE: &str = "PARITY_EXPLORE_AVOIDED";
/// The same for the sync of an index.
pub const INDEX: &str = "PARITY_INDEX_AVOIDED";
/// The same for navigation.
pub const NAV: &str = "PARITY_NAV_AVOIDED";
/// The same for a search.
pub const SEARCH: &str = "PARITY_SEARCH_AVOIDED";
/// The same for chunks.
pub const CHUNKS: &str = "PARITY_CHUNKS_AVOIDED";
/// The same for a session.
const SESSION: &str = "PARITY_SESSION_AVOIDED";

/// Seconds of patience that are left.
static LEFT: AtomicU32 = AtomicU32::new(0);
/// The patience at the start of the program, in seconds.
static ALL: AtomicU32 = AtomicU32::new(0);

/// How long the program waits for late files.
#[derive(Debug, Clone, Copy, Args)]
pub struct Patience {
    /// Seconds that all files together may take beyond what their sizes explain; then those that are
    /// late are left out and named.
    #[arg(long = "patience", value_name = "SECONDS", default_value_t = SECONDS,
        value_parser = clap::value_parser!(u32).range(0..=999))]
    seconds: u32,
}

impl Patience {
    /// A patience of this many seconds.
    pub const fn of(seconds: u32) -> Self {
        Self { seconds }
    }
}

impl Default for Patience {
    fn default() -> Self {
        Self { seconds: SECONDS }
    }
}

/// Watches this process from now on. Returns the files that must not be parsed, by id, with the reason.
pub fn supervise(
    variable: &'static str,
    patience: Patience,
) -> Result<BTreeMap<u64, String>, Failure> {
    watch_over(variable, patience, None)
}

/// The same for a session, whose next start goes on with the call that this one could not answer.
pub fn session(calls: &Calls, patience: Patience) -> Result<BTreeMap<u64, String>, Failure> {
    watch_over(SESSION, patience, Some((calls::VARIABLE, calls.descriptor())))
}

fn watch_over(
    variable: &'static str,
    patience: Patience,
    more: Option<(&'static str, String)>,
) -> Result<BTreeMap<u64, String>, Failure> {
    inject_fault();
    let findings = std::env::var(variable).unwrap_or_default();
    let found: Vec<(u64, u32)> = findings.split(';').filter_map(read).collect();
    let spent = found.iter().filter(|(file, _)| *file == PATIENCE).map(|(_, spent)| *spent).max();
    LEFT.store(patience.seconds.saturating_sub(spent.unwrap_or(0)), Ordering::Relaxed);
    ALL.store(patience.seconds, Ordering::Relaxed);
    let avoided: BTreeMap<u64, String> = found
        .into_iter()
        .filter(|(file, _)| *file != PATIENCE)
        .map(|(file, what)| (file, reason(what)))
        .collect();
    let may_restart = avoided.len() < MAX_AVOIDED;
    restart::arm(&Restart { variable, findings, more, may_restart, judge })?;
    Ok(avoided)
}

/// Sets the patience with git to the seconds that a test asks for.
#[cfg(debug_assertions)]
pub fn patience_with_git() {
    let asked = std::env::var("PARITY_TEST_GIT_SECONDS").ok();
    if let Some(seconds) = asked.and_then(|seconds| seconds.parse().ok()) {
        shorten_time(std::time::Duration::from_secs(seconds));
    }
}

#[cfg(not(debug_assertions))]
pub const fn patience_with_git() {}

/// Injects the fault that a test asks for.
#[cfg(debug_assertions)]
fn inject_fault() {
    use watch::fault::{Fault, inject};
    let asked = std::env::var("PARITY_TEST_PARSER").unwrap_or_default();
    let Some((kind, name)) = asked.split_once(':') else { return };
    let fault = match kind {
        "crash" => Fault::Crash,
        "hang" => Fault::Hang,
        "slow" => Fault::Slow,
        "late" => Fault::Late,
        "overflow" => Fault::Overflow,
        "panic" => Fault::Panic,
        _ => return,
    };
    inject(fault, name.to_owned());
}

#[cfg(not(debug_assertions))]
const fn inject_fault() {}

/// Parses a finding.
fn read(finding: &str) -> Option<(u64, u32)> {
    let (file, what) = finding.split_once(':')?;
    Some((u64::from_str_radix(file, 16).ok()?, what.parse().ok()?))
}

/// Why a file must not be parsed.
fn reason(what: u32) -> String {
    match what {
        HANG => watch::TIMED_OUT.to_owned(),
        signal => format!("parser crashed (signal {signal})"),
    }
}

/// Runs in a signal handler: finds the files at fault, if there are any.
fn judge(event: Event, findings: &mut Findings) {
    match event {
        Event::Crash(signal) => {
            let file = watch::own_mark();
            if file != 0 {
                findings.add(PATIENCE, spent());
                findings.add(file, signal);
            }
        }
        Event::Tick => look(findings),
    }
}

/// Checks the mark of every thread. Once the patience is used up, late threads are asked to give up
/// their files. If one does not react, all files whose threads were asked are findings.
fn look(findings: &mut Findings) {
    static LOOKS: [Look; MARKS] = [const { Look::new() }; MARKS];
    let mut hangs = false;
    for ((number, mark), look) in watch::marks().enumerate().zip(&LOOKS) {
        let is_same = look.file.swap(mark.file, Ordering::Relaxed) == mark.file;
        if !is_same || mark.file == 0 {
            look.looks.store(0, Ordering::Relaxed);
            look.asked.store(0, Ordering::Relaxed);
            continue;
        }
        let looks = look.looks.fetch_add(1, Ordering::Relaxed) + 1;
        if looks <= mark.seconds || take_patience() {
            continue;
        }
        watch::give_up(number, mark.file);
        hangs |= look.asked.fetch_add(1, Ordering::Relaxed) >= REACTION;
    }
    if hangs {
        findings.add(PATIENCE, spent());
        for look in LOOKS.iter().filter(|look| look.asked.load(Ordering::Relaxed) > 0) {
            findings.add(look.file.load(Ordering::Relaxed), HANG);
        }
    }
}

/// What is known of one thread.
struct Look {
    /// The file that it was parsing.
    file: AtomicU64,
    /// How many times since then it was still parsing that file.
    looks: AtomicU32,
    /// How many times it was asked to give the file up.
    asked: AtomicU32,
}

impl Look {
    const fn new() -> Self {
        Self { file: AtomicU64::new(0), looks: AtomicU32::new(0), asked: AtomicU32::new(0) }
    }
}

/// Uses up a second of the patience; returns false if none was left.
fn take_patience() -> bool {
    let left = LEFT.load(Ordering::Relaxed);
    LEFT.store(left.saturating_sub(1), Ordering::Relaxed);
    left > 0
}

/// The patience that is used up, in seconds.
fn spent() -> u32 {
    ALL.load(Ordering::Relaxed).saturating_sub(LEFT.load(Ordering::Relaxed))
}

#[cfg(test)]
mod tests {
    use super::{HANG, read, reason};

    #[test]
    fn findings_are_read_back() {
        let crashed = read("00000000000000ff:011").unwrap();
        assert_eq!(crashed, (255, 11));
        assert_eq!(reason(crashed.1), "parser crashed (signal 11)");
        assert_eq!(read("ffffffffffffffff:000").unwrap(), (u64::MAX, HANG));
        assert_eq!(reason(HANG), "parser timed out");
        for nothing in ["", "x:1", "ff", "ff:", "ff:x"] {
            assert_eq!(read(nothing), None, "{nothing}");
        }
    }
}
