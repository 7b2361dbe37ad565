//! Signatures, keys, roles and notes: which ones count, and which do not.

use std::{fs, path::Path};

use record::digest::sha256;

use super::{
    User, claim, environment, lay_out, note, put, read_envelope, recompute, review, write_envelope,
};
use crate::bundle::{
    ATTESTATION, Expectations, Policy, Review, VerifyError,
    envelope::{Envelope, PAYLOAD_TYPE},
    keys::PUBLIC_FILE,
    note::NoteError,
    seal,
    sign::{SignError, sign},
    signatures::SignatureError,
    verify,
};

#[test]
fn trust_never_comes_from_the_bundle() {
    let user = User::new();
    let staging = user.path("staging");
    lay_out(&staging, "0.9");
    let stranger = user.key("stranger");
    fs::create_dir_all(staging.join("keys")).expect("directory");
    fs::copy(user.path("stranger").join(PUBLIC_FILE), staging.join("keys").join(PUBLIC_FILE))
        .expect("copied");
    put(
        &staging,
        "keys/policy.toml",
        format!("schema_version = 2\n[roles.runner]\nthreshold = 1\nkeys = ['{PUBLIC_FILE}']\n"),
    );
    let claim = claim(&staging);
    let bundle =
        seal(&staging, &user.path("bundle"), claim, environment(1), &stranger).expect("seals").path;
    // The reader has no key, then another key, then is persuaded to use the policy of the bundle.
    user.refused(&bundle, 23, stranger.public().keyid());
    user.key("config");
    user.refused(&bundle, 23, ATTESTATION);
    let planted =
        Policy::load(&bundle.join("keys/policy.toml"), &user.path("config")).expect("reads");
    let error = verify(&bundle, &planted, Expectations::default(), &recompute).expect_err("inside");
    assert!(matches!(error, VerifyError::TrustInside(_)), "{error}");
    assert_eq!(error.exit_code(), 23);
    // Trusting the stranger is the reader's own decision.
    fs::create_dir(user.path("config/trusted")).expect("directory");
    fs::copy(bundle.join("keys").join(PUBLIC_FILE), user.path("config/trusted/stranger.pem"))
        .expect("copied");
    user.verify(&bundle).expect("verifies");
}

#[test]
fn a_threshold_counts_unique_keys_of_the_right_role() {
    let user = User::new();
    let bundle = user.sealed("bundle", "0.9");
    let check = |policy: &Policy| verify(&bundle, policy, Expectations::default(), &recompute);
    let two = user.policy(&[("runner", 2, &["config", "second"])]);
    let roles = user.policy(&[("runner", 1, &["config"]), ("reviewer", 1, &["second"])]);
    let wrong = user.policy(&[("runner", 1, &["second"]), ("reviewer", 1, &["config"])]);
    for policy in [&two, &roles, &wrong] {
        let error = check(policy).expect_err("one signature");
        assert_eq!(error.exit_code(), 23, "{error}");
        assert!(error.to_string().contains(ATTESTATION), "{error}");
    }

    // The same key twice does not count as two, under its own label or another.
    let good = read_envelope(&bundle);
    let mut twice = good.clone();
    twice.signatures.push(good.signatures[0].clone());
    write_envelope(&bundle, &twice);
    assert_eq!(check(&two).expect_err("twice").exit_code(), 22);
    twice.signatures[1].keyid = "f".repeat(64);
    write_envelope(&bundle, &twice);
    assert_eq!(check(&two).expect_err("another label").exit_code(), 22);

    write_envelope(&bundle, &good);
    let verified = user.verify(&bundle).expect("verifies").statement_sha256;
    assert!(matches!(
        sign(&bundle, &"0".repeat(64), review(), &user.key("second")),
        Err(SignError::Changed)
    ));
    sign(&bundle, &verified, review(), &user.key("second")).expect("signs");
    assert_eq!(check(&two).expect("two keys").signers.len(), 2);
    assert_eq!(check(&roles).expect("two roles").signers.len(), 2);
    let again = sign(&bundle, &verified, review(), &user.key("second"));
    assert!(matches!(again, Err(SignError::AlreadySigned(_))));

    // A reader who does not know the second key is told that it was not checked.
    let report = user.verify(&bundle).expect("verifies");
    let second = user.key("second").public().keyid().to_owned();
    assert!(report.not_checked.iter().any(|gap| gap.contains(&second)), "{report}");
}

