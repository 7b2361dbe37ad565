//! Compares the tags and names that both sides find in one file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// One tag: 0-based row, name, and `def` or `ref`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TagRow(pub i64, pub String, pub String);

/// What one side finds in a file, in the format of `audit_tags.py`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Answer {
    /// The file.
    #[serde(default)]
    pub path: String,
    /// The detected language.
    pub language: Option<String>,
    /// The tags of the query alone, in canonical order; absent if there is no query.
    pub tags: Option<Vec<TagRow>>,
    /// Main alias of the lexer that was chosen.
    pub lexer: Option<String>,
    /// The lexical names; absent if they were not looked for.
    pub names: Option<Vec<String>>,
    /// Why there are no tags or names.
    pub error: Option<String>,
}

impl Answer {
    /// Whether the file defines something and refers to nothing, so that names are backfilled.
    pub fn fires(&self) -> bool {
        let has = |kind: &str| {
            self.tags.as_ref().is_some_and(|tags| tags.iter().any(|tag| tag.2 == kind))
        };
        has("def") && !has("ref")
    }
}

/// What a difference is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aspect {
    /// Other tags, or the same in another order.
    Tags,
    /// Other lexical names, in a file where they become references.
    Backfill,
    /// Other lexical names, in a file where they are not used.
    Names,
}

/// The first place where two answers differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// What it is about.
    pub aspect: Aspect,
    /// 0-based row of the first differing tag; absent for names.
    pub row: Option<i64>,
    /// Our tag or names there.
    pub ours: String,
    /// The comparator's tag or names there.
    pub theirs: String,
}

/// The comparison of one file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent findings about one file")]
pub struct Outcome {
    /// The language as the comparator detects it, else as we do; absent if neither side has a query.
    pub language: Option<String>,
    /// Number of the comparator's tags.
    pub tags: usize,
    /// Whether both sides give the same tags, in any order and number.
    pub same_tags: bool,
    /// Whether they also come in the same order.
    pub same_order: bool,
    /// Whether the backfill fires on either side.
    pub fired: bool,
    /// Whether the names were compared.
    pub lexed: bool,
    /// Whether the same lexer gave the same names, each equally often.
    pub same_names: bool,
    /// At most one difference for each aspect.
    pub differences: Vec<Difference>,
}

/// Compares the two answers about one file.
pub fn compare(ours: &Answer, theirs: &Answer) -> Outcome {
    // An error on either side is a finding even without tags; an unmapped language is not.
    let relevant = |answer: &Answer| answer.tags.is_some() || answer.error.is_some();
    let language = [theirs, ours]
        .into_iter()
        .find(|answer| relevant(answer))
        .and_then(|answer| answer.language.clone());
    let mut outcome = Outcome { language, ..Outcome::default() };
    if outcome.language.is_none() {
        return outcome;
    }
    let (our_tags, their_tags) = (tags(ours), tags(theirs));
    outcome.tags = their_tags.len();
    outcome.same_order = our_tags == their_tags
        && ours.error.is_some() == theirs.error.is_some()
        && ours.tags.is_some() == theirs.tags.is_some();
    outcome.same_tags =
        outcome.same_order || (is_whole(ours, theirs) && sorted(our_tags) == sorted(their_tags));
    if !outcome.same_order {
        outcome.differences.push(first_tag(ours, theirs));
    }
    outcome.fired = ours.fires() || theirs.fires();
    outcome.lexed = ours.names.is_some() || theirs.names.is_some() || outcome.fired;
    outcome.same_names = counts(ours) == counts(theirs) && ours.lexer == theirs.lexer;
    if outcome.lexed && !outcome.same_names {
        outcome.differences.push(first_name(ours, theirs, outcome.fired));
    }
    outcome
}

fn tags(answer: &Answer) -> &[TagRow] {
    answer.tags.as_deref().unwrap_or_default()
}

/// Whether neither side reported an error.
fn is_whole(ours: &Answer, theirs: &Answer) -> bool {
    [ours, theirs].iter().all(|answer| answer.error.is_none() && answer.tags.is_some())
}

fn sorted(tags: &[TagRow]) -> Vec<&TagRow> {
    let mut sorted: Vec<&TagRow> = tags.iter().collect();
    sorted.sort_unstable();
    sorted
}

/// How often each name occurs.
fn counts(answer: &Answer) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for name in answer.names.iter().flatten() {
        *counts.entry(name.as_str()).or_default() += 1;
    }
    counts
}

fn first_tag(ours: &Answer, theirs: &Answer) -> Difference {
    let (a, b) = (tags(ours), tags(theirs));
    let at = a.iter().zip(b).take_while(|(ours, theirs)| ours == theirs).count();
    let shown = |answer: &Answer, tag: Option<&TagRow>| match (tag, &answer.error) {
        (Some(TagRow(row, name, kind)), _) => format!("{kind} {name} (row {row})"),
        (None, Some(error)) => error.clone(),
        (None, None) if answer.tags.is_none() => "no query".to_owned(),
        (None, None) => "no further tag".to_owned(),
    };
    let (one, other) = (a.get(at), b.get(at));
    Difference {
        aspect: Aspect::Tags,
        row: other.or(one).map(|tag| tag.0),
        ours: shown(ours, one),
        theirs: shown(theirs, other),
    }
}

fn first_name(ours: &Answer, theirs: &Answer, fired: bool) -> Difference {
    let (a, b) = (counts(ours), counts(theirs));
    let differs = |name: &&str| a.get(*name) != b.get(*name);
    let name = a.keys().chain(b.keys()).copied().filter(differs).min();
    let shown = |answer: &Answer, counts: &BTreeMap<&str, usize>| {
        let lexer = answer.lexer.as_deref().unwrap_or("no lexer");
        match name {
            Some(name) => {
                format!("{lexer}: {name:?} {} times", counts.get(name).copied().unwrap_or(0))
            }
            None => lexer.to_owned(),
        }
    };
    Difference {
        aspect: if fired { Aspect::Backfill } else { Aspect::Names },
        row: None,
        ours: shown(ours, &a),
        theirs: shown(theirs, &b),
    }
}
