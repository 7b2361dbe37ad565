//! Every path in both profiles: what is kept of the exploration, what the settings do, and what is
//! there when something fails. The expectations are written down by hand, from the reference.

use std::num::NonZeroU64;

use lcm::{
    Asker, Caller, InProcess, Lcm, Profile, Put, Reason, Settings, Source, store::StorageKind,
};

use crate::support::{Blind, PROFILES, TOOL_OUTPUT, all_large, at, failed, put, request};

/// Path, whether the parity profile explores, whether it keeps the exploration. The enhancement
/// profile does both everywhere.
const WAYS_IN: [(&str, bool, bool); 7] = [
    (TOOL_OUTPUT, true, false),
    ("volt.prompt.file.persist", true, true),
    ("volt.prompt.image.persist", true, true),
    ("volt.prompt.user_text.nonpersist", true, false),
    ("volt.tool.large_output.nonpersist", false, false),
    ("volt.tool.read.nonpersist", true, false),
    ("volt.map_shared.persist", true, true),
];

fn large() -> Vec<u8> {
    b"2026-01-01 INFO a line of a log\n".repeat(4_000)
}

#[test]
fn explorations_are_kept_as_the_matrix_says_and_described_so() {
    for profile in PROFILES {
        for (path, explores, keeps) in WAYS_IN {
            let folder = tempfile::tempdir().unwrap();
            let mut lcm = at(folder.path(), profile);
            lcm.store().unwrap().make_session("s", None).unwrap();
            let is_parity = profile == Profile::Parity;
            let (stored, error) = lcm.put(&request("s", path, &large())).unwrap();
            assert!(error.is_none() && stored.stored && stored.reason.is_none(), "{path}");
            assert_eq!(stored.explorer_used.is_some(), explores || !is_parity, "{path}");
            assert_eq!(stored.exploration_persisted, keeps || !is_parity, "{path} {profile:?}");
            assert!(stored.text.contains(stored.id.as_ref().unwrap()));
            assert!(stored.text.len() < large().len() / 10, "{path}");
            // The parity profile only reads what is there, the other adds what is missing.
            let asker = Asker { session: "s", caller: Caller::Main };
            let id = stored.id.unwrap();
            let described = at(folder.path(), profile).describe(&id, &asker).unwrap();
            assert_eq!(described.persisted, keeps || !is_parity, "{path} {profile:?}");
            assert_eq!(described.exploration_summary.is_some(), described.persisted);
            assert_eq!(described.explorer_used.is_some(), described.persisted);
            let read = at(folder.path(), Profile::Enhancement).describe(&id, &asker).unwrap();
            assert!(read.persisted && read.explorer_used.is_some());
        }
    }
}

#[test]
fn an_exploration_that_fails_leaves_the_content() {
    for profile in PROFILES {
        for (path, ..) in WAYS_IN {
            let folder = tempfile::tempdir().unwrap();
            let place = folder.path().join("store");
            let mut lcm = Lcm::at(&place, profile, all_large(), Box::new(Blind)).unwrap();
            lcm.store().unwrap().make_session("s", None).unwrap();
            let (stored, error) = lcm.put(&request("s", path, &large())).unwrap();
            assert!(error.is_none() && stored.stored, "{path}");
            // Only this path keeps that it failed, as the comparator does.
            let tells = path == "volt.map_shared.persist";
            assert_eq!(stored.exploration_persisted, tells, "{path}");
            let id = stored.id.unwrap();
            let asker = Asker { session: "s", caller: Caller::SubAgent };
            let described = lcm.describe(&id, &asker).unwrap();
            assert_eq!(described.explorer_used.as_deref(), tells.then_some("none"), "{path}");
            assert_eq!(lcm.read(&id, &asker).unwrap(), large());
        }
    }
}

