//! A store together with the profile and settings that decide how it is used.

use std::path::{Path, PathBuf};

use base::profile::Profile;

use crate::{Error, Explorer, path::Registry, settings::Settings, store::Store};

/// A store of large content in one profile.
///
/// The file is opened when it is first needed, so that an agent whose store is damaged still gets a
/// text from [`Lcm::put`].
pub struct Lcm {
    place: PathBuf,
    store: Option<Store>,
    pub(crate) registry: &'static Registry,
    pub(crate) profile: Profile,
    pub(crate) settings: Settings,
    pub(crate) explorer: Box<dyn Explorer>,
}

impl Lcm {
    /// A store at a path; the file is created when it is first needed.
    ///
    /// # Errors
    /// The table of paths cannot be read. A test makes sure that it can.
    pub fn at(
        place: &Path,
        profile: Profile,
        settings: Settings,
        explorer: Box<dyn Explorer>,
    ) -> Result<Self, Error> {
        let registry = Registry::built_in()?;
        Ok(Self { place: place.to_owned(), store: None, registry, profile, settings, explorer })
    }

    /// The database of the store, for sessions, messages and summaries.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn store(&mut self) -> Result<&mut Store, Error> {
        let store = match self.store.take() {
            Some(store) => store,
            None => Store::open(&self.place)?,
        };
        Ok(self.store.insert(store))
    }
}
