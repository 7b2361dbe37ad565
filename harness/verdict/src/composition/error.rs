//! Why evidence is not what the protocol demands of a sign-off.

use record::{Profile, Set, Side};

/// Why a sign-off is not composed as its protocol demands. Each kind has its own code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CompositionError {
    /// The composition cannot be used, or a plan cannot be held against it.
    #[error("{0}")]
    Unusable(String),
    /// The protocol has no sign-off of this set and profile.
    #[error("the protocol has no sign-off over the set {set} in the {profile} profile")]
    NoSignOff {
        /// The set.
        set: Set,
        /// The profile.
        profile: Profile,
    },
    /// Only a part was asked for.
    #[error("the plan is of a partial run; a sign-off needs all gates, budgets and corpora")]
    Partial,
    /// The plan has other gates.
    #[error("gates: {0}")]
    Gates(String),
    /// The plan has other budgets.
    #[error("budgets: {0}")]
    Budgets(String),
    /// A required corpus is missing, or an optional one that the plan does not list as skipped.
    #[error("corpus {0}: the protocol requires it, the plan does not have it")]
    MissingCorpus(String),
    /// A corpus of no sign-off.
    #[error("corpus {0}: the protocol does not have it in this set")]
    UnknownCorpus(String),
    /// The plan asks something else about a corpus.
    #[error("corpus {corpus}: {what}")]
    Corpus {
        /// Its name.
        corpus: String,
        /// What differs.
        what: String,
    },
    /// The digest over the corpora is not that of the plan's corpora.
    #[error("fixtures_sha256 is not the digest of the plan's corpora")]
    Fixtures,
    /// The plan does not rest on a file that it must rest on.
    #[error("{0}: the plan does not rest on it, and must")]
    MissingFile(String),
    /// A file of the protocol, or gold, is not in its freeze with this digest.
    #[error("{0}")]
    Frozen(String),
    /// A unit without a recording.
    #[error("unit {0}: it was not recorded")]
    MissingUnit(String),
    /// A recording of no unit.
    #[error("unit {0}: the plan does not have it")]
    UnknownUnit(String),
    /// A recording that cannot be read.
    #[error("unit {unit}: its recording cannot be read: {why}")]
    Unreadable {
        /// Key of the unit.
        unit: String,
        /// Why.
        why: String,
    },
    /// A recording of another unit.
    #[error("unit {unit}: its recording is of unit {found}")]
    OtherUnit {
        /// Key of the unit.
        unit: String,
        /// The unit that the recording names.
        found: String,
    },
    /// A recording of the other side.
    #[error("unit {unit}: recorded of the {found}, not of the {expected}")]
    OtherSide {
        /// Key of the unit.
        unit: String,
        /// Whose run it is.
        found: Side,
        /// Whose run it must be.
        expected: Side,
    },
    /// A recording on another corpus.
    #[error("unit {unit}: recorded on the corpus {found}")]
    OtherCorpus {
        /// Key of the unit.
        unit: String,
        /// The corpus of the recording.
        found: String,
    },
    /// A program was called in another way.
    #[error("unit {unit}: its {what} is not what the unit asks")]
    Asked {
        /// Key of the unit.
        unit: String,
        /// `command line`, `environment` or `input`.
        what: &'static str,
    },
    /// The comparator answered in another mode, or about another model or seed.
    #[error("unit {unit}: the comparator answered with {what} {found}, not {expected}")]
    Answer {
        /// Key of the unit.
        unit: String,
        /// `mode`, `seed` or `model`.
        what: &'static str,
        /// What it says.
        found: String,
        /// What it must say.
        expected: String,
    },
    /// Another comparator, or another driver of it.
    #[error("unit {unit}: recorded with another comparator: {member} differs")]
    Comparator {
        /// Key of the unit.
        unit: String,
        /// The member of the comparator tuple.
        member: String,
    },
    /// The signed statement contradicts the plan.
    #[error("the statement differs from the plan: {0}")]
    Statement(String),
}

impl CompositionError {
    /// The stable code of the kind, for scripts.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Unusable(_) => "composition-unusable",
            Self::NoSignOff { .. } => "no-sign-off",
            Self::Partial => "partial-run",
            Self::Gates(_) => "gates",
            Self::Budgets(_) => "budgets",
            Self::MissingCorpus(_) => "corpus-missing",
            Self::UnknownCorpus(_) => "corpus-unknown",
            Self::Corpus { .. } => "corpus-differs",
            Self::Fixtures => "fixtures",
            Self::MissingFile(_) => "file-missing",
            Self::Frozen(_) => "not-frozen",
            Self::MissingUnit(_) => "unit-missing",
            Self::UnknownUnit(_) => "unit-unknown",
            Self::Unreadable { .. } => "recording-unreadable",
            Self::OtherUnit { .. } => "recording-unit",
            Self::OtherSide { .. } => "recording-side",
            Self::OtherCorpus { .. } => "recording-corpus",
            Self::Asked { .. } => "recording-asked",
            Self::Answer { .. } => "comparator-answer",
            Self::Comparator { .. } => "comparator-tuple",
            Self::Statement(_) => "statement",
        }
    }
}
