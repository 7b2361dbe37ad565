//! The store against real database files.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "the tests read files that they wrote")]

mod concurrency;
mod contracts;
mod damage;
mod kill;
mod lineage;
mod lossless;
mod paths;
mod privacy;
mod support;
