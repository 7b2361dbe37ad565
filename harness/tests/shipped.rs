//! What the driver does to be quick changes no byte: the comparator as shipped, one process for each
//! map, prints the maps that are committed as the driver's.
//!
//! METHODOLOGY.md lists what the driver does.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use harness::{
    Folders,
    comparator::{Comparator, ComparatorSpec, Environments},
};
use record::canonical_request;
use support::authored;

/// The corpus that is asked about: its maps show every stage, and differ with chat and budget.
const CORPUS: &str = "stages";
/// How many of its cases; each takes two processes of several seconds for each budget.
const CASES: usize = 2;
/// Two budgets, since the driver ranks once for all budgets of a case.
const BUDGETS: [u64; 2] = [1024, 4096];

#[test]
fn the_comparator_as_shipped_prints_the_maps_that_the_driver_recorded() {
    let folders = Folders::find().unwrap();
    let spec = ComparatorSpec::open(&folders.comparator()).unwrap();
    let environment = Environments::new(&spec, &folders.cache).prepare(&mut |_| ()).unwrap();
    let comparator = Comparator { spec: &spec, environment: &environment };
    let corpus = authored().into_iter().find(|one| one.name == CORPUS).unwrap();
    let recorded = corpus.recording();
    let request = canonical_request(&corpus.cases[..CASES], &BUDGETS, None);
    let shipped = comparator.shipped(&corpus.path, &request).unwrap();
    assert_eq!(shipped.cases.len(), CASES * BUDGETS.len());
    for case in shipped.cases {
        let expected = recorded.case(&case.id).unwrap().text.clone();
        assert!(expected.as_ref().is_some_and(|text| !text.is_empty()), "{}", case.id);
        assert_eq!(case.cold.text, expected, "{}, cold", case.id);
        assert_eq!(case.warm.text, expected, "{}, warm", case.id);
    }
}
