//! Token counts: exact, the comparator's estimate, and the conservative safety count.

mod by_length;
mod counter;
mod estimate;
mod model;
mod support;

pub use by_length::{bytes_per_token, count_by_length};
pub use counter::{Counter, Tokenizer};
pub use estimate::{estimate, estimate_by, safety_count};
pub use model::Model;
pub use support::TokenizerFamily;
pub use tokenizer::LineCounter;
