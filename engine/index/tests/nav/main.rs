//! Questions about small repositories. The expected answers are read off the sources by hand.

mod place;

mod faults;
mod freshness;
mod languages;
mod shape;
