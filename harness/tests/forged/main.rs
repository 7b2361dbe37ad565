//! Forged bundles: each is consistent in itself and signed by a trusted key, and each is refused
//! for the right reason.
//!
//! The genuine bundle is made here, from our program's answers on two authored corpora and the
//! comparator's committed answers about them. Its composition is used in place of the protocol's. A
//! forgery alters the evidence, judges it again, writes the reports again and seals the result.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::missing_panics_doc,
    reason = "a test fails by panicking"
)]

#[path = "../support/mod.rs"]
mod support;

mod artifacts;
#[path = "../support/examples.rs"]
mod examples;
mod forgeries;
mod genuine;
#[path = "../support/json_schema.rs"]
mod json_schema;
mod places;
mod published;

use std::{collections::BTreeMap, fs, path::Path};

use harness::run::derived;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use record::{
    Capture, Digest, Origin, Places, Plan, Recording, Side, Store,
    protocol::{COMPOSITION, GATES},
    volt,
};
use serde_json::json;
use verdict::{
    bundle::{
        self, Claim, Environment, Expectations, Host, Outcome, Policy, Reference,
        ResourceDescriptor, Source, TestResult, VerifyError, keys::SigningKey, reference::Kind,
    },
    composition::{Composition, SignOff, VOLT},
    evaluate,
};

/// A recording of a bundle, ready to be altered.
#[derive(Clone)]
pub struct Part {
    /// Its key in the index.
    pub key: String,
    /// The unit that it claims to be of.
    pub unit: String,
    /// The side that it claims to be a run of.
    pub side: Side,
    /// The corpus that it claims to be about.
    pub corpus: String,
    /// The recorded run.
    pub capture: Capture,
}

/// Everything that a bundle is made of, so that any part can be altered.
#[derive(Clone)]
pub struct Forge {
    /// The plan.
    pub plan: Plan,
    /// The recordings.
    pub parts: Vec<Part>,
    /// Files of the checkout that the plan rests on, and their bytes.
    pub files: BTreeMap<String, Vec<u8>>,
    /// Applied to the claim about the plan before it is signed.
    pub claim: fn(&mut Claim),
    /// Applied to the folder before it is sealed.
    pub folder: fn(&Path),
}

impl Forge {
    /// The recording under a key.
    pub fn part(&mut self, key: &str) -> &mut Part {
        self.parts.iter_mut().find(|part| part.key == key).unwrap()
    }

    /// Writes the evidence, judges it, writes the files that follow from it and seals it with a key.
    fn seal(&self, place: &Path, key: &SigningKey) -> Result<std::path::PathBuf, String> {
        let staging = place.join("staging");
        let write = |name: &str, bytes: &[u8]| {
            let path = staging.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        };
        let store = Store::at(&staging);
        let index: BTreeMap<&String, Digest> = self
            .parts
            .iter()
            .map(|part| {
                let origin = Origin { side: part.side, corpus: &part.corpus, unit: &part.unit };
                let kept = Recording::write(&store, origin, &part.capture, &Places::default());
                (&part.key, kept.unwrap().1)
            })
            .collect();
        write("index.json", json!(index).to_string().as_bytes());
        write("plan.json", json!(self.plan).to_string().as_bytes());
        for (name, bytes) in &self.files {
            write(name, bytes);
        }
        let evaluation = evaluate(&staging).map_err(|error| error.to_string())?;
        write("cells.json", &serde_json::to_vec(&evaluation.cells).unwrap());
        let files =
            derived(&staging, &self.plan, &evaluation).map_err(|error| error.to_string())?;
        for (name, bytes) in &files {
            write(name, bytes);
        }
        (self.folder)(&staging);
        let mut claim = self.claim(Outcome::of(&evaluation));
        (self.claim)(&mut claim);
        let sealed = bundle::seal(&staging, &place.join("bundle"), claim, environment(), key);
        sealed.map(|sealed| sealed.path).map_err(|error| error.to_string())
    }

    fn claim(&self, outcome: Outcome) -> Claim {
        let sha256 = |digest: &str| BTreeMap::from([("sha256".to_owned(), digest.to_owned())]);
        let descriptor =
            |name: &str, digest: BTreeMap<String, String>, uri: Option<&str>| ResourceDescriptor {
                name: name.to_owned(),
                digest,
                annotations: BTreeMap::new(),
                media_type: None,
                uri: uri.map(str::to_owned),
            };
        let file = |name: &str, path: &str| {
            descriptor(name, sha256(self.plan.rests_on.get(path).map_or("", |x| x)), Some(path))
        };
        let mut configuration = vec![
            file("comparator", "comparators/aider/comparator.toml"),
            file("protocol", GATES),
            descriptor("engine", sha256(&self.plan.engine_sha256), None),
            descriptor("tokenizer", sha256(&"3c".repeat(32)), None),
        ];
        for corpus in &self.plan.corpora {
            let path = format!("corpora/authored/{}/authored.toml", corpus.name);
            let mut named = file(&format!("corpus/{}", corpus.name), &path);
            named.digest.insert("gitCommit".to_owned(), corpus.commit.clone());
            configuration.push(named);
        }
        if let Some(asked) = &self.plan.volt {
            let mut known = file(VOLT, volt::DEFINITION);
            let live = [("volt", "live"), ("commit", &asked.commit), ("tree", &asked.tree)];
            known.annotations =
                live.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
            configuration.push(known);
        }
        let source =
            Source { commit: self.plan.source_commit.clone(), tree: self.plan.source_tree.clone() };
        Claim { source, configuration, outcome }
    }
}

