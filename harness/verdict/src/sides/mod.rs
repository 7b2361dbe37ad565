//! What each side says about a case or a sequence, in the common form that gates compare.

mod artifact;
mod digests;
pub mod edges;
mod layers;
pub mod lists;
mod sequence;

pub(crate) use artifact::WithoutAttempts;
pub use artifact::{Artifact, Held};
pub use digests::LayerDigests;
pub use edges::{Edge, Edges};
pub use layers::{
    AttemptLayers, Counters, Layers, PrefitEntry, Probe, RankedAttempt, RankingLayers,
};
pub use sequence::{CallSide, SequenceSide, Step};
