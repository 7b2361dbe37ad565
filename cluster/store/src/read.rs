//! Reading: nothing is accepted that does not have the digest of its name.

use std::{
    fs::File,
    io::{self, Seek, Write},
    path::Path as FilePath,
};

use object_store::path::Path;
use record::{Digest, atomic};

use crate::{
    Entry, Error, Key, Kind, Store,
    client::Trouble,
    entry::{self, MOST},
};

impl Store {
    /// What a key stands for; absent if it stands for nothing.
    ///
    /// # Errors
    /// The service does not answer, or what is there is no name.
    pub fn entry(&self, kind: Kind, key: &Key) -> Result<Option<Entry>, Error> {
        let path = entry::name(kind, key);
        let mut last = None;
        for number in 0..self.patience.tries.max(1) {
            self.pause(number);
            match self.bytes(&path, MOST) {
                Ok(written) => match Entry::read(kind, key, &written) {
                    Ok(entry) => return Ok(Some(entry)),
                    Err(why) => last = Some(self.damaged(&path, why)),
                },
                Err(Trouble::Absent) => return Ok(None),
                Err(trouble) => last = Some(self.failed("reading", &path, trouble)),
            }
        }
        last.map_or(Ok(None), Err)
    }

    /// Writes the object that a key stands for to a file, which appears once the object has its length and digest.
    /// Absent if the key stands for nothing.
    ///
    /// # Errors
    /// The object is missing or damaged, the service does not answer, or the file cannot be written.
    pub fn get(&self, kind: Kind, key: &Key, file: &FilePath) -> Result<Option<Entry>, Error> {
        let Some(entry) = self.entry(kind, key)? else { return Ok(None) };
        let mut refused = None;
        let written = atomic::stream(file, &mut |partial| {
            self.checked(&entry.object(), &entry.sha256, entry.bytes, partial).map_err(|error| {
                refused = Some(error);
                io::Error::other("refused")
            })
        });
        if let Some(error) = refused {
            return Err(error);
        }
        let path = file.to_owned();
        written.map_err(|error| Error::File { action: "written", path, error })?;
        Ok(Some(entry))
    }

    /// Reads an object into a file, again if its bytes are wrong: they may have been changed on the way.
    fn checked(
        &self,
        path: &Path,
        sha256: &Digest,
        bytes: u64,
        into: &mut File,
    ) -> Result<(), Error> {
        let mut last = None;
        for number in 0..self.patience.tries.max(1) {
            self.pause(number);
            let begun = into.set_len(0).and_then(|()| into.rewind());
            let put = |piece: &[u8]| {
                into.write_all(piece).map_err(|error| Trouble::Failed(error.to_string()))
            };
            let begun = begun.map_err(|error| Trouble::Failed(error.to_string()));
            match begun.and_then(|()| self.stream(path, bytes, put)) {
                Ok(found) => match difference(&found, sha256, bytes) {
                    None => return Ok(()),
                    Some(why) => last = Some(self.damaged(path, why)),
                },
                Err(trouble @ (Trouble::Absent | Trouble::TooLong)) => {
                    last = Some(self.damaged(path, trouble.why()));
                }
                Err(trouble) => last = Some(self.failed("reading", path, trouble)),
            }
        }
        last.map_or(Ok(()), Err)
    }

    /// Whether an object has its digest, and how many bytes it has; says what is wrong with it otherwise.
    pub(crate) fn is_whole(&self, path: &Path, sha256: &Digest, bytes: u64) -> Result<(), String> {
        let mut last = Ok(());
        for number in 0..self.patience.tries.max(1) {
            self.pause(number);
            last = match self.stream(path, bytes, |_| Ok(())) {
                Ok(found) => difference(&found, sha256, bytes).map_or(Ok(()), Err),
                Err(trouble) => Err(trouble.why()),
            };
            if last.is_ok() {
                break;
            }
        }
        last
    }

    /// A few bytes.
    pub(crate) fn bytes(&self, path: &Path, most: u64) -> Result<Vec<u8>, Trouble> {
        let mut bytes = Vec::new();
        self.stream(path, most, |piece| {
            bytes.extend_from_slice(piece);
            Ok(())
        })?;
        Ok(bytes)
    }
}

fn difference(found: &(Digest, u64), sha256: &Digest, bytes: u64) -> Option<String> {
    if found.1 != bytes {
        return Some(format!("it has {} of {bytes} bytes", found.1));
    }
    (found.0 != *sha256).then(|| format!("its digest is {}, it should be {sha256}", found.0))
}