#[test]
fn wrong_missing_and_mislabelled_signatures_are_refused() {
    let user = User::new();
    let bundle = user.sealed("bundle", "0.9");
    let good = read_envelope(&bundle);
    let with = |change: &dyn Fn(&mut Envelope)| {
        let mut bad = good.clone();
        change(&mut bad);
        write_envelope(&bundle, &bad);
        user.refused(&bundle, 22, ATTESTATION);
    };
    with(&|bad| bad.signatures.clear());
    with(&|bad| bad.signatures[0].keyid = "0".repeat(64));
    with(&|bad| bad.signatures[0].sig = [0; 64]);
    with(&|bad| bad.signatures[0].sig[0] ^= 1);
    with(&|bad| bad.payload.push(b' '));
    with(&|bad| bad.payload_type.push('x'));
    // A stranger's signature under the label of a trusted key.
    let stranger = user.key("stranger").sign(PAYLOAD_TYPE, &good.payload);
    with(&|bad| bad.signatures[0].sig = stranger.sig);
}

#[test]
fn a_note_that_is_altered_moved_removed_or_by_a_stranger_is_refused() {
    let user = User::new();
    let (bundle, key) = (user.sealed("bundle", "0.9"), user.key("config"));
    let mine = note("environment", &key);
    let path = bundle.join(&mine);
    let good = fs::read(&path).expect("readable");

    // Of another bundle, by the same key.
    let other = user.sealed("other", "0.91");
    fs::copy(other.join(&mine), &path).expect("copied");
    let error = user.refused(&bundle, 21, &mine);
    assert!(matches!(error, VerifyError::Note(NoteError::Subject(_))), "{error}");

    // Absent.
    fs::remove_dir_all(bundle.join("notes")).expect("removed");
    let error = user.refused(&bundle, 21, &mine);
    assert!(matches!(error, VerifyError::Note(NoteError::NoEnvironment(_))), "{error}");

    // By somebody who did not sign the bundle, or under a name that no note has.
    let stranger = user.key("stranger");
    for name in [note("environment", &stranger), "notes/remarks.txt".to_owned()] {
        put(&bundle, &mine, &good);
        put(&bundle, &name, &good);
        user.refused(&bundle, 21, &name);
        fs::remove_file(bundle.join(&name)).expect("removed");
    }

    // A stranger signs the bundle and puts another environment in place of the runner's.
    let verified = user.verify(&bundle).expect("restored").statement_sha256;
    sign(&bundle, &verified, review(), &stranger).expect("signs");
    let report = user.verify(&bundle).expect("verifies");
    assert!(report.reviews.is_empty() && report.to_string().contains("do not trust"), "{report}");
    fs::rename(&path, bundle.join(note("environment", &stranger))).expect("renamed");
    user.refused(&bundle, 21, &mine);
}

