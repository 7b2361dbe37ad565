//! The fuzz target: explores bytes as one variety, in both profiles, and checks invariants that
//! must hold for any bytes.

use std::{collections::BTreeMap, thread, time::Duration};

use explore::{Input, Profile, Project, dispatch::explorers, explore};

/// Longest summary for any content, in bytes: the caps of the disclosure must hold.
const LONGEST_SUMMARY: usize = 256 * 1024;

/// The variety whose files give their name, and therefore their language, in their first line.
pub const CODE: &str = "code";

/// The targets of the search: each variety in the tables, by the name of its folder of seeds, with
/// the name of its files; the file name for [`CODE`] is empty.
pub fn varieties() -> BTreeMap<&'static str, &'static str> {
    let all = explorers().iter().flat_map(|explorer| &explorer.varieties);
    let all = all.map(|(variety, name)| (variety.as_str(), name.as_str()));
    all.chain([(CODE, "")]).collect()
}

/// The file name and the content for a variety; `None` for code without a first line.
pub fn named<'b>(name: &str, bytes: &'b [u8]) -> Option<(String, &'b [u8])> {
    if !name.is_empty() {
        return Some((name.to_owned(), bytes));
    }
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let (name, text) = bytes.split_at(end);
    Some((String::from_utf8_lossy(name).into_owned(), &text[1..]))
}

/// Explores bytes under a name that selects the explorer under test: in memory or, if it must be a
/// database, in a file.
///
/// # Panics
/// An invariant does not hold, so the fuzzer has found a defect; or a file cannot be written.
pub fn explore_as(name: &str, bytes: &[u8]) {
    if let Ok(fault) = std::env::var("PARITY_FUZZ_CONTROL") {
        break_on_purpose(&fault);
    }
    if name.ends_with(".sqlite") {
        explore_file(name, bytes);
    } else {
        check(&Input::memory(name, bytes));
    }
}

fn explore_file(name: &str, bytes: &[u8]) {
    let path = std::env::temp_dir().join(format!("explore-fuzz-{}", std::process::id()));
    std::fs::write(&path, bytes).unwrap();
    check(&Input::open(name, &path).unwrap());
    std::fs::remove_file(path).unwrap();
}

/// The invariants for any content.
fn check(input: &Input) {
    for profile in [Profile::Parity, Profile::Enhancement] {
        let found = explore(input, &Project::default(), profile);
        assert!(found.success && !found.summary.trim().is_empty());
        assert!(found.summary.len() <= LONGEST_SUMMARY);
        for cut in &found.truncated {
            assert!(cut.shown < cut.total, "{cut:?}");
            let behind = found.select(&cut.list).map_or(0, |list| list.len());
            assert_eq!(behind, cut.listed.unwrap_or(cut.total), "{cut:?}");
        }
        let again = explore(input, &Project::default(), profile);
        // SQLite's report about a damaged page may depend on memory after the page.
        if input.path().is_none() || found.malformed.is_none() {
            assert_eq!(found, again, "two explorations of the same bytes differ");
        }
    }
}

/// Fails as a defect would. `.ci/fuzz` uses it to make sure that the search notices a `panic`, a
/// `hang` and too much `memory`.
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
