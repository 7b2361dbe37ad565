//! Navigation: definitions, references, hover and the structure of a file.

pub mod answer;
mod classes;
mod cut;
mod described;
mod doc;
mod ecmascript;
mod error;
mod go;
mod implied;
mod java;
mod library;
mod meaning;
mod member;
mod modules;
mod names;
mod namesakes;
mod navigator;
mod overloads;
mod parse;
mod python;
mod query;
mod resolve;
mod rust;
mod show;
mod text;
mod walk;

pub use described::Described;
pub use error::NavError;
pub use meaning::{Meaning, Place};
pub use navigator::Navigator;
pub use query::{DEFAULT_LIMIT, Query, Scope, Target};
pub use text::Text;
pub use walk::Walk;
