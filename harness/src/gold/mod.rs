//! Gold: what oracles say of the files of the visible corpora.
//!
//! There is one compressed file per language in the protocol's folder in `gold/`. It holds names,
//! kinds, lines and digests, and no other text. The digests of these files are part of the protocol's
//! freeze, so that a score always says what it was measured against.

mod crosscheck;
mod frozen;
mod generate;
mod select;

pub use crosscheck::{Agreement, CrosscheckError, agreements, crosscheck, ctags_version};
pub use frozen::{Frozen, FrozenError};
pub use generate::{GenerateError, Generator};
pub use select::{FileOf, SelectError, by_language, files, sample};
