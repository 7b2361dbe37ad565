//! Scores one exploration against the gold of its file.

use std::collections::{BTreeMap, BTreeSet};

use record::{ImportLabel, Labels, SymbolLabel, VisibilityClass};

use super::{
    Explored, FoundImport, FoundSymbol,
    scoring::{ScopeRule, Scoring},
};
use crate::metrics::{
    f1::Counts,
    pairing::{Taken, pair},
};

/// Counts of one file, or of many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Files with gold.
    pub files: u64,
    /// Symbols.
    pub symbols: Counts,
    /// Imports that count.
    pub imports: u64,
    /// Of these, with the right category.
    pub imports_right: u64,
    /// Paired symbols whose visibility gold knows.
    pub visible: u64,
    /// Of these, right.
    pub visible_right: u64,
    /// Paired symbols whose last line counts.
    pub ends: u64,
    /// Of these, with the right one.
    pub ends_right: u64,
    /// Paired imports whose names count.
    pub named: u64,
    /// Of these, with the right names.
    pub named_right: u64,
    /// What gold says nothing about.
    pub unjudged: UnjudgedTally,
}

/// What the gold of some files says nothing about, and what our explorer has there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UnjudgedTally {
    /// Lines of the files whose gold states how many they have.
    pub of_lines: u64,
    /// Lines that gold says nothing about.
    pub lines: u64,
    /// Symbols of ours on these lines that gold does not have: neither right nor invented.
    pub symbols: u64,
    /// Imports of ours, likewise.
    pub imports: u64,
    /// Files with more such lines than the protocol allows.
    pub hollow: u64,
}

impl UnjudgedTally {
    const fn add(&mut self, other: &Self) {
        self.of_lines += other.of_lines;
        self.lines += other.lines;
        self.symbols += other.symbols;
        self.imports += other.imports;
        self.hollow += other.hollow;
    }
}

impl Tally {
    /// Adds other counts.
    pub const fn add(&mut self, other: &Self) {
        self.files += other.files;
        self.symbols.add(other.symbols);
        self.imports += other.imports;
        self.imports_right += other.imports_right;
        self.visible += other.visible;
        self.visible_right += other.visible_right;
        self.unjudged.add(&other.unjudged);
        self.ends += other.ends;
        self.ends_right += other.ends_right;
        self.named += other.named;
        self.named_right += other.named_right;
    }
}

/// What B1 judges.
#[derive(Debug, Clone, Default)]
pub struct B1Evidence {
    /// Counts by language.
    pub languages: BTreeMap<String, Tally>,
    /// Counts of the languages that have gold and no row in the protocol: they are reported, and
    /// take no part in what is judged.
    pub reported: BTreeMap<String, Tally>,
    /// Explorations that a model had a part in.
    pub model_tiers: u64,
    /// All explorations.
    pub explored: u64,
    /// Files with gold that have no exploration, or one that failed.
    pub unexplored: u64,
}

/// The score of one file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileScore {
    /// Its counts.
    pub tally: Tally,
    /// Symbols that we do not have, as `line kind name`.
    pub missing: Vec<String>,
    /// Symbols that only we have.
    pub invented: Vec<String>,
    /// Imports that are missing, invented or in the wrong category.
    pub wrong_imports: Vec<String>,
    /// Symbols whose visibility is wrong.
    pub wrong_visibility: Vec<String>,
    /// Symbols whose last line is wrong.
    pub wrong_ends: Vec<String>,
    /// Imports whose names are wrong.
    pub wrong_names: Vec<String>,
}

/// Scores one exploration. `None` means that the file was not explored, so that everything is missing.
///
/// A label is judged wherever it stands. An entry of ours that pairs with no label is invented, unless it stands on
/// a line that gold says nothing about: then it is counted, and in no denominator.
pub fn score_file(
    rules: &Scoring,
    language: &str,
    gold: &Labels,
    found: Option<&Explored>,
) -> FileScore {
    let nothing = Explored::default();
    let found = found.unwrap_or(&nothing);
    let mut score = FileScore::default();
    score.tally.files = 1;
    let unjudged = &mut score.tally.unjudged;
    unjudged.of_lines = u64::from(gold.lines);
    unjudged.lines = gold.unjudged_lines();
    unjudged.hollow = u64::from(gold.unjudged_share() > rules.unjudged.max_share_of_file);
    symbols(rules, language, gold, found, &mut score);
    imports(rules, language, gold, found, &mut score);
    score
}

