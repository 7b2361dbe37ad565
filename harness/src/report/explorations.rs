//! The scores of explorations as text: a table of the languages, and the files to look at first.

use std::fmt::Write;

use record::{Plan, protocol::SCORING};
use verdict::{
    Evaluation, Explorations, FileResult,
    explorations::Tally,
    gate::{GateId, explores},
    metrics::f1::{Counts, share},
};

use super::escape;
use crate::comparator::volt::in_words;

/// How many files of each language the table names.
const WORST: usize = 5;
/// How many faults of disclosure the table names.
const FAULTS: usize = 20;

/// The table of a run: precision, recall, F1 and the accuracy of imports, visibility, end lines and
/// imported names by language, and the worst files by number of errors. Equal evidence gives an equal table. Of
/// third-party files it holds only
/// paths and counts. `None` for a run that explored nothing.
pub fn table(plan: &Plan, evaluation: &Evaluation) -> Option<String> {
    let score = evaluation.explorations.as_ref()?;
    let gates: Vec<_> =
        evaluation.gates.iter().filter(|result| explores(result.gate, plan.profile)).collect();
    let mut text = String::new();
    let mut line = |words: std::fmt::Arguments| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{words}");
    };
    line(format_args!(
        "{}, {} profile, set {}, scoring protocol {} ({})",
        gates.iter().map(|result| result.gate.as_str()).collect::<Vec<_>>().join(" and "),
        plan.profile,
        plan.set,
        score.scoring_version,
        plan.rests_on.get(SCORING).and_then(|digest| digest.get(..12)).unwrap_or_default(),
    ));
    line(format_args!("fixtures {}, volt: {}", plan.fixtures_sha256, in_words(plan)));
    for result in &gates {
        line(format_args!("{} {}", result.gate, result.verdict.as_str()));
    }
    line(format_args!(""));
    line(format_args!(
        "{:16} {:>6} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}  excluded",
        "language",
        "files",
        "symbols",
        "recall",
        "precis.",
        "F1",
        "imports",
        "accur.",
        "visible",
        "accur.",
        "ends",
        "accur.",
        "named",
        "accur."
    ));
    let mut sum = Tally::default();
    for (language, tally) in &score.b1.languages {
        sum.add(tally);
        let excluded = score.excluded.get(language).into_iter().flatten();
        let excluded: Vec<String> = excluded.map(|(why, count)| format!("{count} {why}")).collect();
        line(format_args!("{} {}", row(language, tally), excluded.join(", ")));
    }
    line(format_args!("{}", row("micro", &sum).trim_end()));
    for (language, tally) in score.b1.languages.iter().chain(&score.b1.reported) {
        let left = &tally.unjudged;
        if left.lines > 0 {
            line(format_args!(
                "unjudged {language}: {} of {} lines ({}), {} symbols and {} imports of ours",
                left.lines,
                left.of_lines,
                percent(share(left.lines, left.of_lines)),
                left.symbols,
                left.imports
            ));
        }
    }
    for (language, tally) in &score.b1.reported {
        let why = "reported; the protocol has no row for it";
        line(format_args!("{} {why}", row(language, tally)));
    }
    for cell in &evaluation.cells {
        if cell.case == "macro" {
            let (metric, value) = (&cell.metric, percent(cell.value));
            line(format_args!("macro {metric} {value} over {} languages", cell.n));
        }
    }
    line(format_args!(""));
    for cell in evaluation.cells.iter().filter(|cell| cell.gate == GateId::B2) {
        let value = cell.value.map_or_else(|| "-".to_owned(), |value| format!("{value:.4}"));
        line(format_args!("B2 {} {value} of {} {}", cell.metric, cell.n, cell.verdict.as_str()));
    }
    let (shown, rest) = score.b2.faults.split_at(FAULTS.min(score.b2.faults.len()));
    for fault in shown {
        line(format_args!("B2 fault: {}", escape::visible(&fault.what)));
    }
    if !rest.is_empty() {
        line(format_args!("... and {} more", rest.len()));
    }
    text.push_str(&formats(score, evaluation));
    let mut line = |words: std::fmt::Arguments| {
        let _ = writeln!(text, "{words}");
    };
    line(format_args!(
        "\nworst files: missing, invented, wrong imports, wrong visibility, wrong ends, wrong names"
    ));
    for language in score.b1.languages.keys().chain(score.b1.reported.keys()) {
        for file in worst_of(score, language, WORST) {
            let counts = counts(file);
            let counts: String = counts.iter().map(|count| format!(" {count:>5}")).collect();
            let path = escape::visible(&file.file);
            line(format_args!("{language:16}{counts}  {}/{path}", file.corpus));
        }
    }
    Some(text)
}

