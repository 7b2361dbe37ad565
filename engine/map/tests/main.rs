//! All tests of maps in one program: each program of tests holds all grammars, 75 MB.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod budget;
mod edits;
mod explain;
mod languages;
mod ranking;
