#![doc = include_str!("../README.md")]

mod between;
mod chunk;
mod file;
mod imports;
mod leading;
mod lines;
mod nest;
mod signature;

pub use chunk::{Chunk, id};
pub use file::{File, NoParts, Part};
pub use lines::{Lines, Place};
