//! Which symbol uses which, by what each name means. A name that is only the same is never an edge.

mod edge;
mod owners;
mod seen;
mod symbol;
mod tree;

pub use edge::{Edge, Kind, Tier, Uses};
pub use owners::is_symbol;
pub use seen::Graph;
pub use symbol::{Symbol, chain, is_type, symbol};
pub use tree::{Branch, Mark, Tree};
