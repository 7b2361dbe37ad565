//! Volt in a run: which checkout explores, how it is asked, and what it says.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{EXPLORED, Plan, PlannedCorpus, Schema};

/// The folder that says how a checkout is found and asked.
pub const FOLDER: &str = "comparators/volt";
/// The definition, in a checkout of this project and in evidence.
pub const DEFINITION: &str = "comparators/volt/volt.toml";
/// The program that asks, beside the definition.
pub const ADAPTER: &str = "comparators/volt/adapter.mjs";

/// The checkout of Volt that a run asks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Volt {
    /// HEAD's commit.
    pub commit: String,
    /// Tree id of that commit. No tracked file differs from it.
    pub tree: String,
    /// The dispatcher, relative to the checkout.
    pub module: String,
    /// What the dispatcher's module exports.
    pub export: String,
    /// The program that runs the adapter.
    pub runner: String,
}

/// How a checkout is found and asked: `volt.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VoltDefinition {
    /// Schema of this file.
    pub schema_version: Schema<1>,
    /// Paths at which a checkout may have the dispatcher; the first that exists is used.
    pub modules: Vec<String>,
    /// What it exports.
    pub export: String,
    /// Programs that can run the adapter; the first that is installed and reads the module is used.
    pub runners: Vec<VoltRunner>,
}

/// A program that runs the adapter.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VoltRunner {
    /// Its name.
    pub program: String,
    /// Extensions of the modules that it reads.
    pub extensions: Vec<String>,
}

/// What Volt says of one file: a line that the adapter prints.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VoltAnswer {
    /// The file, as it was asked for.
    pub file: String,
    /// What its dispatcher returned.
    pub result: Option<Value>,
    /// What it threw instead.
    pub error: Option<String>,
}

impl Volt {
    /// The arguments of the runner, given the paths of the adapter and of the dispatcher.
    pub fn arguments(&self, adapter: &str, module: &str) -> [String; 3] {
        [adapter.to_owned(), module.to_owned(), self.export.clone()]
    }
}

impl VoltAnswer {
    /// The answers on the adapter's standard output; a line that is not an answer is left out.
    pub fn all(stdout: &[u8]) -> impl Iterator<Item = Self> {
        let lines = stdout.split(|byte| *byte == b'\n');
        lines.filter_map(|line| serde_json::from_slice(line).ok())
    }
}

impl Plan {
    /// The adapter's request for a batch of a corpus's files, which are below `root`; absent if there is
    /// no such batch. Our program explores the same batch.
    pub fn volt_request(&self, corpus: &PlannedCorpus, batch: usize, root: &str) -> Option<Value> {
        let files = corpus.explorations.chunks(EXPLORED).nth(batch)?;
        Some(json!({ "root": root, "files": files }))
    }
}

#[cfg(test)]
mod tests {
    use super::{Volt, VoltAnswer};
    use crate::{Plan, PlannedCorpus, Profile, Set, Unit};

    #[test]
    fn a_checkout_explores_the_batches_that_we_explore() {
        let files: Vec<String> = (0..150).map(|number| format!("{number:03}.py")).collect();
        let corpus = PlannedCorpus { explorations: files, ..PlannedCorpus::new("a") };
        let without = Plan { corpora: vec![corpus], ..Plan::new(Set::Smoke, Profile::Parity) };
        let volt = Volt {
            commit: String::new(),
            tree: String::new(),
            module: "m.js".to_owned(),
            export: "E".to_owned(),
            runner: "node".to_owned(),
        };
        let plan = Plan { volt: Some(volt), ..without.clone() };
        let keys = |plan: &Plan| plan.units().iter().map(|unit| plan.key(unit)).collect::<Vec<_>>();
        assert_eq!(keys(&without), ["a/explore/0", "a/explore/1"]);
        assert_eq!(keys(&plan), ["a/volt/0", "a/volt/1", "a/explore/0", "a/explore/1"]);
        let unit = Unit::Volt { corpus: 0, batch: 1 };
        assert_eq!((plan.call(&unit), plan.request(&unit)), (None, None));
        let asked = plan.volt_request(&plan.corpora[0], 1, "$REPO").unwrap();
        assert_eq!(
            (asked["root"].as_str(), asked["files"][0].as_str()),
            (Some("$REPO"), Some("100.py"))
        );
        assert!(plan.volt_request(&plan.corpora[0], 2, "$REPO").is_none());
        // A plan without Volt does not mention Volt.
        assert!(!serde_json::to_string(&without).unwrap().contains("volt"));
    }

    #[test]
    fn a_torn_line_is_no_answer() {
        let said = b"{\"file\":\"a\",\"result\":{\"success\":true}}\n{\"file\":\"b\",\"error\":\"x\"}\n{\"fi";
        let answers: Vec<VoltAnswer> = VoltAnswer::all(said).collect();
        assert_eq!((answers.len(), answers[1].error.as_deref()), (2, Some("x")));
    }
}
