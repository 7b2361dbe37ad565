//! What changed between two runs: gates, cells and corpora, what is gone first.
//!
//! [`Side`] holds what a run or a bundle says of itself; [`compare`](fn@compare) holds two against each
//! other. Nothing is verified here: that is `parity verify`.

mod compare;
pub mod runs;
mod side;
mod text;

pub use compare::{CellChange, Diff, GateChange, Moved, Place, compare};
pub use side::{ENVIRONMENT, Side, environment};
