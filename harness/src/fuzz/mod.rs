//! The differential search: random small repositories that both sides map. A difference that no
//! declared deviation covers is shrunk and kept as an authored corpus.
//!
//! [`Material`] is the text that repositories are made of, [`draw`] makes them, [`Drawn`] is one of
//! them, [`Both`] runs both sides on it, [`shrink`] shrinks a difference, [`Search`] is the loop, and
//! [`Record`] its result.

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
