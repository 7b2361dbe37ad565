//! A file of a kept graph.

use sha2::{Digest as _, Sha256};

use crate::{
    enhancement::stated_imports,
    repo::BlobId,
    sources::{Source, Sources},
    syntax::TagKind,
};

/// A digest of some of what a file holds.
pub type Shape = [u8; 16];

/// Number of bytes of a file in a row.
pub const LENGTH: usize = 139;
/// Stands for no language.
const NONE: u16 = u16::MAX;

/// A file of a kept graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct File {
    /// Its stamp; `None` if it has to be read again.
    pub stamp: Option<[u8; 32]>,
    /// Its names.
    pub names: Shape,
    /// Its language and its imports.
    pub imports: Shape,
    /// Its language, as a position in the list of them.
    pub key: Option<u16>,
    /// The sha256 of its bytes, and git's ids of them, if it has tags.
    pub tagged: Option<([u8; 32], [BlobId; 2])>,
}

impl File {
    /// Appends the file to a row.
    pub fn put(&self, row: &mut Vec<u8>) {
        let Self { stamp, names, imports, key, tagged } = self;
        row.push(u8::from(stamp.is_some()) | u8::from(tagged.is_some()) << 1);
        row.extend_from_slice(&stamp.unwrap_or_default());
        row.extend_from_slice(names);
        row.extend_from_slice(imports);
        row.extend_from_slice(&key.unwrap_or(NONE).to_le_bytes());
        let (sha256, ids) = tagged.unwrap_or_default();
        row.extend_from_slice(&sha256);
        for id in &ids {
            row.extend_from_slice(id);
        }
    }

    /// The file with these bytes.
    pub fn of(bytes: &[u8; LENGTH]) -> Self {
        let mut rest = bytes.as_slice();
        let [flags] = take(&mut rest);
        let (stamp, names, imports) = (take(&mut rest), take(&mut rest), take(&mut rest));
        let key = u16::from_le_bytes(take(&mut rest));
        let tagged = (take(&mut rest), [take(&mut rest), take(&mut rest)]);
        Self {
            stamp: (flags & 1 != 0).then_some(stamp),
            names,
            imports,
            key: Some(key).filter(|key| *key != NONE),
            tagged: (flags & 2 != 0).then_some(tagged),
        }
    }
}

/// Takes some bytes from the front; those that are missing are zero.
fn take<const N: usize>(rest: &mut &[u8]) -> [u8; N] {
    let (bytes, behind) =
        rest.split_first_chunk().map_or(([0; N], &[][..]), |(one, more)| (*one, more));
    *rest = behind;
    bytes
}

/// The names of a file, and its language and imports.
pub fn shapes(source: &Source, sources: &Sources) -> [Shape; 2] {
    let mut names = Fields::default();
    for tag in &source.tags {
        names.add(u8::from(tag.kind == TagKind::Definition), source.name(tag));
    }
    let mut imports = Fields::default();
    imports.add(0, source.key.unwrap_or_default());
    for import in stated_imports(source, &sources.folder).iter() {
        imports.add(1, &import.path);
        import.names.iter().for_each(|name| imports.add(2, name));
    }
    [names.shape(), imports.shape()]
}

/// Texts of different kinds, as a digest.
#[derive(Default)]
struct Fields(Sha256);

impl Fields {
    fn add(&mut self, kind: u8, text: &str) {
        self.0.update([kind]);
        self.0.update((text.len() as u64).to_le_bytes());
        self.0.update(text);
    }

    fn shape(self) -> Shape {
        let digest: [u8; 32] = self.0.finalize().into();
        digest.first_chunk().copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::{File, LENGTH};

    #[test]
    fn a_file_is_read_back() {
        let files = [
            File { stamp: None, names: [1; 16], imports: [2; 16], key: None, tagged: None },
            File {
                stamp: Some([3; 32]),
                names: [4; 16],
                imports: [5; 16],
                key: Some(6),
                tagged: Some(([7; 32], [[8; 20], [9; 20]])),
            },
        ];
        for file in files {
            let mut row = Vec::new();
            file.put(&mut row);
            let bytes: [u8; LENGTH] = row.try_into().unwrap();
            assert_eq!(File::of(&bytes), file);
        }
    }
}
