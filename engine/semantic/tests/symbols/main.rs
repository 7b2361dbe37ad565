//! Symbols of small repositories, and their connections. What is expected is read off the sources by hand.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "a test writes its own files")]

mod place;

mod connections;
mod edges;
mod lookups;
mod snapshots;
