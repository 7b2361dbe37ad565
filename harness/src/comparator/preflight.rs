//! Everything that must be true before anything is measured: one check each, with what to do if it fails.

use record::{
    exit,
    receipt::{Package, Receipt},
};
use serde::Serialize;
use serde_json::Value;
use verdict::response::Failure;

use super::{
    definition::ComparatorSpec,
    run::{Comparator, RunError},
    tuple::ComparatorTuple,
};

/// The fields every profile object has.
pub const PROFILE_FIELDS: [&str; 6] = [
    "profile",
    "parity_mode",
    "deterministic_mode",
    "enhancement_tiers_enabled",
    "token_counter_mode",
    "comparator_tuple",
];

const REINSTALL: &str = "remove the comparator's environment from the cache and run again; for another release of \
                         the comparator, its README says what to change";
const RESTORE: &str = "restore the comparator's folder with git checkout";

/// One thing that must be true.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// What was checked.
    pub name: String,
    /// Whether it passed.
    pub ok: bool,
    /// What was found.
    pub found: String,
    /// What must be found.
    pub expected: String,
    /// What to do about it; empty if the check passed.
    pub fix: String,
    /// The exit code if it did not pass.
    #[serde(skip)]
    pub exit: u8,
}

impl Check {
    /// A check that has not passed yet.
    pub fn new(name: &str, expected: &str, exit: u8) -> Self {
        Self {
            name: name.to_owned(),
            ok: false,
            found: String::new(),
            expected: expected.to_owned(),
            fix: String::new(),
            exit,
        }
    }

    /// Two values that must be equal, and neither may be empty.
    pub fn equal(name: &str, found: &str, expected: &str, exit: u8, fix: &str) -> Self {
        let check = Self::new(name, expected, exit).found(found).fix(fix);
        if found == expected && !found.is_empty() { check.pass() } else { check }
    }

    /// Notes what was found.
    #[must_use]
    pub fn found(mut self, found: &str) -> Self {
        found.clone_into(&mut self.found);
        self
    }

    /// Notes what to do.
    #[must_use]
    pub fn fix(mut self, fix: &str) -> Self {
        fix.clone_into(&mut self.fix);
        self
    }

    /// Marks the check as passed.
    #[must_use]
    pub fn pass(self) -> Self {
        Self { ok: true, fix: String::new(), ..self }
    }

    /// The check as lines for people.
    pub fn lines(&self) -> Vec<String> {
        if self.ok {
            return vec![format!("ok    {}: {}", self.name, self.found)];
        }
        let mut lines = vec![format!("FAIL  {}: {}", self.name, self.found)];
        if !self.expected.is_empty() {
            lines.push(format!("      expected: {}", self.expected));
        }
        if !self.fix.is_empty() {
            lines.push(format!("      fix: {}", self.fix));
        }
        lines
    }
}

/// The outcome of all checks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Preflight {
    /// Every check that was made.
    pub checks: Vec<Check>,
}

impl Preflight {
    /// Whether anything was checked and every check passed.
    pub fn ok(&self) -> bool {
        !self.checks.is_empty() && self.checks.iter().all(|check| check.ok)
    }

    /// 0, or the exit code of what must be repaired first: a set-up before a digest.
    pub fn exit_code(&self) -> u8 {
        let failed = self.checks.iter().filter(|check| !check.ok).map(|check| check.exit);
        failed.min().unwrap_or(if self.checks.is_empty() { exit::NOTHING_RAN } else { exit::PASS })
    }

    /// All checks as lines for people.
    pub fn lines(&self) -> Vec<String> {
        self.checks.iter().flat_map(Check::lines).collect()
    }

    /// Adds other checks.
    pub fn extend(&mut self, other: Self) {
        self.checks.extend(other.checks);
    }
}

/// Checks the files of the installed comparator, asks it for its receipt and compares that with the
/// definition. The tuple is returned only if every check passed.
///
/// # Errors
/// The comparator cannot be started.
pub fn comparator(
    comparator: &Comparator<'_>,
) -> Result<(Preflight, Option<ComparatorTuple>), RunError> {
    let mut preflight = files(comparator);
    // If its files are not the comparator's, it is not started.
    if !preflight.ok() {
        return Ok((preflight, None));
    }
    let (_, receipt) = comparator.receipt()?;
    let (more, tuple) = judge(comparator.spec, receipt);
    preflight.extend(more);
    Ok((preflight, tuple))
}

