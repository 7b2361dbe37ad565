//! The differential search: random small repositories that both sides map. A difference that no
//! row of the declared deviations covers is made small and kept as an authored corpus.
//!
//! [`Material`] is the text that repositories are made of, [`draw`] makes them, [`Drawn`] is one of
//! them, [`Both`] asks both sides about it, [`shrink`] makes a difference small, [`Search`] is the
//! loop, and [`Record`] what came of it.

mod alphabet;
mod answerer;
mod both;
mod conduct;
mod declared;
mod draw;
mod drawn;
mod edit;
mod material;
mod record;
mod reduce;
mod shrink;

pub use answerer::{Answerer, AnswererError};
pub use both::{Both, Difference, Outcome};
pub use conduct::{Limits, Search, SearchError};
pub use declared::Declared;
pub use draw::draw;
pub use drawn::Drawn;
pub use material::{Material, Text};
pub use record::{Finding, Record};
pub use shrink::shrink;
