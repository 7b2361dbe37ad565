//! Maps and explorations for coding agents.
//!
//! Every request of an agent is answered by a process of its own ([`Worker`]), so that a file that
//! causes trouble can neither end nor delay the program that the agent talks to.

mod artifact;
mod clock;
mod configured;
mod context;
pub mod files;
pub mod hook;
pub mod install;
mod job;
pub mod mcp;
mod problem;
mod process;
mod schemas;
pub mod store;
mod work;
mod worker;

pub use artifact::{
    Artifact, LATEST, MOST_SYMBOLS, Method, Provenance, Ranked, SCHEMA_VERSION, Stats,
};
pub use configured::Configured;
pub use context::{Age, MOST_CONTEXT, Measure, fenced, map_context, masked, units};
pub use job::{DEFAULT_TOKENS, Job, Refresh};
pub use problem::{Code, Problem};
pub use schemas::SCHEMAS;
pub use work::answer;
pub use worker::{SUB_COMMAND, Worker, take_job};
