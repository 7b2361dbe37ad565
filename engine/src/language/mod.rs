//! Languages: which file is in which, its grammar and its tag query.

mod manifest;
mod query;

pub use manifest::{Detected, Language, Registry, registry};
pub use query::{QueryError, TagQuery};
