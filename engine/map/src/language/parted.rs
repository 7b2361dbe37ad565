//! Files that no tag query covers: their tags come from their explorations.

/// A kind of such files: the part `[parts]` of `queries/<key>/language.toml`.
#[derive(Debug, PartialEq, Eq)]
pub struct Parted {
    /// The key of its folder, such as `make`.
    pub key: &'static str,
    /// Extensions in lower case, without their dot.
    pub(super) extensions: &'static [&'static str],
    /// Parts of file names before the first dot.
    pub(super) stems: &'static [&'static str],
    /// Words of which a name with such an extension must contain one; empty if any name will do.
    pub(super) words: &'static [&'static str],
}

impl Parted {
    /// Whether a file is of this kind. `name` is its base name in lower case.
    pub(super) fn has(&self, name: &str) -> bool {
        let (stem, _) = name.split_once('.').unwrap_or((name, ""));
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        self.stems.contains(&stem)
            || self.extensions.contains(&extension)
                && (self.words.is_empty() || self.words.iter().any(|word| name.contains(word)))
    }
}
