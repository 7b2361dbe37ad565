//! The driver's optimisations change no byte: the comparator as shipped, with one process for each map,
//! prints the committed maps that the driver made.
//!
//! METHODOLOGY.md lists these optimisations.

use harness::{
    Folders,
    comparator::{Comparator, ComparatorSpec, Environments},
};
use record::{Case, canonical_request};

use crate::support::{Corpus, authored};

/// The corpus that the maps are of: they show every stage, and differ with chat and budget.
const CORPUS: &str = "stages";
/// How many of its cases; each takes two processes of several seconds for each budget.
const CASES: usize = 2;
/// Two budgets, because the driver ranks once for all budgets of a case.
const BUDGETS: [u64; 2] = [1024, 4096];

#[test]
fn the_comparator_as_shipped_prints_the_maps_that_the_driver_recorded() {
    let corpus = authored().into_iter().find(|one| one.name == CORPUS).unwrap();
    assert_eq!(differences(&corpus, &corpus.cases[..CASES]), Vec::<String>::new());
}

#[test]
#[ignore = "two processes of several seconds for each of some hundred maps; the nightly runs it"]
fn so_it_does_for_every_case_of_every_authored_corpus() {
    let differ: Vec<String> =
        authored().iter().flat_map(|corpus| differences(corpus, &corpus.cases)).collect();
    assert_eq!(differ, Vec::<String>::new());
}

/// Runs the comparator as shipped on some cases of a corpus, and names the maps that differ from the recorded ones.
fn differences(corpus: &Corpus, cases: &[Case]) -> Vec<String> {
    let folders = Folders::find().unwrap();
    let spec = ComparatorSpec::open(&folders.comparator()).unwrap();
    let environment = Environments::new(&spec, &folders.cache).prepare(&mut |_| ()).unwrap();
    let comparator = Comparator { spec: &spec, environment: &environment };
    let recorded = corpus.recording();
    let mut differ = Vec::new();
    // One request for each case: the deadline is that of a request, and a case takes four processes.
    for case in cases {
        let mut request = canonical_request(std::slice::from_ref(case), &BUDGETS, None);
        corpus.view.ask(&mut request);
        let shipped = comparator.shipped(&corpus.path, &request).unwrap();
        assert_eq!(shipped.cases.len(), BUDGETS.len());
        for map in shipped.cases {
            let expected = recorded.case(&map.id).unwrap().text.clone();
            let has_map = expected.as_ref().is_some_and(|text| !text.is_empty());
            assert_eq!(has_map, !case.no_map, "{}, {}", corpus.name, map.id);
            for (state, run) in [("cold", &map.cold), ("warm", &map.warm)] {
                if run.text != expected {
                    let (name, id, text) = (&corpus.name, &map.id, &run.text);
                    differ.push(format!("{name}, {id}, {state}: {text:?} and not {expected:?}"));
                }
            }
        }
    }
    differ
}
