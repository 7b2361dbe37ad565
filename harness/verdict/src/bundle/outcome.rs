//! The outcome that a bundle claims: one result and three lists of test names.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
};

use record::{Verdict, exit};
use serde::{Deserialize, Serialize};

use crate::Evaluation;

/// The overall result, with the values of the in-toto test-result predicate v0.1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum TestResult {
    /// Every required test passed.
    Passed,
    /// Nothing failed, but some test could not be judged.
    Warned,
    /// Some test failed or was not run, or there was none.
    Failed,
}

impl TestResult {
    /// The exit code of the program: 0 only for PASSED.
    pub const fn exit_code(self) -> u8 {
        match self {
            Self::Passed => exit::PASS,
            Self::Warned => exit::INSUFFICIENT,
            Self::Failed => exit::GATE_FAILED,
        }
    }
}

impl fmt::Display for TestResult {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Passed => "PASSED",
            Self::Warned => "WARNED",
            Self::Failed => "FAILED",
        })
    }
}

/// A result together with the tests it rests on. Every test is in exactly one list, and the
/// lists are in ascending order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The overall result.
    pub result: TestResult,
    /// Tests that passed.
    pub passed: Vec<String>,
    /// Tests the comparator was too unstable to judge.
    pub warned: Vec<String>,
    /// Tests that failed, had too little to measure, or were required and not run.
    pub failed: Vec<String>,
}

/// Why an outcome contradicts itself.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum OutcomeError {
    /// A test name that is empty or not printable ASCII.
    #[error("test name {0:?} is not printable ASCII without spaces")]
    Name(String),
    /// A list out of order or with a repetition.
    #[error("the list of {list} tests is not in ascending order without repetition, at {test}")]
    Order {
        /// `passed`, `warned` or `failed`.
        list: &'static str,
        /// The first test out of order.
        test: String,
    },
    /// One test in two lists.
    #[error("test {0} is in more than one list")]
    Twice(String),
    /// The result is not the one that follows from the lists.
    #[error("the result says {said}, its own lists say {follows}")]
    Result {
        /// What the result says.
        said: TestResult,
        /// What follows from the lists.
        follows: TestResult,
    },
}

impl Outcome {
    /// The outcome of an evaluation, for which every gate of its plan is required.
    pub fn of(evaluation: &Evaluation) -> Self {
        let verdicts: BTreeMap<String, Verdict> =
            evaluation.gates.iter().map(|gate| (gate.gate.to_string(), gate.verdict)).collect();
        Self::from_gates(&verdicts.keys().cloned().collect(), &verdicts)
    }

    /// Combines the verdict of each gate. A `required` gate without a verdict counts as failed:
    /// absence is never a pass.
    pub fn from_gates(required: &BTreeSet<String>, verdicts: &BTreeMap<String, Verdict>) -> Self {
        let gates: BTreeSet<&String> = required.iter().chain(verdicts.keys()).collect();
        let (mut passed, mut warned, mut failed) = (Vec::new(), Vec::new(), Vec::new());
        for gate in gates {
            let list = match verdicts.get(gate) {
                Some(Verdict::Pass) => &mut passed,
                Some(Verdict::Unstable) => &mut warned,
                Some(Verdict::Fail | Verdict::Insufficient | Verdict::NotRun) | None => &mut failed,
            };
            list.push(gate.clone());
        }
        let result = follows(&passed, &warned, &failed);
        Self { result, passed, warned, failed }
    }

    /// The three lists with their names.
    pub fn lists(&self) -> [(&'static str, &[String]); 3] {
        [("passed", &self.passed), ("warned", &self.warned), ("failed", &self.failed)]
    }

    /// Which list holds `test`, if any.
    pub fn list_of(&self, test: &str) -> Option<&'static str> {
        self.lists().into_iter().find(|(_, l)| l.iter().any(|t| t == test)).map(|(name, _)| name)
    }

