//! The repository: which files there are, and what they are called.

mod git;
mod ignore;
mod pattern;
mod resolve;
mod universe;
mod walk;

pub use git::GitError;
pub use universe::{FileSource, RepoFile, Scope, Universe, UniverseError};
