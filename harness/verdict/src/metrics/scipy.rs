//! Our measures against SciPy's, on inputs and values frozen by `scipy_spearman.py`.

use serde::Deserialize;

use super::{jaccard::jaccard, sample::close, spearman};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Frozen {
    scipy: String,
    values: Vec<Values>,
    rankings: Vec<Rankings>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Values {
    ours: Vec<f64>,
    theirs: Vec<f64>,
    spearman: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Rankings {
    ours: Vec<u32>,
    theirs: Vec<u32>,
    shared: usize,
    jaccard: Option<f64>,
    spearman: Option<f64>,
}

fn frozen() -> Frozen {
    serde_json::from_str(include_str!("scipy_spearman.json")).expect("the committed fixture")
}

#[test]
fn paired_values_with_ties_agree_with_scipy() {
    let frozen = frozen();
    assert!(frozen.values.len() >= 100, "SciPy {}", frozen.scipy);
    for case in frozen.values {
        let value = spearman::spearman(&case.ours, &case.theirs);
        assert!(close(value, case.spearman), "{:?} {:?}: {value:?}", case.ours, case.theirs);
    }
}

#[test]
fn rankings_of_partly_shared_files_agree_with_scipy() {
    let frozen = frozen();
    assert!(frozen.rankings.len() >= 100, "SciPy {}", frozen.scipy);
    for case in frozen.rankings {
        let (shared, value) = spearman::spearman_of_orders(&case.ours, &case.theirs);
        assert_eq!(shared, case.shared);
        assert!(close(value, case.spearman), "{:?} {:?}: {value:?}", case.ours, case.theirs);
        assert!(close(jaccard(&case.ours, &case.theirs), case.jaccard));
    }
}
