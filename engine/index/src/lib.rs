#![doc = include_str!("../README.md")]

mod codec;
mod gomod;
mod maker;
pub mod nav;
mod prune;
mod rows;
mod settings;
mod shelf;
mod stamp;
mod status;
mod store;
mod symbols;
mod sync;
mod tags;

pub use prune::Pruned;
pub use settings::Settings;
pub use shelf::Shelf;
pub use status::{IndexError, Status, Synced, prune, status, sync};
pub use store::StoreError;
pub use sync::Pending;
