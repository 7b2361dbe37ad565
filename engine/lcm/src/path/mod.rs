//! The paths of large content into the store and out of it.
//!
//! `paths.toml`, the registration table, says what each path does. Every path begins with `enter`,
//! which opens a tracing span with the path's id: that is how [`crate::trace`] sees which paths are
//! really taken. The store takes in and hands out large contents only with a [`Passage`].

mod row;

use std::sync::LazyLock;

use base::profile::Profile;
use serde::Deserialize;
use tracing::span::EnteredSpan;

pub use row::{
    Behaviour, ByProfile, ConfigGate, Ingestion, Limit, PathKind, PathRow, Reply, Retrieval,
    Storage, Unit, Unstored, WithoutExploration, WithoutSession,
};

use crate::Error;

/// Target of the tracing spans of paths.
pub const TARGET: &str = "lcm::path";
/// Field of such a span with the id of the path.
pub const FIELD: &str = "path";

/// The table of all paths.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Registry {
    /// Version of the inventory.
    pub version: u32,
    /// The day on which this version was made.
    pub generated_at: String,
    /// The paths.
    #[serde(rename = "path")]
    pub paths: Vec<PathRow>,
}

/// The built-in table, or why it cannot be read.
static REGISTRY: LazyLock<Result<Registry, String>> =
    LazyLock::new(|| Registry::parse(include_str!("paths.toml")));

impl Registry {
    /// Reads a table.
    ///
    /// # Errors
    /// It is malformed, or an id occurs twice.
    pub fn parse(text: &str) -> Result<Self, String> {
        let registry: Self = toml::from_str(text).map_err(|error| error.to_string())?;
        let mut ids: Vec<&str> = registry.paths.iter().map(|row| row.id.as_str()).collect();
        ids.sort_unstable();
        let twice = ids.windows(2).find(|pair| pair[0] == pair[1]);
        twice.map_or(Ok(()), |pair| Err(format!("the path {} comes twice", pair[0])))?;
        Ok(registry)
    }

    /// The table that this program was built with.
    ///
    /// # Errors
    /// It cannot be read. A test makes sure that it can.
    pub fn built_in() -> Result<&'static Self, Error> {
        REGISTRY.as_ref().map_err(|error| Error::Request(error.clone()))
    }

    /// The row with this id.
    pub fn row(&self, id: &str) -> Option<&PathRow> {
        self.paths.iter().find(|row| row.id == id)
    }

    /// Enters a path. A tracing span names it until the returned value is dropped, even if the path
    /// is not registered; such a path is then refused.
    ///
    /// # Errors
    /// The path is not registered.
    pub fn enter(&'static self, id: &str, profile: Profile) -> Result<Passage, Error> {
        let span =
            tracing::info_span!(target: TARGET, "path", path = id, profile = profile.as_str());
        let span = span.entered();
        let row = self.row(id).ok_or_else(|| Error::Request(format!("there is no path {id}")))?;
        Ok(Passage { row, profile, _span: span })
    }
}

/// A path that was entered.
#[derive(Debug)]
pub struct Passage {
    row: &'static PathRow,
    profile: Profile,
    _span: EnteredSpan,
}

impl Passage {
    /// The path's row in the table.
    pub const fn row(&self) -> &'static PathRow {
        self.row
    }

    /// The profile that it was entered in.
    pub const fn profile(&self) -> Profile {
        self.profile
    }

    /// Whether the stored content has to have an exploration when the path ends.
    pub const fn persists(&self) -> bool {
        *self.row.persists_exploration.of(self.profile)
    }

    /// How content goes in.
    ///
    /// # Errors
    /// The path leads out of the store.
    pub fn ingestion(&self) -> Result<&'static Ingestion, Error> {
        match &self.row.behaviour {
            Behaviour::Ingestion(ingestion) => Ok(ingestion),
            Behaviour::Retrieval(_) => Err(self.wrong_way()),
        }
    }

    /// How content comes out.
    ///
    /// # Errors
    /// The path leads into the store.
    pub fn retrieval(&self) -> Result<&'static Retrieval, Error> {
        match &self.row.behaviour {
            Behaviour::Retrieval(retrieval) => Ok(retrieval),
            Behaviour::Ingestion(_) => Err(self.wrong_way()),
        }
    }

    fn wrong_way(&self) -> Error {
        let way = match self.row.kind() {
            PathKind::Ingestion => "into",
            PathKind::Retrieval => "out of",
        };
        Error::Request(format!("the path {} leads {way} the store", self.row.id))
    }
}

#[cfg(test)]
mod tests {
    use super::{Registry, row::PathKind};

    // The persistence of every path, according to the reference and the facts about the comparator.
    #[test]
    fn the_table_is_what_the_reference_says() {
        let registry = Registry::built_in().unwrap();
        let found: Vec<_> = registry
            .paths
            .iter()
            .map(|row| {
                let persists = &row.persists_exploration;
                (row.id.as_str(), row.kind(), persists.parity, persists.enhancement)
            })
            .collect();
        let (into, out_of) = (PathKind::Ingestion, PathKind::Retrieval);
        let expected = [
            ("lcm.tool_output.create", into, false, true),
            ("volt.prompt.file.persist", into, true, true),
            ("volt.prompt.image.persist", into, true, true),
            ("volt.prompt.user_text.nonpersist", into, false, true),
            ("volt.tool.large_output.nonpersist", into, false, true),
            ("volt.tool.read.nonpersist", into, false, true),
            ("volt.map_shared.persist", into, true, true),
            ("lcm.describe.readback", out_of, false, true),
            ("lcm.expand.readback", out_of, false, true),
            ("lcm.read.readback", out_of, false, true),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_table_with_a_doubled_path_is_refused() {
        let twice = include_str!("paths.toml").replace("lcm.read.readback", "lcm.expand.readback");
        assert!(Registry::parse(&twice).unwrap_err().contains("twice"));
    }
}
