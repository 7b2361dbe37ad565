//! The scoring protocol of B1 and B2: `scoring.toml`.

use std::collections::{BTreeMap, BTreeSet};

use record::{Profile, Set, VisibilityClass};
use serde::{Deserialize, Serialize};

/// How the behaviour of a comparator that is not run is known.
const CONTRACTS: &str = "contracts";
/// The class of what has a body that a front end may skip.
const CALLABLE: &str = "callable";

/// The whole protocol.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scoring {
    /// Its version.
    pub version: u32,
    /// Whose behaviour the parity profile covers, and how that is known.
    pub comparator: ContractComparator,
    /// What counts as the same symbol.
    pub matching: MatchingRules,
    /// Words of kinds by class.
    pub kind_classes: BTreeMap<String, Vec<String>>,
    /// What counts as the same import.
    pub imports: ImportRules,
    /// Where gold knows the last line of a declaration.
    pub end_lines: EndRules,
    /// Where gold knows the names that an import takes.
    pub imported_names: NameRules,
    /// Fewest samples of a metric.
    pub minimum_sample: MinimumSample,
    /// What gold consists of.
    pub gold: GoldRules,
    /// How much of it may be left unjudged.
    pub unjudged: UnjudgedRules,
    /// B2.
    pub disclosure: DisclosureRules,
    /// Thresholds by profile.
    pub thresholds: BTreeMap<Profile, B1Thresholds>,
    /// The languages that are judged, by key. Gold of others is reported.
    pub languages: BTreeMap<String, LanguageRules>,
}

/// A comparator that is not run: its behaviour is written down as contracts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContractComparator {
    /// Its name.
    pub name: String,
    /// How its behaviour is known: `contracts`.
    pub volt: String,
    /// Where the reference looks for it.
    pub path: String,
    /// The repository that was read.
    pub source: String,
    /// The commits that were read.
    pub commits: Vec<String>,
}

/// What counts as the same symbol.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchingRules {
    /// Greatest distance of the lines of two names.
    pub line_tolerance: u32,
    /// Characters taken off both ends of a name.
    pub quotes: String,
    /// What separates the parts of a name.
    pub separators: Vec<String>,
    /// What of the enclosing scope is compared.
    pub scope: ScopeRule,
}

/// What of the enclosing scope is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScopeRule {
    /// The innermost name.
    Last,
    /// Nothing.
    Ignored,
}

/// What counts as the same import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImportRules {
    /// Greatest distance of the lines.
    pub line_tolerance: u32,
    /// Characters taken off both ends of a path.
    pub quotes: String,
}

/// Languages whose front ends know the last line of a declaration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EndRules {
    /// Of what can be called.
    pub callables: BTreeSet<String>,
    /// Of all else.
    pub others: BTreeSet<String>,
}

/// Languages whose front ends know the names that an import takes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NameRules {
    /// The languages.
    pub stated: BTreeSet<String>,
}

/// Fewest samples by which a language is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MinimumSample {
    /// Files with gold.
    pub files: u64,
    /// Symbols in gold.
    pub symbols: u64,
    /// Imports in the denominator.
    pub imports: u64,
    /// Paired symbols with a known visibility.
    pub visibility: u64,
    /// Paired symbols with a last line that counts.
    pub end_lines: u64,
    /// Paired imports that take names.
    pub imported_names: u64,
}

/// What gold consists of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GoldRules {
    /// Most files of one language and corpus.
    pub max_files_per_corpus: usize,
    /// Largest file, in bytes.
    pub max_file_bytes: u64,
}

/// How much gold may leave unjudged.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnjudgedRules {
    /// Largest share of a file's lines that its labels may say nothing about; beyond it, the file has no gold.
    pub max_share_of_file: f64,
    /// Largest share of the lines of a language's gold that labels may say nothing about.
    pub max_share_of_lines: f64,
    /// Largest share of the symbols and imports that we find in a language that may stand on such lines and pair
    /// with no label.
    pub max_share_of_entries: f64,
}

/// B2.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DisclosureRules {
    /// Most files of one explorer and corpus besides those with gold.
    pub max_files_per_explorer: usize,
    /// Fewest capped lists of a run.
    pub min_lists: u64,
    /// Least share of lists and outputs that are as they should be.
    pub min_share: f64,
}

/// Thresholds of one profile.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct B1Thresholds {
    /// Over the sums of all languages.
    pub micro: Measures,
    /// Over the weighted mean of the languages.
    #[serde(rename = "macro")]
    pub mean: Measures,
    /// For each language.
    pub floor: Measures,
}

