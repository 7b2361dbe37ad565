//! The comparator: a pinned third-party program that is installed, identified, run and recorded.
//!
//! Everything about it is data in its folder (`comparators/<name>/`); the code here knows nothing of
//! Aider except the fields of its tuple. Gates read only [`record::Recording`]s, never a live run.

pub mod baselines;
mod cache;
mod definition;
mod durations;
mod environment;
mod pinned;
mod placeholder;
pub mod preflight;
pub mod prerequisites;
mod progress;
mod python;
mod run;
mod shipped;
mod tuple;
pub mod volt;

#[cfg(test)]
mod faults;

pub use cache::{Cache, Question};
pub use definition::{
    ComparatorSpec, Definition, DefinitionError, FILE_NAME, Relation, RelationFile,
};
pub use environment::{ContentError, Environment, EnvironmentError, Environments, Stamp};
pub use pinned::PinnedTuple;
pub use preflight::{Check, Preflight};
pub use python::{Python, PythonError};
pub use run::{Comparator, Run, RunError, replay};
pub use shipped::{Shipped, ShippedCase, ShippedError, ShippedRun};
pub use tuple::{ComparatorTuple, TupleProblem};
