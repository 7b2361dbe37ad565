//! In which order units run, and how many at once: as many as workers and memory allow.

use std::{
    collections::BTreeMap,
    fs,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
};

use record::{Plan, Unit};

use crate::corpus::Cost;

/// The assumed cost of a corpus that was never measured: high, so that it starts early and not beside
/// many others.
const UNKNOWN: Cost = Cost { cpu_seconds: 60, peak_mb: 1500 };
/// A bound for one run of our program on any locked corpus.
const OURS: Cost = Cost { cpu_seconds: 1, peak_mb: 400 };
/// The same for the process that makes all our maps of a corpus.
const MAPS: Cost = Cost { cpu_seconds: 10, peak_mb: 1000 };
/// The same for the process that explores a batch of files.
const EXPLORATIONS: Cost = Cost { cpu_seconds: 2, peak_mb: 600 };
/// The same for a process of Volt that explores a batch.
const VOLT: Cost = Cost { cpu_seconds: 20, peak_mb: 1000 };
/// The same for the process that asks the baselines of summaries, and for what it starts.
const BASELINES: Cost = Cost { cpu_seconds: 10, peak_mb: 500 };
/// The same for the process that answers about all places of a corpus.
const NAVIGATION: Cost = Cost { cpu_seconds: 60, peak_mb: 1500 };
/// The same for all processes of a scenario, which come one after the other.
const SCENARIO: Cost = Cost { cpu_seconds: 2, peak_mb: 400 };

/// Hands out the open units of a plan, slowest first, to any number of workers.
#[derive(Debug)]
pub struct Schedule<'a> {
    plan: &'a Plan,
    costs: &'a BTreeMap<String, Cost>,
    /// Memory that the running units may take together, in MB.
    memory_mb: u64,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug)]
struct State {
    open: Vec<Unit>,
    running: usize,
    reserved_mb: u64,
}

impl<'a> Schedule<'a> {
    /// A schedule of some units of a plan. `costs` are the comparator's, by corpus.
    pub fn new(
        plan: &'a Plan,
        costs: &'a BTreeMap<String, Cost>,
        mut open: Vec<Unit>,
        memory_mb: u64,
    ) -> Self {
        let cost = |unit: &Unit| cost(plan, costs, unit).cpu_seconds;
        // The sort is stable: equally slow units stay in the plan's order.
        open.sort_by_key(|unit| std::cmp::Reverse(cost(unit)));
        let state = Mutex::new(State { open, running: 0, reserved_mb: 0 });
        Self { plan, costs, memory_mb, state, changed: Condvar::new() }
    }

