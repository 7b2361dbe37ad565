//! The files of HEAD by the ids of their contents, and whether some bytes are one of these contents.

use memchr::{memchr, memchr_iter};
use sha1::{Digest as _, Sha1};
use sha2::Sha256;

/// Length of an id in a repository that names its objects by SHA-256, in hexadecimal digits.
const LONG_ID: usize = 64;

/// The listing of HEAD's tree, as git printed it.
#[derive(Debug, Default)]
pub struct Committed {
    listing: Vec<u8>,
}

/// One entry of the listing.
struct Entry<'a> {
    kind: &'a [u8],
    mode: &'a [u8],
    id: &'a [u8],
    path: &'a [u8],
}

impl Committed {
    /// Keeps the output of `git ls-tree -r -z`; empty if HEAD is no commit.
    pub(super) const fn of(listing: Vec<u8>) -> Self {
        Self { listing }
    }

    /// The listing. It is another one if any file of HEAD has another content, name or mode.
    pub fn listing(&self) -> &[u8] {
        &self.listing
    }

    /// The paths of all blobs, links included, in bytes.
    pub(super) fn paths(&self) -> impl Iterator<Item = &[u8]> {
        self.entries().filter(|entry| entry.kind == b"blob").map(|entry| entry.path)
    }

    /// The regular files, sorted by path, each with its id in hexadecimal digits. Paths that are not UTF-8 are
    /// left out.
    pub fn files(&self) -> Vec<(&str, &str)> {
        let regular = self.entries().filter(|entry| entry.mode.starts_with(b"100"));
        let text = |bytes| std::str::from_utf8(bytes).ok();
        let count = memchr_iter(0, &self.listing).count();
        let mut files = Vec::with_capacity(count);
        files.extend(regular.filter_map(|entry| Some((text(entry.path)?, text(entry.id)?))));
        // Git lists them in this order.
        if !files.is_sorted() {
            files.sort_unstable();
        }
        files
    }

    fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        super::git::entries(&self.listing).filter_map(|line| {
            let (mode, rest) = split_once(line, b' ')?;
            let (kind, rest) = split_once(rest, b' ')?;
            let (id, path) = split_once(rest, b'\t')?;
            Some(Entry { kind, mode, id, path })
        })
    }
}

/// What stands before and after the first byte of a value.
fn split_once(bytes: &[u8], at: u8) -> Option<(&[u8], &[u8])> {
    let (before, after) = bytes.split_at(memchr(at, bytes)?);
    Some((before, after.get(1..)?))
}

/// The id of a blob in a repository that names its objects by SHA-1.
pub type BlobId = [u8; 20];

/// The id of a blob with these bytes.
pub fn blob_id(bytes: &[u8]) -> BlobId {
    Sha1::new_with_prefix(head(bytes)).chain_update(bytes).finalize().into()
}

/// Whether a blob with this id, in hexadecimal digits, has these bytes.
pub fn is_blob(id: &str, bytes: &[u8]) -> bool {
    let own = if id.len() == LONG_ID {
        hex::encode(Sha256::new_with_prefix(head(bytes)).chain_update(bytes).finalize())
    } else {
        hex::encode(blob_id(bytes))
    };
    own == id
}

/// What git puts before the bytes of a blob.
fn head(bytes: &[u8]) -> String {
    format!("blob {}\0", bytes.len())
}

#[cfg(test)]
mod tests {
    use super::{Committed, is_blob};

    // The ids are those that `git hash-object` prints.
    #[test]
    fn a_content_is_known_by_its_id() {
        let sha1 = "ce013625030ba8dba906f756967f9e9ca394464a";
        let sha256 = "2cf8d83d9ee29543b34a87727421fdecb7e3f3a183d337639025de576db9ebb4";
        for id in [sha1, sha256] {
            assert!(is_blob(id, b"hello\n"), "{id}");
            assert!(!is_blob(id, b"hello\r\n") && !is_blob(id, b""), "{id}");
        }
        assert!(!is_blob("", b"") && !is_blob("no id", b"hello\n"));
    }

    #[test]
    fn files_are_listed_without_links_and_submodules() {
        let listing = "100644 blob 11\ta b.py\x00100755 blob 22\trun\tme\x00120000 blob 33\tlink\x00160000 commit 44\tsub\0damaged\0";
        let committed = Committed::of(listing.as_bytes().to_vec());
        assert_eq!(committed.files(), [("a b.py", "11"), ("run\tme", "22")]);
        assert_eq!(committed.paths().count(), 3);
        assert!(Committed::default().files().is_empty());
        // A damaged listing may be in any order.
        let committed = Committed::of(b"100644 blob 11\tb\x00100644 blob 22\ta\0".to_vec());
        assert_eq!(committed.files(), [("a", "22"), ("b", "11")]);
    }
}
