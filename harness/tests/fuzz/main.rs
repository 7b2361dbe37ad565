//! The differential search finds an existing difference and shrinks it, finds none where there is none,
//! and uses a comparator that answers as the driver does. Every declared deviation is tried with that
//! comparator.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "../support/mod.rs"]
mod support;

mod control;
mod deviations;
mod found;
mod models;

use harness::{
    Folders,
    comparator::{ComparatorSpec, Environment},
    fuzz::Answerer,
    planning,
};

/// The pinned comparator, installed.
fn installed() -> (ComparatorSpec, Environment) {
    let folders = Folders { root: support::root(), ..Folders::find().unwrap() };
    let spec = planning::comparator::spec(&folders).unwrap();
    let environment = planning::comparator::environment(&spec, &folders).unwrap();
    (spec, environment)
}

/// The comparator, started on demand.
fn answerer() -> Answerer {
    let (spec, environment) = installed();
    Answerer::new(spec, environment)
}
