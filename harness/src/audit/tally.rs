//! Counts per language and their verdict.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{
    AuditedFile, Exceptions,
    compare::{Aspect, Difference, Outcome},
};

/// A language is proven by this many real files (`facts` of the reference's corpora). Fewer are too few
/// to rest on.
pub const PROVEN: usize = 10;

/// The verdict that the files of a language give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// No undeclared difference, on enough real files.
    Pass,
    /// No undeclared difference, but on fewer than [`PROVEN`] real files.
    Thin,
    /// No file at all.
    Insufficient,
    /// Some difference is undeclared.
    Fail,
}

impl Verdict {
    /// The word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Thin => "thin",
            Self::Insufficient => "insufficient",
            Self::Fail => "fail",
        }
    }
}

/// A difference with the file it is in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Place {
    /// Name of the corpus.
    pub corpus: String,
    /// Path in the repository.
    pub file: String,
    /// What differs.
    #[serde(flatten)]
    pub difference: Difference,
    /// The declared deviation that covers it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deviation: Option<String>,
}

/// The counts of one language.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct LanguageTally {
    /// Files of the language.
    pub files: usize,
    /// Those from real projects.
    pub real_files: usize,
    /// The comparator's tags in all of them.
    pub tags: usize,
    /// Files with the same tags in the same order.
    pub equal_files: usize,
    /// Files with the same tags in another order.
    pub reordered_files: usize,
    /// Files in which the backfill fires.
    pub backfilled_files: usize,
    /// Those with the same lexer and names.
    pub backfill_equal_files: usize,
    /// Files whose names were compared, whether the map needs them or not.
    pub lexed_files: usize,
    /// Those with the same lexer and names.
    pub names_equal_files: usize,
    /// Differences that a declared deviation covers.
    pub declared: usize,
    /// Every difference, by file.
    pub differences: Vec<Place>,
}

impl LanguageTally {
    fn add(
        &mut self,
        file: &AuditedFile,
        language: &str,
        outcome: Outcome,
        exceptions: &Exceptions,
    ) {
        self.files += 1;
        self.real_files += usize::from(file.real);
        self.tags += outcome.tags;
        self.equal_files += usize::from(outcome.same_order);
        self.reordered_files += usize::from(outcome.same_tags && !outcome.same_order);
        self.backfilled_files += usize::from(outcome.fired);
        self.backfill_equal_files += usize::from(outcome.fired && outcome.same_names);
        self.lexed_files += usize::from(outcome.lexed);
        self.names_equal_files += usize::from(outcome.lexed && outcome.same_names);
        for difference in outcome.differences {
            let declared =
                exceptions.declares(language, difference.aspect, &file.corpus, &file.path);
            let deviation = declared.map(str::to_owned);
            self.declared += usize::from(deviation.is_some());
            let (corpus, file) = (file.corpus.clone(), file.path.clone());
            self.differences.push(Place { corpus, file, difference, deviation });
        }
    }

    /// Differences that decide: undeclared, and not only in names that the map never sees.
    pub fn undeclared(&self) -> impl Iterator<Item = &Place> {
        self.differences
            .iter()
            .filter(|place| place.deviation.is_none() && place.difference.aspect != Aspect::Names)
    }

    /// The verdict that the counts give.
    pub fn verdict(&self) -> Verdict {
        if self.undeclared().next().is_some() {
            Verdict::Fail
        } else if self.files == 0 {
            Verdict::Insufficient
        } else if self.real_files < PROVEN {
            Verdict::Thin
        } else {
            Verdict::Pass
        }
    }
}

/// A share as text with four decimals; `-` if `whole` is 0. Only a full share reads `1.0000`.
pub fn share(part: usize, whole: usize) -> String {
    if whole == 0 {
        return "-".to_owned();
    }
    // Rounding down keeps even one difference in a million visible.
    let digits = part * 10_000 / whole;
    format!("{}.{:04}", digits / 10_000, digits % 10_000)
}

/// The counts of all selected languages.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Tally(pub BTreeMap<String, LanguageTally>);

impl Tally {
    /// Empty counts for each language, so that a language without files shows up.
    pub fn of<'a>(languages: impl IntoIterator<Item = &'a str>) -> Self {
        let empty = |key: &str| (key.to_owned(), LanguageTally::default());
        Self(languages.into_iter().map(empty).collect())
    }

    /// Counts a file, unless its language was not selected. Whether both sides know the same languages
    /// is checked by [`super::survey`] instead.
    pub fn add(&mut self, file: &AuditedFile, outcome: Outcome, exceptions: &Exceptions) {
        let Some(language) = outcome.language.clone() else { return };
        if let Some(tally) = self.0.get_mut(&language) {
            tally.add(file, &language, outcome, exceptions);
        }
    }

    /// Sorts the differences by corpus and file, because workers finish in any order.
    pub fn sort(&mut self) {
        for tally in self.0.values_mut() {
            tally.differences.sort_by(|a, b| {
                let key = |place: &Place| {
                    (place.corpus.clone(), place.file.clone(), place.difference.aspect)
                };
                key(a).cmp(&key(b))
            });
        }
    }

    /// All verdicts that occur.
    pub fn verdicts(&self) -> BTreeSet<Verdict> {
        self.0.values().map(LanguageTally::verdict).collect()
    }
}
