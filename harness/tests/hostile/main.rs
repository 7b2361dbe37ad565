//! Hostile repositories: a hostile file costs at most itself, never the map; nothing of it runs,
//! nothing outside of it is shown, and every command ends. Names from it reach a terminal only as text,
//! and an interrupted or killed command leaves nothing behind. Every fixture is built here.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod bombs;
mod corpora;
mod fault_list;
mod files;
mod git_ends;
mod git_outside;
mod git_programs;
mod interrupts;
mod links;
mod pager;
mod parsers;
mod payload;
mod place;
mod readers;
mod repository;
mod sealing;
mod terminal;
