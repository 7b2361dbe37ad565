//! The maps of the enhancement profile: another order of the candidates, another way to show them,
//! and a budget that is never exceeded.
//!
//! The graph and its ranks are those of the parity profile, without references to another family of
//! languages and to homonyms of what a file imports (`scopes`), and with seeds on what the files of
//! the chat import (`imports`) and on the files that differ from HEAD (`edits`). Files and
//! definitions that share words with the message are relevant (`relevance`), paths that are rarely
//! meant weigh less (`base::text::standing`), and both decide the order (`order`), which is
//! made as far as the budget looks (`candidates`). Definitions are
//! shown by their signatures (`sheet`), and the budget is used up as far as possible (`fill`), at
//! last with the first sentences of their documentation (`documentation`). Each [`Factor`] can be
//! turned off.

mod candidates;
mod count;
mod documentation;
mod edits;
mod factor;
mod fill;
mod imports;
mod modules;
mod order;
mod relevance;
mod scopes;
mod sheet;
mod signature;
mod statements;

pub use candidates::Candidates;
pub use count::BudgetCount;
pub use edits::{edited, seed as seed_edits};
pub use factor::{Factor, UnknownFactor};
pub use fill::fill;
pub use imports::seed as seed_imports;
pub use order::{DefinitionWorth, FileWorth, Order, Ordering};
pub use relevance::Relevance;
pub use scopes::{Scopes, stated_imports};
pub use sheet::{Drawing, KnownLines, Sheet};
pub use statements::imports;
