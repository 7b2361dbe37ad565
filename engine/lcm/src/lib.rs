#![doc = include_str!("../README.md")]

mod caller;
mod content;
mod error;
mod explorer;
pub mod fault;
mod id;
mod ingest;
pub mod inventory;
mod lcm;
pub mod path;
mod reply;
mod retrieve;
mod settings;
pub mod store;
pub mod trace;

pub use base::profile::Profile;
pub use caller::{Asker, Caller};
pub use content::{Content, LARGEST, Source};
pub use error::Error;
pub use explorer::{Explored, Explorer, InProcess};
pub use id::Kind;
pub use ingest::{Put, Reason, Stored};
pub use lcm::Lcm;
pub use retrieve::{Description, Expansion};
pub use settings::Settings;
pub use store::Store;

/// Version of the JSON that the types of this crate are written as.
pub const SCHEMA_VERSION: u32 = 1;
