//! The program as agents use it: hooks, artifacts, the server. Each test runs `parity` itself.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod artifacts;
mod claude_client;
mod client;
mod clients;
mod codex_client;
mod commands;
mod configuration;
mod conformance;
mod events;
mod faults;
mod gemini_client;
mod hooks;
mod opencode;
mod opencode_client;
mod place;
mod real;
mod server;
mod stub;
