#![doc = include_str!("../README.md")]

mod batch;
mod chain;
mod enhancement;
mod explain;
mod fit;
mod graph;
pub mod language;
mod load;
mod mentions;
mod numeric;
mod pagerank;
mod pages;
mod ranking;
mod refresh;
mod render;
pub mod repo;
mod request;
mod session;
mod skipped;
mod sources;
mod stages;
pub mod syntax;
mod tag_cache;
mod trace;

pub use batch::Batch;
pub use chain::{MapError, RepoMap, build, build_with};
pub use enhancement::{BudgetCount, DefinitionWorth, Factor, FileWorth, UnknownFactor};
pub use explain::{Applied, EntryReason, EntryWorth, FileReason, Referrer};
pub use graph::Multiplier;
pub use mentions::Mentioned;
pub use refresh::{RefreshMode, Stopwatch};
pub use request::{MapRequest, MentionSource};
pub use session::{Session, Turn};
pub use skipped::Skipped;
pub use tag_cache::{Found, Identity, Kept, TagCache};
pub use trace::{Attempt, GraphSize, Probe, Trace, TraceDetail, TracedEntry};