/// The part of the table about gate B4: each format with the F1 of each kind of its entities, and its
/// worst files by path and counts.
fn formats(score: &Explorations, evaluation: &Evaluation) -> String {
    let mut text = String::new();
    if score.b4.formats.is_empty() {
        return text;
    }
    let _ = writeln!(
        text,
        "\n{:12} {:>6} {:>9} {:>8} {:>9} {:>8}  F1 by kind; excluded",
        "format", "files", "required", "F1", "entities", "MAPE"
    );
    for (format, tally) in &score.b4.formats {
        let mut sum = Counts::default();
        for counts in tally.entities.values() {
            sum.add(*counts);
        }
        let kinds: Vec<String> = tally
            .entities
            .iter()
            .filter(|(_, counts)| counts.gold + counts.found > 0)
            .map(|(kind, counts)| format!("{kind} {}", percent(counts.f1())))
            .collect();
        let excluded = score.excluded.get(format).into_iter().flatten();
        let excluded: Vec<String> = excluded.map(|(why, count)| format!("{count} {why}")).collect();
        let _ = writeln!(
            text,
            "{format:12} {:>6} {:>9} {:>8} {:>9} {:>8}  {}; {}",
            tally.files,
            percent(share(tally.covered, tally.files)),
            percent(sum.f1()),
            sum.gold,
            percent(tally.mape.value()),
            kinds.join(", "),
            if excluded.is_empty() { "none".to_owned() } else { excluded.join(", ") },
        );
    }
    for cell in &evaluation.cells {
        if cell.case.starts_with("family") {
            let _ =
                writeln!(text, "{} {} {}", cell.case, percent(cell.value), cell.verdict.as_str());
        }
    }
    for (format, tally) in &score.b4.formats {
        let mut faults: Vec<&(u64, String)> = tally.faults.iter().collect();
        faults.sort_by(|one, other| (other.0, &one.1).cmp(&(one.0, &other.1)));
        for (_, fault) in faults.into_iter().take(WORST) {
            let _ = writeln!(text, "{format:12} {}", escape::visible(fault));
        }
    }
    text
}

/// The errors of the worst files of each language, name by name. This is for the terminal of somebody
/// who works on an explorer, never for a committed file.
pub fn worst(evaluation: &Evaluation, count: usize) -> String {
    let mut text = String::new();
    let Some(score) = &evaluation.explorations else { return text };
    for language in score.b1.languages.keys().chain(score.b1.reported.keys()) {
        for file in worst_of(score, language, count) {
            let _ = writeln!(text, "{language} {}/{}", file.corpus, escape::visible(&file.file));
            for (sign, list) in [
                ('-', &file.score.missing),
                ('+', &file.score.invented),
                ('i', &file.score.wrong_imports),
                ('v', &file.score.wrong_visibility),
                ('e', &file.score.wrong_ends),
                ('n', &file.score.wrong_names),
            ] {
                for item in list.iter().take(40) {
                    let _ = writeln!(text, "  {sign} {}", escape::visible(item));
                }
                if let Some(more) = list.len().checked_sub(40).filter(|more| *more > 0) {
                    let _ = writeln!(text, "  {sign} ... and {more} more");
                }
            }
        }
    }
    for fault in &score.b2.faults {
        let _ = writeln!(text, "B2 fault: {}", escape::visible(&fault.what));
    }
    text
}

fn row(name: &str, tally: &Tally) -> String {
    format!(
        "{name:16} {:>6} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} ",
        tally.files,
        tally.symbols.gold,
        percent(tally.symbols.recall()),
        percent(tally.symbols.precision()),
        percent(tally.symbols.f1()),
        tally.imports,
        percent(share(tally.imports_right, tally.imports)),
        tally.visible,
        percent(share(tally.visible_right, tally.visible)),
        tally.ends,
        percent(share(tally.ends_right, tally.ends)),
        tally.named,
        percent(share(tally.named_right, tally.named)),
    )
}

fn percent(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{:.2}%", value * 100.0))
}

fn counts(file: &FileResult) -> [usize; 6] {
    let score = &file.score;
    [
        score.missing.len(),
        score.invented.len(),
        score.wrong_imports.len(),
        score.wrong_visibility.len(),
        score.wrong_ends.len(),
        score.wrong_names.len(),
    ]
}

/// The files of a language with the most errors, most first.
fn worst_of<'a>(score: &'a Explorations, language: &str, count: usize) -> Vec<&'a FileResult> {
    let errors = |file: &FileResult| counts(file).iter().sum::<usize>();
    let mut files: Vec<&FileResult> =
        score.files.iter().filter(|file| file.language == language && errors(file) > 0).collect();
    files.sort_by(|one, other| {
        (errors(other), &one.corpus, &one.file).cmp(&(errors(one), &other.corpus, &other.file))
    });
    files.truncate(count);
    files
}
