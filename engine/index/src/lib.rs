#![doc = include_str!("../README.md")]

pub mod codec;
mod crates;
mod extractor;
mod gomod;
mod kept;
mod maker;
mod manifests;
pub mod nav;
mod packages;
mod prune;
mod rows;
mod settings;
mod stamp;
mod status;
mod store;
mod symbols;
mod sync;
mod tag_cache;
mod tags;
mod watch;

pub use extractor::Extractor;
pub use kept::{Kept, kept};
pub use maker::chunks as chunk_maker;
pub use map::language::Overrides;
pub use prune::Pruned;
pub use rows::{Content, ContentKey, Digest};
pub use settings::Settings;
pub use status::{IndexError, Status, Synced, prune, status, sync};
pub use store::StoreError;
pub use symbols::{Definition, Occurrence, Role, Symbols};
pub use sync::{Pending, Progress};
pub use tag_cache::TagCache;
pub use watch::watch;
