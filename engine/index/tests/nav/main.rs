//! Questions about small repositories. The expected answers are read off the sources by hand.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(clippy::disallowed_methods, reason = "a test reads its own files")]

mod place;

mod bindings;
mod faults;
mod freshness;
mod languages;
mod shape;