fn symbols(
    rules: &Scoring,
    language: &str,
    gold: &Labels,
    found: &Explored,
    score: &mut FileScore,
) {
    let matching = &rules.matching;
    let normal = |name: &str| {
        let name = name.trim_matches(|one: char| matching.quotes.contains(one) || one == ' ');
        let after = |separator: &String| {
            name.rfind(separator.as_str()).map_or(0, |at| at + separator.len())
        };
        let start = matching.separators.iter().map(after).max().unwrap_or(0);
        // A name that consists of separators, such as an operator, is kept.
        name.get(start..).filter(|rest| !rest.is_empty()).unwrap_or(name).to_owned()
    };
    let scope = |parent: Option<&String>| match matching.scope {
        ScopeRule::Ignored => String::new(),
        ScopeRule::Last => parent.map(|parent| normal(parent)).unwrap_or_default(),
    };
    let mut taken = Taken::default();
    let mut pairs = Vec::new();
    for exact in [true, false] {
        let name = |name: &str| if exact { name.to_owned() } else { normal(name) };
        let ours: Vec<_> = found
            .symbols
            .iter()
            .map(|symbol| {
                let class = rules.kind_class(&symbol.kind);
                (Some((name(&symbol.name), class, scope(symbol.parent.as_ref()))), symbol.line)
            })
            .collect();
        let theirs: Vec<_> = gold
            .symbols
            .iter()
            .map(|symbol| {
                let class = rules.kind_class(&symbol.kind);
                (Some((name(&symbol.name), class, scope(symbol.parent.as_ref()))), symbol.line)
            })
            .collect();
        pairs.extend(pair(&theirs, &ours, matching.line_tolerance, &mut taken));
    }
    let outside = |line: u32| !gold.is_unjudged(line);
    let alone = found.symbols.iter().enumerate().filter(|(index, _)| !taken.found(*index));
    let alone: Vec<_> = alone.map(|(_, one)| one).collect();
    let invented: Vec<_> = alone.iter().filter(|one| outside(one.line)).collect();
    score.tally.unjudged.symbols = (alone.len() - invented.len()) as u64;
    score.tally.symbols = Counts {
        paired: pairs.len() as u64,
        gold: gold.symbols.len() as u64,
        found: (pairs.len() + invented.len()) as u64,
    };
    for (theirs, ours) in pairs {
        let (Some(theirs), Some(ours)) = (gold.symbols.get(theirs), found.symbols.get(ours)) else {
            continue;
        };
        end(rules, language, theirs, ours, score);
        let visibility = rules.visibility(language);
        let right = visible(visibility, theirs, ours.visibility.as_deref(), ours.exported);
        let Some(right) = right else { continue };
        score.tally.visible += 1;
        if right {
            score.tally.visible_right += 1;
        } else {
            let said = |word: Option<&str>, exported: Option<bool>| {
                format!("{} {exported:?}", word.unwrap_or("-"))
            };
            score.wrong_visibility.push(format!(
                "{} {} {}: gold {}, ours {}",
                theirs.line,
                theirs.kind,
                theirs.name,
                said(theirs.visibility.as_deref(), theirs.exported),
                said(ours.visibility.as_deref(), ours.exported),
            ));
        }
    }
    let at = |line: u32, kind: &str, parent: Option<&String>, name: &str| {
        let parent = parent.map(|parent| format!("{parent} . ")).unwrap_or_default();
        format!("{line} {kind} {parent}{name}")
    };
    let missed = gold.symbols.iter().enumerate().filter(|(index, _)| !taken.gold(*index));
    score
        .missing
        .extend(missed.map(|(_, one)| at(one.line, &one.kind, one.parent.as_ref(), &one.name)));
    let ours = invented.into_iter();
    score.invented.extend(ours.map(|one| at(one.line, &one.kind, one.parent.as_ref(), &one.name)));
}

