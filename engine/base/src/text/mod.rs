//! Text semantics of the comparator's language, where they differ from Rust's.
//!
//! Aider is a Python program: lines, white space, letters and paths follow Python's rules
//! (CPython 3.11), and the map's bytes depend on them. The words of messages and code ([`words`])
//! and the standing of a file by its path ([`standing`]) are our own.

pub mod characters;
pub mod folder;
pub mod lines;
pub mod number;
pub mod open;
pub mod paths;
pub mod read;
pub mod standing;
pub mod visible;
pub mod words;
