//! The engine: repo maps and file explorations of a source tree.
//!
//! It knows nothing of comparators, gates, networks or clocks; `ARCHITECTURE.md` walks one
//! repository through its rooms.

pub mod language;
pub mod lexer;
pub mod map;
pub mod profile;
pub mod repo;
pub mod syntax;
pub mod text;
pub mod tokens;
