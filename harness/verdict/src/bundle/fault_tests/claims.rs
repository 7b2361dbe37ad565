//! Claims that are signed but not true, or not what the reader asks for.

use std::{collections::BTreeMap, fs, path::Path};

use record::protocol::GATES;

use super::{
    LOCK, PAGE, RECORDING, User, claim, digest_of, environment, forge, lay_out, put, read_envelope,
    recompute,
};
use crate::bundle::{
    ATTESTATION, Expectations, Outcome, Policy, Reference, TestResult, VerifyError,
    accepted::{Accepted, AcceptedError},
    envelope::PAYLOAD_TYPE,
    reference::Kind,
    seal, verify,
};

#[test]
fn a_correctly_signed_lie_is_found_by_the_recomputation() {
    let user = User::new();
    let staging = user.path("staging");
    lay_out(&staging, "0.2");
    let mut lie = claim(&staging);
    lie.outcome = Outcome {
        result: TestResult::Passed,
        passed: vec!["A1".to_owned()],
        warned: Vec::new(),
        failed: Vec::new(),
    };
    let bundle =
        seal(&staging, &user.path("lie"), lie.clone(), environment(1), &user.key("config"))
            .expect("seals")
            .path;
    let error = user.refused(&bundle, 21, ATTESTATION);
    assert!(matches!(error, VerifyError::OutcomeDiffers(_)), "{error}");

    // The same with cells that fit the lie, but not the recordings.
    lay_out(&staging, "0.9");
    put(&staging, RECORDING, "0.2\n");
    let bundle =
        seal(&staging, &user.path("lies"), lie.clone(), environment(1), &user.key("config"))
            .expect("seals");
    let error = user.refused(&bundle.path, 21, "cells.json");
    assert!(matches!(error, VerifyError::CellsDiffer(_)), "{error}");

    // And with a recording that nothing can be computed from.
    lay_out(&staging, "0.9");
    put(&staging, RECORDING, "high\n");
    let bundle = seal(&staging, &user.path("rubbish"), lie, environment(1), &user.key("config"))
        .expect("seals");
    let error = user.refused(&bundle.path, 21, RECORDING);
    assert!(matches!(error, VerifyError::Recompute(_)), "{error}");
}

#[test]
fn other_types_are_refused_even_if_a_trusted_key_signed_them() {
    let user = User::new();
    let bundle = user.sealed("bundle", "0.9");
    let (key, good) = (user.key("config"), read_envelope(&bundle).payload);
    forge(&bundle, &key, "application/json", good.clone());
    let error = user.refused(&bundle, 22, ATTESTATION);
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
        let error = user.refused(&bundle, 21, ATTESTATION);
        assert!(matches!(error, VerifyError::Statement(_)), "{error}");
        assert!(!error.to_string().contains('\u{1b}'), "{error:?}");
    }
}

#[test]
fn another_protocol_or_commit_than_expected_is_refused() {
    let user = User::new();
    let bundle = user.sealed("bundle", "0.9");
    let policy = Policy::of_user(&user.path("config")).expect("policy");
    let own = |name: &str| (name.to_owned(), digest_of(&bundle, name));
    let mut files = BTreeMap::from([own(GATES), own(LOCK), own("comparators/lock.toml")]);
    let reference = |files: &BTreeMap<String, String>| Reference {
        kind: Kind::Checkout,
        path: user.path("checkout"),
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
    let user = User::new();
    for altered in [None, Some("jaccard 1")] {
        let staging = user.path("staging");
        lay_out(&staging, "0.9");
        match altered {
            Some(text) => put(&staging, PAGE, text),
            None => fs::remove_file(staging.join(PAGE)).expect("removed"),
        }
        let bundle = user.path(altered.map_or("without", |_| "altered"));
        seal(&staging, &bundle, claim(&staging), environment(1), &user.key("config"))
            .expect("sealed");
        user.refused(&bundle, 21, PAGE);
    }
}

#[test]
fn a_policy_may_require_tests() {
    let user = User::new();
    let bundle = user.sealed("bundle", "0.9");
    let mut policy = Policy::of_user(&user.path("config")).expect("policy");
    policy.required_tests = vec!["A1".to_owned(), "A3".to_owned()];
    let error = verify(&bundle, &policy, Expectations::default(), &recompute).expect_err("A3");
    assert!(matches!(&error, VerifyError::RequiredTest(test) if test == "A3"), "{error}");
    assert_eq!(error.exit_code(), 23);
}

#[test]
fn an_older_bundle_is_not_taken_for_the_newest() {
    let user = User::new();
    let config = user.path("config");
    let made = |name: &str, value: &str, counter: u64| {
        let staging = user.path("staging");
        lay_out(&staging, value);
        let claim = claim(&staging);
        let key = user.key("config");
        let sealed = seal(&staging, &user.path(name), claim, environment(counter), &key);
        sealed.expect("sealed").path
    };
    let (old, new) = (made("old", "0.9", 4), made("new", "0.91", 5));
    let twin = made("twin", "0.92", 5);
    let accept = |bundle: &Path| {
        let report = user.verify(bundle).expect("verifies");
        Accepted::accept(&config, &report, bundle)
    };
    accept(&old).expect("the first");
    accept(&new).expect("a newer one");
    accept(&new).expect("the same again");
    let kept = fs::read(config.join(crate::bundle::accepted::FILE)).expect("kept");
    let error = accept(&old).expect_err("older");
    assert!(matches!(error, AcceptedError::Older { found: 4, accepted: 5, .. }), "{error}");
    assert_eq!(error.exit_code(), 23);
    assert!(matches!(accept(&twin), Err(AcceptedError::Twin(5))));
    // A refused bundle leaves the record unchanged.
    assert_eq!(fs::read(config.join(crate::bundle::accepted::FILE)).expect("kept"), kept);
    fs::write(config.join(crate::bundle::accepted::FILE), "rubbish").expect("written");
    assert!(Accepted::open(&config).is_err());
}

#[test]
fn readers_that_accept_at_a_time_lose_nothing() {
    let user = User::new();
    let config = user.path("config");
    let bundle = user.sealed("bundle", "0.9");
    let report = user.verify(&bundle).expect("verifies");
    std::thread::scope(|scope| {
        for number in 0..16 {
            let mut report = report.clone();
            report.environment_by = Some(format!("key {number}"));
            let (config, bundle) = (&config, &bundle);
            scope.spawn(move || Accepted::accept(config, &report, bundle).expect("accepted"));
        }
    });
    let kept = fs::read(config.join(crate::bundle::accepted::FILE)).expect("kept");
    let kept: serde_json::Value = serde_json::from_slice(&kept).expect("JSON");
    assert_eq!(kept["bundles"].as_array().map(Vec::len), Some(16));
}

/// Makes a policy accept less.
type Narrow = fn(&mut Policy);

#[test]
fn a_policy_says_what_a_bundle_may_be_about() {
    let user = User::new();
    let bundle = user.sealed("bundle", "0.9");
    let mut policy = Policy::of_user(&user.path("config")).expect("policy");
    let own = |name: &str| (name.to_owned(), digest_of(&bundle, name));
    let reference = Reference {
        kind: Kind::Archive,
        path: user.path("reference.tar.zst"),
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
