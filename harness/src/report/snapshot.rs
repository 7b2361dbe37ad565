//! The committed snapshot of one corpus: how closely a run followed the comparator, as text.
//!
//! The first line is the comparator's commit, so that a review shows what moved and in comparison with
//! which commit. In the enhancement profile there is no comparator, and the first line says so.

use std::{collections::BTreeSet, fmt::Write as _};

use record::{Cell, Plan, PlannedCorpus, Spread, Verdict, protocol::version_in};
use verdict::gate::GateId;

use super::{escape::visible, figure};

/// Name and snapshot of each corpus of a run whose maps were judged, in the order of the plan. The
/// commit is that of the comparator; `None` if the comparator was not run.
pub fn of(plan: &Plan, cells: &[Cell], comparator_commit: Option<&str>) -> Vec<(String, String)> {
    plan.corpora
        .iter()
        .filter(|corpus| !corpus.cases.is_empty())
        .map(|corpus| {
            let own: Vec<&Cell> = cells.iter().filter(|cell| cell.corpus == corpus.name).collect();
            (corpus.name.clone(), render(plan, corpus, &own, comparator_commit))
        })
        .collect()
}

fn render(plan: &Plan, corpus: &PlannedCorpus, cells: &[&Cell], commit: Option<&str>) -> String {
    let mut out = match commit {
        Some(commit) => format!("commit: {}\n", visible(commit)),
        None => format!("profile: {}\n", plan.profile),
    };
    let _ = writeln!(out, "corpus: {} at {}", visible(&corpus.name), visible(&corpus.commit));
    if let Some(protocol) = version_in(plan.rests_on.keys().map(String::as_str)) {
        let _ = writeln!(out, "protocol: {protocol}");
    }
    let cases = corpus.cases.iter().enumerate();
    let cases: usize = cases.map(|(position, _)| plan.budgets_of(position).len()).sum();
    let _ = writeln!(out, "cases: {cases}");
    if plan.gates.contains(&GateId::Exact.name()) {
        let _ = writeln!(out, "exact matches: {}", exact_matches(plan, corpus, cells));
    }
    for gate in &plan.gates {
        let judged = |cell: &&&Cell| cell.gate == *gate && cell.threshold.is_some();
        let total = cells.iter().filter(judged).count();
        if total == 0 {
            continue;
        }
        let passed =
            cells.iter().filter(judged).filter(|cell| cell.verdict == Verdict::Pass).count();
        let _ = writeln!(out, "{gate}: {passed} of {total} cells pass");
    }
    for case in &corpus.cases {
        let of_case = cells.iter().filter(|cell| cell.gate == GateId::A1 && cell.case == case.id);
        for cell in of_case.filter(|cell| cell.budget.is_none()) {
            let value = figure::value(cell.value, cell.threshold);
            let _ = write!(
                out,
                "A1 {} {}: {value} (n {}",
                visible(&case.id),
                visible(&cell.metric),
                cell.n
            );
            if let Some(seeds) = cell.seeds {
                let mean = |spread: Spread| figure::number(spread.mean);
                let (ours, canonical) = (mean(seeds.ours), mean(seeds.canonical));
                let _ = write!(out, ", ours from seeds {ours}, canonical from seeds {canonical}");
            }
            if let Some(floor) = cell.noise_floor {
                let (mean, min) = (figure::number(floor.mean), figure::number(floor.min));
                let _ = write!(out, ", noise floor mean {mean} min {min}");
            }
            out.push_str(")\n");
        }
    }
    for cell in cells.iter().filter(|cell| cell.verdict != Verdict::Pass) {
        let verdict = figure::words(cell.verdict);
        let place = figure::place(cell);
        let _ = writeln!(out, "{verdict}: {} {place}: {}", cell.gate, figure::finding(cell));
    }
    for cell in cells.iter().filter(|cell| !cell.warning.is_empty()) {
        let (place, metric) = (figure::place(cell), visible(&cell.metric));
        let _ =
            writeln!(out, "warning: {} {place} {metric}: {}", cell.gate, visible(&cell.warning));
    }
    out
}

/// The number of cases at a budget whose layers all equal the comparator's.
fn exact_matches(plan: &Plan, corpus: &PlannedCorpus, cells: &[&Cell]) -> usize {
    let of_gate =
        || cells.iter().filter(|cell| cell.gate == GateId::Exact && cell.threshold.is_some());
    let place = |cell: &&&Cell| (cell.case.clone(), cell.budget);
    let compared: BTreeSet<_> = of_gate().map(|cell| place(&cell)).collect();
    let different: BTreeSet<_> =
        of_gate().filter(|cell| cell.verdict != Verdict::Pass).map(|cell| place(&cell)).collect();
    corpus
        .cases
        .iter()
        .enumerate()
        .flat_map(|(position, case)| {
            plan.budgets_of(position).into_iter().map(|budget| (case.id.clone(), Some(budget)))
        })
        .filter(|place| compared.contains(place) && !different.contains(place))
        .count()
}

#[cfg(test)]
mod tests {
    use record::{Case, Cell, Plan, PlannedCorpus, Profile, Set, Verdict};
    use verdict::gate::GateId;

    use super::of;

    fn cell(case: &str, budget: u64, verdict: Verdict) -> Cell {
        Cell {
            gate: GateId::Exact.name(),
            corpus: "toy".to_owned(),
            case: case.to_owned(),
            budget: Some(budget),
            metric: "text".to_owned(),
            value: Some(if verdict == Verdict::Pass { 1.0 } else { 0.0 }),
            threshold: Some(1.0),
            margin: Some(if verdict == Verdict::Pass { 0.0 } else { -1.0 }),
            n: 1,
            noise_floor: None,
            seeds: None,
            verdict,
            note: String::new(),
            warning: String::new(),
        }
    }

    #[test]
    fn a_case_matches_only_if_it_was_compared_and_nothing_differs() {
        let case = |id: &str| Case { id: id.to_owned(), ..Case::default() };
        let corpus = PlannedCorpus {
            authored: true,
            commit: "abc".to_owned(),
            cases: vec![case("none"), case("chat")],
            ..PlannedCorpus::new("toy")
        };
        let plan = Plan {
            gates: vec![GateId::Exact.name()],
            budgets: vec![1024, 2048],
            corpora: vec![corpus],
            rests_on: [("protocols/v7/gates.toml".to_owned(), String::new())].into(),
            ..Plan::new(Set::Smoke, Profile::Parity)
        };
        // Two of four were compared, and one of these differs.
        let mut unstable = cell("none", 1024, Verdict::Pass);
        unstable.warning = "unstable comparator".to_owned();
        let cells = [unstable, cell("chat", 1024, Verdict::Fail)];
        let snapshots = of(&plan, &cells, Some("7afaa26"));
        let [(name, text)] = snapshots.as_slice() else { panic!("one corpus, one snapshot") };
        assert_eq!(name, "toy");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "commit: 7afaa26");
        assert_eq!(lines[2], "protocol: v7");
        assert!(lines.contains(&"cases: 4"), "{text}");
        assert!(lines.contains(&"exact matches: 1"), "{text}");
        let warning = "warning: exact toy · none · 1,024 tokens text: unstable comparator";
        assert_eq!(lines.last(), Some(&warning));
    }
}
