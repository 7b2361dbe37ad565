//! Zips that lie, for the tests of archives.

/// A zip of stored files without content, of given names and claimed sizes; its end claims a number of
/// entries.
pub fn zip<'a>(files: impl IntoIterator<Item = (&'a str, u32)>, claimed: u16) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut directory = Vec::new();
    for (name, size) in files {
        let offset = bytes.len() as u32;
        bytes.extend(b"PK\x03\x04\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
        bytes.extend(size.to_le_bytes());
        bytes.extend((name.len() as u16).to_le_bytes());
        bytes.extend([0, 0]);
        bytes.extend(name.as_bytes());
        directory.extend(b"PK\x01\x02\x14\x03\x14\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
        directory.extend(size.to_le_bytes());
        directory.extend((name.len() as u16).to_le_bytes());
        directory.extend([0; 12]);
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let offset = bytes.len() as u32;
    bytes.extend(&directory);
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    bytes.extend(claimed.to_le_bytes());
    bytes.extend(claimed.to_le_bytes());
    bytes.extend((directory.len() as u32).to_le_bytes());
    bytes.extend(offset.to_le_bytes());
    bytes.extend([0, 0]);
    bytes
}
