//! The nightly: steps that take hours, and a dated record of their results.
//!
//! [`steps`] reads the list of steps and runs them, [`record`] makes a record of their results,
//! [`movers`] describes in sentences what changed since the record before, and [`page`] draws the
//! history. `continued` takes results over from an earlier record of the same commit. A step that did not run to its end is missing from the record and is never counted as
//! passed.

mod continued;
pub mod movers;
pub mod page;
pub mod record;
pub mod steps;

#[cfg(test)]
mod tests;
