//! Gold: what independent front ends say of the files of the visible corpora.
//!
//! One compressed file a language in the folder of the protocol in `gold/`: names, kinds, lines and digests, no
//! other text. Their digests are part of the protocol's freeze, so that a score always says what
//! it was measured against.

mod crosscheck;
mod frozen;
mod generate;
mod select;

pub use crosscheck::{Agreement, CrosscheckError, agreements, crosscheck, ctags_version};
pub use frozen::{Frozen, FrozenError};
pub use generate::{GenerateError, Generator};
pub use select::{FileOf, SelectError, by_language, files, sample};