    /// The next unit; `None` if no unit is left. Waits while every open unit needs more memory than is
    /// free, unless nothing is running: then even a unit that needs more than the limit is started.
    pub fn next(&self) -> Option<Unit> {
        let mut state = self.state();
        loop {
            if state.open.is_empty() {
                return None;
            }
            let free = self.memory_mb.saturating_sub(state.reserved_mb);
            let fits = |unit: &Unit| cost(self.plan, self.costs, unit).peak_mb <= free;
            let idle = state.running == 0;
            if let Some(at) = state.open.iter().position(|unit| idle || fits(unit)) {
                let unit = state.open.remove(at);
                state.running += 1;
                state.reserved_mb += cost(self.plan, self.costs, &unit).peak_mb;
                return Some(unit);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Releases the memory reserved for a unit that has ended.
    pub fn ended(&self, unit: &Unit) {
        let mut state = self.state();
        state.running = state.running.saturating_sub(1);
        let freed = cost(self.plan, self.costs, unit).peak_mb;
        state.reserved_mb = state.reserved_mb.saturating_sub(freed);
        self.changed.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a unit costs: measured for the comparator, a bound for ours.
pub fn cost(plan: &Plan, costs: &BTreeMap<String, Cost>, unit: &Unit) -> Cost {
    match *unit {
        Unit::Comparator { corpus }
        | Unit::Raw { corpus, .. }
        | Unit::ComparatorSequences { corpus }
        | Unit::ComparatorTasks { corpus }
        | Unit::ComparatorModels { corpus } => plan
            .corpora
            .get(corpus)
            .and_then(|corpus| costs.get(&corpus.name))
            .copied()
            .unwrap_or(UNKNOWN),
        Unit::Navigation { .. } => NAVIGATION,
        Unit::Engine { .. } | Unit::Tasks { .. } | Unit::Models { .. } => MAPS,
        Unit::Explore { .. } | Unit::Summaries { .. } => EXPLORATIONS,
        Unit::Volt { .. } => VOLT,
        Unit::Baselines { .. } => BASELINES,
        Unit::Scenario { .. } => SCENARIO,
        Unit::Repeat { .. } | Unit::Sequence { .. } | Unit::Trial { .. } => OURS,
    }
}

/// Memory that a run may use, in MB (10^6 bytes): four fifths of what the system reports as available,
/// or no limit if it reports nothing.
pub fn available_memory_mb() -> u64 {
    let Ok(text) = fs::read_to_string("/proc/meminfo") else { return u64::MAX };
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let kilobytes =
        line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kilobytes.map_or(u64::MAX, |kilobytes| kilobytes * 1024 / 1_000_000 * 4 / 5)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Cost, Schedule, UNKNOWN, cost};
    use record::{Case, Plan, PlannedCorpus, Profile, Set, Unit};

    fn plan(corpora: &[&str]) -> Plan {
        let asked = |name: &&str| PlannedCorpus {
            cases: vec![Case { id: "none".to_owned(), ..Case::default() }],
            ..PlannedCorpus::new(name)
        };
        let corpora = corpora.iter().map(asked).collect();
        Plan { corpora, ..Plan::new(Set::Full, Profile::Parity) }
    }

    /// The units that ask the comparator, of which the costs of these tests are.
    fn comparisons(plan: &Plan) -> Vec<Unit> {
        let asks = |unit: &Unit| matches!(unit, Unit::Comparator { .. });
        plan.units().into_iter().filter(asks).collect()
    }

    fn costs(rows: &[(&str, u64, u64)]) -> BTreeMap<String, Cost> {
        rows.iter()
            .map(|&(name, cpu_seconds, peak_mb)| (name.to_owned(), Cost { cpu_seconds, peak_mb }))
            .collect()
    }

    #[test]
    fn the_slowest_unit_comes_first_and_each_comes_once() {
        let plan = plan(&["quick", "slow"]);
        let costs = costs(&[("quick", 5, 300), ("slow", 50, 300)]);
        let schedule = Schedule::new(&plan, &costs, comparisons(&plan), 10_000);
        assert_eq!(schedule.next(), Some(Unit::Comparator { corpus: 1 }));
        assert_eq!(schedule.next(), Some(Unit::Comparator { corpus: 0 }));
        assert_eq!(schedule.next(), None);
    }

    #[test]
    fn what_does_not_fit_waits_for_a_smaller_one_to_pass() {
        let plan = plan(&["a", "b", "c"]);
        let costs = costs(&[("a", 9, 2_000), ("b", 8, 2_000), ("c", 1, 500)]);
        let schedule = Schedule::new(&plan, &costs, comparisons(&plan), 3_000);
        let first = schedule.next().unwrap();
        assert_eq!(first, Unit::Comparator { corpus: 0 });
        assert_eq!(schedule.next(), Some(Unit::Comparator { corpus: 2 }));
        schedule.ended(&first);
        assert_eq!(schedule.next(), Some(Unit::Comparator { corpus: 1 }));
    }

    #[test]
    fn a_unit_larger_than_the_memory_runs_alone() {
        let plan = plan(&["huge"]);
        let costs = costs(&[("huge", 9, 9_000)]);
        let schedule = Schedule::new(&plan, &costs, comparisons(&plan), 1_000);
        assert_eq!(schedule.next(), Some(Unit::Comparator { corpus: 0 }));
    }

    #[test]
    fn a_corpus_that_was_never_measured_counts_as_heavy() {
        let plan = plan(&["new"]);
        let unit = Unit::Comparator { corpus: 0 };
        assert_eq!(cost(&plan, &BTreeMap::new(), &unit), UNKNOWN);
    }
}
