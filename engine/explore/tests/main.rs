//! All tests of the explorers in one program: each program of tests holds all grammars, 75 MB.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod code;
mod disclosure;
mod faults;
mod formats;
mod fuzz;
mod hostile;
mod limits;
mod secrets;
mod summaries;
mod support;
mod totals;
