//! All tests that are one file each, in one program: each program of tests holds all grammars, 75 MB.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod audit;
mod cluster;
mod cluster_faults;
mod explore_command;
mod explore_schemas;
mod lcm_command;
mod map_command;
mod map_requests;
mod negative;
mod refresh;
mod scaling;
mod search_command;
mod shared_store;
mod shipped;
mod suites;
mod support;
mod tokenizers;
mod unit_command;
mod universe;
mod volt;
