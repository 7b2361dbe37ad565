//! The drift audit: have our languages, queries or lexers drifted from the comparator's?
//!
//! [`drift`] compares what is recorded here (`queries/`, `archives.toml`, the compiled tables) with
//! what the comparator's environment says about itself ([`facts`]). [`verify`] gives real files to both
//! sides, compares their tags and lexical names ([`compare()`]), and counts the results per language
//! ([`tally`]). [`bundled`] compares the comparator's queries with those that are published with
//! grammars. [`tokens`] counts the tokens of each language.

pub mod bundled;
pub mod compare;
pub mod drift;
pub mod exceptions;
pub mod facts;
pub mod files;
pub mod ours;
pub mod recorded;
pub mod revisions;
pub mod snapshot;
pub mod tally;
pub mod tokens;
pub mod verify;

#[cfg(test)]
mod tests;

pub use compare::{Answer, Aspect, Difference, Outcome, TagRow, compare};
pub use drift::{Drift, Pins, Survey, survey};
pub use exceptions::Exceptions;
pub use facts::{Facts, ModelFacts};
pub use files::AuditedFile;
pub use tally::{LanguageTally, Tally, Verdict};
pub use verify::{Audit, VerifyError};
