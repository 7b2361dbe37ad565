//! How bundles are made: the same bytes every time, whole or not at all.

use std::{
    fs,
    os::unix::fs::symlink,
    path::PathBuf,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use super::{User, claim, environment, lay_out, put, read_envelope};
use crate::bundle::{
    ATTESTATION, TestResult,
    keys::SigningKey,
    seal,
    seal::{SealError, Sealed},
};

#[test]
fn a_failed_run_is_sealed_and_says_so() {
    let user = User::new();
    let report = user.verify(&user.sealed("bundle", "0.2")).expect("verifies");
    assert_eq!((report.result, report.exit_code()), (TestResult::Failed, 10));
}

#[test]
fn the_same_evidence_gives_the_same_bytes() {
    let user = User::new();
    let (one, two) = (user.sealed("one", "0.9"), user.sealed("two", "0.9"));
    assert_eq!(read_envelope(&one), read_envelope(&two));
    let again: Sealed = {
        lay_out(&user.path("again"), "0.9");
        let claim = claim(&user.path("again"));
        seal(&user.path("again"), &one, claim, environment(1), &user.key("config"))
            .expect("not an error")
    };
    assert_eq!(again.path, one);
    lay_out(&user.path("other"), "0.91");
    let other = seal(
        &user.path("other"),
        &one,
        claim(&user.path("other")),
        environment(1),
        &user.key("config"),
    );
    assert!(matches!(other, Err(SealError::Exists(_))));
    user.verify(&one).expect("untouched");
}

#[test]
fn a_bundle_has_the_same_attestation_whenever_and_wherever_it_was_made() {
    let user = User::new();
    let one = user.sealed("one", "0.9");
    let staging = user.path("staging");
    lay_out(&staging, "0.9");
    let mut elsewhere = environment(9);
    elsewhere.host.system = "another system".to_owned();
    elsewhere.finished_at = "2027-01-01T00:00:00Z".to_owned();
    let claim = claim(&staging);
    let two = seal(&staging, &user.path("two"), claim, elsewhere, &user.key("config"));
    let two = two.expect("sealed").path;
    assert_eq!(fs::read(one.join(ATTESTATION)).unwrap(), fs::read(two.join(ATTESTATION)).unwrap());
    let report = user.verify(&two).expect("verifies");
    assert_eq!(report.environment.expect("signed").host.system, "another system");
}

#[test]
fn what_cannot_be_a_bundle_is_not_sealed() {
    let user = User::new();
    let (staging, target) = (user.path("staging"), user.path("target"));
    lay_out(&staging, "0.9");
    let attempt = || seal(&staging, &target, claim(&staging), environment(1), &user.key("config"));
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
        let user = User::new();
        fs::create_dir(user.path("bundles")).expect("directory");
        let mut victim = Command::new(std::env::current_exe().expect("this program"))
            .args(["--ignored", "--exact", &format!("{child}::seal_until_killed")])
            .env(VICTIM, user.0.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("starts");
        let start = Instant::now();
        while !user.path("bundles/0").exists() {
            assert!(start.elapsed() < Duration::from_mins(1), "nothing was sealed");
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_micros(700 * round));
        victim.kill().expect("killed");
        victim.wait().expect("ended");
        for bundle in fs::read_dir(user.path("bundles")).expect("lists") {
            let bundle = bundle.expect("entry").path();
            user.verify(&bundle).expect("whole or absent");
        }
    }
}
