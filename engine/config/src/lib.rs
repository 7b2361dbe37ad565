#![doc = include_str!("../README.md")]

mod config;
mod error;
mod file;
mod key;
mod value;

pub use config::{Asked, Config, Known, Set, load};
pub use error::ConfigError;
pub use file::FILE;
pub use key::{KEYS, Key, Kind, Trust, name};
pub use value::{Source, Value};
