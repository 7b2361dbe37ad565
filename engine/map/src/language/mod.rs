//! Languages: which file is in which, its grammar and its tag query.

mod manifest;
mod query;
mod shape;

pub use manifest::{Detected, Language, Registry, registry};
pub use query::{PairedPatterns, QueryError, TagQuery, manifest_text, query_text};
pub use shape::GrammarShape;
