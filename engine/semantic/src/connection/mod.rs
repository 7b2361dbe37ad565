//! How the symbols of an answer belong together, as text for people and models: the graph of calls, what
//! stands out in it, and what is said about each symbol.

mod details;
mod patterns;
mod text;

pub use details::{Details, Other, Type, details};
pub use text::{Summary, text, tokens};
