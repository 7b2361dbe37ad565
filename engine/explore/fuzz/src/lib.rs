//! What every fuzz target does: explore bytes under a name, in both profiles, and look at what
//! must hold whatever the bytes are.

use engine::profile::Profile;
use explore::{Input, Project, explore, selector};

/// Longest summary that any content may cause, in bytes: the caps of the disclosure hold.
const LONGEST_SUMMARY: usize = 256 * 1024;

/// Explores bytes under a name that leads to the explorer under test.
///
/// # Panics
/// An invariant does not hold: the fuzzer has found a defect.
pub fn explore_as(name: &str, bytes: &[u8]) {
    let input = Input::memory(name, bytes);
    for profile in [Profile::Parity, Profile::Enhancement] {
        let found = explore(&input, &Project::default(), profile);
        assert!(found.success && !found.summary.trim().is_empty());
        assert!(found.summary.len() <= LONGEST_SUMMARY);
        let json = serde_json::to_value(&found).unwrap_or_default();
        for cut in &found.truncated {
            assert!(cut.shown < cut.total, "{cut:?}");
            let behind = selector::select(&json, &cut.list).map_or(0, |list| list.len());
            assert_eq!(behind, cut.total, "{cut:?}");
        }
        let again = explore(&input, &Project::default(), profile);
        assert_eq!(found, again, "two explorations of the same bytes differ");
    }
}
