//! A folder of recordings: metadata as JSON and outputs as compressed, content-addressed blobs.
//!
//! `recordings/<sha256>.json` names its blobs, `blobs/<sha256>.gz` holds them. Every name is the
//! digest of the uncompressed content, so every change is detected.

use std::{
    collections::BTreeSet,
    io::{self, Read, Write},
    path::{Path, PathBuf},
    sync::Arc,
};

use flate2::{Compression, GzBuilder, bufread::GzDecoder};

use crate::{Blob, Digest, Recording, files::Files};

/// The most bytes of one metadata file.
const MAX_METADATA: u64 = 4 << 20;
/// The most bytes of one blob: more than the largest answer may have.
const MAX_BLOB: u64 = 1 << 30;

/// Why a recording cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Reading or writing failed.
    #[error("cannot {action} {path}: {source}")]
    Io {
        /// `read`, `write` or `remove`.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The content is not what the name says.
    #[error("{path} was changed: {problem}; restore it or record again")]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
}

/// A folder with recordings.
#[derive(Debug, Clone)]
pub struct Store {
    root: PathBuf,
    files: Files,
    compression: Compression,
}

impl Store {
    /// The store at `root`; the folder is made when something is written.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), files: Files::Disk, compression: Compression::new(6) }
    }

    /// A store in memory, for recordings that are passed on and compressed again where they are kept.
    pub fn in_memory() -> Self {
        let files = Files::Memory(Arc::default());
        Self { root: PathBuf::new(), files, compression: Compression::fast() }
    }

    /// Keeps some bytes; bytes that are kept already are left alone.
    pub fn put_blob(&self, bytes: &[u8]) -> Result<Digest, StoreError> {
        let digest = Digest::of(bytes);
        let path = self.blob_path(&digest);
        let expected = Blob { sha256: digest.clone(), bytes: bytes.len() as u64 };
        if self.blob(&expected).is_err() {
            self.write(&path, &mut |file| {
                // No time and no name in the header: equal bytes give equal files.
                let mut encoder = GzBuilder::new().mtime(0).write(file, self.compression);
                encoder.write_all(bytes)?;
                encoder.finish().map(drop)
            })?;
        }
        Ok(digest)
    }

    /// Copies a blob of another store as it is compressed there, after checking it.
    pub fn take_blob(&self, blob: &Blob, from: &Self) -> Result<(), StoreError> {
        let packed = from.packed(blob)?;
        if self.blob(blob).is_ok() {
            return Ok(());
        }
        self.write(&self.blob_path(&blob.sha256), &mut |file| file.write_all(&packed))
    }

    /// The compressed bytes of a blob, after checking it.
    pub fn packed(&self, blob: &Blob) -> Result<Vec<u8>, StoreError> {
        let path = self.blob_path(&blob.sha256);
        // Compressed bytes are never much longer than their content.
        let packed = self.read(&path, 2 * MAX_BLOB)?;
        unpack(packed.as_slice(), blob, &path)?;
        Ok(packed)
    }

    /// Keeps a blob that was compressed elsewhere, after checking it. It is compressed again, because equal
    /// content must give equal files, whatever program sent it.
    pub fn put_packed(&self, blob: &Blob, packed: &[u8]) -> Result<(), StoreError> {
        let bytes = unpack(packed, blob, &self.blob_path(&blob.sha256))?;
        self.put_blob(&bytes).map(drop)
    }

    /// Reads a blob and checks its length and digest. No more than its stated length is ever
    /// decompressed.
    pub fn blob(&self, blob: &Blob) -> Result<Vec<u8>, StoreError> {
        let path = self.blob_path(&blob.sha256);
        unpack(self.read(&path, 2 * MAX_BLOB)?.as_slice(), blob, &path)
    }

    /// Keeps a recording, whose blobs must be kept already; returns its name.
    pub fn put_recording(&self, recording: &Recording) -> Result<Digest, StoreError> {
        let bytes = recording.to_bytes().map_err(|error| StoreError::Io {
            action: "write",
            path: self.root.clone(),
            source: io::Error::other(error),
        })?;
        let digest = Digest::of(&bytes);
        let path = self.recording_path(&digest);
        self.write(&path, &mut |file| file.write_all(&bytes))?;
        Ok(digest)
    }

    /// Reads the recording called `name` and checks that its digest is `name`.
    pub fn recording(&self, name: &Digest) -> Result<Recording, StoreError> {
        let path = self.recording_path(name);
        let bytes = self.read(&path, MAX_METADATA + 1)?;
        let corrupt = |problem: String| StoreError::Corrupt { path: path.clone(), problem };
        if bytes.len() as u64 > MAX_METADATA {
            return Err(corrupt("it is longer than any recording".to_owned()));
        }
        if Digest::of(&bytes) != *name {
            return Err(corrupt("its content has another digest".to_owned()));
        }
        serde_json::from_slice(&bytes).map_err(|error| corrupt(error.to_string()))
    }

    /// Removes every recording but these, and every blob that none of them names.
    ///
    /// # Errors
    /// One of the recordings is missing or damaged, or a file cannot be removed.
    pub fn keep_only<'a>(
        &self,
        recordings: impl IntoIterator<Item = &'a Digest>,
    ) -> Result<(), StoreError> {
        let mut kept = BTreeSet::new();
        for name in recordings {
            let Recording { stdin, stdout, stderr, .. } = self.recording(name)?;
            kept.insert(self.recording_path(name));
            kept.extend(
                [stdin.sha256, stdout.sha256, stderr.sha256].map(|one| self.blob_path(&one)),
            );
        }
        for folder in ["recordings", "blobs"].map(|folder| self.root.join(folder)) {
            for path in self.files.list(&folder).map_err(|source| read_error(&folder, source))? {
                if !kept.contains(&path) {
                    self.files.remove(&path).map_err(|source| StoreError::Io {
                        action: "remove",
                        path,
                        source,
                    })?;
                }
            }
        }
        Ok(())
    }

    fn blob_path(&self, digest: &Digest) -> PathBuf {
        self.root.join("blobs").join(format!("{digest}.gz"))
    }

    fn recording_path(&self, digest: &Digest) -> PathBuf {
        self.root.join("recordings").join(format!("{digest}.json"))
    }

    fn read(&self, path: &Path, most: u64) -> Result<Vec<u8>, StoreError> {
        self.files.read(path, most).map_err(|source| read_error(path, source))
    }

    fn write(
        &self,
        path: &Path,
        content: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), StoreError> {
        let written = self.files.write(path, content);
        written.map_err(|source| StoreError::Io { action: "write", path: path.to_owned(), source })
    }
}

