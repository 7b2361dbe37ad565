//! Languages: which file is in which, its grammar and its tag query.

mod manifest;
mod overrides;
mod paths;
mod query;
mod shape;

pub use manifest::{Detected, Language, Registry, registry, sources};
pub use overrides::Overrides;
pub use paths::{Path, Paths};
pub use query::{PairedPatterns, QueryError, TagQuery};
pub use shape::GrammarShape;
