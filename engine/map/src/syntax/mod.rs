//! Parsing: from a file's text to its tags, and to the outline that rendering needs.

mod extract;
mod outline;
mod parted;
mod tag;
mod walk;

pub use extract::{
    ExtractError, Extracted, captured, captured_by, count_captures, extract, needs_backfill,
    outline_from, outline_of,
};
pub use outline::Outline;
pub use parted::tags as parted_tags;
pub use tag::{Tag, TagKind};
