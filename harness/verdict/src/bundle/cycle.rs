//! What two bundles show together. Whoever claims to exceed the comparator needs a sign-off of each
//! profile, both made in one cycle (foundation plan, phase 5E): of the same source and engine, over the same
//! set, under the same protocol, locks and gold.

use record::{Profile, exit};

use super::{Report, Scope, TestResult};

/// Why two bundles do not support a claim.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CycleError {
    /// A bundle whose scope is not known.
    #[error("the {0} bundle does not say what it is about")]
    NoScope(Profile),
    /// A bundle of the other profile.
    #[error(
        "the claim needs a bundle of the {expected} profile; this one is of the {found} profile"
    )]
    Profile {
        /// What the claim needs.
        expected: Profile,
        /// What was given.
        found: Profile,
    },
    /// Bundles of two cycles.
    #[error("the two bundles are not of one cycle: {0} differs")]
    Differs(String),
}

impl CycleError {
    /// The exit code of the program.
    pub const fn exit_code(&self) -> u8 {
        exit::COMPOSITION
    }
}

/// Checks that a bundle is of a profile.
///
/// # Errors
/// It is of another profile, or its scope is not known.
pub fn of_profile(report: &Report, expected: Profile) -> Result<&Scope, CycleError> {
    let scope = report.scope.as_ref().ok_or(CycleError::NoScope(expected))?;
    let found = scope.profile;
    if found == expected { Ok(scope) } else { Err(CycleError::Profile { expected, found }) }
}

/// The joint result of a bundle of the parity profile and one of the enhancement profile: the worse of
/// their results.
///
/// # Errors
/// One is of the wrong profile, or they are not of one cycle.
pub fn together(parity: &Report, exceed: &Report) -> Result<TestResult, CycleError> {
    let one = of_profile(parity, Profile::Parity)?;
    let other = of_profile(exceed, Profile::Enhancement)?;
    let differs = |what: &str| Err(CycleError::Differs(what.to_owned()));
    if parity.source != exceed.source {
        return differs("the source commit");
    }
    if one.engine_sha256 != other.engine_sha256 {
        return differs("the engine");
    }
    if one.set != other.set {
        return differs("the set");
    }
    let shared = one
        .rests_on
        .iter()
        .filter_map(|(file, sha256)| other.rests_on.get(file).map(|found| (file, sha256 == found)));
    let mut none = true;
    for (file, same) in shared {
        none = false;
        if !same {
            return differs(file);
        }
    }
    if none {
        return differs("every file that they rest on");
    }
    Ok(parity.result.max(exceed.result))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use record::{Profile, Set};

    use super::{CycleError, Report, Scope, TestResult, of_profile, together};
    use crate::bundle::Source;

    fn report(profile: Profile, result: TestResult) -> Report {
        let gates = BTreeMap::from([("protocols/gates.toml".to_owned(), "5e".repeat(32))]);
        Report {
            result,
            scope: Some(Scope {
                set: Set::Smoke,
                profile,
                engine_sha256: "4d".repeat(32),
                corpora: Vec::new(),
                skipped: BTreeMap::new(),
                rests_on: gates,
            }),
            passed: Vec::new(),
            warned: Vec::new(),
            failed: Vec::new(),
            source: Source { commit: "1a".repeat(20), tree: "2b".repeat(20) },
            signers: Vec::new(),
            environment: None,
            environment_by: None,
            reviews: Vec::new(),
            reference: None,
            files: 1,
            bytes: 1,
            statement_sha256: String::new(),
            not_checked: Vec::new(),
        }
    }

    fn pair() -> (Report, Report) {
        let passed = TestResult::Passed;
        (report(Profile::Parity, passed), report(Profile::Enhancement, passed))
    }

    /// The difference that is reported if the second of two bundles is altered.
    fn differing(alter: impl FnOnce(&mut Report, &mut Scope)) -> String {
        let (parity, mut exceed) = pair();
        let mut scope = exceed.scope.take().unwrap();
        alter(&mut exceed, &mut scope);
        exceed.scope = Some(scope);
        match together(&parity, &exceed) {
            Err(CycleError::Differs(what)) => what,
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn two_bundles_of_one_cycle_come_to_the_worse_of_their_results() {
        let (parity, exceed) = pair();
        assert_eq!(together(&parity, &exceed), Ok(TestResult::Passed));
        for worse in [TestResult::Warned, TestResult::Failed] {
            assert_eq!(together(&parity, &report(Profile::Enhancement, worse)), Ok(worse));
            assert_eq!(together(&report(Profile::Parity, worse), &exceed), Ok(worse));
        }
    }

    #[test]
    fn bundles_of_two_cycles_are_refused() {
        let another = || "77".repeat(20);
        let source = differing(|report, _| report.source.commit = another());
        assert_eq!(source, "the source commit");
        assert_eq!(differing(|_, scope| scope.engine_sha256 = another()), "the engine");
        assert_eq!(differing(|_, scope| scope.set = Set::Full), "the set");
        let file = differing(|_, scope| {
            scope.rests_on.values_mut().for_each(|sha256| *sha256 = another());
        });
        assert_eq!(file, "protocols/gates.toml");
        let none = differing(|_, scope| scope.rests_on.clear());
        assert_eq!(none, "every file that they rest on");
    }

    #[test]
    fn a_bundle_of_the_other_profile_is_refused() {
        let (parity, exceed) = pair();
        assert!(of_profile(&parity, Profile::Parity).is_ok());
        let wrong = CycleError::Profile { expected: Profile::Parity, found: Profile::Enhancement };
        assert_eq!(of_profile(&exceed, Profile::Parity).unwrap_err(), wrong);
        assert_eq!(together(&exceed, &exceed), Err(wrong));
        assert!(together(&parity, &parity).is_err());
        let unknown = Report { scope: None, ..exceed };
        assert_eq!(together(&parity, &unknown), Err(CycleError::NoScope(Profile::Enhancement)));
    }
}
