//! All output of this program. Nothing else may print; the lints enforce that.
//!
//! Names of files, arguments and the output of other programs may hold anything. Characters in them
//! that control a terminal are shown in escaped form: always on standard error, and on standard output
//! except for maps and explorations of the parity profile that go to a file or a pipe.

mod bar;
mod output;
mod pager;
pub mod progress;
mod talk;

pub use bar::Bar;
pub use output::{Output, protocol, takes_colours};
pub use pager::no_pager;
pub use talk::{Teller, report_panics, talk};
