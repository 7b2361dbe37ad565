//! How many answers of the comparator the runs of a matrix rest on.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use record::{Digest, Plan, exit};
use serde::Serialize;
use verdict::{INDEX, Index};

use crate::Failure;

/// Answers of the comparator, counted over runs. The response cache keeps them by the comparator's tuple, so runs
/// against one release share them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Answers {
    /// Answers that the runs rest on, one by one.
    pub used: usize,
    /// Answers that differ: each is made and kept once.
    pub distinct: usize,
    #[serde(skip)]
    seen: BTreeSet<Digest>,
}

impl Answers {
    /// Adds the answers that one run rests on.
    pub fn add(&mut self, run: impl IntoIterator<Item = Digest>) {
        for digest in run {
            self.used += 1;
            self.seen.insert(digest);
        }
        self.distinct = self.seen.len();
    }

    /// How many are used by more than one run, or more than once in a run.
    pub const fn shared(&self) -> usize {
        self.used - self.distinct
    }
}

/// The recordings of the comparator in a run's evidence.
///
/// # Errors
/// The index of the evidence cannot be read.
pub fn of_run(evidence: &Path, plan: &Plan) -> Result<Vec<Digest>, Failure> {
    let path = evidence.join(INDEX);
    let read = fs::read(&path).map_err(|error| error.to_string());
    let index = read.and_then(|bytes| {
        serde_json::from_slice::<Index>(&bytes).map_err(|error| error.to_string())
    });
    let index = index.map_err(|why| {
        Failure::new(
            exit::IO,
            format!("{} cannot be used: {why}; run the matrix again", path.display()),
        )
    })?;
    Ok(among(&index, plan))
}

fn among(index: &BTreeMap<String, Digest>, plan: &Plan) -> Vec<Digest> {
    let asking = plan.units().into_iter().filter(record::Unit::asks_comparator);
    asking.filter_map(|unit| index.get(&plan.key(&unit)).cloned()).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use record::{Case, Digest, Plan, PlannedCorpus, Profile, Set};

    use super::{Answers, among};

    #[test]
    fn an_answer_that_two_runs_use_is_counted_once() {
        let case = Case { id: "none".to_owned(), ..Case::default() };
        let corpora = ["a", "b"]
            .map(|name| PlannedCorpus { cases: vec![case.clone()], ..PlannedCorpus::new(name) });
        let plan = Plan { corpora: corpora.to_vec(), ..Plan::new(Set::Smoke, Profile::Parity) };
        let digest = |name: &str| Digest::of(name.as_bytes());
        let index = |b: &str| {
            let keys = [("a/comparator", "a"), ("a/maps", "ours"), ("b/comparator", b)];
            keys.map(|(key, name)| (key.to_owned(), digest(name)))
                .into_iter()
                .collect::<BTreeMap<_, _>>()
        };
        let mut answers = Answers::default();
        answers.add(among(&index("b"), &plan));
        assert_eq!((answers.used, answers.distinct, answers.shared()), (2, 2, 0));
        answers.add(among(&index("b"), &plan));
        assert_eq!((answers.used, answers.distinct, answers.shared()), (4, 2, 2));
        // What another release answers is another answer.
        answers.add(among(&index("other"), &plan));
        assert_eq!((answers.used, answers.distinct, answers.shared()), (6, 3, 3));
    }
}
