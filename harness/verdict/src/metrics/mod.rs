//! Measures of agreement between what we computed and what the comparator computed.
//!
//! Every measure is a pure function, and says `None` where it is undefined: an undefined measure
//! makes a cell insufficient, never a pass.

pub mod f1;
pub mod float;
pub mod jaccard;
pub mod mape;
pub mod pairing;
pub mod recount;
pub mod resample;
pub mod spearman;
pub mod top_k;

#[cfg(test)]
pub mod sample;
#[cfg(test)]
mod scipy;
