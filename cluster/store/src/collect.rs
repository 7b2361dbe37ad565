//! Removes what nobody needs any more: names that are given up, and objects that have no name.

use std::{collections::BTreeSet, fs, path::Path as FilePath, time::Duration};

use object_store::{PutMode, PutPayload, path::Path};
use serde::Serialize;

use crate::{
    Error, Key, Kind, Store,
    client::Trouble,
    entry::{self, NAMES, OBJECTS},
    list::key_of,
};

/// The shortest time for which an object without a name is kept: its writer may be about to write the name.
pub const LEAST_GRACE: Duration = Duration::from_hours(1);
/// Written to learn the time of the service, and removed again.
const CLOCK: &str = "clock";

/// What is to be removed.
#[derive(Debug, Clone)]
pub struct Collection {
    /// How long an object without a name is kept; at least [`LEAST_GRACE`].
    pub grace: Duration,
    /// Names that are given up. Their objects have no name then.
    pub names: Vec<(Kind, Key)>,
    /// True to say what would be removed, and to remove nothing.
    pub only_list: bool,
}

/// What was removed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Collected {
    /// Names, by path.
    pub names: Vec<String>,
    /// Objects, by path.
    pub objects: Vec<String>,
    /// Their bytes.
    pub bytes: u64,
    /// Objects without a name that are kept because they are young.
    pub young: u64,
}

impl Store {
    /// Removes names, and objects that have none and are old.
    ///
    /// # Errors
    /// The service does not answer, or a name is damaged: then it is not known what it leads to, and nothing is removed.
    pub fn collect(&self, collection: &Collection) -> Result<Collected, Error> {
        let grace = collection.grace.max(LEAST_GRACE);
        let now = self.now()?;
        let old = |changed: i64| {
            now.saturating_sub(changed) > i64::try_from(grace.as_millis()).unwrap_or(i64::MAX)
        };
        // An object is written before its name: what has a name once the names are listed had its object before.
        let objects = self.below(Some(&Path::from(OBJECTS)))?;
        let given_up: BTreeSet<Path> =
            collection.names.iter().map(|(kind, key)| entry::name(*kind, key)).collect();
        let mut found = Collected::default();
        let mut named = BTreeSet::new();
        for kind in Kind::ALL {
            for about in self.below(Some(&Path::from_iter([NAMES, kind.as_str()])))? {
                let path = about.location;
                if given_up.contains(&path) {
                    found.names.push(path.to_string());
                    continue;
                }
                let key = key_of(&path).ok_or_else(|| self.damaged(&path, "is no key".into()))?;
                named.extend(self.entry(kind, &key)?.map(|entry| entry.object()));
            }
        }
        if !collection.only_list {
            found.names.iter().try_for_each(|name| self.remove(&Path::from(name.as_str())))?;
        }
        for about in objects.iter().filter(|about| !named.contains(&about.location)) {
            let path = &about.location;
            if !old(about.last_modified.timestamp_millis()) {
                found.young += 1;
                continue;
            }
            if !collection.only_list {
                // Whoever wants to name it meanwhile has written it again first.
                match self.about(path) {
                    Ok(about) if old(about.last_modified.timestamp_millis()) => {
                        self.remove(path)?;
                    }
                    Ok(_) => {
                        found.young += 1;
                        continue;
                    }
                    Err(Trouble::Absent) => continue,
                    Err(trouble) => return Err(self.failed("reading", path, trouble)),
                }
            }
            found.objects.push(path.to_string());
            found.bytes += about.size;
        }
        if let Some(folder) = self.folder.as_deref().filter(|_| !collection.only_list) {
            sweep(folder, now, grace);
        }
        Ok(found)
    }

    /// The time of the service in milliseconds, which its objects are dated by: clocks of machines differ.
    fn now(&self) -> Result<i64, Error> {
        let clock = Path::from(CLOCK);
        let failed = |trouble| self.failed("writing", &clock, trouble);
        self.write(&clock, &PutPayload::from("now\n"), PutMode::Overwrite).map_err(failed)?;
        let about = self.about(&clock).map_err(failed)?;
        self.remove(&clock)?;
        Ok(about.last_modified.timestamp_millis())
    }
}

/// Removes what killed writers left in a folder: their files have a `#` in the name, which no list shows.
fn sweep(folder: &FilePath, now: i64, grace: Duration) {
    for kind in Kind::ALL {
        for top in [OBJECTS, NAMES] {
            let Ok(files) = fs::read_dir(folder.join(top).join(kind.as_str())) else { continue };
            for file in files.flatten() {
                let changed = file.metadata().and_then(|about| about.modified()).ok();
                let changed = changed.and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok());
                let until = changed.and_then(|at| i64::try_from((at + grace).as_millis()).ok());
                let is_partial = file.file_name().to_string_lossy().contains('#');
                if is_partial && until.is_some_and(|until| until < now) {
                    // What cannot be removed now is removed the next time.
                    fs::remove_file(file.path()).ok();
                }
            }
        }
    }
}
