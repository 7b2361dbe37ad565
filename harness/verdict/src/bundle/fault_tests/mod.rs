//! Tests that every way we know to alter a bundle is refused, with the file named.

mod claims;
mod files;
mod keys;
mod sealing;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

use record::{Cell, Verdict, digest::sha256, protocol::GATES};

use super::{
    ATTESTATION, Environment, Expectations, Host, Outcome, Policy, RecomputeError, Recomputed,
    Report, Review, VerifyError,
    envelope::Envelope,
    keys::{PUBLIC_FILE, SigningKey},
    seal,
    statement::{Claim, ResourceDescriptor, Source},
    verify,
};

const LOCK: &str = "corpora/smoke.lock.toml";
const RECORDING: &str = "recordings/a1.txt";
const PAGE: &str = "report.txt";

/// A file that follows from the measurement.
fn page(value: f64) -> Vec<u8> {
    format!("jaccard {value}").into_bytes()
}

/// A stand-in for the gates: one recorded number against one threshold of the protocol.
fn recompute(bundle: &Path, _: &Claim) -> Result<Recomputed, RecomputeError> {
    measure(bundle).map_err(RecomputeError::Evidence)
}

fn measure(bundle: &Path) -> Result<Recomputed, String> {
    let read =
        |name: &str| fs::read_to_string(bundle.join(name)).map_err(|e| format!("{name}: {e}"));
    let number = |name: &str, text: &str| {
        text.trim().parse::<f64>().map_err(|error| format!("{name}: {error}"))
    };
    let value = number(RECORDING, &read(RECORDING)?)?;
    let threshold = number(GATES, read(GATES)?.trim_start_matches("a1 = "))?;
    let verdict = if value >= threshold { Verdict::Pass } else { Verdict::Fail };
    let cell = Cell {
        gate: crate::gate::GateId::A1.name(),
        corpus: "smoke".to_owned(),
        case: "none".to_owned(),
        budget: Some(1024),
        metric: "jaccard_top30".to_owned(),
        value: Some(value),
        threshold: Some(threshold),
        margin: Some(value - threshold),
        n: 30,
        noise_floor: None,
        seeds: None,
        verdict,
        note: String::new(),
        warning: String::new(),
    };
    let required = BTreeSet::from(["A1".to_owned()]);
    let verdicts = BTreeMap::from([("A1".to_owned(), verdict)]);
    Ok(Recomputed {
        outcome: Outcome::from_gates(&required, &verdicts),
        cells: vec![cell],
        derived: BTreeMap::from([(PAGE.to_owned(), page(value))]),
        scope: None,
    })
}

fn put(directory: &Path, name: &str, bytes: impl AsRef<[u8]>) {
    let path = directory.join(name);
    fs::create_dir_all(path.parent().expect("parent")).expect("directory");
    fs::write(path, bytes).expect("written");
}

/// Lays out the evidence of one run whose single measurement is `value`.
fn lay_out(directory: &Path, value: &str) {
    put(directory, RECORDING, format!("{value}\n"));
    put(directory, GATES, "a1 = 0.85\n");
    put(directory, LOCK, "[[corpus]]\nname = 'smoke'\n");
    put(directory, "comparators/lock.toml", "release = '0'\n");
    put(directory, "recordings/stderr.txt", "");
    put(directory, "blobs/ab/abcdef", vec![0x5a; 40_000]);
    let cells = measure(directory).expect("computes").cells;
    put(directory, "cells.json", serde_json::to_vec(&cells).expect("JSON"));
    put(directory, PAGE, page(value.parse().unwrap_or_default()));
}

fn digest_of(directory: &Path, name: &str) -> String {
    sha256(fs::read(directory.join(name)).expect("readable"))
}

fn claim(directory: &Path) -> Claim {
    let descriptor = |name: &str, uri: &str, sha256: String| ResourceDescriptor {
        annotations: BTreeMap::from([("note".to_owned(), "caf\u{e9}".to_owned())]),
        digest: BTreeMap::from([("sha256".to_owned(), sha256)]),
        media_type: None,
        name: name.to_owned(),
        uri: Some(uri.to_owned()),
    };
    let bundled = |name: &str, uri: &str| descriptor(name, uri, digest_of(directory, uri));
    Claim {
        source: Source { commit: "1a".repeat(20), tree: "2b".repeat(20) },
        configuration: vec![
            bundled("protocol", GATES),
            bundled("comparator", "comparators/lock.toml"),
            bundled("corpus/smoke", LOCK),
            descriptor("tokenizer", "pkg:generic/tokenizer", "3c".repeat(32)),
            descriptor("engine", "pkg:generic/engine", "4d".repeat(32)),
        ],
        outcome: measure(directory).expect("computes").outcome,
    }
}

