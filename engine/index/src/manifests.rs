//! The manifests in a root, by which the packages of some languages are found.

use std::path::Path;

use base::text::read;
use map::repo::Present;

/// Largest manifest that is read, in bytes.
const LARGEST: u64 = 1 << 20;

/// The folder, relative to the root, and the text of each file of this name. One that cannot be read
/// is left out.
pub fn manifests<'a>(
    present: &'a Present,
    name: &'a str,
) -> impl Iterator<Item = (&'a str, String)> {
    present.files.iter().filter_map(move |file| {
        let (folder, own) = file.rel.rsplit_once('/').unwrap_or(("", &file.rel));
        let bytes =
            (own == name).then(|| present.folder.exact_bytes(Path::new(&file.rel), LARGEST));
        Some((folder, read::text(bytes?.ok()?).ok()?))
    })
}
