//! Compares Volt with our explorers in runs that ask a checkout: cells of the gates whose gold the files
//! have.

use std::collections::BTreeMap;

use record::Cell;

use super::{Bound, GateId, Place};
use crate::{explorations::VoltFile, metrics::f1::share};

/// The case of the cell that belongs to no language.
const CASE: &str = "volt";
/// The most files that a note names.
const NAMED: usize = 5;

/// The cells of a gate from the files that have its gold. A field that Volt's summary has and ours lacks is a
/// failure; where gold contradicts Volt, it is only counted. The cells are insufficient if the checkout has
/// no summary of any file, or gave no answer about one.
pub fn cells<'a>(gate: GateId, files: impl Iterator<Item = &'a VoltFile>) -> Vec<Cell> {
    let mut languages: BTreeMap<&str, Vec<&VoltFile>> = BTreeMap::new();
    for file in files {
        languages.entry(&file.language).or_default().push(file);
    }
    let all: usize = languages.values().map(Vec::len).sum();
    let silent = languages.values().flatten().filter(|file| !file.answered).count();
    let with_summary = |files: &[&VoltFile]| {
        files.iter().filter(|file| file.compared.volt_failed.is_none()).count()
    };
    let explored = languages.values().map(|files| with_summary(files)).sum::<usize>();
    let place = Place { corpus: "", case: CASE, budget: None };
    let mut summaries =
        place.judged(gate, "volt_summaries", Some(explored as f64), (Bound::AtLeast, 1.0), all);
    if explored == 0 {
        summaries.verdict = record::Verdict::Insufficient;
        "Volt has no summary of any file".clone_into(&mut summaries.note);
    } else if silent > 0 {
        summaries.verdict = record::Verdict::Insufficient;
        summaries.note = format!("Volt did not answer {silent} of {all} files");
    }
    let mut cells = vec![summaries];
    for (language, files) in languages {
        let place = Place { case: language, ..place };
        let n = with_summary(&files);
        if n > 0 {
            cells.push(covered(gate, &place, &files, n));
        }
        let count = |of: fn(&VoltFile) -> usize| {
            Some(files.iter().map(|file| of(file)).sum::<usize>() as f64)
        };
        cells.extend([
            place.reported(gate, "volt_failed", Some((files.len() - n) as f64), files.len()),
            place.reported(gate, "volt_misses", count(|file| file.compared.volt_misses.len()), n),
            place.reported(gate, "volt_wrong", count(|file| file.compared.volt_wrong.len()), n),
        ]);
    }
    cells
}

/// The share of the `n` files with a summary of Volt's in which our summary lacks none of its fields.
fn covered(gate: GateId, place: &Place, files: &[&VoltFile], n: usize) -> Cell {
    let lacking: Vec<&&VoltFile> =
        files.iter().filter(|file| !file.compared.lacking.is_empty()).collect();
    let value = share((n - lacking.len()) as u64, n as u64);
    let mut cell = place.judged(gate, "volt_fields_covered", value, (Bound::AtLeast, 1.0), n);
    let named = lacking.iter().take(NAMED).map(|file| {
        let fields: Vec<&str> = file.compared.lacking.iter().map(String::as_str).collect();
        format!("{}/{} lacks {}", file.corpus, file.compared.file, fields.join(", "))
    });
    cell.note = named.collect::<Vec<_>>().join("; ");
    if lacking.len() > NAMED {
        cell.note += &format!("; and {} more, see volt.json", lacking.len() - NAMED);
    }
    cell
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use record::{Cell, Verdict};

    use super::{super::GATE, cells};
    use crate::explorations::{VoltCompared, VoltFile};

    fn file(name: &str, lacking: &[&str], failed: bool) -> VoltFile {
        VoltFile {
            language: "python".to_owned(),
            is_format: false,
            corpus: "a".to_owned(),
            answered: true,
            compared: VoltCompared {
                file: name.to_owned(),
                explorer: "python".to_owned(),
                lacking: lacking.iter().map(|&field| field.to_owned()).collect(),
                volt_misses: BTreeSet::from(["load".to_owned()]),
                volt_wrong: BTreeSet::new(),
                volt_failed: failed.then(|| "a model was asked for".to_owned()),
            },
        }
    }

    fn of<'a>(cells: &'a [Cell], metric: &str) -> &'a Cell {
        cells.iter().find(|cell| cell.metric == metric).unwrap()
    }

    #[test]
    fn one_field_that_we_lack_in_one_file_fails_and_is_named() {
        let files = [file("a.py", &[], false), file("b.py", &["Moon phase"], false)];
        let found = cells(GATE, files.iter());
        let covered = of(&found, "volt_fields_covered");
        assert_eq!((covered.verdict, covered.value, covered.n), (Verdict::Fail, Some(0.5), 2));
        assert_eq!(covered.note, "a/b.py lacks Moon phase");
        assert_eq!(of(&found, "volt_misses").value, Some(2.0));
        let found = cells(GATE, files[..1].iter());
        assert_eq!(of(&found, "volt_fields_covered").verdict, Verdict::Pass);
        assert_eq!(of(&found, "volt_summaries").verdict, Verdict::Pass);
    }

    #[test]
    fn a_file_that_volt_is_silent_on_is_too_little() {
        let silent = VoltFile { answered: false, ..file("b.py", &[], true) };
        let found = cells(GATE, [file("a.py", &[], false), silent].iter());
        assert_eq!(of(&found, "volt_summaries").verdict, Verdict::Insufficient);
        assert_eq!(of(&found, "volt_fields_covered").verdict, Verdict::Pass);
    }

    #[test]
    fn a_checkout_that_explores_nothing_passes_nothing() {
        for files in [vec![], vec![file("a.py", &[], true)]] {
            let found = cells(GATE, files.iter());
            assert_eq!(of(&found, "volt_summaries").verdict, Verdict::Insufficient);
            assert!(found.iter().all(|cell| cell.metric != "volt_fields_covered"));
        }
    }
}