    /// Checks that the lists are ordered and disjoint and that the result follows from them.
    pub fn check(&self) -> Result<(), OutcomeError> {
        let mut seen = BTreeSet::new();
        for (list, tests) in self.lists() {
            for test in tests {
                if test.is_empty() || !test.bytes().all(|byte| byte.is_ascii_graphic()) {
                    return Err(OutcomeError::Name(test.clone()));
                }
            }
            if let Some((_, test)) = tests.iter().zip(tests.iter().skip(1)).find(|(a, b)| a >= b) {
                return Err(OutcomeError::Order { list, test: test.clone() });
            }
            if let Some(test) = tests.iter().find(|test| !seen.insert(test.as_str())) {
                return Err(OutcomeError::Twice(test.clone()));
            }
        }
        let follows = follows(&self.passed, &self.warned, &self.failed);
        if follows != self.result {
            return Err(OutcomeError::Result { said: self.result, follows });
        }
        Ok(())
    }
}

fn follows(passed: &[String], warned: &[String], failed: &[String]) -> TestResult {
    if !failed.is_empty() || (passed.is_empty() && warned.is_empty()) {
        TestResult::Failed
    } else if warned.is_empty() {
        TestResult::Passed
    } else {
        TestResult::Warned
    }
}

#[cfg(test)]
mod tests {
    use super::{Outcome, OutcomeError, TestResult};
    use record::Verdict;
    use std::collections::{BTreeMap, BTreeSet};

    fn outcome(verdicts: &[(&str, Verdict)]) -> Outcome {
        let required = BTreeSet::from(["A1".to_owned(), "A3".to_owned()]);
        let verdicts: BTreeMap<_, _> =
            verdicts.iter().map(|(g, v)| ((*g).to_owned(), *v)).collect();
        let outcome = Outcome::from_gates(&required, &verdicts);
        assert_eq!(outcome.check(), Ok(()));
        outcome
    }

    #[test]
    fn only_a_full_set_of_passes_passes() {
        let both = outcome(&[("A1", Verdict::Pass), ("A3", Verdict::Pass)]);
        assert_eq!(both.result, TestResult::Passed);
        let absent = outcome(&[("A1", Verdict::Pass)]);
        assert_eq!((absent.result, absent.failed), (TestResult::Failed, vec!["A3".to_owned()]));
        let shaky = outcome(&[("A1", Verdict::Pass), ("A3", Verdict::Unstable)]);
        assert_eq!((shaky.result, shaky.warned), (TestResult::Warned, vec!["A3".to_owned()]));
        for verdict in [Verdict::Fail, Verdict::Insufficient, Verdict::NotRun] {
            let bad = outcome(&[("A1", Verdict::Pass), ("A3", verdict)]);
            assert_eq!(bad.result, TestResult::Failed);
        }
    }

    #[test]
    fn nothing_at_all_is_a_failure() {
        let none = Outcome::from_gates(&BTreeSet::new(), &BTreeMap::new());
        assert_eq!(none.result, TestResult::Failed);
    }

    #[test]
    fn contradictions_are_found() {
        let lists = |passed: &[&str], failed: &[&str], result| {
            let own = |list: &[&str]| list.iter().map(|t| (*t).to_owned()).collect();
            Outcome { result, passed: own(passed), warned: Vec::new(), failed: own(failed) }.check()
        };
        assert!(matches!(
            lists(&["A1"], &["A3"], TestResult::Passed),
            Err(OutcomeError::Result { .. })
        ));
        assert!(matches!(lists(&["A1"], &["A1"], TestResult::Failed), Err(OutcomeError::Twice(_))));
        assert!(matches!(
            lists(&["A3", "A1"], &[], TestResult::Passed),
            Err(OutcomeError::Order { .. })
        ));
        assert!(matches!(lists(&["A 1"], &[], TestResult::Passed), Err(OutcomeError::Name(_))));
    }
}
