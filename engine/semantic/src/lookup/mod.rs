//! Symbols by their names: what is asked for, and which symbols that is.

mod complete;
mod missing;
mod query;
mod resolve;

pub use complete::complete;
pub use missing::Missing;
pub use query::SymbolQuery;
pub use resolve::resolve;
