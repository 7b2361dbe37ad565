//! Languages: their files, grammars and tag queries.

mod content;
mod embedded;
mod manifest;
mod overrides;
mod parted;
mod paths;
mod query;
mod shape;

pub use embedded::Embedded;
pub use manifest::{Detected, Language, Registry, registry, sources};
pub use overrides::Overrides;
pub use parted::Parted;
pub use paths::{Beside, Path, Paths};
pub use query::{PairedPatterns, QueryError, TagQuery};
pub use shape::GrammarShape;
