//! Which names there are.

use object_store::path::Path;

use crate::{Entry, Error, Key, Kind, Store, entry::NAMES};

impl Store {
    /// Everything that has a name, sorted by kind and key.
    ///
    /// # Errors
    /// The service does not answer, or a name is damaged.
    pub fn list(&self, kind: Option<Kind>) -> Result<Vec<Entry>, Error> {
        let mut entries = Vec::new();
        for kind in Kind::ALL.into_iter().filter(|it| kind.is_none_or(|kind| kind == *it)) {
            for about in self.below(Some(&Path::from_iter([NAMES, kind.as_str()])))? {
                let key = key_of(&about.location)
                    .ok_or_else(|| self.damaged(&about.location, "is no key".to_owned()))?;
                // One that was removed since is left out.
                entries.extend(self.entry(kind, &key)?);
            }
        }
        Ok(entries)
    }
}

/// The key at the end of a path.
pub fn key_of(path: &Path) -> Option<Key> {
    path.filename()?.parse().ok()
}
