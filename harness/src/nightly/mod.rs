//! The nightly: steps that take hours, and a dated record of what they came to.
//!
//! [`steps`] reads which there are and runs them, [`record`] makes the record of what they left, [`movers`] says
//! in sentences what is not as it was, and [`page`] draws the history. A step that did not run to its end is
//! missing in the record; nothing ever counts it as passed.

pub mod movers;
pub mod page;
pub mod record;
pub mod significance;
pub mod steps;

#[cfg(test)]
mod tests;
