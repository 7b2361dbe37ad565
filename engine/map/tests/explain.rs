//! Explanations are the ranking's own numbers, and change no map.

use std::{collections::BTreeMap, fs, process::Command};

use base::profile::Profile;
use map::{
    EntryReason, FileReason, MapRequest, MentionSource, Multiplier, RepoMap, TraceDetail,
    TracedEntry, build,
};
use tempfile::TempDir;

/// A file that defines what three others use, a test, and one without code. Each calls something, so that no lexer
/// adds references.
fn repository() -> TempDir {
    let place = tempfile::tempdir().unwrap();
    let files = [
        (
            "core.py",
            "def open_the_door(key):\n    return key\n\n\ndef _hidden(key):\n    print(key)\n",
        ),
        (
            "a.py",
            "from core import open_the_door, _hidden\n\n\ndef a():\n    open_the_door(_hidden(1))\n    open_the_door(2)\n",
        ),
        ("b.py", "from core import open_the_door\n\n\ndef b():\n    return open_the_door(a())\n"),
        ("chat.py", "from core import open_the_door\n\nopen_the_door(1)\n"),
        ("tests/test_door.py", "def test_nothing():\n    print(1)\n"),
        ("notes.txt", "nothing\n"),
    ];
    fs::create_dir(place.path().join("tests")).unwrap();
    for (name, text) in files {
        fs::write(place.path().join(name), text).unwrap();
    }
    for arguments in [&["init", "-q"][..], &["add", "-A"]] {
        let git = Command::new("git").arg("-C").arg(place.path()).args(arguments).status();
        assert!(git.unwrap().success());
    }
    place
}

fn request(place: &TempDir, profile: Profile) -> MapRequest {
    let mut request = MapRequest::new(place.path());
    request.profile = profile;
    request.map_tokens = Some(2000.0);
    request.explain = true;
    request
}

fn explained(map: &RepoMap) -> &[FileReason] {
    map.attempts.last().unwrap().explanation.as_deref().unwrap()
}

fn entry<'a>(map: &'a RepoMap, name: &str) -> &'a EntryReason {
    let entries = explained(map).iter().flat_map(|file| &file.entries);
    entries.into_iter().find(|entry| entry.name.as_deref() == Some(name)).unwrap()
}

#[test]
fn ranks_and_weights_are_those_of_the_trace() {
    let place = repository();
    for profile in [Profile::Parity, Profile::Enhancement] {
        let mut asked = request(&place, profile);
        asked.chat = vec!["chat.py".to_owned()];
        let map = build(&asked, TraceDetail::AllEdges).unwrap();
        let trace = map.attempts.last().unwrap().ranking.as_ref().unwrap();
        let edges = trace.edges.as_ref().unwrap();
        let ranks: BTreeMap<(&str, &str), f64> = trace
            .definition_ranks
            .iter()
            .map(|(file, name, rank)| ((file.as_str(), name.as_str()), *rank))
            .collect();
        let of_files: BTreeMap<&str, f64> =
            trace.file_ranks.iter().map(|(file, rank)| (file.as_str(), *rank)).collect();
        let mut referrers = 0;
        for file in explained(&map) {
            assert_eq!(file.rank, of_files.get(file.file.as_str()).copied(), "{}", file.file);
            for entry in file.entries.iter().filter(|entry| entry.stage == 1) {
                let name = entry.name.as_deref().unwrap();
                assert_eq!(entry.rank, Some(ranks[&(file.file.as_str(), name)]), "{name}");
                // Nobody is left out here, so what the referrers add is the whole rank.
                assert_eq!(entry.more_referrers, 0);
                let sum: f64 = entry.referrers.iter().map(|one| one.adds).sum();
                assert!((sum - entry.rank.unwrap()).abs() < 1e-12, "{name}: {sum}");
                for one in &entry.referrers {
                    let edge = edges.iter().find(|(from, to, ident, _)| {
                        (from, to, ident.as_str()) == (&one.file, &file.file, name)
                    });
                    assert_eq!(edge.unwrap().3, one.weight, "{name} from {}", one.file);
                    referrers += 1;
                }
            }
        }
        assert!(referrers >= 5, "{referrers}");
    }
}

