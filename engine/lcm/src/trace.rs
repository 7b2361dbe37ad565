//! Which paths are really taken, seen by the tracing spans that [`crate::path`] opens.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Debug,
    sync::{Arc, Mutex, PoisonError},
};

use tracing::{
    Event, Metadata, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id, Record},
};

use crate::path::{FIELD, TARGET};

/// The ids of the paths that were taken, each with the profiles in which it was taken.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trace(pub BTreeMap<String, BTreeSet<String>>);

impl Trace {
    /// Runs a function, and records which paths this thread takes meanwhile.
    pub fn of<T>(run: impl FnOnce() -> T) -> (T, Self) {
        let recorder = Recorder::default();
        let seen = Arc::clone(&recorder.0);
        let done = tracing::subscriber::with_default(recorder, run);
        let seen = std::mem::take(&mut *seen.lock().unwrap_or_else(PoisonError::into_inner));
        (done, seen)
    }

    /// Adds the paths of another trace.
    pub fn add(&mut self, other: Self) {
        for (path, profiles) in other.0 {
            self.0.entry(path).or_default().extend(profiles);
        }
    }
}

#[derive(Default)]
struct Recorder(Arc<Mutex<Trace>>);

impl Subscriber for Recorder {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_span() && metadata.target() == TARGET
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut fields = Fields::default();
        span.record(&mut fields);
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        seen.0.entry(fields.path).or_default().insert(fields.profile);
        // All spans share one id, because nothing here needs to tell them apart.
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, _: &Event<'_>) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

/// The fields of a span that matter here.
#[derive(Default)]
struct Fields {
    path: String,
    profile: String,
}

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        if field.name() == FIELD {
            value.clone_into(&mut self.path);
        } else if field.name() == "profile" {
            value.clone_into(&mut self.profile);
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn Debug) {}
}