#[test]
fn a_reviewer_signs_with_a_comment_and_a_runner_cannot_review() {
    let user = User::new();
    let bundle = user.sealed("bundle", "0.9");
    let roles = user.policy(&[("runner", 1, &["config"]), ("reviewer", 1, &["second"])]);
    let check = |policy: &Policy| verify(&bundle, policy, Expectations::default(), &recompute);
    assert_eq!(check(&roles).expect_err("no reviewer").exit_code(), 23);
    let verified = check(&roles.clone().before("reviewer")).expect("verifies").statement_sha256;

    let own = sign(&bundle, &verified, review(), &user.key("config"));
    assert!(matches!(own, Err(SignError::AlreadySigned(_))));
    sign(&bundle, &verified, review(), &user.key("second")).expect("signs");
    let report = check(&roles).expect("verifies");
    assert_eq!(report.reviews[0].review, review());
    assert!(report.to_string().contains("reviewed: reviewer"), "{report}");

    // To a reader for whom that key is a runner's, it is no review.
    let runners = user.policy(&[("runner", 1, &["config", "second"])]);
    let report = check(&runners).expect("verifies");
    assert!(report.reviews.is_empty(), "{report}");
    assert!(
        report.to_string().contains("signed as reviewer by a key that is a runner"),
        "{report}"
    );

    // The comment is signed.
    let path = bundle.join(note("review", &user.key("second")));
    let mut bytes = fs::read(&path).expect("readable");
    bytes[40] ^= 1;
    fs::write(&path, bytes).expect("written");
    assert_eq!(check(&roles).expect_err("altered").exit_code(), 22);
    for comment in ["\u{1b}[2J".to_owned(), "x".repeat(5000)] {
        let other = user.sealed(&format!("bundle-{}", comment.len()), "0.9");
        let refused = sign(&other, &verified, Review { comment, ..review() }, &user.key("second"));
        let error = refused.expect_err("a comment that cannot be signed");
        assert!(matches!(error, SignError::Note(_)) && error.exit_code() == 2, "{error}");
        assert_eq!(read_envelope(&other).signatures.len(), 1, "nothing was signed");
    }
}

#[test]
fn revoked_and_expired_keys_do_not_count() {
    let user = User::new();
    let bundle = user.sealed("bundle", "0.9");
    let check = |policy: &Policy| verify(&bundle, policy, Expectations::default(), &recompute);
    let mut policy = user.policy(&[("runner", 1, &["config"])]);
    for (until, good) in [("2026-11-23", true), ("2026-11-22", false)] {
        policy.keys[0].until = Some(until.to_owned());
        match check(&policy) {
            Ok(_) => assert!(good, "{until}"),
            Err(error) => {
                let late = SignatureError::NoLongerTrusted {
                    name: "config".to_owned(),
                    keyid: user.key("config").public().keyid().to_owned(),
                    why: format!("which was trusted until {until}"),
                };
                assert!(!good && error.exit_code() == 23, "{error}");
                assert_eq!(error.to_string(), late.to_string());
            }
        }
    }
    let revoked = user.path("config/revoked");
    fs::create_dir(&revoked).expect("directory");
    fs::copy(user.path("config").join(PUBLIC_FILE), revoked.join("me.pub.pem")).expect("copied");
    let error = user.refused(&bundle, 23, "me (");
    assert!(error.to_string().contains("revoked"), "{error}");
    // A second, trusted signature does not need it.
    sign_anyway(&user, &bundle);
    let two = user.policy(&[("runner", 1, &["second"])]);
    let error = check(&two).expect_err("its environment does not count either");
    assert!(matches!(error, VerifyError::Note(NoteError::NoEnvironment(_))), "{error}");
}

#[test]
fn a_reviewers_last_day_is_held_against_the_day_of_the_review() {
    let user = User::new();
    let bundle = user.sealed("bundle", "0.9");
    sign_anyway(&user, &bundle);
    let check = |policy: &Policy| verify(&bundle, policy, Expectations::default(), &recompute);
    let mut policy = user.policy(&[("runner", 1, &["config"]), ("reviewer", 1, &["second"])]);
    let second = user.key("second").public().keyid().to_owned();
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
    fs::remove_file(bundle.join(note("review", &user.key("second")))).expect("removed");
    assert_eq!(check(&policy).expect_err("no day").exit_code(), 23);
}

/// Adds the signature of a second key, without looking at the bundle.
fn sign_anyway(user: &User, bundle: &Path) {
    let verified = sha256(&read_envelope(bundle).payload);
    sign(bundle, &verified, review(), &user.key("second")).expect("signs");
}
