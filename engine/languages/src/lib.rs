//! The table of languages: one folder in `queries/` for each, read at build time.
//!
//! `queries/<key>/language.toml` says which files are of a language, which grammar parses them
//! and where that grammar comes from. The build scripts of `grammars`, `map` and `explore`
//! generate their tables from it, and the drift audit compares it with the comparator. So each
//! language is described in one place, and a malformed row stops the build.

mod comparator;
mod row;
mod table;

pub use comparator::{Comparator, ParserCore};
pub use row::{Embedded, Explorer, Grammar, Language, Parts, Profile, Tags};
pub use table::{Table, TableError, Texts};
