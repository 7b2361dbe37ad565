//! What every fuzz target does: explore bytes under a name, in both profiles, and look at what
//! must hold whatever the bytes are.

use std::{thread, time::Duration};

use base::profile::Profile;
use explore::{Input, Project, explore, selector};

/// Longest summary that any content may cause, in bytes: the caps of the disclosure hold.
const LONGEST_SUMMARY: usize = 256 * 1024;

/// Explores bytes under a name that leads to the explorer under test.
///
/// # Panics
/// An invariant does not hold: the fuzzer has found a defect.
pub fn explore_as(name: &str, bytes: &[u8]) {
    if let Ok(fault) = std::env::var("PARITY_FUZZ_CONTROL") {
        break_on_purpose(&fault);
    }
    check(&Input::memory(name, bytes));
}

/// Explores bytes as [`explore_as`] does, but in a file, which a database must be.
///
/// # Panics
/// An invariant does not hold, or the file cannot be written.
pub fn explore_file(name: &str, bytes: &[u8]) {
    let path = std::env::temp_dir().join(format!("explore-fuzz-{}", std::process::id()));
    std::fs::write(&path, bytes).unwrap();
    check(&Input::open(name, &path).unwrap());
    std::fs::remove_file(path).unwrap();
}

/// What must hold whatever the content is.
fn check(input: &Input) {
    for profile in [Profile::Parity, Profile::Enhancement] {
        let found = explore(input, &Project::default(), profile);
        assert!(found.success && !found.summary.trim().is_empty());
        assert!(found.summary.len() <= LONGEST_SUMMARY);
        let json = serde_json::to_value(&found).unwrap_or_default();
        for cut in &found.truncated {
            assert!(cut.shown < cut.total, "{cut:?}");
            let behind = selector::select(&json, &cut.list).map_or(0, |list| list.len());
            assert_eq!(behind, cut.total, "{cut:?}");
        }
        let again = explore(input, &Project::default(), profile);
        // What SQLite says is wrong with a damaged page may depend on memory behind the page.
        if input.path().is_none() || found.malformed.is_none() {
            assert_eq!(found, again, "two explorations of the same bytes differ");
        }
    }
}

/// Breaks as a defect would: `.ci/fuzz` makes sure with it that the search sees a `panic`, a `hang`
/// and too much `memory`.
fn break_on_purpose(fault: &str) {
    let mut held = Vec::new();
    loop {
        match fault {
            "panic" => panic!("panics on purpose"),
            "memory" if held.len() < 12 => held.push(vec![1_u8; 256 << 20]),
            _ => {}
        }
        thread::sleep(Duration::from_millis(50));
    }
}
