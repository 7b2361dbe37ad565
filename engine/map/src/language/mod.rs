//! Languages: which file is in which, its grammar and its tag query.

mod manifest;
mod paths;
mod query;
mod shape;

pub use manifest::{Detected, Language, Registry, registry, sources};
pub use paths::{Path, Paths};
pub use query::{PairedPatterns, QueryError, TagQuery};
pub use shape::GrammarShape;
