//! The comparator: a pinned foreign program that is installed, recognised, run and recorded.
//!
//! Everything about it is data in its room (`comparators/<name>/`); nothing here knows Aider
//! beyond the fields of its tuple. Gates read only [`Recording`]s, never a live run.

mod cache;
mod definition;
mod digest;
mod environment;
mod outcome;
mod pinned;
mod placeholder;
pub mod preflight;
pub mod prerequisites;
mod python;
mod receipt;
mod recording;
pub mod response;
mod run;
mod store;
mod tuple;

#[cfg(test)]
mod faults;

pub use cache::{Cache, Question};
pub use definition::{Definition, DefinitionError, Package, Relation, RelationFile, Room};
pub use digest::{Digest, NotADigest};
pub use environment::{Environment, EnvironmentError, Environments, Stamp};
pub use outcome::{Failure, classify};
pub use pinned::PinnedTuple;
pub use preflight::{Check, Preflight};
pub use python::{Python, PythonError};
pub use receipt::{MeasuredEnvironment, MeasuredTuple, Receipt};
pub use recording::{Blob, Places, Recording, Stream};
pub use response::{Response, ResponseError};
pub use run::{Comparator, Run, RunError, replay};
pub use store::{Store, StoreError};
pub use tuple::{ComparatorTuple, TupleProblem};
