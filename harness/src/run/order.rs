//! What a worker is given: one unit of a plan, and the digests of everything that recording it needs.

use record::{Digest, Plan, PlannedCorpus, Schema, Unit};
use serde::{Deserialize, Serialize};

use crate::{comparator::ComparatorTuple, corpus::Materialised};

/// The files of a plan's foundation that a worker uses.
const COMPARATORS: &str = "comparators/";

/// The most bytes of an order.
pub const MAX_ORDER: u64 = 64 << 20;

/// One unit to be recorded somewhere else.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitOrder {
    /// Schema of this object.
    pub schema_version: Schema<1>,
    /// Key of the unit.
    pub unit: String,
    /// Digest of the whole plan, which names the run.
    pub plan_sha256: Digest,
    /// Tree digest of the corpus's work tree.
    pub tree_sha256: String,
    /// What `git status --porcelain` prints in the corpus.
    pub status: String,
    /// The comparator that must answer; absent for a unit that does not ask it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comparator: Option<ComparatorTuple>,
    /// The part of the plan that the unit needs: its corpus, and nothing of the others.
    pub plan: Plan,
}

impl UnitOrder {
    /// The order for a unit of a plan whose digest is `plan_sha256`; absent if the plan does not have its corpus.
    pub fn of(
        plan: &Plan,
        plan_sha256: &Digest,
        unit: &Unit,
        repository: &Materialised,
        tuple: Option<&ComparatorTuple>,
    ) -> Option<Self> {
        let mut corpus = plan.corpora.get(unit.corpus())?.clone();
        // The long lists of a corpus; no key and no call of another unit depends on them.
        if !matches!(unit, Unit::Explore { .. }) {
            corpus.explorations.clear();
        }
        if !matches!(unit, Unit::Navigation { .. }) {
            corpus.navigation.clear();
        }
        if !matches!(unit, Unit::Summaries { .. }) {
            corpus.summaries.clear();
        }
        if !matches!(unit, Unit::Scenario { .. }) {
            corpus.scenarios.clear();
        }
        let used = plan.rests_on.iter().filter(|(file, _)| file.starts_with(COMPARATORS));
        let part = Plan {
            budgets: plan.budgets.clone(),
            wide_budget: plan.wide_budget,
            corpora: vec![corpus],
            engine_sha256: plan.engine_sha256.clone(),
            rests_on: used.map(|(file, sha256)| (file.clone(), sha256.clone())).collect(),
            ..Plan::new(plan.set, plan.profile)
        };
        Some(Self {
            schema_version: Schema,
            unit: plan.key(unit),
            plan_sha256: plan_sha256.clone(),
            tree_sha256: repository.tree_sha256.clone(),
            status: repository.status.clone(),
            comparator: tuple.filter(|_| unit.asks_comparator()).cloned(),
            plan: part,
        })
    }

    /// The same question in the words that every run has for it: without the digest of the whole plan, and without the
    /// engine for a unit that asks the comparator, or the comparator's files for one that does not. Absent if it cannot
    /// be written.
    pub fn for_any_run(mut self) -> Option<Self> {
        if self.comparator.is_some() {
            self.plan.engine_sha256.clear();
        } else {
            self.plan.rests_on.clear();
        }
        self.plan_sha256 = self.plan.id().ok()?;
        Some(self)
    }

    /// The unit, in its part of the plan; absent if that part has no unit of this key.
    pub fn unit(&self) -> Option<Unit> {
        self.plan.units().into_iter().find(|unit| self.plan.key(unit) == self.unit)
    }

    /// The corpus of the unit.
    pub fn corpus(&self) -> Option<&PlannedCorpus> {
        self.plan.corpora.first()
    }
}

#[cfg(test)]
mod tests {
    use record::{Case, Digest, Plan, PlannedCorpus, Profile, Set, View};

    use super::UnitOrder;
    use crate::corpus::Materialised;

    #[test]
    fn an_order_asks_for_the_same_as_the_whole_plan() {
        let corpus = |name: &str| PlannedCorpus {
            cases: vec![Case { id: "none".to_owned(), ..Case::default() }],
            explorations: (0..250).map(|number| format!("{name}/{number}")).collect(),
            repeats: 2,
            raw_seeds: 2,
            ..PlannedCorpus::new(name)
        };
        let corpora = vec![corpus("one"), corpus("two")];
        let plan =
            Plan { corpora, budgets: vec![64, 128], ..Plan::new(Set::Smoke, Profile::Parity) };
        for unit in plan.units() {
            let repository = Materialised {
                name: plan.corpora[unit.corpus()].name.clone(),
                path: "/".into(),
                commit: String::new(),
                tree_sha256: String::new(),
                status: String::new(),
                cases: Vec::new(),
                view: View::default(),
            };
            let order =
                UnitOrder::of(&plan, &Digest::of("plan"), &unit, &repository, None).unwrap();
            let json = serde_json::to_vec(&order).unwrap();
            let read: UnitOrder = serde_json::from_slice(&json).unwrap();
            let same = read.unit().unwrap();
            assert_eq!(read.plan.call(&same), plan.call(&unit), "{}", read.unit);
            assert_eq!(read.plan.request(&same), plan.request(&unit), "{}", read.unit);
        }
    }
}
