//! All that this program prints. Nothing else may print: the lints see to that.
//!
//! Names of files, arguments and the words of other programs may hold anything. What steers a
//! terminal in them is shown instead of sent: always on standard error, and on standard output
//! except for maps and explorations of the parity profile that go to a file or a pipe.

mod bar;
mod output;
pub mod progress;
mod talk;

pub use bar::Bar;
pub use output::{Output, protocol, takes_colours};
pub use talk::{Teller, report_panics, talk};
