//! A matrix of runs: releases of the comparator × sets × profiles, each an ordinary run with a folder of its own.
//!
//! Only the pinned release can be signed. A run against another one is reported, and says so in its plan
//! (`Plan::unpinned`), so that it cannot be sealed.

mod answers;
mod cell;
mod document;
mod file;
mod room;
mod table;

pub use answers::Answers;
pub use cell::{Asked, GateRow, Outcome, Row, Standing, made};
pub use document::{Document, plot};
pub use file::{FileError, MatrixFile, Release};
pub use room::{RoomError, room};
pub use table::{csv, text};
