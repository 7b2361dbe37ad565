//! Corpora: what is measured. From a lock row to a verified git repository with one commit.
//!
//! [`lock`] says what a corpus is, [`fetch`] downloads its artifact, [`unpack`] and [`materialise`]
//! make the repository, and [`store`] keeps it. [`repository`] hands it out and proves that it stayed
//! the same; [`seen`] makes that cheap. [`authored`] does the same for the small corpora that we wrote.

pub mod authored;
pub mod disk;
pub mod fetch;
pub mod git;
pub mod lock;
pub mod materialise;
pub mod patches;
pub mod repository;
pub mod safe_path;
pub mod scratch;
pub mod seen;
pub mod store;
pub mod tree;
pub mod unpack;

#[cfg(test)]
mod fixture;

pub use crate::console::progress::{self, Progress};
pub use authored::Authored;
pub(crate) use authored::GitState;
pub use lock::{Cost, Lock, Row};
pub use repository::{Materialised, ReadOnlyCopy};
pub use scratch::{CreationOrder, ScratchCopy};
pub use store::Store;

use record::{PlannedCorpus, fixtures_sha256};

/// One digest over corpora, given by name and fingerprint; it equals that of a plan with these corpora.
pub fn fixtures_of(corpora: Vec<(String, String)>) -> String {
    let planned = |(name, fingerprint): (String, String)| PlannedCorpus {
        fingerprint,
        ..PlannedCorpus::new(&name)
    };
    fixtures_sha256(&corpora.into_iter().map(planned).collect::<Vec<_>>())
}
