//! Sealing a run's evidence into a signed bundle.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use record::{
    Plan, exit, fault,
    protocol::{DEVIATIONS, FORMATS, GATES, SCORING, TOKENIZERS},
    volt,
};
use rustix::{
    fs::{CWD, RenameFlags, renameat_with},
    io::Errno,
};
use verdict::{
    Evaluation,
    bundle::{self, Claim, Environment, Outcome, ResourceDescriptor, Source, keys::SigningKey},
    composition::VOLT,
};

use super::{RunDir, environment::counted};
use crate::{Failure, Folders, console::talk, planning::Setup, process};

/// Copies the evidence, signs a statement about it and moves the bundle to its final place.
///
/// The bundle is made in the folder of the run, which no other process uses, and gets its name when it
/// is complete. If a run is stopped after that, it is sealed again; the old bundle stays until the new
/// one is complete.
///
/// # Errors
/// The comparator is not the pinned one, there is no key to sign with, something cannot be written, or the user
/// stops it.
pub fn seal(
    folders: &Folders,
    setup: &Setup,
    dir: &RunDir,
    evaluation: &Evaluation,
    environment: Environment,
    key: Option<&Path>,
) -> Result<PathBuf, Failure> {
    if let Some(comparator) = &setup.plan.unpinned {
        let why = format!("a run against {comparator} is reported and never signed");
        return Err(Failure::internal(why));
    }
    let key = SigningKey::open(key)
        .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
    let [staging, sealed, replaced] =
        ["staging", "sealed", "replaced"].map(|name| dir.path().join(name));
    let bundles = folders.artifacts().join("bundles");
    let destination = bundles.join(dir.path().file_name().unwrap_or("run".as_ref()));
    take_back(&replaced, &destination)?;
    for left in [&staging, &sealed, &replaced] {
        remove(left)?;
    }
    copy_tree(&dir.evidence(), &staging)?;
    let claim = claim(setup, evaluation);
    let environment = counted(environment, key.public().keyid())?;
    let made = bundle::seal(&staging, &sealed, claim, environment, &key)
        .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
    process::go_on()?;
    fs::create_dir_all(&bundles).map_err(at(&bundles))?;
    fault::point();
    put(&sealed, &destination, &replaced)?;
    fault::point();
    File::open(&bundles).and_then(|folder| folder.sync_all()).map_err(at(&bundles))?;
    // One of the two folders is the bundle that the new one replaced.
    remove(&sealed)?;
    remove(&replaced)?;
    talk(&format!("sealed {} files, {} bytes, key {}", made.files, made.bytes, made.keyid));
    let line = format!("{}\n", destination.display());
    let of_profile = format!("latest-bundle-{}", setup.plan.profile);
    for pointer in ["latest-bundle", &of_profile] {
        record::write_atomically(&folders.artifacts().join(pointer), line.as_bytes())
            .map_err(|error| Failure::new(exit::IO, error.to_string()))?;
    }
    Ok(destination)
}

/// Gives a bundle its name. If another bundle has the name, the two are exchanged at once, so that one
/// of them always has it; the older one is then at `sealed`. On a file system that cannot exchange
/// folders, the older one is moved to `replaced`, and for a moment neither has the name: see
/// [`take_back`].
fn put(sealed: &Path, destination: &Path, replaced: &Path) -> Result<(), Failure> {
    match renameat_with(CWD, sealed, CWD, destination, RenameFlags::EXCHANGE) {
        Ok(()) => return Ok(()),
        // No bundle has the name yet.
        Err(Errno::NOENT) => {}
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
            if destination.exists() {
                fs::rename(destination, replaced).map_err(at(destination))?;
            }
        }
        Err(error) => return Err(at(destination)(error.into())),
    }
    fs::rename(sealed, destination).map_err(at(destination))
}

/// Gives the older bundle its name back if a run was stopped while neither had it.
fn take_back(replaced: &Path, destination: &Path) -> Result<(), Failure> {
    if !replaced.exists() || destination.exists() {
        return Ok(());
    }
    if let Some(bundles) = destination.parent() {
        fs::create_dir_all(bundles).map_err(at(bundles))?;
    }
    fs::rename(replaced, destination).map_err(at(destination))
}

