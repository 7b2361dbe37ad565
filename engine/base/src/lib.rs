//! What the repo map and the explorers share.
//!
//! Nothing in this crate knows a language or ranks a file: it holds the execution profile, the text
//! and path rules of the comparator's language, the guards around pinned parsers, token counts, the
//! masking of secrets, the amount of memory, and temporary folders. It knows nothing of
//! comparators, gates, networks or clocks.

pub mod guard;
pub mod memory;
pub mod profile;
pub mod scratch;
pub mod secrets;
pub mod text;
pub mod tokens;
pub mod watch;