#[test]
fn a_content_that_cannot_be_stored_stays_with_the_agent() {
    for profile in PROFILES {
        for (path, ..) in WAYS_IN {
            // A folder stands where the store should be.
            let folder = tempfile::tempdir().unwrap();
            let settings = Settings::default();
            let mut lcm = Lcm::at(folder.path(), profile, settings, Box::new(InProcess)).unwrap();
            let content = large();
            let answer = lcm.put(&request("s", path, &content)).unwrap();
            assert!(failed(&answer), "{path}");
            let (stored, _) = answer;
            assert_eq!(stored.reason, Some(Reason::Failed));
            if path.contains("output") {
                // 10,000 tokens of four characters, and the reason.
                assert_eq!(stored.text.as_bytes()[..40_000], content[..40_000]);
                assert!(stored.text.len() < 40_300 && stored.text.contains("could not be stored"));
            } else {
                assert_eq!(stored.text.as_bytes(), content);
            }
        }
    }
}

#[test]
fn only_one_path_makes_no_session_and_only_in_parity() {
    for profile in PROFILES {
        for (path, ..) in WAYS_IN {
            let folder = tempfile::tempdir().unwrap();
            let mut lcm = at(folder.path(), profile);
            let answer = lcm.put(&request("new", path, &large())).unwrap();
            let refuses = profile == Profile::Parity && path == "volt.tool.large_output.nonpersist";
            assert_eq!(failed(&answer), refuses, "{path}");
            assert_eq!(lcm.store().unwrap().session("new").unwrap().is_none(), refuses, "{path}");
        }
    }
}

#[test]
fn settings_gate_tool_output_and_nothing_else() {
    let content = b" a".repeat(4_000);
    let tokens = 4_000;
    for profile in PROFILES {
        for (path, ..) in WAYS_IN {
            let gated = path.contains("output");
            for (disabled, threshold, expected) in [
                (true, 1, Some(Reason::Disabled)),
                (false, tokens, Some(Reason::BelowThreshold)),
                (false, tokens - 1, None),
            ] {
                let folder = tempfile::tempdir().unwrap();
                let settings = Settings {
                    disable_large_tool_output: disabled,
                    large_tool_output_token_threshold: NonZeroU64::new(threshold).unwrap(),
                };
                let place = folder.path().join("store");
                let mut lcm = Lcm::at(&place, profile, settings, Box::new(InProcess)).unwrap();
                lcm.store().unwrap().make_session("s", None).unwrap();
                let (stored, error) = lcm.put(&request("s", path, &content)).unwrap();
                assert!(error.is_none());
                assert_eq!(stored.tokens, tokens);
                if gated {
                    assert_eq!(stored.reason, expected, "{path} {disabled} {threshold}");
                } else {
                    assert_ne!(stored.reason, Some(Reason::Disabled), "{path}");
                }
                if !stored.stored {
                    assert_eq!((stored.text.as_bytes(), stored.id), (&content[..], None));
                }
            }
        }
    }
}

#[test]
fn a_path_that_is_not_registered_or_leads_out_takes_nothing_in() {
    let folder = tempfile::tempdir().unwrap();
    let mut lcm = at(folder.path(), Profile::Parity);
    for path in ["lcm.tool_output", "lcm.read.readback", ""] {
        assert!(lcm.put(&request("s", path, b"some content")).is_err(), "{path}");
    }
    let file = folder.path().join("not-there");
    let put = Put { source: Source::File(&file), ..request("s", TOOL_OUTPUT, b"") };
    assert!(lcm.put(&put).is_err());
}

#[test]
fn a_stored_output_can_be_expanded_in_the_enhancement_profile() {
    let folder = tempfile::tempdir().unwrap();
    let mut lcm = at(folder.path(), Profile::Parity);
    let id = put(&mut lcm, "s", &large());
    let asker = Asker { session: "s", caller: Caller::Main };
    assert!(!lcm.describe(&id, &asker).unwrap().persisted);
    let mut better = at(folder.path(), Profile::Enhancement);
    let expanded = better.expand(&id, &asker).unwrap();
    assert_eq!(expanded, lcm::Expansion::File { id: id.clone(), content: large() });
    // The exploration was missing; the path out has added it.
    let described = lcm.describe(&id, &asker).unwrap();
    assert_eq!(described.explorer_used.as_deref(), Some("text"));
    assert_eq!(described.storage_kind, Some(StorageKind::InlineText));
}
