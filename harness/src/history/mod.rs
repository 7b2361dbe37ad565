//! What changed between two runs: gates, cells and corpora, with losses first.
//!
//! [`Side`] holds what a run or a bundle says of itself; [`compare`](fn@compare) compares two of them.
//! Nothing is verified here; `parity verify` does that.

mod compare;
mod recordings;
pub mod runs;
mod side;
mod text;

pub use compare::{CellChange, Diff, GateChange, Moved, Place, compare};
pub use recordings::Recordings;
pub use side::{ENVIRONMENT, Side, environment};
