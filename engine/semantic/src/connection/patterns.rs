//! What stands out among the symbols of an answer.

use std::collections::{BTreeMap, BTreeSet};

use super::{Details, Other};
use crate::graph::{Symbol, is_type};

/// The symbols outside of an answer that at least two of its symbols use.
pub fn shared(results: &[Details]) -> BTreeMap<Symbol, Vec<usize>> {
    let own: BTreeSet<&Symbol> = results.iter().map(|one| &one.symbol).collect();
    let mut used: BTreeMap<Symbol, Vec<usize>> = BTreeMap::new();
    for (number, one) in results.iter().enumerate() {
        let others: BTreeSet<&Symbol> = one.uses.iter().map(|other| &other.symbol).collect();
        for other in others.into_iter().filter(|other| !own.contains(other)) {
            used.entry(other.clone()).or_default().push(number + 1);
        }
    }
    used.retain(|_, by| by.len() > 1);
    used
}

/// Lines that say which symbols many others call, and what several of them share.
pub fn patterns(results: &[Details]) -> Vec<String> {
    let mut lines = Vec::new();
    for (number, one) in results.iter().enumerate() {
        let by: Vec<usize> = results
            .iter()
            .enumerate()
            .filter(|(other, from)| *other != number && calls(from, &one.symbol))
            .map(|(other, _)| other + 1)
            .collect();
        if by.len() > 1 {
            lines.push(format!(
                "Hub: [{}] {} — called by {}",
                number + 1,
                one.symbol.name,
                listed(&by)
            ));
        }
    }
    for (symbol, by) in shared(results) {
        let Symbol { name, file, .. } = &symbol;
        lines.push(if is_type(symbol.kind) {
            format!("Shared type: {name} ({file}) — used by {}/{} results", by.len(), results.len())
        } else {
            format!("Shared dep: {name} ({file}) — used by {}", listed(&by))
        });
    }
    for (first, one) in results.iter().enumerate() {
        for (second, other) in results.iter().enumerate().skip(first + 1) {
            if calls(one, &other.symbol) && calls(other, &one.symbol) {
                lines.push(format!("Cycle: [{}] and [{}] call each other", first + 1, second + 1));
            }
        }
    }
    lines
}

fn calls(from: &Details, to: &Symbol) -> bool {
    from.uses.iter().any(|other: &Other| other.edge.is_call() && other.symbol == *to)
}

fn listed(numbers: &[usize]) -> String {
    numbers.iter().map(|number| format!("[{number}]")).collect::<Vec<_>>().join(", ")
}
