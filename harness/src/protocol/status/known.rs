//! Finds the version under which a result was made: by its statement, by git, by a digest, or by a plan.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use record::{
    Digest,
    protocol::{FOLDER, NAME, version_in},
};
use serde_json::Value;
use verdict::freeze::Freeze;

use crate::{
    Failure,
    protocol::{
        Version, git, values,
        version::{in_force_at, short},
    },
};

/// Number of digits of a digest in a table of scores.
const DIGITS: usize = 12;
/// The key that stands for all labels of a version.
const LABELS: &str = "labels";

/// Versions, and how they were found.
type Known = (BTreeSet<String>, String);

/// The versions that files state. A file that states none counts as made under the version that was in force when it
/// was committed.
pub fn stated(root: &Path, what: &str, files: &[PathBuf]) -> Result<Known, Failure> {
    let mut versions = BTreeSet::new();
    let mut silent = 0_usize;
    for file in files {
        match statement(&String::from_utf8_lossy(&fs::read(file)?)) {
            Some(version) => drop(versions.insert(version)),
            None => silent += 1,
        }
    }
    if silent == 0 {
        return Ok((versions, "its own statement".to_owned()));
    }
    let (committed, how) = by_commit(root, what);
    if committed.is_empty() {
        return Ok((committed, how));
    }
    versions.extend(committed);
    Ok((versions, format!("{how}; {silent} of {} files state none", files.len())))
}

/// The version in a line `protocol: v2`, or in a member `"protocol": "v2"`.
fn statement(text: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        let bare = |text: &str| text.trim_matches([' ', '"', ',']).to_owned();
        (bare(key) == "protocol").then(|| bare(value))
    })
}

/// The version that was in force in the commit that last changed a path; empty if there is no such commit.
pub fn by_commit(root: &Path, path: &str) -> Known {
    let unknown = |why: &str| (BTreeSet::new(), why.to_owned());
    let dirty = git::line(root, &["status", "--porcelain", "--", path]);
    if !dirty.is_ok_and(|dirty| dirty.is_empty()) {
        return unknown("it is not committed as it is");
    }
    let last = git::line(root, &["log", "-1", "--first-parent", "--format=%H", "--", path]);
    let Some(commit) = last.ok().filter(|commit| !commit.is_empty()) else {
        return unknown("no commit has it");
    };
    match in_force_at(root, &commit) {
        Ok(Some(version)) => {
            (BTreeSet::from([version]), format!("what was in force in commit {}", short(&commit)))
        }
        _ => unknown("no protocol was in force when it was committed"),
    }
}

/// The versions whose file `name` has the digest that the results contain.
pub fn by_digest(root: &Path, name: &str, files: &[PathBuf]) -> Result<Known, Failure> {
    let mut digests: BTreeMap<String, String> = BTreeMap::new();
    for entry in fs::read_dir(root.join("protocols"))? {
        let entry = entry?;
        if let Ok(digest) = Digest::of_file(&entry.path().join(name)) {
            let digest = digest.as_str().get(..DIGITS).unwrap_or_default().to_owned();
            digests.insert(entry.file_name().to_string_lossy().into_owned(), digest);
        }
    }
    let mut versions = BTreeSet::new();
    for file in files {
        let text = fs::read_to_string(file)?;
        let of = digests.iter().find(|(_, digest)| text.contains(digest.as_str()));
        match of {
            Some((version, _)) => drop(versions.insert(version.clone())),
            None => return Ok((BTreeSet::new(), format!("it has the digest of no {name} here"))),
        }
    }
    Ok((versions, format!("the digest of {name}")))
}

/// The version of the bundle that a pointer names, if its plan has the frozen digests.
pub fn by_plan(files: &[PathBuf], freeze: Option<&Freeze>) -> Known {
    let unknown = |why: &str| (BTreeSet::new(), why.to_owned());
    let pointer = files.first().and_then(|pointer| fs::read_to_string(pointer).ok());
    let bundle = PathBuf::from(pointer.unwrap_or_default().trim_end());
    let plan = fs::read(bundle.join("plan.json")).ok();
    let plan: Option<Value> = plan.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let rests_on = plan.as_ref().and_then(|plan| plan.get("rests_on")?.as_object());
    let Some(rests_on) = rests_on else { return unknown("the bundle that it names is not there") };
    let Some(version) = version_in(rests_on.keys().map(String::as_str)) else {
        return unknown("its plan names no file of a protocol");
    };
    let files =
        rests_on.iter().filter_map(|(file, digest)| Some((file.as_str(), digest.as_str()?)));
    if let Some(Err(other)) = freeze.filter(|_| version == NAME).map(|one| one.covers(files)) {
        return unknown(&format!("its plan is of another draft: {other}"));
    }
    (BTreeSet::from([version.to_owned()]), format!("the plan of {}", bundle.display()))
}

/// Whether these versions have the same values under some keys as the version in force. The key [`LABELS`] stands for
/// all labels.
pub fn same(root: &Path, versions: &BTreeSet<String>, keys: &[String]) -> bool {
    let now = |file: &str| fs::read(root.join(FOLDER).join(file)).ok();
    versions.iter().filter(|version| *version != NAME).all(|name| {
        Version::find(root, name).is_ok_and(|version| {
            keys.iter().all(|key| {
                if key == LABELS {
                    let now = Version::find(root, NAME);
                    return !version.labels.is_empty()
                        && now.is_ok_and(|now| now.labels == version.labels);
                }
                let Some((file, key)) = key.split_once(": ") else { return false };
                let value = |bytes: &[u8]| {
                    let parsed = values::parse(file, bytes)?.ok()?;
                    values::at(&parsed, key).cloned()
                };
                let was = version.files.get(file).and_then(|bytes| value(bytes));
                was.is_some() && was == now(file).and_then(|bytes| value(&bytes))
            })
        })
    })
}
