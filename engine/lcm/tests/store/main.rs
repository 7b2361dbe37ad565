//! The store against real database files.

mod concurrency;
mod contracts;
mod damage;
mod kill;
mod lineage;
mod lossless;
mod paths;
mod privacy;
mod support;
