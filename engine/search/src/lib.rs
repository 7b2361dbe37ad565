#![doc = include_str!("../README.md")]

mod answer;
mod level;
mod rank;
pub mod row;
mod searcher;
mod stage;
pub mod terms;
mod weights;

pub use answer::{Answer, Explain, Found, SCHEMA_VERSION, TermShare};
pub use level::Chunks;
pub use rank::{Found as Ranked, Rows, rank};
pub use searcher::{Query, SearchError, Searcher};
pub use stage::{Candidate, Factors, order};
pub use weights::{FIELDS, Field, Fields, KEPT, Saturation, Select, Stage, Weights};