/// Removes a folder if it exists.
fn remove(folder: &Path) -> Result<(), Failure> {
    if folder.exists() { fs::remove_dir_all(folder).map_err(at(folder)) } else { Ok(()) }
}

/// Adds the path to an error.
fn at(path: &Path) -> impl FnOnce(io::Error) -> Failure {
    move |error| Failure::new(exit::IO, format!("{} cannot be written: {error}", path.display()))
}

fn claim(setup: &Setup, evaluation: &Evaluation) -> Claim {
    let plan = &setup.plan;
    Claim {
        source: Source { commit: plan.source_commit.clone(), tree: plan.source_tree.clone() },
        configuration: configuration(setup),
        outcome: Outcome::of(evaluation),
    }
}

/// The inputs that shaped the result, as they appear in the statement.
fn configuration(setup: &Setup) -> Vec<ResourceDescriptor> {
    let plan = &setup.plan;
    let definition = &setup.spec.definition;
    let sha256 = |digest: &str| BTreeMap::from([("sha256".to_owned(), digest.to_owned())]);
    let descriptor = |name: &str, digest: BTreeMap<String, String>| ResourceDescriptor {
        name: name.to_owned(),
        digest,
        annotations: BTreeMap::new(),
        media_type: None,
        uri: None,
    };
    let file = |name: &str, path: &str| ResourceDescriptor {
        uri: Some(path.to_owned()),
        ..descriptor(name, sha256(plan.rests_on.get(path).map_or("", String::as_str)))
    };
    let mut comparator = file("comparator", "comparators/aider/comparator.toml");
    comparator.annotations = BTreeMap::from([
        ("commit".to_owned(), definition.aider_commit_sha.clone()),
        ("release".to_owned(), definition.aider_release.clone()),
    ]);
    if let Some(tuple) = &setup.tuple {
        comparator.annotations.extend([
            ("python".to_owned(), tuple.python_version.clone()),
            ("lockSha256".to_owned(), tuple.lock_sha256.clone()),
            ("driverSha256".to_owned(), tuple.driver_sha256.clone()),
        ]);
    }
    let tokenizer = &definition.expected.tokenizer;
    let mut tokenizer_descriptor = descriptor("tokenizer", sha256(&tokenizer.data_sha256.clone()));
    tokenizer_descriptor.annotations = BTreeMap::from([
        ("id".to_owned(), tokenizer.id.clone()),
        ("version".to_owned(), tokenizer.version.clone()),
    ]);
    let mut all = vec![
        comparator,
        tokenizer_descriptor,
        descriptor("engine", sha256(&plan.engine_sha256)),
        file("protocol", GATES),
        file("protocol/deviations", DEVIATIONS),
        file("protocol/tokenizer_support", TOKENIZERS),
    ];
    if setup.contracts.is_some() {
        all.extend([file("protocol/scoring", SCORING), file("protocol/formats", FORMATS)]);
        all.push(how_volt_is_known(plan, &file));
    }
    for corpus in &plan.corpora {
        let path = setup.corpus_files.get(&corpus.name).map_or("", String::as_str);
        let mut descriptor = file(&format!("corpus/{}", corpus.name), path);
        descriptor.digest.insert("gitCommit".to_owned(), corpus.commit.clone());
        all.push(descriptor);
    }
    all
}

/// How Volt's behaviour is known: from the checkout that was run, or from what the protocol says.
fn how_volt_is_known(
    plan: &Plan,
    file: &dyn Fn(&str, &str) -> ResourceDescriptor,
) -> ResourceDescriptor {
    let annotations = |pairs: &[(&str, &str)]| {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    };
    let Some(volt) = &plan.volt else {
        let annotations = annotations(&[("volt", "contracts")]);
        return ResourceDescriptor { annotations, ..file(VOLT, SCORING) };
    };
    let live = [("volt", "live"), ("commit", &*volt.commit), ("tree", &*volt.tree)];
    ResourceDescriptor { annotations: annotations(&live), ..file(VOLT, volt::DEFINITION) }
}