/// Decompresses a blob and checks its length and digest; `path` is where it came from.
fn unpack(packed: impl io::BufRead, blob: &Blob, path: &Path) -> Result<Vec<u8>, StoreError> {
    let corrupt =
        |problem: &str| StoreError::Corrupt { path: path.to_owned(), problem: problem.to_owned() };
    if blob.bytes > MAX_BLOB {
        return Err(corrupt("its stated length is beyond the limit"));
    }
    let mut decoder = GzDecoder::new(packed);
    let mut bytes = Vec::new();
    decoder
        .by_ref()
        .take(blob.bytes + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| corrupt(&error.to_string()))?;
    if bytes.len() as u64 != blob.bytes {
        return Err(corrupt("its length differs from the recorded one"));
    }
    // Bytes after the compressed stream would not be covered by the digest.
    let rest = decoder.into_inner().read(&mut [0]).map_err(|error| read_error(path, error))?;
    if rest != 0 {
        return Err(corrupt("there are bytes after its end"));
    }
    if Digest::of(&bytes) != blob.sha256 {
        return Err(corrupt("its content has another digest"));
    }
    Ok(bytes)
}

fn read_error(path: &Path, source: io::Error) -> StoreError {
    StoreError::Io { action: "read", path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blob_of(bytes: &[u8]) -> Blob {
        Blob { sha256: Digest::of(bytes), bytes: bytes.len() as u64 }
    }

    fn stored(bytes: &[u8]) -> (tempfile::TempDir, Store, Blob) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(folder.path());
        store.put_blob(bytes).unwrap();
        (folder, store, blob_of(bytes))
    }

    #[test]
    fn bytes_come_back_and_equal_bytes_make_equal_files() {
        for bytes in [Vec::new(), b"x".to_vec(), vec![7; 300_000]] {
            let (_one, first, blob) = stored(&bytes);
            let (_other, second, _) = stored(&bytes);
            assert_eq!(first.blob(&blob).unwrap(), bytes);
            let file = |store: &Store| std::fs::read(store.blob_path(&blob.sha256)).unwrap();
            assert_eq!(file(&first), file(&second));
        }
    }

    #[test]
    fn what_is_in_memory_is_packed_for_a_store_that_keeps_it() {
        let (_folder, kept, _) = stored(b"other");
        let sent = Store::in_memory();
        for bytes in [Vec::new(), b"x".to_vec(), vec![7; 300_000]] {
            sent.put_blob(&bytes).unwrap();
            let blob = blob_of(&bytes);
            assert_eq!(sent.blob(&blob).unwrap(), bytes);
            kept.put_packed(&blob, &sent.packed(&blob).unwrap()).unwrap();
            let (_other, second, _) = stored(&bytes);
            let file = |store: &Store| std::fs::read(store.blob_path(&blob.sha256)).unwrap();
            assert_eq!(file(&kept), file(&second));
        }
        sent.keep_only([]).unwrap();
        assert!(sent.blob(&blob_of(b"x")).is_err());
    }

    #[test]
    fn a_changed_file_never_gives_other_bytes() {
        let content: Vec<u8> = (0..2000_u32).flat_map(u32::to_le_bytes).collect();
        let (_folder, store, blob) = stored(&content);
        let path = store.blob_path(&blob.sha256);
        let file = std::fs::read(&path).unwrap();
        let mut refused = 0;
        for at in 0..file.len() {
            let mut changed = file.clone();
            changed[at] ^= 0x10;
            std::fs::write(&path, &changed).unwrap();
            match store.blob(&blob) {
                // Some header bits have no meaning.
                Ok(bytes) => assert_eq!(bytes, content),
                Err(_) => refused += 1,
            }
        }
        assert!(refused > file.len() - 16);
        for changed in [&file[..file.len() - 1], &[&file[..], b"x"].concat(), b""] {
            std::fs::write(&path, changed).unwrap();
            assert!(store.blob(&blob).is_err());
        }
        // Keeping the bytes again repairs the file.
        store.put_blob(&content).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), file);
    }

    #[test]
    fn a_bomb_is_read_no_further_than_its_stated_length() {
        let (_folder, store, blob) = stored(&vec![0; 64 << 20]);
        for bytes in [10, (64 << 20) - 1, (64 << 20) + 1, u64::MAX] {
            let lying = Blob { bytes, ..blob.clone() };
            assert!(matches!(store.blob(&lying), Err(StoreError::Corrupt { .. })));
        }
    }

    #[test]
    fn a_name_from_outside_cannot_leave_the_store() {
        let json = serde_json::json!({"sha256": "../../../../etc/passwd", "bytes": 1});
        assert!(serde_json::from_value::<Blob>(json).is_err());
    }
}
