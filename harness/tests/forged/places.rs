//! Which folder a reader is in, which options are given, and who signs: `parity verify` and related
//! commands as programs, on the genuine bundle and on one whose protocol was altered and signed again.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use record::protocol::{CURRENT, NAME};
use serde_json::Value;
use verdict::bundle::keys::{PRIVATE_FILE, PUBLIC_FILE, SigningKey};

use super::{Forge, forgeries, genuine};

/// A folder with the reader's checkout, a genuine bundle, a forged one, and the signer's key.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        let genuine = genuine::bundle();
        let key = SigningKey::open_or_create(&place.path("config")).unwrap();
        for (name, bytes) in &genuine.files {
            put(&place.path("checkout").join(name), bytes);
        }
        for folder in verdict::bundle::reference::FOLDERS {
            fs::create_dir_all(place.path("checkout").join(folder)).unwrap();
        }
        put(&place.path("checkout").join(CURRENT), format!("{NAME}\n").as_bytes());
        let mut forged = genuine.clone();
        let lenient = forgeries::ALL.iter().find(|forgery| forgery.code == "pinned").unwrap();
        (lenient.alter)(&mut forged);
        for (name, forge) in [("genuine", &genuine), ("forged", &forged)] {
            place.seal(name, forge, &key);
        }
        place
    }

    /// Seals a bundle, which has its own `protocols/current` as those of real runs.
    fn seal(&self, name: &str, forge: &Forge, key: &SigningKey) {
        let folder = self.path(&format!("{name}.made"));
        fs::create_dir_all(&folder).unwrap();
        let current = |staging: &Path| put(&staging.join(CURRENT), format!("{NAME}\n").as_bytes());
        let forge = Forge { folder: current, ..forge.clone() };
        let sealed = forge.seal(&folder, key).unwrap();
        fs::rename(sealed, self.path(name)).unwrap();
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs the program in a folder, as the user whose configuration is in another.
    fn parity_as(&self, config: &str, here: &Path, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_parity"))
            .args(arguments)
            .current_dir(here)
            .env("PARITY_CONFIG_DIR", self.path(config))
            .env_remove("PARITY_SIGNING_KEY")
            .output()
            .unwrap()
    }

    /// Runs the program in a folder and expects an exit code. Returns both of its outputs.
    #[track_caller]
    fn expect(&self, code: i32, here: &Path, arguments: &[&str]) -> String {
        self.expect_as("config", code, here, arguments)
    }

    #[track_caller]
    fn expect_as(&self, config: &str, code: i32, here: &Path, arguments: &[&str]) -> String {
        let output = self.parity_as(config, here, arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned()
            + &String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(code), "{arguments:?} in {}: {said}", here.display());
        said
    }

    fn text(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }
}