/// Compares the last lines of a paired symbol. If both say that it is the line of the name, nothing is counted: that
/// is what an explorer would say which knows no ends.
fn end(
    rules: &Scoring,
    language: &str,
    gold: &SymbolLabel,
    ours: &FoundSymbol,
    score: &mut FileScore,
) {
    let short = gold.end_line == gold.line && ours.end_line == ours.line;
    if short || !rules.knows_end(language, &gold.kind) {
        return;
    }
    score.tally.ends += 1;
    if gold.end_line == ours.end_line {
        score.tally.ends_right += 1;
    } else {
        let SymbolLabel { line, kind, name, end_line, .. } = gold;
        let said = ours.end_line;
        score.wrong_ends.push(format!("{line} {kind} {name}: gold {end_line}, ours {said}"));
    }
}

/// Compares the names of a paired import as sets. If neither takes a name, nothing is counted.
fn names(
    rules: &Scoring,
    language: &str,
    gold: &ImportLabel,
    ours: &FoundImport,
    score: &mut FileScore,
) {
    let none = gold.names.is_empty() && ours.names.is_empty();
    if none || !rules.knows_names(language) {
        return;
    }
    let set = |names: &[String]| names.iter().cloned().collect::<BTreeSet<_>>();
    let (theirs, said) = (set(&gold.names), set(&ours.names));
    score.tally.named += 1;
    if theirs == said {
        score.tally.named_right += 1;
    } else {
        let list = |names: BTreeSet<String>| names.into_iter().collect::<Vec<_>>().join(", ");
        let (line, path, theirs, said) = (gold.line, &gold.path, list(theirs), list(said));
        score.wrong_names.push(format!("{line} {path}: gold {theirs}; ours {said}"));
    }
}

/// Whether the visibility of a paired symbol is right; `None` where gold does not know it.
fn visible(
    class: VisibilityClass,
    gold: &SymbolLabel,
    word: Option<&str>,
    exported: Option<bool>,
) -> Option<bool> {
    let export_right = gold.exported.map(|theirs| exported == Some(theirs));
    match class {
        VisibilityClass::None => None,
        VisibilityClass::ExportOnly => export_right,
        VisibilityClass::Full => {
            let word_right = gold.visibility.as_deref().map(|theirs| word == Some(theirs));
            match (word_right, export_right) {
                (None, None) => None,
                (one, other) => Some(one.unwrap_or(true) && other.unwrap_or(true)),
            }
        }
    }
}

fn imports(
    rules: &Scoring,
    language: &str,
    gold: &Labels,
    found: &Explored,
    score: &mut FileScore,
) {
    let normal = |path: &str| {
        path.trim_matches(|one: char| rules.imports.quotes.contains(one) || one == ' ').to_owned()
    };
    let theirs: Vec<_> =
        gold.imports.iter().map(|import| (Some(normal(&import.path)), import.line)).collect();
    let ours: Vec<_> =
        found.imports.iter().map(|import| (Some(normal(&import.path)), import.line)).collect();
    let mut taken = Taken::default();
    let pairs = pair(&theirs, &ours, rules.imports.line_tolerance, &mut taken);
    let known =
        |category: &Option<String>| category.clone().filter(|category| category != "unknown");
    for (theirs, ours) in pairs {
        let (Some(theirs), Some(ours)) = (gold.imports.get(theirs), found.imports.get(ours)) else {
            continue;
        };
        names(rules, language, theirs, ours, score);
        let tally = &mut score.tally;
        let Some(category) = known(&theirs.category) else { continue };
        tally.imports += 1;
        if category == ours.category {
            tally.imports_right += 1;
        } else {
            let (line, path, said) = (theirs.line, &theirs.path, &ours.category);
            score.wrong_imports.push(format!("{line} {path}: gold {category}, ours {said}"));
        }
    }
    let tally = &mut score.tally;
    for (_, missed) in gold.imports.iter().enumerate().filter(|(index, _)| !taken.gold(*index)) {
        if known(&missed.category).is_some() {
            tally.imports += 1;
            score.wrong_imports.push(format!("{} {}: missed", missed.line, missed.path));
        }
    }
    for (_, invented) in found.imports.iter().enumerate().filter(|(index, _)| !taken.found(*index))
    {
        if gold.is_unjudged(invented.line) {
            tally.unjudged.imports += 1;
            continue;
        }
        tally.imports += 1;
        score.wrong_imports.push(format!("{} {}: invented", invented.line, invented.path));
    }
}
