//! Parsing: from a file's text to its tags, and to the outline that rendering needs.

mod extract;
mod guard;
mod outline;
mod tag;
pub mod watch;

pub use extract::{ExtractError, count_captures, extract, outline_of};
pub use outline::Outline;
pub use tag::{Tag, TagKind};