/// The environment that the signer states; no forgery is about it.
fn environment() -> Environment {
    Environment {
        counter: 1,
        finished_at: "2026-11-23T01:40:00Z".to_owned(),
        host: Host {
            architecture: "x86_64".to_owned(),
            load_after: String::new(),
            load_before: String::new(),
            memory_bytes: 0,
            processor: String::new(),
            processors: 1,
            system: "linux".to_owned(),
        },
        started_at: "2026-11-23T01:30:00Z".to_owned(),
        units: BTreeMap::new(),
        versions: BTreeMap::new(),
        wall_ms: 1,
    }
}

/// A reader with a checkout, and a signer whose key the reader trusts.
struct Reader {
    place: tempfile::TempDir,
    files: BTreeMap<String, String>,
    composition: Composition,
}

impl Reader {
    fn new(genuine: &Forge) -> Self {
        let files = genuine.files.iter();
        let files = files.map(|(name, bytes)| (name.clone(), Digest::of(bytes).into())).collect();
        let composition = toml(genuine.files.get(COMPOSITION).unwrap());
        // A forgery is hundreds of files, each flushed as it is written. In memory that takes no time.
        let place = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        Self { place, files, composition }
    }

    /// Seals the forgery and verifies it.
    fn verify(&self, forge: &Forge) -> Result<bundle::Report, Refusal> {
        let config = self.place.path().join("config");
        let key = SigningKey::open_or_create(&config).unwrap();
        let place = tempfile::tempdir_in(self.place.path()).unwrap();
        let sealed = forge.seal(place.path(), &key).map_err(Refusal::Unsealed)?;
        let policy = Policy::of_user(&config).unwrap();
        let reference = Reference {
            kind: Kind::Checkout,
            path: self.place.path().to_owned(),
            files: self.files.clone(),
        };
        let expected = Expectations { reference: Some(&reference), commit: None };
        let recompute = |copy: &Path, claim: &Claim| {
            bundle::recompute(copy, claim, &self.composition, &|dir, plan, evaluation| {
                derived(dir, plan, evaluation).map_err(|failure| failure.to_string())
            })
        };
        bundle::verify(&sealed, &policy, expected, &recompute).map_err(Refusal::Refused)
    }
}

fn toml(bytes: &[u8]) -> Composition {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(COMPOSITION);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
    Composition::open(folder.path()).unwrap()
}

#[derive(Debug)]
enum Refusal {
    /// It could not even be sealed.
    Unsealed(String),
    /// The verifier refuses it.
    Refused(VerifyError),
}

impl Refusal {
    /// The code of the refusal.
    fn code(&self) -> &'static str {
        match self {
            Self::Unsealed(_) => "unsealed",
            Self::Refused(VerifyError::Composition(error)) => error.code(),
            Self::Refused(VerifyError::Recompute(_)) => "evidence",
            Self::Refused(VerifyError::Derived(_)) => "derived",
            Self::Refused(VerifyError::Pinned { .. }) => "pinned",
            Self::Refused(VerifyError::CellsDiffer(_)) => "cells",
            Self::Refused(VerifyError::OutcomeDiffers(_)) => "outcome",
            Self::Refused(_) => "other",
        }
    }
}

#[test]
fn the_genuine_bundle_verifies_and_passes() {
    let genuine = genuine::bundle();
    let report = Reader::new(&genuine).verify(&genuine).unwrap();
    assert_eq!(report.result, TestResult::Passed, "{report}");
    let scope = report.scope.unwrap();
    assert_eq!(scope.corpora, ["slice", "stages"]);
}

#[test]
fn every_forged_bundle_is_refused_for_the_right_reason() {
    let genuine = genuine::bundle();
    let reader = Reader::new(&genuine);
    let told: Vec<(String, bool)> = forgeries::ALL
        .par_iter()
        .map(|forgery| {
            let mut forge = genuine.clone();
            (forgery.alter)(&mut forge);
            match reader.verify(&forge) {
                Ok(report) => (format!("{}: {}", forgery.what, report.result), false),
                Err(refusal) => {
                    let message = match &refusal {
                        Refusal::Unsealed(why) => why.clone(),
                        Refusal::Refused(error) => error.to_string(),
                    };
                    let code = refusal.code();
                    let right = code == forgery.code && message.contains(forgery.names);
                    (format!("{:46} {code:20} {message}", forgery.what), right)
                }
            }
        })
        .collect();
    for (line, _) in &told {
        println!("{line}");
    }
    let wrong: Vec<&String> =
        told.iter().filter(|(_, right)| !right).map(|(line, _)| line).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The composition of a plan of the whole set, as the bytes of its file.
pub fn composition_of(plan: &Plan) -> Vec<u8> {
    let sign_off = vec![SignOff::of_plan(plan).unwrap()];
    let composition = Composition { schema_version: record::Schema, sign_off };
    composition.to_toml().unwrap().into_bytes()
}
