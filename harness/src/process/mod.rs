//! Runs a child program to its end, whatever it does, and records exactly what it did.
//!
//! A comparator is a third-party program: it may hang, flood its output, ignore SIGTERM or leave a
//! grandchild that holds the pipe open. [`run`] returns in bounded time in each of these cases, and
//! [`record::Capture`] says which of them happened. No child outlives this process, however this
//! process ends: see [`warden`].

mod capped;
mod command;
mod group;
mod interrupt;
mod invocation;
pub mod restart;
mod runner;
pub mod warden;

pub use command::finish;
pub use interrupt::{go_on, interrupt, interrupted, watch_for_interrupts};
pub use invocation::Invocation;
pub use runner::{ProcessError, run, run_observed};
