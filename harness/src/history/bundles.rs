//! The bundles of a checkout, found by the commit that they are about.

use std::{fs, path::Path};

use record::exit;

use super::Side;
use crate::Failure;

/// The fewest digits of a commit that name it, as in git.
const FEWEST_DIGITS: usize = 7;

/// The newest two bundles of two commits that are of one set and profile, below the folder of artifacts.
///
/// # Errors
/// A commit has no bundle there, or they have none of one set and profile.
pub fn of_commits(artifacts: &Path, before: &str, after: &str) -> Result<[Side; 2], Failure> {
    let (before_sides, after_sides) = (of_commit(artifacts, before)?, of_commit(artifacts, after)?);
    let pair = after_sides.iter().find_map(|newer| {
        let is_alike = |older: &&Side| {
            (&older.set, &older.profile) == (&newer.set, &newer.profile) && older.path != newer.path
        };
        before_sides.iter().find(is_alike).map(|older| [older.clone(), newer.clone()])
    });
    pair.ok_or_else(|| {
        let why = format!(
            "no bundle of {before} is of the set and profile of one of {after}; name two folders below {} instead",
            artifacts.join("bundles").display()
        );
        Failure::new(exit::NOTHING_RAN, why)
    })
}

/// The bundles of a commit, newest first.
fn of_commit(artifacts: &Path, commit: &str) -> Result<Vec<Side>, Failure> {
    let is_id =
        commit.len() >= FEWEST_DIGITS && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    if !is_id {
        let why = format!(
            "{commit} is no folder of a run or bundle, and no commit: at least {FEWEST_DIGITS} digits of its id"
        );
        return Err(Failure::new(exit::USAGE, why));
    }
    let bundles = artifacts.join("bundles");
    let mut found: Vec<Side> = fs::read_dir(&bundles)
        .into_iter()
        .flatten()
        .filter_map(|entry| Side::read(&entry.ok()?.path()).ok())
        .filter(|side| side.source_commit.starts_with(&commit.to_ascii_lowercase()))
        .collect();
    found.sort_by(|one, other| {
        other.finished_at.cmp(&one.finished_at).then_with(|| other.path.cmp(&one.path))
    });
    if found.is_empty() {
        let why = format!(
            "no bundle in {} is about the commit {commit}; `parity run` seals one of the commit that is checked out",
            bundles.display()
        );
        return Err(Failure::new(exit::NOTHING_RAN, why));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::of_commits;

    fn bundle(artifacts: &Path, name: &str, commit: &str, set: &str) {
        let folder = artifacts.join("bundles").join(name);
        fs::create_dir_all(&folder).unwrap();
        let plan = serde_json::json!({
            "set": set, "profile": "parity", "source_commit": commit.repeat(20),
            "engine_sha256": "2b", "corpora": [],
        });
        fs::write(folder.join("plan.json"), plan.to_string()).unwrap();
        fs::write(folder.join("report.json"), r#"{"gates": []}"#).unwrap();
        fs::write(folder.join("cells.json"), "[]").unwrap();
    }

    #[test]
    fn two_commits_are_compared_by_bundles_of_one_set() {
        let place = tempfile::tempdir().unwrap();
        bundle(place.path(), "smoke-a-1", "1a", "smoke");
        bundle(place.path(), "full-a-1", "1a", "full");
        bundle(place.path(), "smoke-b-1", "2b", "smoke");
        bundle(place.path(), "full-c-1", "3c", "full");
        let names = |before: &str, after: &str| {
            let found = of_commits(place.path(), before, after);
            found.map(|sides| sides.map(|side| side.path.file_name().unwrap().to_owned()))
        };
        assert_eq!(names("1a1a1a1a", "2b2b2b2").unwrap(), ["smoke-a-1", "smoke-b-1"]);
        assert_eq!(names("1A1A1A1A", "3c3c3c3").unwrap(), ["full-a-1", "full-c-1"]);
        let why = |before: &str, after: &str| names(before, after).unwrap_err().to_string();
        assert!(why("2b2b2b2", "3c3c3c3").contains("set and profile"));
        assert!(why("1a1a1a1", "4d4d4d4").contains("no bundle in"));
        assert!(why("1a1a", "2b2b2b2").contains("at least 7 digits"));
        // A bundle is not compared with itself.
        assert!(why("2b2b2b2", "2b2b2b2").contains("set and profile"));
    }
}
