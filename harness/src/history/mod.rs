//! What changed between two runs: gates, cells and corpora, with losses first; and how long both took.
//!
//! [`Side`] holds what a run or a bundle says of itself; [`compare`](fn@compare) compares two of them.
//! Nothing is verified here; `parity verify` does that.

mod bundles;
mod compare;
mod page;
mod recordings;
pub mod runs;
mod side;
pub mod significance;
mod text;
mod times;

pub use bundles::of_commits;
pub use compare::{CellChange, Diff, GateChange, Moved, Place, compare};
pub use recordings::Recordings;
pub use side::{ENVIRONMENT, Side, environment};
pub use times::{Times, Units, earlier, kind_of};
