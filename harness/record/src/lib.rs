//! What a run writes and all its readers share: plans, recordings, gold labels, cells.
//!
//! These types are the formats on disk. They depend neither on how a comparator is run, nor on the
//! engine, nor on the gates, so a verifier can trust them without trusting any of these.

mod asked;
pub mod atomic;
pub mod baselines;
mod capture;
mod case;
mod cell;
pub mod digest;
pub mod exit;
pub mod fault;
mod files;
mod gate_name;
pub mod gold;
mod label;
mod model;
mod navigation;
mod plan;
mod profile;
pub mod protocol;
pub mod receipt;
mod recording;
mod scenario;
mod schema;
mod sequence;
mod set;
mod side;
mod store;
mod tag;
mod task;
mod trial;
mod unit;
pub mod volt;

pub use asked::{Asked, MODEL, canonical_request, raw_request, sequences_request};
pub use atomic::{WriteError, write_atomically};
pub use baselines::{Baselines, SUMMARY_BUDGETS};
pub use capture::{Capped, Capture, Stop};
pub use case::{Case, View};
pub use cell::{Cell, FromSeeds, Spread, Verdict};
pub use digest::{Digest, NotADigest};
pub use gate_name::{GateName, NoGateName};
pub use gold::{Gold, GoldFile};
pub use label::{ImportLabel, Labels, SymbolLabel, Unjudged, VisibilityClass, Why};
pub use model::{ModelCases, models_request};
pub use navigation::{NAV_LIMIT, NavOperation, NavPlace};
pub use plan::{Plan, PlannedCorpus, budgets_of, fixtures_sha256};
pub use profile::{Profile, ProfileObject, TokenCounterMode};
pub use recording::{Blob, Kept, Origin, Places, Recording, Stream};
pub use scenario::{Scenario, StoreIds, StoreProcess, StoreRequest};
pub use schema::{Schema, SchemaSince};
pub use sequence::{Action, Call, Edit, Refresh, Sequence, Sequences};
pub use set::Set;
pub use side::Side;
pub use store::{Store, StoreError};
pub use tag::{Stage, Tag, TagKind};
pub use task::{TASK_MULTIPLIER, Task};
pub use trial::Trial;
pub use unit::{
    EXPLORED, Unit, baselines_key, comparator_key, comparator_models_key, comparator_tasks_key,
    engine_key, explore_key, further_key, models_key, navigation_key, raw_key, repeat_key,
    scenario_key, sequence_key, sequences_key, summaries_key, tasks_key, trial_key, volt_key,
};
pub use volt::{Volt, VoltAnswer, VoltDefinition};