/// What a runner says of the machine, under this counter.
fn environment(counter: u64) -> Environment {
    Environment {
        counter,
        finished_at: "2026-11-23T01:40:00Z".to_owned(),
        host: Host {
            architecture: "x86_64".to_owned(),
            load_after: "0.50 0.40 0.30".to_owned(),
            load_before: "0.10 0.10 0.10".to_owned(),
            memory_bytes: 8 << 30,
            processor: "a processor".to_owned(),
            processors: 2,
            system: "a system 12".to_owned(),
        },
        started_at: "2026-11-23T01:30:00Z".to_owned(),
        units: BTreeMap::from([("smoke/maps".to_owned(), 1200)]),
        versions: BTreeMap::new(),
        wall_ms: 600_000,
    }
}

/// What a reviewer says.
fn review() -> Review {
    Review {
        comment: "Looked at every failing cell.".to_owned(),
        reference: String::new(),
        role: "reviewer".to_owned(),
        signed_at: "2026-11-24T08:00:00Z".to_owned(),
    }
}

/// A user with a configuration directory, and a folder for bundles.
struct User(tempfile::TempDir);

impl User {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("directory"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A key with its own directory; `config` is the user's.
    fn key(&self, name: &str) -> SigningKey {
        SigningKey::open_or_create(&self.path(name)).expect("key")
    }

    fn sealed(&self, name: &str, value: &str) -> PathBuf {
        let staging = self.path(&format!("{name}.staging"));
        lay_out(&staging, value);
        let claim = claim(&staging);
        seal(&staging, &self.path(name), claim, environment(1), &self.key("config"))
            .expect("seals")
            .path
    }

    /// A policy file over the public keys of the named directories.
    fn policy(&self, roles: &[(&str, usize, &[&str])]) -> Policy {
        let mut text = "schema_version = 2\n".to_owned();
        for (role, threshold, keys) in roles {
            let files: Vec<String> = keys.iter().map(|key| format!("{key}.pem")).collect();
            for key in *keys {
                self.key(key);
                fs::copy(self.path(key).join(PUBLIC_FILE), self.path(&format!("{key}.pem")))
                    .expect("copied");
            }
            writeln!(text, "[roles.{role}]\nthreshold = {threshold}\nkeys = {files:?}")
                .expect("text");
        }
        put(self.0.path(), "policy.toml", text);
        Policy::load(&self.path("policy.toml"), &self.path("config")).expect("policy")
    }

    fn verify(&self, bundle: &Path) -> Result<Report, VerifyError> {
        let policy = Policy::of_user(&self.path("config")).expect("policy");
        verify(bundle, &policy, Expectations::default(), &recompute)
    }

    /// Expects a refusal with this exit code and this file in the message.
    fn refused(&self, bundle: &Path, code: u8, file: &str) -> VerifyError {
        let error = self.verify(bundle).expect_err(file);
        assert_eq!(error.exit_code(), code, "{error}");
        assert!(error.to_string().contains(file), "`{error}` does not name {file}");
        error
    }
}

fn read_envelope(bundle: &Path) -> Envelope {
    Envelope::parse(&fs::read(bundle.join(ATTESTATION)).expect("readable")).expect("envelope")
}

fn write_envelope(bundle: &Path, envelope: &Envelope) {
    fs::write(bundle.join(ATTESTATION), envelope.to_bytes().expect("bytes")).expect("written");
}

/// Replaces the payload and signs it properly.
fn forge(bundle: &Path, key: &SigningKey, payload_type: &str, payload: Vec<u8>) {
    let signatures = vec![key.sign(payload_type, &payload)];
    write_envelope(
        bundle,
        &Envelope { payload_type: payload_type.to_owned(), payload, signatures },
    );
}

fn files_of(bundle: &Path) -> BTreeSet<String> {
    super::walk::list(bundle).expect("lists").files
}

/// The name of a note.
fn note(kind: &str, key: &SigningKey) -> String {
    format!("notes/{kind}.{}.intoto.json", key.public().keyid())
}
