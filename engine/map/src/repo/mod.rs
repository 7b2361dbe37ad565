//! The repository: which files there are, and what they are called.

mod git;
mod ignore;
mod pattern;
mod program;
mod resolve;
mod settings;
mod universe;
mod walk;
mod work_tree;

pub use git::{GitError, shorten_time};
pub use universe::{FileSource, RepoFile, Scope, Universe, UniverseError};