fn put(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_bundle_is_never_the_checkout_that_it_is_held_against() {
    let place = Place::new();
    let (genuine, forged) = (place.path("genuine"), place.path("forged"));
    let checkout = place.path("checkout");
    // This test is meaningful only if a bundle looks like a checkout.
    assert!(genuine.join(CURRENT).is_file() && forged.join(CURRENT).is_file());
    let nowhere = "nothing to compare the bundle with";
    let forged_text = place.text("forged");
    for (here, arguments) in [
        (&forged, &["verify", "."][..]),
        (&forged, &["verify", ".", "--checkout", "."]),
        (&forged.join("protocols"), &["verify", ".."]),
        (&genuine, &["verify", &forged_text]),
        // Outside of every checkout; the checkout that this program was built in must not be used.
        (&place.path("config"), &["verify", &forged_text]),
    ] {
        let said = place.expect(2, here, arguments);
        assert!(said.contains(nowhere), "{said}");
    }
    // A folder planted around the bundle would count as a checkout, so the output says which one was
    // used.
    let said = place.expect(21, &checkout, &["verify", &forged_text]);
    assert!(said.contains("not the file of your checkout"), "{said}");
    let said = place.expect(0, &checkout, &["verify", &place.text("genuine")]);
    assert!(said.contains(&format!("held against: checkout {}", checkout.display())), "{said}");
    let said = place.expect(0, &genuine, &["verify", ".", "--checkout", "../checkout", "--json"]);
    let said: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(said["report"]["reference"]["protocol"], NAME);
    assert_eq!(said["report"]["reference"]["path"], checkout.to_str().unwrap());
    // A checkout whose protocol differs from the program's cannot be used for judging.
    fs::write(checkout.join(CURRENT), "v1\n").unwrap();
    let said = place.expect(20, &checkout, &["verify", &place.text("genuine")]);
    assert!(said.contains("its protocol is v1"), "{said}");
}

#[test]
fn a_bundle_is_verified_without_a_checkout() {
    let place = Place::new();
    let (checkout, nowhere) = (place.path("checkout"), place.path("config"));
    let exported = |name: &str| {
        let said =
            place.expect(0, &checkout, &["reference", "export", &place.text(name), "--json"]);
        serde_json::from_str::<Value>(&said).unwrap()
    };
    let (one, two) = (exported("one.tar.zst"), exported("two.tar.zst"));
    assert_eq!(one["file_sha256"], two["file_sha256"]);
    let sha256 = one["reference"]["sha256"].as_str().unwrap();
    let reference = place.text("one.tar.zst");
    for bundle in ["genuine", "genuine.tar.zst"] {
        if bundle.ends_with("zst") {
            place.expect(
                0,
                &nowhere,
                &["bundle", "export", &place.text("genuine"), &place.text(bundle)],
            );
        }
        let arguments = ["verify", &place.text(bundle), "--reference", &reference];
        let said = place.expect(0, &nowhere, &arguments);
        assert!(said.contains("held against: archive") && said.contains(sha256), "{said}");
    }
    let said =
        place.expect(21, &nowhere, &["verify", &place.text("forged"), "--reference", &reference]);
    assert!(said.contains("not the file of your checkout or reference"), "{said}");

    // Exported, imported and verified again.
    let copy = place.text("copy");
    place.expect(0, &nowhere, &["bundle", "import", &place.text("genuine.tar.zst"), &copy]);
    place.expect(0, &checkout, &["verify", &copy]);
    let again = ["bundle", "import", &place.text("genuine.tar.zst"), &copy];
    place.expect(74, &nowhere, &again);
    place.expect(0, &nowhere, &["bundle", "export", &copy, &place.text("copy.tar.zst")]);
    let read = |name: &str| fs::read(place.path(name)).unwrap();
    assert_eq!(read("genuine.tar.zst"), read("copy.tar.zst"));
    // An archive of something else is not imported as a bundle.
    place.expect(21, &nowhere, &["bundle", "import", &reference, &place.text("no-bundle")]);
    assert!(!place.path("no-bundle").exists());
}

#[test]
fn a_commit_is_named_by_its_first_digits() {
    let place = Place::new();
    let (checkout, bundle) = (place.path("checkout"), place.text("genuine"));
    let commit = "1a".repeat(20);
    for (code, commit) in [(0, &*commit), (0, "1a1a1a1"), (21, "2b2b2b2"), (2, "1a"), (2, "HEAD")] {
        place.expect(code, &checkout, &["verify", &bundle, "--commit", commit]);
    }
}

#[test]
fn a_reviewer_signs_and_a_policy_asks_for_it() {
    let place = Place::new();
    let (checkout, bundle) = (place.path("checkout"), place.text("genuine"));
    place.expect_as("reviewer", 0, &checkout, &["keys", "new"]);
    for (config, name) in [("config", "runner.pub.pem"), ("reviewer", "ann.pub.pem")] {
        put(
            &place.path("keys").join(name),
            &fs::read(place.path(config).join(PUBLIC_FILE)).unwrap(),
        );
    }
    let policy = |runner: &str, reviewer: &str| {
        let text = format!(
            "schema_version = 2\n[roles.runner]\nthreshold = 1\nkeys = [{runner:?}]\n\
             [roles.reviewer]\nthreshold = 1\nkeys = [{reviewer:?}]\n"
        );
        put(&place.path("keys/policy.toml"), text.as_bytes());
        place.text("keys/policy.toml")
    };
    let two = policy("runner.pub.pem", "ann.pub.pem");
    let verify = ["verify", &bundle, "--policy", &two];
    assert!(place.expect(23, &checkout, &verify).contains("role `reviewer`"));

    // Whoever made the run cannot review it.
    let comment = "The two failing cells are declared.";
    let sign = ["sign", &bundle, "--policy", &two, "--comment", comment];
    place.expect(2, &checkout, &sign);
    place.expect(23, &checkout, &verify);
    place.expect_as("reviewer", 0, &checkout, &sign);
    let said = place.expect(0, &checkout, &verify);
    assert!(said.contains("signed by: reviewer ann") && said.contains(comment), "{said}");
    place.expect_as("reviewer", 2, &checkout, &sign);

    // A key with two roles makes a policy invalid, and a role needs a signature of its own key.
    policy("runner.pub.pem", "runner.pub.pem");
    assert!(place.expect(23, &checkout, &verify).contains("has two roles"));
    policy("ann.pub.pem", "runner.pub.pem");
    assert_eq!(place.parity_as("config", &checkout, &verify).status.code(), Some(21));

    // A bundle that does not verify is not signed.
    let forged = place.text("forged");
    place.expect_as("reviewer", 23, &checkout, &["sign", &forged]);
    let trust = ["keys", "trust", &place.text("keys/runner.pub.pem"), "--name", "runner"];
    place.expect_as("reviewer", 0, &checkout, &trust);
    place.expect_as("reviewer", 21, &checkout, &["sign", &forged]);
}

#[test]
fn keys_have_names_and_a_revoked_one_is_trusted_no_more() {
    let place = Place::new();
    let (checkout, bundle) = (place.path("checkout"), place.text("genuine"));
    let reader =
        |code: i32, arguments: &[&str]| place.expect_as("reader", code, &checkout, arguments);
    assert!(reader(0, &["keys", "list"]).contains("no keys"));
    reader(23, &["verify", &bundle]);
    let public = place.text(&format!("config/{PUBLIC_FILE}"));
    reader(2, &["keys", "trust", &public, "--name", "../bob"]);
    reader(20, &["keys", "trust", &place.text(&format!("config/{PRIVATE_FILE}")), "--name", "bob"]);
    reader(0, &["keys", "trust", &public, "--name", "bob"]);
    reader(2, &["keys", "trust", &public, "--name", "bob2"]);
    assert!(reader(0, &["keys", "list"]).starts_with("runner    bob "));
    assert!(reader(0, &["verify", &bundle]).contains("signed by: runner bob "));
    // A key that is not known cannot be revoked.
    reader(2, &["keys", "revoke", "nobody"]);
    let listed: Value = serde_json::from_str(&reader(0, &["keys", "--json", "list"])).unwrap();
    let keyid = listed["keys"][0]["keyid"].as_str().unwrap();
    reader(0, &["keys", "revoke", &keyid[..8]]);
    let said = reader(23, &["verify", &bundle]);
    assert!(said.contains("bob") && said.contains("revoked"), "{said}");
    // A revoked key stays revoked, even if somebody trusts it again.
    reader(2, &["keys", "trust", &public, "--name", "bob"]);
}

#[test]
fn an_accepted_bundle_is_remembered() {
    let place = Place::new();
    let (checkout, bundle) = (place.path("checkout"), place.text("genuine"));
    let twin = genuine::bundle();
    let key = SigningKey::open_or_create(&place.path("config")).unwrap();
    let mut other = twin;
    other.plan.source_commit = "3c".repeat(20);
    place.seal("other", &other, &key);
    place.expect(0, &checkout, &["verify", &bundle, "--accept"]);
    place.expect(0, &checkout, &["verify", &bundle]);
    // Every bundle here has the counter 1, so the second one is not newer than the first.
    let said = place.expect(23, &checkout, &["verify", &place.text("other")]);
    assert!(said.contains("same counter 1"), "{said}");
    place.expect(0, &checkout, &["verify", &place.text("other"), "--older"]);
}