/// Whether everything that Python can import is what the lock and the definition say.
fn files(comparator: &Comparator<'_>) -> Preflight {
    let Comparator { spec, environment } = comparator;
    let mut check = Check::new("comparator environment", "the files of its lock", exit::DIGEST);
    check = match environment.check(spec) {
        Ok(()) => {
            check.found(&format!("the files of {} wheels", environment.stamp.wheels.len())).pass()
        }
        Err(error) => {
            check.exit = error.exit_code();
            check.found(&error.to_string())
        }
    };
    let folder = Check::new("comparator folder", "no other modules", exit::DIGEST);
    let folder = match spec.strangers() {
        Ok(strangers) if strangers.is_empty() => folder.found("no other modules").pass(),
        Ok(strangers) => folder
            .found(&strangers.join(", "))
            .fix(&format!("remove them from {}", spec.path.display())),
        Err(error) => folder.found(&error.to_string()).fix(RESTORE),
    };
    Preflight { checks: vec![check, folder] }
}

/// Compares a receipt with the definition.
pub fn judge(
    spec: &ComparatorSpec,
    receipt: Result<Receipt, Failure>,
) -> (Preflight, Option<ComparatorTuple>) {
    let receipt = match receipt {
        Ok(receipt) => receipt,
        Err(failure) => {
            let check = Check::new("comparator receipt", "a readable receipt", exit::SETUP)
                .found(&failure.to_string())
                .fix(REINSTALL);
            return (Preflight { checks: vec![check] }, None);
        }
    };
    let mut checks = identity(spec, &receipt);
    let tuple = match ComparatorTuple::from_receipt(spec, &receipt) {
        Ok(tuple) => {
            checks.extend(completeness(&tuple));
            Some(tuple)
        }
        Err(error) => {
            let check = Check::new("comparator files", "readable", exit::IO);
            checks.push(check.found(&error.to_string()).fix(RESTORE));
            None
        }
    };
    let preflight = Preflight { checks };
    let tuple = tuple.filter(|_| preflight.ok());
    (preflight, tuple)
}

/// Checks a profile object: every field is there and not empty.
pub fn profile(profile: &Value) -> Preflight {
    let check = |field: &&str| {
        let check = Check::new(&format!("profile.{field}"), "present", exit::SETUP);
        match profile.get(field) {
            None => check.found("missing"),
            Some(Value::Null) => check.found("null"),
            Some(Value::String(text)) if text.is_empty() => check.found("empty"),
            // The tuple has checks of its own.
            Some(Value::Object(_)) => check.found("an object").pass(),
            Some(value) => check.found(&value.to_string()).pass(),
        }
    };
    Preflight { checks: PROFILE_FIELDS.iter().map(check).collect() }
}

fn identity(spec: &ComparatorSpec, receipt: &Receipt) -> Vec<Check> {
    let definition = &spec.definition;
    let (expected, measured) = (&definition.expected, &receipt.tuple);
    let digest = |name: &str, found: &str, expected: &str| {
        Check::equal(name, found, expected, exit::DIGEST, REINSTALL)
    };
    let setup = |name: &str, found: &str, expected: &str| {
        Check::equal(name, found, expected, exit::SETUP, REINSTALL)
    };
    let mut checks = Vec::new();
    for (name, found, wanted) in [
        ("aider", &measured.aider_release, &expected.aider_release),
        ("grep-ast", &measured.grep_ast_provenance, &expected.grep_ast_provenance),
    ] {
        checks.extend(package(name, found, wanted));
    }
    let commit = measured.aider_commit_sha.as_deref().unwrap_or_default();
    checks.push(Check::equal(
        "aider_commit_sha",
        commit,
        &definition.aider_commit_sha,
        exit::SETUP,
        RESTORE,
    ));
    for (name, wanted) in &expected.sources_sha256 {
        let found = measured.sources_sha256.get(name).map_or("", String::as_str);
        checks.push(digest(name, found, wanted));
    }
    let tokenizer = &expected.tokenizer;
    checks.push(setup("tokenizer_id", &measured.tokenizer_id, &tokenizer.id));
    checks.push(setup("tokenizer_version", &measured.tokenizer_version, &tokenizer.version));
    let vocabulary =
        measured.tokenizer_data_sha256.get(&tokenizer.data_file).map_or("", String::as_str);
    checks.push(digest("tokenizer data", vocabulary, &tokenizer.data_sha256));
    for (name, wanted) in &expected.versions {
        let found = receipt.versions.get(name).map_or("", String::as_str);
        checks.push(setup(&format!("package {name}"), found, wanted));
    }
    for (name, wanted) in &definition.environment {
        let found = receipt.environment.variables.get(name).map_or("", String::as_str);
        checks.push(Check::equal(&format!("variable {name}"), found, wanted, exit::SETUP, RESTORE));
    }
    let python = &measured.python_version;
    let minor = python.split('.').take(2).collect::<Vec<_>>().join(".");
    let check =
        Check::new("comparator python", &definition.install.python.join(" or "), exit::SETUP)
            .found(python)
            .fix(REINSTALL);
    checks.push(if definition.install.python.contains(&minor) { check.pass() } else { check });
    match spec.driver_digest() {
        Ok(ours) => checks.push(Check::equal(
            "driver",
            &measured.driver_sha256,
            ours.as_str(),
            exit::DIGEST,
            RESTORE,
        )),
        Err(error) => checks.push(
            Check::new("driver", "readable", exit::IO).found(&error.to_string()).fix(RESTORE),
        ),
    }
    checks
}

