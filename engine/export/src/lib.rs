#![doc = include_str!("../README.md")]

mod document;
mod kinds;
mod lines;
mod names;
mod range;
mod scip;

pub use self::scip::{ExportError, Exported, Settings, scip};
