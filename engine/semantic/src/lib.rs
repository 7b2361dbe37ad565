#![doc = include_str!("../README.md")]

mod answer;
mod between;
mod chunk;
pub mod connection;
mod file;
pub mod graph;
mod imports;
mod leading;
mod lines;
pub mod lookup;
mod nest;
mod signature;
mod snapshot;

pub use answer::{Answer, Call, Extent, Found, SCHEMA_VERSION, Shown, Snapshot, answer};
pub use chunk::{Chunk, id};
pub use file::{File, NoParts, Part};
pub use lines::{Lines, Place};
pub use snapshot::snapshot;
