//! Files that are altered, added, removed, replaced or not regular: each is refused and named.

use std::{fs, os::unix::fs::symlink, path::Path};

use record::digest::sha256;

use super::{RECORDING, User, files_of, forge, note, put, read_envelope, recompute};
use crate::bundle::{
    ATTESTATION, Expectations, Policy, TestResult,
    envelope::PAYLOAD_TYPE,
    statement::{Claim, Statement},
    verify,
};

#[test]
fn a_good_bundle_verifies_and_says_what_was_not_checked() {
    let user = User::new();
    let bundle = user.sealed("bundle", "0.9");
    let report = user.verify(&bundle).expect("verifies");
    assert_eq!((report.result, report.exit_code(), report.files), (TestResult::Passed, 0, 8));
    assert_eq!(
        (&report.signers[0].role[..], &report.passed[..]),
        ("runner", &["A1".to_owned()][..])
    );
    let text = report.to_string();
    for part in ["result: PASSED", "not checked: that the recordings", &"1a".repeat(20)] {
        assert!(text.contains(part), "{text}");
    }
    assert!(!user.path("bundle.staging").exists());
}

#[test]
fn one_flipped_bit_anywhere_is_found_and_the_file_named() {
    let user = User::new();
    let bundle = user.sealed("bundle", "0.9");
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
            let error = user.verify(&bundle).expect_err(&file);
            assert!(error.to_string().contains(&file), "{file} at {at}: {error}");
            assert!([21, 22, 23].contains(&error.exit_code()), "{file} at {at}: {error}");
            flips += 1;
        }
        fs::write(&path, &good).expect("written");
    }
    assert!(flips > 1000, "{flips}");
    user.verify(&bundle).expect("restored");
}

#[test]
fn files_that_are_added_removed_renamed_or_swapped_are_named() {
    let user = User::new();
    let bundle = user.sealed("bundle", "0.9");
    let at = |name: &str| bundle.join(name);

    for extra in
        ["extra.txt", "recordings/.hidden", "keys/mine.pem", "blobs/attestation.intoto.json"]
    {
        put(&bundle, extra, "x");
        user.refused(&bundle, 21, extra);
        fs::remove_file(at(extra)).expect("removed");
    }
    fs::remove_dir(at("keys")).expect("removed");
    for file in files_of(&bundle) {
        fs::rename(at(&file), user.path("aside")).expect("moved");
        user.refused(&bundle, 21, &file);
        fs::rename(user.path("aside"), at(&file)).expect("moved back");
    }
    fs::rename(at(RECORDING), at("recordings/A1.txt")).expect("renamed");
    user.refused(&bundle, 21, "recordings/A1.txt");
    fs::rename(at("recordings/A1.txt"), at(RECORDING)).expect("renamed back");

    put(&bundle, "Cells.json", "[]");
    assert!(user.refused(&bundle, 21, "cells.json").to_string().contains("letter case"));
    fs::remove_file(at("Cells.json")).expect("removed");

    let other = user.sealed("other", "0.91");
    fs::copy(other.join(RECORDING), at(RECORDING)).expect("swapped");
    user.refused(&bundle, 21, RECORDING);
    fs::copy(other.join(ATTESTATION), at(ATTESTATION)).expect("swapped");
    let mine = note("environment", &user.key("config"));
    user.refused(&bundle, 21, &mine);
    fs::copy(other.join(&mine), at(&mine)).expect("swapped");
    user.refused(&bundle, 21, "cells.json");
}

#[test]
fn links_in_a_bundle_are_refused() {
    let user = User::new();
    let bundle = user.sealed("bundle", "0.9");
    for file in files_of(&bundle) {
        let path = bundle.join(&file);
        fs::rename(&path, user.path("aside")).expect("moved");
        symlink(user.path("aside"), &path).expect("link");
        user.refused(&bundle, 21, &file);
        fs::remove_file(&path).expect("removed");
        fs::rename(user.path("aside"), &path).expect("moved back");
    }
    fs::rename(bundle.join("blobs"), user.path("blobs")).expect("moved");
    symlink(user.path("blobs"), bundle.join("blobs")).expect("link");
    user.refused(&bundle, 21, "blobs");
}

#[test]
fn empty_directories_and_second_names_are_refused() {
    let user = User::new();
    let bundle = user.sealed("empty", "0.9");
    fs::create_dir(bundle.join("recordings/run-me")).expect("directory");
    let error = user.refused(&bundle, 21, "recordings/run-me");
    assert!(error.to_string().contains("empty directory"), "{error}");
    let bundle = user.sealed("linked", "0.9");
    fs::hard_link(bundle.join(RECORDING), user.path("second-name")).expect("link");
    let error = user.refused(&bundle, 21, RECORDING);
    assert!(error.to_string().contains("hard link"), "{error}");
}

#[test]
fn signed_paths_cannot_leave_the_bundle() {
    let user = User::new();
    let bundle = user.sealed("bundle", "0.9");
    let statement = Statement::parse(&read_envelope(&bundle).payload).expect("parses");
    put(user.0.path(), "outside", "x");
    for name in ["../outside", "/etc/passwd", "a/../../outside"] {
        let mut statement = statement.clone();
        statement.files.insert(name.to_owned(), sha256(b"x"));
        forge(&bundle, &user.key("config"), PAYLOAD_TYPE, statement.to_bytes().expect("bytes"));
        user.refused(&bundle, 21, name);
    }
}

#[test]
fn the_recomputation_sees_the_bytes_that_were_hashed() {
    let user = User::new();
    let bundle = user.sealed("bundle", "0.9");
    let policy = Policy::of_user(&user.path("config")).expect("policy");
    let swap = |copy: &Path, claim: &Claim| {
        put(&bundle, RECORDING, "0.2\n");
        recompute(copy, claim)
    };
    verify(&bundle, &policy, Expectations::default(), &swap).expect("verified what was hashed");
    user.refused(&bundle, 21, RECORDING);
}

#[test]
fn absent_and_oversized_bundles_are_refused() {
    let user = User::new();
    user.key("config");
    user.refused(&user.path("nowhere"), 2, "nowhere");
    fs::create_dir(user.path("empty")).expect("directory");
    user.refused(&user.path("empty"), 21, ATTESTATION);
    let bundle = user.sealed("bundle", "0.9");
    let file = fs::File::create(bundle.join(ATTESTATION)).expect("created");
    file.set_len(2 << 30).expect("sparse");
    user.refused(&bundle, 22, ATTESTATION);
}
