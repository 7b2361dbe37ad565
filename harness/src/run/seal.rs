//! Sealing a run's evidence into a signed bundle.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use record::{
    exit,
    protocol::{DEVIATIONS, FORMATS, GATES, SCORING, TOKENIZERS},
};
use verdict::{
    Evaluation,
    bundle::{self, Claim, Outcome, ResourceDescriptor, Source, keys::SigningKey},
};

use super::RunDir;
use crate::{Failure, Folders, console::talk, planning::Setup};

/// Copies the evidence, signs a statement about it and puts the bundle into place.
pub fn seal(
    folders: &Folders,
    setup: &Setup,
    dir: &RunDir,
    evaluation: &Evaluation,
    key: Option<&Path>,
) -> Result<PathBuf, Failure> {
    let key = SigningKey::open(key)
        .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
    let bundles = folders.artifacts().join("bundles");
    let name = dir.path().file_name().map_or(Path::new("run"), Path::new).to_owned();
    let destination = bundles.join(name);
    let staging = bundles.join(".staging");
    if staging.exists() {
        fs::remove_dir_all(&staging)?;
    }
    if destination.exists() {
        // A run that was killed between sealing and its completion is sealed once more.
        fs::remove_dir_all(&destination)?;
    }
    copy_tree(&dir.evidence(), &staging)?;
    let claim = claim(setup, evaluation);
    let sealed = bundle::seal(&staging, &destination, claim, &key)
        .map_err(|error| Failure::new(error.exit_code(), error.to_string()))?;
    talk(&format!("sealed {} files, {} bytes, key {}", sealed.files, sealed.bytes, sealed.keyid));
    let line = format!("{}\n", sealed.path.display());
    let of_profile = format!("latest-bundle-{}", setup.plan.profile);
    for pointer in ["latest-bundle", &of_profile] {
        record::write_atomically(&folders.artifacts().join(pointer), line.as_bytes())
            .map_err(|error| Failure::new(exit::IO, error.to_string()))?;
    }
    Ok(sealed.path)
}

fn claim(setup: &Setup, evaluation: &Evaluation) -> Claim {
    let plan = &setup.plan;
    Claim {
        source: Source { commit: plan.source_commit.clone(), tree: plan.source_tree.clone() },
        configuration: configuration(setup),
        outcome: Outcome::of(evaluation),
    }
}

/// What shaped the result.
fn configuration(setup: &Setup) -> Vec<ResourceDescriptor> {
    let plan = &setup.plan;
    let definition = &setup.room.definition;
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
    }
    for corpus in &plan.corpora {
        let path = setup.corpus_files.get(&corpus.name).map_or("", String::as_str);
        let mut descriptor = file(&format!("corpus/{}", corpus.name), path);
        descriptor.digest.insert("gitCommit".to_owned(), corpus.commit.clone());
        all.push(descriptor);
    }
    all
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
                fs::create_dir_all(&to)?;
                fs::copy(entry.path(), &target)?;
            }
        }
    }
    Ok(())
}
