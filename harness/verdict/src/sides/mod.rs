//! What each side says of a case or a sequence: the common ground on which gates compare.

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