/// One number for each metric, in [0, 1].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measures {
    /// Symbol recall.
    pub symbol_recall: f64,
    /// Symbol precision.
    pub symbol_precision: f64,
    /// Import category accuracy.
    pub import_category_accuracy: f64,
    /// Visibility accuracy.
    pub visibility_accuracy: f64,
    /// End line accuracy.
    pub end_line_accuracy: f64,
    /// Accuracy of imported names.
    pub imported_names_accuracy: f64,
}

/// One language.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LanguageRules {
    /// What its front end knows about visibility.
    pub visibility: VisibilityClass,
    /// Its weight in the macro average.
    #[serde(default = "one")]
    pub weight: f64,
    /// The sets in which it must have enough samples.
    #[serde(default)]
    pub required: BTreeSet<Set>,
}

const fn one() -> f64 {
    1.0
}

impl Scoring {
    /// Checks what the types do not say: the comparator's behaviour is known from contracts, both
    /// profiles have thresholds in (0, 1], gold judges something, no kind is in two classes, each language that has
    /// rules has a row, and weights are positive.
    ///
    /// # Errors
    /// One of these does not hold; the message says which.
    pub fn check(&self) -> Result<(), String> {
        if self.comparator.volt != CONTRACTS {
            return Err("comparator.volt does not say how the comparator is known".to_owned());
        }
        for profile in Profile::ALL {
            let rules =
                self.thresholds.get(&profile).ok_or_else(|| format!("no thresholds.{profile}"))?;
            for of in [&rules.micro, &rules.mean, &rules.floor] {
                let fits = of.all().iter().all(|(_, value)| *value > 0.0 && *value <= 1.0);
                if !fits {
                    return Err(format!("a threshold of {profile} is not in (0, 1]"));
                }
            }
        }
        let UnjudgedRules { max_share_of_file, max_share_of_lines, max_share_of_entries } =
            self.unjudged;
        let shares = [max_share_of_file, max_share_of_lines, max_share_of_entries];
        if !shares.iter().all(|share| (0.0..1.0).contains(share)) {
            return Err("a share of what gold says nothing about is not in [0, 1)".to_owned());
        }
        let mut seen = BTreeSet::new();
        if let Some(kind) = self.kind_classes.values().flatten().find(|kind| !seen.insert(*kind)) {
            return Err(format!("the kind {kind} is in two classes"));
        }
        if !self.kind_classes.contains_key(CALLABLE) {
            return Err(format!("there is no class of kinds {CALLABLE}"));
        }
        let EndRules { callables, others } = &self.end_lines;
        let mut known = callables.iter().chain(others).chain(&self.imported_names.stated);
        if let Some(language) = known.find(|language| !self.languages.contains_key(*language)) {
            return Err(format!("what is known of {language} is of no use: it has no row"));
        }
        match self
            .languages
            .iter()
            .find(|(_, rules)| !(rules.weight > 0.0 && rules.weight.is_finite()))
        {
            Some((language, _)) => Err(format!("the weight of {language} is not positive")),
            None => Ok(()),
        }
    }

    /// The class of a kind; a kind in no class is its own.
    pub fn kind_class<'a>(&'a self, kind: &'a str) -> &'a str {
        let has = |(_, kinds): &(&'a String, &'a Vec<String>)| kinds.iter().any(|one| one == kind);
        self.kind_classes.iter().find(has).map_or(kind, |(class, _)| class.as_str())
    }

    /// Whether gold knows the last line of declarations of a kind.
    pub fn knows_end(&self, language: &str, kind: &str) -> bool {
        let EndRules { callables, others } = &self.end_lines;
        let known = if self.kind_class(kind) == CALLABLE { callables } else { others };
        known.contains(language)
    }

    /// Whether gold knows the last line of some declarations.
    pub fn knows_ends(&self, language: &str) -> bool {
        let EndRules { callables, others } = &self.end_lines;
        [callables, others].iter().any(|known| known.contains(language))
    }

    /// Whether gold knows the names that imports take.
    pub fn knows_names(&self, language: &str) -> bool {
        self.imported_names.stated.contains(language)
    }

    /// What is known about visibility in a language; nothing where the protocol has no row.
    pub fn visibility(&self, language: &str) -> VisibilityClass {
        self.languages.get(language).map_or(VisibilityClass::None, |rules| rules.visibility)
    }
}

impl Measures {
    /// All metrics with their names.
    pub const fn all(&self) -> [(&'static str, f64); 6] {
        [
            ("symbol_recall", self.symbol_recall),
            ("symbol_precision", self.symbol_precision),
            ("import_category_accuracy", self.import_category_accuracy),
            ("visibility_accuracy", self.visibility_accuracy),
            ("end_line_accuracy", self.end_line_accuracy),
            ("imported_names_accuracy", self.imported_names_accuracy),
        ]
    }
}
