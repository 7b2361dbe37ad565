//! The parts that several formats use.

pub mod ar;
pub mod beginning;
pub mod bytes;
pub mod decimal;
pub mod distinct;
pub mod parts;
pub mod rows;
pub mod source;
pub mod tree;
