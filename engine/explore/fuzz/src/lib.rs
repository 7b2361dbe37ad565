//! What the fuzz target does: explore bytes as one variety, in both profiles, and look at what must
//! hold whatever the bytes are.

use std::{collections::BTreeMap, thread, time::Duration};

use explore::{Input, Profile, Project, dispatch::explorers, explore};

/// Longest summary that any content may cause, in bytes: the caps of the disclosure hold.
const LONGEST_SUMMARY: usize = 256 * 1024;

/// The variety whose files say on their first line what they are called, and so of what language.
pub const CODE: &str = "code";

/// What can be searched: each variety of the tables, by the name of its folder of seeds, with the
/// name of its files; that of [`CODE`] is empty.
pub fn varieties() -> BTreeMap<&'static str, &'static str> {
    let all = explorers().iter().flat_map(|explorer| &explorer.varieties);
    let all = all.map(|(variety, name)| (variety.as_str(), name.as_str()));
    all.chain([(CODE, "")]).collect()
}

/// The name and the content of a file of a variety that is called `name`; none of code without a
/// first line.
pub fn named<'b>(name: &str, bytes: &'b [u8]) -> Option<(String, &'b [u8])> {
    if !name.is_empty() {
        return Some((name.to_owned(), bytes));
    }
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let (name, text) = bytes.split_at(end);
    Some((String::from_utf8_lossy(name).into_owned(), &text[1..]))
}

/// Explores bytes under a name that leads to the explorer under test: in memory, or in a file, which
/// a database must be.
///
/// # Panics
/// An invariant does not hold: the fuzzer has found a defect. Or a file cannot be written.
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

/// What must hold whatever the content is.
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
