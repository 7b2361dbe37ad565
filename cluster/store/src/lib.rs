//! A store that many machines share: answers of workers, artifacts of corpora, wheels of comparators, and engines, in a
//! folder or behind the protocol of S3.
//!
//! `objects/<kind>/<sha256>` holds bytes under their digest. `names/<kind>/<key>` says which object a key stands for; it
//! is written once and never changed. An object is there before its name, so nothing is ever half published. Whatever
//! is read is compared with its digest before anybody sees it.

mod client;
mod collect;
mod entry;
mod error;
mod folder;
mod key;
mod kind;
mod list;
mod open;
mod publish;
mod read;
mod verify;

pub use client::{Patience, Store};
pub use collect::{Collected, Collection, LEAST_GRACE};
pub use entry::Entry;
pub use error::Error;
pub use folder::{pack, unpack};
pub use key::{Key, NotAKey};
pub use kind::Kind;
pub use publish::{Outcome, Published};
pub use verify::{Problem, Verified};