/// Copies a folder of regular files, and the folders in it that hold any.
fn copy_tree(from: &Path, to: &Path) -> Result<(), Failure> {
    let mut pending = vec![(from.to_owned(), to.to_owned())];
    while let Some((from, to)) = pending.pop() {
        for entry in fs::read_dir(&from)? {
            let entry = entry?;
            let target = to.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                pending.push((entry.path(), target));
            } else {
                process::go_on()?;
                fs::create_dir_all(&to).map_err(at(&to))?;
                fs::copy(entry.path(), &target).map_err(at(&target))?;
                fault::point();
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, fs, path::Path};

    use record::{Plan, Profile, Set, Verdict};
    use verdict::Evaluation;

    use super::{put, seal, take_back};
    use crate::{
        Folders,
        comparator::ComparatorSpec,
        planning::Setup,
        run::{Beginning, RunDir},
    };

    #[test]
    fn a_run_against_another_comparator_is_never_signed_even_if_all_passes() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let place = tempfile::tempdir().unwrap();
        let [root_of_run, cache] = [place.path().to_owned(), place.path().to_owned()];
        let folders = Folders { root: root_of_run, cache, store: None };
        let unpinned = Some("aider 0.86.1, not the pinned 0.86.2".to_owned());
        let setup = Setup {
            plan: Plan { unpinned, ..Plan::new(Set::Smoke, Profile::Parity) },
            repositories: BTreeMap::new(),
            spec: ComparatorSpec::open(&root.join("comparators/aider")).unwrap(),
            environment: None,
            tuple: None,
            volt: None,
            baselines: None,
            contracts: None,
            rests_on: BTreeMap::new(),
            corpus_files: BTreeMap::new(),
            costs: BTreeMap::new(),
        };
        let dir = RunDir::open(&folders.artifacts().join("runs"), &setup.plan).unwrap();
        let passed = Evaluation {
            cells: Vec::new(),
            gates: Vec::new(),
            verdict: Verdict::Pass,
            explorations: None,
        };
        let key = place.path().join("key");
        let environment = Beginning::now().environment(BTreeMap::new(), None);
        let refused = seal(&folders, &setup, &dir, &passed, environment, Some(&key)).unwrap_err();
        assert!(
            refused.to_string().contains("0.86.1") && refused.to_string().contains("never signed")
        );
        assert!(!key.exists() && !folders.artifacts().join("bundles").exists());
    }

    fn bundle(folder: &Path, text: &str) {
        fs::create_dir_all(folder).unwrap();
        fs::write(folder.join("text"), text).unwrap();
    }

    fn text(folder: &Path) -> Option<String> {
        fs::read_to_string(folder.join("text")).ok()
    }

    #[test]
    fn a_bundle_takes_the_place_of_an_older_one_and_the_older_one_is_kept() {
        let place = tempfile::tempdir().unwrap();
        let [sealed, destination, replaced] =
            ["sealed", "bundles/run", "replaced"].map(|name| place.path().join(name));
        fs::create_dir(place.path().join("bundles")).unwrap();
        bundle(&sealed, "one");
        put(&sealed, &destination, &replaced).unwrap();
        assert_eq!(text(&destination).as_deref(), Some("one"));
        assert!(!sealed.exists() && !replaced.exists());
        bundle(&sealed, "two");
        put(&sealed, &destination, &replaced).unwrap();
        assert_eq!(text(&destination).as_deref(), Some("two"));
        // Which of the two it is depends on the file system.
        let older = text(&sealed).or_else(|| text(&replaced));
        assert_eq!(older.as_deref(), Some("one"));
    }

    #[test]
    fn an_older_bundle_is_taken_back_only_where_none_has_the_name() {
        let place = tempfile::tempdir().unwrap();
        let [destination, replaced] =
            ["bundles/run", "replaced"].map(|name| place.path().join(name));
        take_back(&replaced, &destination).unwrap();
        assert!(!destination.exists());
        bundle(&replaced, "one");
        take_back(&replaced, &destination).unwrap();
        assert_eq!(text(&destination).as_deref(), Some("one"));
        bundle(&replaced, "none");
        take_back(&replaced, &destination).unwrap();
        assert_eq!(text(&destination).as_deref(), Some("one"));
        assert!(replaced.exists());
    }
}