// Weights worked out by hand from the measured rules: ten for a long name of several words, a tenth for a
// private one, ten for a mention, fifty for the chat, and the root of how often a file uses it, where the last use
// in a file counts twice.
#[test]
fn multipliers_and_referrers_are_named() {
    let place = repository();
    let mut asked = request(&place, Profile::Parity);
    asked.chat = vec!["chat.py".to_owned()];
    asked.mentions =
        MentionSource::Explicit { files: Vec::new(), idents: vec!["_hidden".to_owned()] };
    let map = build(&asked, TraceDetail::None).unwrap();
    let door = entry(&map, "open_the_door");
    assert_eq!((door.line, door.definers), (Some(1), 1));
    let multipliers: Vec<_> = door.multipliers.iter().map(|one| (one.name, one.factor)).collect();
    assert_eq!(multipliers, [(Multiplier::Compound, 10.0)]);
    let by_name: BTreeMap<&str, _> =
        door.referrers.iter().map(|one| (one.file.as_str(), one)).collect();
    assert_eq!(by_name["chat.py"].chat, Some(50.0));
    assert!((by_name["chat.py"].weight - 500.0 * 2.0_f64.sqrt()).abs() < 1e-9);
    assert_eq!((by_name["chat.py"].line, by_name["b.py"].line), (Some(3), Some(5)));
    assert_eq!((by_name["b.py"].weight, by_name["b.py"].chat), (10.0, None));
    assert!((by_name["a.py"].weight - 10.0 * 3.0_f64.sqrt()).abs() < 1e-12);
    let hidden = entry(&map, "_hidden");
    let multipliers: Vec<_> = hidden.multipliers.iter().map(|one| one.name).collect();
    assert_eq!(multipliers, [Multiplier::Mentioned, Multiplier::Private]);
    // Nobody uses it: its own file stands in, with the weight that needs no multiplier.
    let unused = entry(&map, "test_nothing");
    assert!(unused.multipliers.is_empty());
    let [own] = &unused.referrers[..] else { panic!("{unused:?}") };
    assert_eq!((own.file.as_str(), own.weight, own.refers), ("tests/test_door.py", 0.1, false));
}

#[test]
fn every_entry_of_the_map_is_explained_and_the_map_is_the_same() {
    let place = repository();
    for profile in [Profile::Parity, Profile::Enhancement] {
        let asked = request(&place, profile);
        let map = build(&asked, TraceDetail::Ranking).unwrap();
        let plain = MapRequest { explain: false, ..asked };
        let before = build(&plain, TraceDetail::Ranking).unwrap();
        assert_eq!(map.text, before.text);
        let (with, without) = (map.attempts.last().unwrap(), before.attempts.last().unwrap());
        assert_eq!(with.postfit, without.postfit);
        assert!(without.explanation.is_none());
        let shown = with.postfit.as_ref().unwrap();
        let entries: usize = explained(&map).iter().map(|file| file.entries.len()).sum();
        assert_eq!(entries, shown.len());
        for row in shown {
            let file = explained(&map).iter().find(|file| row.file() == file.file).unwrap();
            let line = match row {
                TracedEntry::Definition { line, .. } => Some(u32::try_from(*line).unwrap() + 1),
                TracedEntry::Bare { .. } => None,
            };
            assert!(file.entries.iter().any(|entry| entry.line == line), "{row:?}");
        }
        let notes = explained(&map).iter().find(|file| file.file == "notes.txt").unwrap();
        assert_eq!((notes.rank, notes.entries[0].stage), (None, 3));
    }
}

#[test]
fn the_order_of_the_enhancement_profile_is_explained() {
    let place = repository();
    let mut asked = request(&place, Profile::Enhancement);
    asked.mentions = MentionSource::Message("open the door".to_owned());
    let map = build(&asked, TraceDetail::None).unwrap();
    let files = explained(&map);
    let worth = |name: &str| files.iter().find(|file| file.file == name).unwrap().worth.unwrap();
    assert_eq!(worth("core.py").standing, "source");
    assert_eq!(
        (worth("tests/test_door.py").standing, worth("tests/test_door.py").weight),
        ("test", 0.3)
    );
    assert!(files.iter().any(|file| file.worth.unwrap().words == 1.0), "one answers best");
    for file in files {
        let value = file.worth.unwrap().value();
        for entry in file.entries.iter().filter(|entry| entry.stage == 1) {
            let worth = entry.worth.unwrap();
            // The n-th definition of a file counts 0.7 of the one before it.
            let expected = value * 0.7_f64.powi(worth.nth as i32 - 1);
            assert!((worth.value - expected).abs() < 1e-12, "{entry:?}");
        }
    }
    let candidates: Vec<usize> =
        files.iter().flat_map(|file| &file.entries).map(|entry| entry.candidate).collect();
    assert!(candidates.contains(&1));
}
