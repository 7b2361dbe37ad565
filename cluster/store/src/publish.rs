//! Writing: the object first, then its name, each only if there is none.

use std::{fs, path::Path as FilePath};

use object_store::{PutMode, PutPayload, path::Path};
use record::fault;
use serde::Serialize;

use crate::{Entry, Error, Key, Kind, Store, client::Trouble, entry};

/// The most bytes of an object: it is sent in one request, and kept in memory for it.
const MOST: u64 = 2 << 30;

/// What a write did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It is there now.
    Stored,
    /// The same bytes were there under this key.
    Present,
}

/// What is in the store after a write.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Published {
    /// Whether this write put it there.
    pub outcome: Outcome,
    /// What the key stands for.
    pub entry: Entry,
}

/// How a conditional write ended.
enum Created {
    /// These bytes are there.
    Same,
    /// Other bytes are there.
    Other,
}

impl Store {
    /// Puts a file under a key. The key stands for it from then on, or for nothing if this is interrupted.
    ///
    /// # Errors
    /// The key stands for other bytes, the file cannot be read or is longer than 2 GiB, or the service does not take it.
    pub fn put(&self, kind: Kind, key: &Key, file: &FilePath) -> Result<Published, Error> {
        let unread = |error| Error::File { action: "read", path: file.to_owned(), error };
        let length = fs::metadata(file).map_err(unread)?.len();
        if length > MOST {
            return Err(Error::TooLong { what: file.display().to_string(), most: MOST });
        }
        self.put_bytes(kind, key, fs::read(file).map_err(unread)?)
    }

    /// Puts bytes under a key, as [`Store::put`] does.
    ///
    /// # Errors
    /// The key stands for other bytes, or the service does not take them.
    pub fn put_bytes(&self, kind: Kind, key: &Key, bytes: Vec<u8>) -> Result<Published, Error> {
        let entry = Entry::of(kind, key, &bytes);
        let object = entry.object();
        let payload = PutPayload::from(bytes);
        let known = self.entry(kind, key)?;
        if let Some(known) = &known {
            self.same(known, &entry)?;
            if self.about(&object).is_ok_and(|about| about.size == entry.bytes) {
                return Ok(Published { outcome: Outcome::Present, entry });
            }
        }
        fault::point();
        self.put_object(&object, &payload)?;
        fault::point();
        if known.is_none() {
            let name = entry::name(kind, key);
            let written = PutPayload::from(entry.written());
            if let Created::Other = self.create(&name, &written)? {
                // It was there neither before nor, if it was removed since, now; then the next try writes it.
                let there = self.entry(kind, key)?.ok_or_else(|| {
                    self.failed("writing", &name, Trouble::Failed("it came and went".to_owned()))
                })?;
                self.same(&there, &entry)?;
            }
        }
        fault::point();
        // Somebody who collects what has no name may have removed an older object of these bytes meanwhile.
        if let Err(Trouble::Absent) = self.about(&object) {
            self.put_object(&object, &payload)?;
        }
        Ok(Published { outcome: Outcome::Stored, entry })
    }

    /// Refuses another object under the same key.
    fn same(&self, there: &Entry, here: &Entry) -> Result<(), Error> {
        if there == here {
            return Ok(());
        }
        Err(Error::Taken {
            kind: here.kind,
            key: here.key.to_string(),
            place: self.place.clone(),
            there: there.sha256.clone(),
            here: here.sha256.clone(),
        })
    }

    /// Puts an object. One that is there is written again with the bytes that its digest stands for: that makes it young,
    /// so that it is not collected before it has a name, and repairs a damaged one.
    fn put_object(&self, path: &Path, bytes: &PutPayload) -> Result<(), Error> {
        match self.write(path, bytes, PutMode::Create) {
            Ok(()) => return Ok(()),
            Err(Trouble::Exists | Trouble::Failed(_)) => {}
            Err(trouble) => return Err(self.failed("writing", path, trouble)),
        }
        let mut last = None;
        for number in 0..self.patience.tries.max(1) {
            self.pause(number);
            match self.write(path, bytes, PutMode::Overwrite) {
                Ok(()) => return Ok(()),
                Err(trouble) => last = Some(trouble),
            }
        }
        last.map_or(Ok(()), |trouble| Err(self.failed("writing", path, trouble)))
    }

    /// Writes a few bytes if there is nothing. A write whose answer was lost may have been done: what is there is
    /// read before it is tried again.
    fn create(&self, path: &Path, bytes: &PutPayload) -> Result<Created, Error> {
        let wanted: Vec<u8> = bytes.iter().flatten().copied().collect();
        let mut last = None;
        for number in 0..self.patience.tries.max(1) {
            self.pause(number);
            let trouble = match self.write(path, bytes, PutMode::Create) {
                Ok(()) => return Ok(Created::Same),
                Err(trouble) => trouble,
            };
            match self.bytes(path, entry::MOST) {
                Ok(there) if there == wanted => return Ok(Created::Same),
                Ok(_) => return Ok(Created::Other),
                Err(_) => last = Some(trouble),
            }
        }
        let trouble = last.unwrap_or(Trouble::Absent);
        Err(self.failed("writing", path, trouble))
    }
}
