//! Every way we know to alter a bundle, and that each is refused with the file named.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use record::{Cell, Verdict, digest::sha256, protocol::GATES};

use super::{
    ATTESTATION, Environment, Expectations, Host, Outcome, Policy, RecomputeError, Recomputed,
    Reference, Report, Review, TestResult, VerifyError,
    accepted::{Accepted, AcceptedError},
    envelope::{Envelope, PAYLOAD_TYPE},
    keys::{PUBLIC_FILE, SigningKey},
    note::NoteError,
    reference::Kind,
    seal,
    seal::{SealError, Sealed},
    sign::{SignError, sign},
    signatures::SignatureError,
    statement::{Claim, ResourceDescriptor, Source, Statement},
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
        gate: record::GateId::A1,
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

/// A user with a configuration directory, and room for bundles.
struct Desk(tempfile::TempDir);

impl Desk {
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

#[test]
fn a_good_bundle_verifies_and_says_what_was_not_checked() {
    let desk = Desk::new();
    let bundle = desk.sealed("bundle", "0.9");
    let report = desk.verify(&bundle).expect("verifies");
    assert_eq!((report.result, report.exit_code(), report.files), (TestResult::Passed, 0, 8));
    assert_eq!(
        (&report.signers[0].role[..], &report.passed[..]),
        ("runner", &["A1".to_owned()][..])
    );
    let text = report.to_string();
    for part in ["result: PASSED", "not checked: that the recordings", &"1a".repeat(20)] {
        assert!(text.contains(part), "{text}");
    }
    assert!(!desk.path("bundle.staging").exists());
}

#[test]
fn a_failed_run_is_sealed_and_says_so() {
    let desk = Desk::new();
    let report = desk.verify(&desk.sealed("bundle", "0.2")).expect("verifies");
    assert_eq!((report.result, report.exit_code()), (TestResult::Failed, 10));
}

#[test]
fn the_same_evidence_gives_the_same_bytes() {
    let desk = Desk::new();
    let (one, two) = (desk.sealed("one", "0.9"), desk.sealed("two", "0.9"));
    assert_eq!(read_envelope(&one), read_envelope(&two));
    let again: Sealed = {
        lay_out(&desk.path("again"), "0.9");
        let claim = claim(&desk.path("again"));
        seal(&desk.path("again"), &one, claim, environment(1), &desk.key("config"))
            .expect("not an error")
    };
    assert_eq!(again.path, one);
    lay_out(&desk.path("other"), "0.91");
    let other = seal(
        &desk.path("other"),
        &one,
        claim(&desk.path("other")),
        environment(1),
        &desk.key("config"),
    );
    assert!(matches!(other, Err(SealError::Exists(_))));
    desk.verify(&one).expect("untouched");
}

#[test]
fn one_flipped_bit_anywhere_is_found_and_the_file_named() {
    let desk = Desk::new();
    let bundle = desk.sealed("bundle", "0.9");
    let mut flips = 0;
    for file in files_of(&bundle) {
        let path = bundle.join(&file);
        let good = fs::read(&path).expect("readable");
        // Every byte of the small files and of the envelope; a sample of the large ones.
        let step = if good.len() > 8192 { good.len() / 40 } else { 1 };
        for at in (0..good.len()).step_by(step) {
            let mut bad = good.clone();
            bad[at] ^= 1 << (at % 8);
            fs::write(&path, bad).expect("written");
            let error = desk.verify(&bundle).expect_err(&file);
            assert!(error.to_string().contains(&file), "{file} at {at}: {error}");
            assert!([21, 22, 23].contains(&error.exit_code()), "{file} at {at}: {error}");
            flips += 1;
        }
        fs::write(&path, &good).expect("written");
    }
    assert!(flips > 1000, "{flips}");
    desk.verify(&bundle).expect("restored");
}

#[test]
fn files_that_are_added_removed_renamed_or_swapped_are_named() {
    let desk = Desk::new();
    let bundle = desk.sealed("bundle", "0.9");
    let at = |name: &str| bundle.join(name);

    for extra in
        ["extra.txt", "recordings/.hidden", "keys/mine.pem", "blobs/attestation.intoto.json"]
    {
        put(&bundle, extra, "x");
        desk.refused(&bundle, 21, extra);
        fs::remove_file(at(extra)).expect("removed");
    }
    fs::remove_dir(at("keys")).expect("removed");
    for file in files_of(&bundle) {
        fs::rename(at(&file), desk.path("aside")).expect("moved");
        desk.refused(&bundle, 21, &file);
        fs::rename(desk.path("aside"), at(&file)).expect("moved back");
    }
    fs::rename(at(RECORDING), at("recordings/A1.txt")).expect("renamed");
    desk.refused(&bundle, 21, "recordings/A1.txt");
    fs::rename(at("recordings/A1.txt"), at(RECORDING)).expect("renamed back");

    put(&bundle, "Cells.json", "[]");
    assert!(desk.refused(&bundle, 21, "cells.json").to_string().contains("letter case"));
    fs::remove_file(at("Cells.json")).expect("removed");

    let other = desk.sealed("other", "0.91");
    fs::copy(other.join(RECORDING), at(RECORDING)).expect("swapped");
    desk.refused(&bundle, 21, RECORDING);
    fs::copy(other.join(ATTESTATION), at(ATTESTATION)).expect("swapped");
    let mine = note("environment", &desk.key("config"));
    desk.refused(&bundle, 21, &mine);
    fs::copy(other.join(&mine), at(&mine)).expect("swapped");
    desk.refused(&bundle, 21, "cells.json");
}

#[test]
fn links_in_a_bundle_are_refused() {
    let desk = Desk::new();
    let bundle = desk.sealed("bundle", "0.9");
    for file in files_of(&bundle) {
        let path = bundle.join(&file);
        fs::rename(&path, desk.path("aside")).expect("moved");
        symlink(desk.path("aside"), &path).expect("link");
        desk.refused(&bundle, 21, &file);
        fs::remove_file(&path).expect("removed");
        fs::rename(desk.path("aside"), &path).expect("moved back");
    }
    fs::rename(bundle.join("blobs"), desk.path("blobs")).expect("moved");
    symlink(desk.path("blobs"), bundle.join("blobs")).expect("link");
    desk.refused(&bundle, 21, "blobs");
}

#[test]
fn empty_directories_and_second_names_are_refused() {
    let desk = Desk::new();
    let bundle = desk.sealed("empty", "0.9");
    fs::create_dir(bundle.join("recordings/run-me")).expect("directory");
    let error = desk.refused(&bundle, 21, "recordings/run-me");
    assert!(error.to_string().contains("empty directory"), "{error}");
    let bundle = desk.sealed("linked", "0.9");
    fs::hard_link(bundle.join(RECORDING), desk.path("second-name")).expect("link");
    let error = desk.refused(&bundle, 21, RECORDING);
    assert!(error.to_string().contains("hard link"), "{error}");
}

#[test]
fn a_correctly_signed_lie_is_found_by_the_recomputation() {
    let desk = Desk::new();
    let staging = desk.path("staging");
    lay_out(&staging, "0.2");
    let mut lie = claim(&staging);
    lie.outcome = Outcome {
        result: TestResult::Passed,
        passed: vec!["A1".to_owned()],
        warned: Vec::new(),
        failed: Vec::new(),
    };
    let bundle =
        seal(&staging, &desk.path("lie"), lie.clone(), environment(1), &desk.key("config"))
            .expect("seals")
            .path;
    let error = desk.refused(&bundle, 21, ATTESTATION);
    assert!(matches!(error, VerifyError::OutcomeDiffers(_)), "{error}");

    // The same with cells that fit the lie, but not the recordings.
    lay_out(&staging, "0.9");
    put(&staging, RECORDING, "0.2\n");
    let bundle =
        seal(&staging, &desk.path("lies"), lie.clone(), environment(1), &desk.key("config"))
            .expect("seals");
    let error = desk.refused(&bundle.path, 21, "cells.json");
    assert!(matches!(error, VerifyError::CellsDiffer(_)), "{error}");

    // And with a recording that nothing can be computed from.
    lay_out(&staging, "0.9");
    put(&staging, RECORDING, "high\n");
    let bundle = seal(&staging, &desk.path("rubbish"), lie, environment(1), &desk.key("config"))
        .expect("seals");
    let error = desk.refused(&bundle.path, 21, RECORDING);
    assert!(matches!(error, VerifyError::Recompute(_)), "{error}");
}

#[test]
fn trust_never_comes_from_the_bundle() {
    let desk = Desk::new();
    let staging = desk.path("staging");
    lay_out(&staging, "0.9");
    let stranger = desk.key("stranger");
    fs::create_dir_all(staging.join("keys")).expect("directory");
    fs::copy(desk.path("stranger").join(PUBLIC_FILE), staging.join("keys").join(PUBLIC_FILE))
        .expect("copied");
    put(
        &staging,
        "keys/policy.toml",
        format!("schema_version = 2\n[roles.runner]\nthreshold = 1\nkeys = ['{PUBLIC_FILE}']\n"),
    );
    let claim = claim(&staging);
    let bundle =
        seal(&staging, &desk.path("bundle"), claim, environment(1), &stranger).expect("seals").path;
    // The reader has no key, then another key, then is talked into the policy of the bundle.
    desk.refused(&bundle, 23, stranger.public().keyid());
    desk.key("config");
    desk.refused(&bundle, 23, ATTESTATION);
    let planted =
        Policy::load(&bundle.join("keys/policy.toml"), &desk.path("config")).expect("reads");
    let error = verify(&bundle, &planted, Expectations::default(), &recompute).expect_err("inside");
    assert!(matches!(error, VerifyError::TrustInside(_)), "{error}");
    assert_eq!(error.exit_code(), 23);
    // Trusting the stranger is the reader's own decision.
    fs::create_dir(desk.path("config/trusted")).expect("directory");
    fs::copy(bundle.join("keys").join(PUBLIC_FILE), desk.path("config/trusted/stranger.pem"))
        .expect("copied");
    desk.verify(&bundle).expect("verifies");
}

#[test]
fn a_threshold_counts_unique_keys_of_the_right_role() {
    let desk = Desk::new();
    let bundle = desk.sealed("bundle", "0.9");
    let check = |policy: &Policy| verify(&bundle, policy, Expectations::default(), &recompute);
    let two = desk.policy(&[("runner", 2, &["config", "second"])]);
    let roles = desk.policy(&[("runner", 1, &["config"]), ("reviewer", 1, &["second"])]);
    let wrong = desk.policy(&[("runner", 1, &["second"]), ("reviewer", 1, &["config"])]);
    for policy in [&two, &roles, &wrong] {
        let error = check(policy).expect_err("one signature");
        assert_eq!(error.exit_code(), 23, "{error}");
        assert!(error.to_string().contains(ATTESTATION), "{error}");
    }

    // The same key twice does not reach two, under its own label or another.
    let good = read_envelope(&bundle);
    let mut twice = good.clone();
    twice.signatures.push(good.signatures[0].clone());
    write_envelope(&bundle, &twice);
    assert_eq!(check(&two).expect_err("twice").exit_code(), 22);
    twice.signatures[1].keyid = "f".repeat(64);
    write_envelope(&bundle, &twice);
    assert_eq!(check(&two).expect_err("another label").exit_code(), 22);

    write_envelope(&bundle, &good);
    let verified = desk.verify(&bundle).expect("verifies").statement_sha256;
    assert!(matches!(
        sign(&bundle, &"0".repeat(64), review(), &desk.key("second")),
        Err(SignError::Changed)
    ));
    sign(&bundle, &verified, review(), &desk.key("second")).expect("signs");
    assert_eq!(check(&two).expect("two keys").signers.len(), 2);
    assert_eq!(check(&roles).expect("two roles").signers.len(), 2);
    let again = sign(&bundle, &verified, review(), &desk.key("second"));
    assert!(matches!(again, Err(SignError::AlreadySigned(_))));

    // A reader who does not know the second key is told that it was not checked.
    let report = desk.verify(&bundle).expect("verifies");
    let second = desk.key("second").public().keyid().to_owned();
    assert!(report.not_checked.iter().any(|gap| gap.contains(&second)), "{report}");
}

#[test]
fn wrong_missing_and_mislabelled_signatures_are_refused() {
    let desk = Desk::new();
    let bundle = desk.sealed("bundle", "0.9");
    let good = read_envelope(&bundle);
    let with = |change: &dyn Fn(&mut Envelope)| {
        let mut bad = good.clone();
        change(&mut bad);
        write_envelope(&bundle, &bad);
        desk.refused(&bundle, 22, ATTESTATION);
    };
    with(&|bad| bad.signatures.clear());
    with(&|bad| bad.signatures[0].keyid = "0".repeat(64));
    with(&|bad| bad.signatures[0].sig = [0; 64]);
    with(&|bad| bad.signatures[0].sig[0] ^= 1);
    with(&|bad| bad.payload.push(b' '));
    with(&|bad| bad.payload_type.push('x'));
    // A stranger's signature under the label of a trusted key.
    let stranger = desk.key("stranger").sign(PAYLOAD_TYPE, &good.payload);
    with(&|bad| bad.signatures[0].sig = stranger.sig);
}

#[test]
fn other_types_are_refused_even_if_a_trusted_key_signed_them() {
    let desk = Desk::new();
    let bundle = desk.sealed("bundle", "0.9");
    let (key, good) = (desk.key("config"), read_envelope(&bundle).payload);
    forge(&bundle, &key, "application/json", good.clone());
    let error = desk.refused(&bundle, 22, ATTESTATION);
    assert!(matches!(error, VerifyError::PayloadType(_)), "{error}");
    let text = String::from_utf8(good).expect("UTF-8");
    for (from, to) in [
        ("test-result/v0.1", "test-result/v0.9"),
        ("Statement/v1", "Statement/v0.1"),
        ("{\"_type\"", "{\"_type\":\"\",\"_type\""),
        ("\"result\"", "\"\\u001b[2J\":0,\"result\""),
    ] {
        let payload = text.replacen(from, to, 1);
        assert_ne!(payload, text);
        forge(&bundle, &key, PAYLOAD_TYPE, payload.into_bytes());
        let error = desk.refused(&bundle, 21, ATTESTATION);
        assert!(matches!(error, VerifyError::Statement(_)), "{error}");
        assert!(!error.to_string().contains('\u{1b}'), "{error:?}");
    }
}

#[test]
fn signed_paths_cannot_leave_the_bundle() {
    let desk = Desk::new();
    let bundle = desk.sealed("bundle", "0.9");
    let statement = Statement::parse(&read_envelope(&bundle).payload).expect("parses");
    put(desk.0.path(), "outside", "x");
    for name in ["../outside", "/etc/passwd", "a/../../outside"] {
        let mut statement = statement.clone();
        statement.files.insert(name.to_owned(), sha256(b"x"));
        forge(&bundle, &desk.key("config"), PAYLOAD_TYPE, statement.to_bytes().expect("bytes"));
        desk.refused(&bundle, 21, name);
    }
}

#[test]
fn another_protocol_or_commit_than_expected_is_refused() {
    let desk = Desk::new();
    let bundle = desk.sealed("bundle", "0.9");
    let policy = Policy::of_user(&desk.path("config")).expect("policy");
    let own = |name: &str| (name.to_owned(), digest_of(&bundle, name));
    let mut files = BTreeMap::from([own(GATES), own(LOCK), own("comparators/lock.toml")]);
    let reference = |files: &BTreeMap<String, String>| Reference {
        kind: Kind::Checkout,
        path: desk.path("checkout"),
        files: files.clone(),
    };
    files.insert("corpora/full.lock.toml".to_owned(), "5e".repeat(32));
    let commit = "1a".repeat(20);
    let check = |files: &BTreeMap<String, String>, commit: &str| {
        let reference = reference(files);
        let expected = Expectations { reference: Some(&reference), commit: Some(commit) };
        verify(&bundle, &policy, expected, &recompute)
    };
    let report = check(&files, &commit).expect("verifies");
    assert_eq!(report.not_checked.len(), 4, "{report}");
    assert!(report.to_string().contains("held against: checkout"), "{report}");
    // A commit may be named by its first digits, and by nothing else.
    check(&files, &commit[..7]).expect("verifies");
    for short in ["", "1a", "HEAD", "1A1A1A1A"] {
        let error = check(&files, short).expect_err("no commit");
        assert!(matches!(error, VerifyError::NoCommit(_)), "{error}");
    }
    let error = check(&files, &"9f".repeat(20)).expect_err("commit");
    assert!(matches!(error, VerifyError::Commit { .. }), "{error}");
    for name in [GATES, LOCK, "comparators/lock.toml"] {
        for digest in [None, Some("6f".repeat(32))] {
            let mut other = files.clone();
            other.remove(name);
            other.extend(digest.map(|digest| (name.to_owned(), digest)));
            let error = check(&other, &commit).expect_err(name);
            assert!(matches!(&error, VerifyError::Pinned { file } if file == name), "{error}");
            assert_eq!(error.exit_code(), 21);
        }
    }
}

#[test]
fn a_file_that_follows_from_the_evidence_must_follow_from_it() {
    let desk = Desk::new();
    for altered in [None, Some("jaccard 1")] {
        let staging = desk.path("staging");
        lay_out(&staging, "0.9");
        match altered {
            Some(text) => put(&staging, PAGE, text),
            None => fs::remove_file(staging.join(PAGE)).expect("removed"),
        }
        let bundle = desk.path(altered.map_or("without", |_| "altered"));
        seal(&staging, &bundle, claim(&staging), environment(1), &desk.key("config"))
            .expect("sealed");
        desk.refused(&bundle, 21, PAGE);
    }
}

#[test]
fn a_policy_may_require_tests() {
    let desk = Desk::new();
    let bundle = desk.sealed("bundle", "0.9");
    let mut policy = Policy::of_user(&desk.path("config")).expect("policy");
    policy.required_tests = vec!["A1".to_owned(), "A3".to_owned()];
    let error = verify(&bundle, &policy, Expectations::default(), &recompute).expect_err("A3");
    assert!(matches!(&error, VerifyError::RequiredTest(test) if test == "A3"), "{error}");
    assert_eq!(error.exit_code(), 23);
}

#[test]
fn a_bundle_has_the_same_attestation_whenever_and_wherever_it_was_made() {
    let desk = Desk::new();
    let one = desk.sealed("one", "0.9");
    let staging = desk.path("staging");
    lay_out(&staging, "0.9");
    let mut elsewhere = environment(9);
    elsewhere.host.system = "another system".to_owned();
    elsewhere.finished_at = "2027-01-01T00:00:00Z".to_owned();
    let claim = claim(&staging);
    let two = seal(&staging, &desk.path("two"), claim, elsewhere, &desk.key("config"));
    let two = two.expect("sealed").path;
    assert_eq!(fs::read(one.join(ATTESTATION)).unwrap(), fs::read(two.join(ATTESTATION)).unwrap());
    let report = desk.verify(&two).expect("verifies");
    assert_eq!(report.environment.expect("signed").host.system, "another system");
}

/// The name of a note.
fn note(kind: &str, key: &SigningKey) -> String {
    format!("notes/{kind}.{}.intoto.json", key.public().keyid())
}

#[test]
fn a_note_that_is_altered_moved_removed_or_by_a_stranger_is_refused() {
    let desk = Desk::new();
    let (bundle, key) = (desk.sealed("bundle", "0.9"), desk.key("config"));
    let mine = note("environment", &key);
    let path = bundle.join(&mine);
    let good = fs::read(&path).expect("readable");

    // Of another bundle, by the same key.
    let other = desk.sealed("other", "0.91");
    fs::copy(other.join(&mine), &path).expect("copied");
    let error = desk.refused(&bundle, 21, &mine);
    assert!(matches!(error, VerifyError::Note(NoteError::Subject(_))), "{error}");

    // Absent.
    fs::remove_dir_all(bundle.join("notes")).expect("removed");
    let error = desk.refused(&bundle, 21, &mine);
    assert!(matches!(error, VerifyError::Note(NoteError::NoEnvironment(_))), "{error}");

    // By somebody who did not sign the bundle, or under no name of a note.
    let stranger = desk.key("stranger");
    for name in [note("environment", &stranger), "notes/remarks.txt".to_owned()] {
        put(&bundle, &mine, &good);
        put(&bundle, &name, &good);
        desk.refused(&bundle, 21, &name);
        fs::remove_file(bundle.join(&name)).expect("removed");
    }

    // A stranger signs the bundle and puts another environment in place of the runner's.
    let verified = desk.verify(&bundle).expect("restored").statement_sha256;
    sign(&bundle, &verified, review(), &stranger).expect("signs");
    let report = desk.verify(&bundle).expect("verifies");
    assert!(report.reviews.is_empty() && report.to_string().contains("do not trust"), "{report}");
    fs::rename(&path, bundle.join(note("environment", &stranger))).expect("renamed");
    desk.refused(&bundle, 21, &mine);
}

#[test]
fn a_reviewer_signs_with_a_comment_and_a_runner_cannot_review() {
    let desk = Desk::new();
    let bundle = desk.sealed("bundle", "0.9");
    let roles = desk.policy(&[("runner", 1, &["config"]), ("reviewer", 1, &["second"])]);
    let check = |policy: &Policy| verify(&bundle, policy, Expectations::default(), &recompute);
    assert_eq!(check(&roles).expect_err("no reviewer").exit_code(), 23);
    let verified = check(&roles.clone().before("reviewer")).expect("verifies").statement_sha256;

    let own = sign(&bundle, &verified, review(), &desk.key("config"));
    assert!(matches!(own, Err(SignError::AlreadySigned(_))));
    sign(&bundle, &verified, review(), &desk.key("second")).expect("signs");
    let report = check(&roles).expect("verifies");
    assert_eq!(report.reviews[0].review, review());
    assert!(report.to_string().contains("reviewed: reviewer"), "{report}");

    // To a reader for whom that key is a runner's, it is no review.
    let runners = desk.policy(&[("runner", 1, &["config", "second"])]);
    let report = check(&runners).expect("verifies");
    assert!(report.reviews.is_empty(), "{report}");
    assert!(
        report.to_string().contains("signed as reviewer by a key that is a runner"),
        "{report}"
    );

    // The comment is signed.
    let path = bundle.join(note("review", &desk.key("second")));
    let mut bytes = fs::read(&path).expect("readable");
    bytes[40] ^= 1;
    fs::write(&path, bytes).expect("written");
    assert_eq!(check(&roles).expect_err("altered").exit_code(), 22);
    for comment in ["\u{1b}[2J".to_owned(), "x".repeat(5000)] {
        let other = desk.sealed(&format!("bundle-{}", comment.len()), "0.9");
        let refused = sign(&other, &verified, Review { comment, ..review() }, &desk.key("second"));
        let error = refused.expect_err("a comment that cannot be signed");
        assert!(matches!(error, SignError::Note(_)) && error.exit_code() == 2, "{error}");
        assert_eq!(read_envelope(&other).signatures.len(), 1, "nothing was signed");
    }
}

#[test]
fn revoked_and_expired_keys_do_not_count() {
    let desk = Desk::new();
    let bundle = desk.sealed("bundle", "0.9");
    let check = |policy: &Policy| verify(&bundle, policy, Expectations::default(), &recompute);
    let mut policy = desk.policy(&[("runner", 1, &["config"])]);
    for (until, good) in [("2026-11-23", true), ("2026-11-22", false)] {
        policy.keys[0].until = Some(until.to_owned());
        match check(&policy) {
            Ok(_) => assert!(good, "{until}"),
            Err(error) => {
                let late = SignatureError::NoLongerTrusted {
                    name: "config".to_owned(),
                    keyid: desk.key("config").public().keyid().to_owned(),
                    why: format!("which was trusted until {until}"),
                };
                assert!(!good && error.exit_code() == 23, "{error}");
                assert_eq!(error.to_string(), late.to_string());
            }
        }
    }
    let revoked = desk.path("config/revoked");
    fs::create_dir(&revoked).expect("directory");
    fs::copy(desk.path("config").join(PUBLIC_FILE), revoked.join("me.pub.pem")).expect("copied");
    let error = desk.refused(&bundle, 23, "me (");
    assert!(error.to_string().contains("revoked"), "{error}");
    // A second, trusted signature does not need it.
    sign_anyway(&desk, &bundle);
    let two = desk.policy(&[("runner", 1, &["second"])]);
    let error = check(&two).expect_err("its environment does not count either");
    assert!(matches!(error, VerifyError::Note(NoteError::NoEnvironment(_))), "{error}");
}

#[test]
fn a_reviewers_last_day_is_held_against_the_day_of_the_review() {
    let desk = Desk::new();
    let bundle = desk.sealed("bundle", "0.9");
    sign_anyway(&desk, &bundle);
    let check = |policy: &Policy| verify(&bundle, policy, Expectations::default(), &recompute);
    let mut policy = desk.policy(&[("runner", 1, &["config"]), ("reviewer", 1, &["second"])]);
    let second = desk.key("second").public().keyid().to_owned();
    let at = policy.keys.iter().position(|key| key.key.keyid() == second).expect("the reviewer");
    // The run was over on the 23rd, the review is of the 24th.
    for (until, good) in [("2026-11-24", true), ("2026-11-23", false)] {
        policy.keys[at].until = Some(until.to_owned());
        assert_eq!(check(&policy).is_ok(), good, "{until}");
    }
    let error = check(&policy).expect_err("the reviewer signed too late");
    assert!(error.exit_code() == 23 && error.to_string().contains("until 2026-11-23"), "{error}");
    // Without a note nobody knows when it was signed.
    policy.keys[at].until = Some("2026-11-24".to_owned());
    fs::remove_file(bundle.join(note("review", &desk.key("second")))).expect("removed");
    assert_eq!(check(&policy).expect_err("no day").exit_code(), 23);
}

/// Adds the signature of a second key, without looking at the bundle.
fn sign_anyway(desk: &Desk, bundle: &Path) {
    let verified = sha256(&read_envelope(bundle).payload);
    sign(bundle, &verified, review(), &desk.key("second")).expect("signs");
}

#[test]
fn an_older_bundle_is_not_taken_for_the_newest() {
    let desk = Desk::new();
    let config = desk.path("config");
    let made = |name: &str, value: &str, counter: u64| {
        let staging = desk.path("staging");
        lay_out(&staging, value);
        let claim = claim(&staging);
        let key = desk.key("config");
        let sealed = seal(&staging, &desk.path(name), claim, environment(counter), &key);
        sealed.expect("sealed").path
    };
    let (old, new) = (made("old", "0.9", 4), made("new", "0.91", 5));
    let twin = made("twin", "0.92", 5);
    let accept = |bundle: &Path| {
        let report = desk.verify(bundle).expect("verifies");
        Accepted::accept(&config, &report, bundle)
    };
    accept(&old).expect("the first");
    accept(&new).expect("a newer one");
    accept(&new).expect("the same again");
    let kept = fs::read(config.join(super::accepted::FILE)).expect("kept");
    let error = accept(&old).expect_err("older");
    assert!(matches!(error, AcceptedError::Older { found: 4, accepted: 5, .. }), "{error}");
    assert_eq!(error.exit_code(), 23);
    assert!(matches!(accept(&twin), Err(AcceptedError::Twin(5))));
    // What was refused left nothing behind.
    assert_eq!(fs::read(config.join(super::accepted::FILE)).expect("kept"), kept);
    fs::write(config.join(super::accepted::FILE), "rubbish").expect("written");
    assert!(Accepted::open(&config).is_err());
}

#[test]
fn readers_that_accept_at_a_time_lose_nothing() {
    let desk = Desk::new();
    let config = desk.path("config");
    let bundle = desk.sealed("bundle", "0.9");
    let report = desk.verify(&bundle).expect("verifies");
    std::thread::scope(|scope| {
        for number in 0..16 {
            let mut report = report.clone();
            report.environment_by = Some(format!("key {number}"));
            let (config, bundle) = (&config, &bundle);
            scope.spawn(move || Accepted::accept(config, &report, bundle).expect("accepted"));
        }
    });
    let kept = fs::read(config.join(super::accepted::FILE)).expect("kept");
    let kept: serde_json::Value = serde_json::from_slice(&kept).expect("JSON");
    assert_eq!(kept["bundles"].as_array().map(Vec::len), Some(16));
}

/// Makes a policy accept less.
type Narrow = fn(&mut Policy);

#[test]
fn a_policy_says_what_a_bundle_may_be_about() {
    let desk = Desk::new();
    let bundle = desk.sealed("bundle", "0.9");
    let mut policy = Policy::of_user(&desk.path("config")).expect("policy");
    let own = |name: &str| (name.to_owned(), digest_of(&bundle, name));
    let reference = Reference {
        kind: Kind::Archive,
        path: desk.path("reference.tar.zst"),
        files: BTreeMap::from([own(GATES), own(LOCK), own("comparators/lock.toml")]),
    };
    let expected = Expectations { reference: Some(&reference), commit: None };
    policy.accept.references = vec![reference.sha256()];
    verify(&bundle, &policy, expected, &recompute).expect("accepted");
    let unpinned = verify(&bundle, &policy, Expectations::default(), &recompute);
    assert_eq!(unpinned.expect_err("against nothing").exit_code(), 23);
    let narrow: [(&str, Narrow); 4] = [
        ("reference", |policy| policy.accept.references = vec!["0".repeat(64)]),
        ("protocol", |policy| policy.accept.protocols = vec!["v1".to_owned()]),
        ("set", |policy| policy.accept.sets = vec!["full".to_owned()]),
        ("corpus flask", |policy| policy.accept.corpora = vec!["flask".to_owned()]),
    ];
    for (what, narrow) in narrow {
        let mut policy = policy.clone();
        narrow(&mut policy);
        let error = verify(&bundle, &policy, expected, &recompute).expect_err(what);
        assert!(error.to_string().contains(what), "{error}");
        assert!(matches!(error, VerifyError::NotAccepted { .. }) && error.exit_code() == 23);
    }
}

#[test]
fn the_recomputation_sees_the_bytes_that_were_hashed() {
    let desk = Desk::new();
    let bundle = desk.sealed("bundle", "0.9");
    let policy = Policy::of_user(&desk.path("config")).expect("policy");
    let swap = |copy: &Path, claim: &Claim| {
        put(&bundle, RECORDING, "0.2\n");
        recompute(copy, claim)
    };
    verify(&bundle, &policy, Expectations::default(), &swap).expect("verified what was hashed");
    desk.refused(&bundle, 21, RECORDING);
}

#[test]
fn absent_and_oversized_bundles_are_refused() {
    let desk = Desk::new();
    desk.key("config");
    desk.refused(&desk.path("nowhere"), 2, "nowhere");
    fs::create_dir(desk.path("empty")).expect("directory");
    desk.refused(&desk.path("empty"), 21, ATTESTATION);
    let bundle = desk.sealed("bundle", "0.9");
    let file = fs::File::create(bundle.join(ATTESTATION)).expect("created");
    file.set_len(2 << 30).expect("sparse");
    desk.refused(&bundle, 22, ATTESTATION);
}

#[test]
fn what_cannot_be_a_bundle_is_not_sealed() {
    let desk = Desk::new();
    let (staging, target) = (desk.path("staging"), desk.path("target"));
    lay_out(&staging, "0.9");
    let attempt = || seal(&staging, &target, claim(&staging), environment(1), &desk.key("config"));
    let spoil = |name: &str| {
        put(&staging, name, "x");
        assert!(attempt().is_err(), "{name}");
        fs::remove_file(staging.join(name)).expect("removed");
    };
    spoil(ATTESTATION);
    spoil("a b");
    spoil("source");
    spoil("CELLS.json");
    symlink("cells.json", staging.join("link")).expect("link");
    assert!(attempt().is_err());
    fs::remove_file(staging.join("link")).expect("removed");
    // An empty directory of that name is not replaced either.
    fs::create_dir(&target).expect("directory");
    assert!(matches!(attempt(), Err(SealError::Exists(_))));
    fs::remove_dir(&target).expect("removed");
    assert!(!target.exists() && !staging.join(ATTESTATION).exists());
    attempt().expect("seals");
}

/// Names the working directory to the process that [`a_killed_sealer_leaves_no_half_bundle`]
/// starts and kills.
const VICTIM: &str = "PARITY_TEST_SEAL_VICTIM";

#[test]
#[ignore = "runs only as a child process of the next test"]
fn seal_until_killed() {
    let Some(directory) = std::env::var_os(VICTIM).map(PathBuf::from) else { return };
    let key = SigningKey::open_or_create(&directory.join("config")).expect("key");
    for round in 0.. {
        let staging = directory.join("staging").join(round.to_string());
        lay_out(&staging, "0.9");
        let target = directory.join("bundles").join(round.to_string());
        seal(&staging, &target, claim(&staging), environment(1), &key).expect("seals");
    }
}

#[test]
fn a_killed_sealer_leaves_no_half_bundle() {
    let child = module_path!().split_once("::").expect("in a crate").1.to_owned();
    for round in 0..10 {
        let desk = Desk::new();
        fs::create_dir(desk.path("bundles")).expect("directory");
        let mut victim = Command::new(std::env::current_exe().expect("this program"))
            .args(["--ignored", "--exact", &format!("{child}::seal_until_killed")])
            .env(VICTIM, desk.0.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("starts");
        let start = Instant::now();
        while !desk.path("bundles/0").exists() {
            assert!(start.elapsed() < Duration::from_mins(1), "nothing was sealed");
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_micros(700 * round));
        victim.kill().expect("killed");
        victim.wait().expect("ended");
        for bundle in fs::read_dir(desk.path("bundles")).expect("lists") {
            let bundle = bundle.expect("entry").path();
            desk.verify(&bundle).expect("whole or absent");
        }
    }
}
