//! Reads everything and says what is wrong.

use std::collections::BTreeSet;

use object_store::path::Path;
use record::Digest;
use serde::Serialize;

use crate::{
    Entry, Error, Key, Kind, Store,
    client::Trouble,
    entry::{NAMES, OBJECTS},
};

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verified {
    /// How many names were read.
    pub names: u64,
    /// How many objects were read.
    pub objects: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Objects that no name leads to, which is no damage.
    pub unnamed: u64,
    /// What is wrong, by path.
    pub problems: Vec<Problem>,
}

/// Something that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Problem {
    /// Where.
    pub path: String,
    /// What.
    pub why: String,
}

/// What a path is, by its form.
enum Place {
    Name(Kind, Key),
    Object(Digest),
}

impl Store {
    /// Reads every name and every object. `tell` is called before each, with the number of those that were read and of
    /// all.
    ///
    /// # Errors
    /// The service does not list what it has.
    pub fn verify(&self, mut tell: impl FnMut(usize, usize)) -> Result<Verified, Error> {
        // A name is written after its object; so objects are listed last.
        let mut all = self.below(Some(&Path::from(NAMES)))?;
        let listed: BTreeSet<Path> = all.iter().map(|about| about.location.clone()).collect();
        let others = self.below(None)?;
        all.extend(others.into_iter().filter(|about| {
            // A name that was written meanwhile may lead to an object that is not in the list.
            !listed.contains(&about.location)
                && !matches!(place(&about.location), Some(Place::Name(..)))
        }));
        let there: BTreeSet<Path> = all.iter().map(|about| about.location.clone()).collect();
        let mut found =
            Verified { names: 0, objects: 0, bytes: 0, unnamed: 0, problems: Vec::new() };
        let mut named = BTreeSet::new();
        for (number, about) in all.iter().enumerate() {
            tell(number, all.len());
            let path = &about.location;
            let wrong = match place(path) {
                None => Some("is nothing that a store has".to_owned()),
                Some(Place::Name(kind, key)) => {
                    found.names += 1;
                    self.wrong_name(path, kind, &key, &there, &mut named)
                }
                Some(Place::Object(sha256)) => {
                    found.objects += 1;
                    found.bytes += about.size;
                    found.unnamed += u64::from(!named.contains(path));
                    self.is_whole(path, &sha256, about.size).err()
                }
            };
            let problem = |why| Problem { path: path.to_string(), why };
            found.problems.extend(wrong.map(problem));
        }
        found.problems.sort();
        Ok(found)
    }

    /// What is wrong with a name, if anything.
    fn wrong_name(
        &self,
        path: &Path,
        kind: Kind,
        key: &Key,
        there: &BTreeSet<Path>,
        named: &mut BTreeSet<Path>,
    ) -> Option<String> {
        let entry: Entry = match self.entry(kind, key) {
            Ok(Some(entry)) => entry,
            // It was removed meanwhile.
            Ok(None) => return None,
            Err(Error::Damaged { why, .. } | Error::Service { why, .. }) => return Some(why),
            Err(error) => return Some(format!("{path}: {error}")),
        };
        let object = entry.object();
        named.insert(object.clone());
        if !there.contains(&object) {
            return Some(format!("its object {object} is missing"));
        }
        match self.about(&object) {
            Ok(about) if about.size == entry.bytes => None,
            Ok(about) => {
                Some(format!("its object {object} has {} of {} bytes", about.size, entry.bytes))
            }
            Err(Trouble::Absent) => Some(format!("its object {object} is missing")),
            Err(trouble) => Some(trouble.why()),
        }
    }
}

fn place(path: &Path) -> Option<Place> {
    let parts: Vec<_> = path.parts().collect();
    let [top, kind, last] = parts.as_slice() else { return None };
    let kind = Kind::named(kind.as_ref())?;
    match top.as_ref() {
        NAMES => Some(Place::Name(kind, last.as_ref().parse().ok()?)),
        OBJECTS => Some(Place::Object(Digest::try_from(last.as_ref().to_owned()).ok()?)),
        _ => None,
    }
}