fn package(name: &str, found: &Package, expected: &Package) -> [Check; 3] {
    let check = |part: &str, found: &str, expected: &str, exit| {
        Check::equal(&format!("{name} {part}"), found, expected, exit, REINSTALL)
    };
    [
        check("version", &found.version, &expected.version, exit::SETUP),
        check("metadata", &found.metadata_sha256, &expected.metadata_sha256, exit::DIGEST),
        check("files", &found.files_sha256, &expected.files_sha256, exit::DIGEST),
    ]
}

fn completeness(tuple: &ComparatorTuple) -> Vec<Check> {
    let problems = tuple.problems();
    if problems.is_empty() {
        let check = Check::new("comparator tuple", "complete", exit::SETUP);
        return vec![check.found("complete").pass()];
    }
    let check = |problem: super::tuple::TupleProblem| {
        Check::new(&format!("comparator tuple: {}", problem.field), "a real value", exit::SETUP)
            .found(&problem.problem)
            .fix(RESTORE)
    };
    problems.into_iter().map(check).collect()
}

#[cfg(test)]
mod tests {
    use super::super::definition::aider_spec;
    use super::super::tuple::tests::expected_receipt;
    use super::*;

    fn judged(change: impl FnOnce(&mut Receipt)) -> (Preflight, Option<ComparatorTuple>) {
        let spec = aider_spec();
        let mut receipt = expected_receipt(&spec);
        change(&mut receipt);
        judge(&spec, Ok(receipt))
    }

    fn failed(preflight: &Preflight) -> Vec<&str> {
        preflight.checks.iter().filter(|check| !check.ok).map(|check| check.name.as_str()).collect()
    }

    #[test]
    fn the_expected_receipt_passes_and_gives_the_tuple() {
        let (preflight, tuple) = judged(|_| ());
        assert!(preflight.ok(), "{:?}", failed(&preflight));
        assert_eq!(preflight.exit_code(), exit::PASS);
        assert!(tuple.is_some());
    }

    #[test]
    fn a_changed_source_is_a_digest_mismatch_named_by_file() {
        let (preflight, tuple) = judged(|receipt| {
            receipt.tuple.sources_sha256.insert("repomap.py".to_owned(), "f".repeat(63) + "0");
        });
        assert_eq!((failed(&preflight), preflight.exit_code()), (vec!["repomap.py"], exit::DIGEST));
        assert!(tuple.is_none());
        let text = preflight.lines().join("\n");
        assert!(text.contains("FAIL  repomap.py") && text.contains("fix: remove"), "{text}");
    }

    #[test]
    fn another_version_is_a_set_up_failure() {
        let (preflight, tuple) = judged(|receipt| {
            receipt.versions.insert("Pygments".to_owned(), "2.19.1".to_owned());
        });
        assert_eq!(
            (failed(&preflight), preflight.exit_code()),
            (vec!["package Pygments"], exit::SETUP)
        );
        assert!(tuple.is_none());
    }

    #[test]
    fn a_receipt_that_says_too_little_fails_in_every_missing_part() {
        let (preflight, tuple) = judged(|receipt| {
            receipt.tuple.sources_sha256.clear();
            receipt.versions.clear();
            receipt.tuple.tokenizer_data_sha256.clear();
            receipt.tuple.aider_commit_sha = None;
        });
        assert!(failed(&preflight).len() > 25 && tuple.is_none());
    }

    #[test]
    fn no_receipt_and_no_checks_are_not_a_pass() {
        let failure = Failure::Empty { detail: "exit code 0 and no answer".to_owned() };
        let (preflight, tuple) = judge(&aider_spec(), Err(failure));
        assert_eq!((preflight.exit_code(), tuple), (exit::SETUP, None));
        assert!(!Preflight::default().ok());
        assert_eq!(Preflight::default().exit_code(), exit::NOTHING_RAN);
    }

    #[test]
    fn every_field_of_the_profile_must_say_something() {
        let good = serde_json::json!({
            "profile": "parity", "parity_mode": true, "deterministic_mode": true,
            "enhancement_tiers_enabled": [], "token_counter_mode": "comparator",
            "comparator_tuple": {},
        });
        assert!(profile(&good).ok());
        for field in PROFILE_FIELDS {
            for bad in [Value::Null, Value::String(String::new())] {
                let mut object = good.clone();
                object[field] = bad;
                assert_eq!(failed(&profile(&object)), [format!("profile.{field}")]);
            }
        }
        assert_eq!(failed(&profile(&serde_json::json!({}))).len(), PROFILE_FIELDS.len());
    }
}
