//! The texts and tags of all files that a map may rank.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::MetadataExt,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use base::{
    memory,
    profile::Profile,
    text::{folder::Folder, read},
    watch,
};
use rayon::prelude::*;

use crate::{
    Skipped,
    facts::{Blobs, Facts, Raw},
    finished::what_instead,
    language::{Detected, Language, Overrides, Parted, registry},
    load::Load,
    repo::RepoFile,
    syntax::{ExtractError, Extracted, Outline, Tag, extract, outline_from, parted_tags},
    tag_cache::{Found, Identity, Kept, TagCache},
    text::{self, Late, Text},
};

/// Total size of the source, in bytes, up to which every file is outlined for rendering while its
/// syntax tree is at hand. Beyond this, it is cheaper to parse the few rendered files a second
/// time.
const OUTLINED_BYTES: usize = 1 << 20;
/// Largest file, in bytes, that the enhancement profile reads: larger ones were not written by
/// people. The parity profile reads every file that fits into memory, as the comparator does
/// (`deviations.toml` of the protocol, row `huge-files`).
const ENHANCEMENT_MAX_BYTES: u64 = 4 << 20;

/// One file with what was extracted from it.
#[derive(Debug)]
pub struct Source {
    /// The file.
    pub file: Arc<RepoFile>,
    /// Its language, if the language has a tag query.
    pub language: Option<&'static Language>,
    /// The key of its language, or of the kind by which its tags were read otherwise.
    pub key: Option<&'static str>,
    /// Its text, which may not have been read yet.
    pub text: Text,
    /// The sha256 of its bytes, if a tag cache knows it.
    pub sha256: Option<[u8; 32]>,
    /// Git's ids of it, if a tag cache knows them.
    pub blobs: Option<Blobs>,
    /// What else a tag cache knows of its text.
    pub facts: Option<Facts>,
    /// The names of its tags, if they come from a tag cache; otherwise the names are in the text.
    pub names: Option<String>,
    /// Its tags, in order of emission.
    pub tags: Vec<Tag>,
    /// Its outline, if it was made together with its tags.
    pub outline: Option<Outline>,
}

impl Source {
    /// A file without text and tags.
    pub fn bare(file: &Arc<RepoFile>, language: Option<&'static Language>) -> Self {
        Self {
            file: Arc::clone(file),
            language,
            key: language.map(|language| language.key),
            text: Text::default(),
            names: None,
            tags: Vec::new(),
            outline: None,
            sha256: None,
            blobs: None,
            facts: None,
        }
    }

    /// Its text; empty for files that yield no tags.
    pub fn text(&self) -> &str {
        self.text.get(&self.file)
    }

    /// Whether it has a text, and so has tags.
    pub fn has_text(&self) -> bool {
        self.text.is_late() || !self.text().is_empty()
    }

    /// The name of one of its tags.
    pub fn name(&self, tag: &Tag) -> &str {
        tag.name(self.names.as_deref().unwrap_or_else(|| self.text()))
    }
}

/// All sources in order of their absolute paths; a file's position is its id.
#[derive(Debug)]
pub struct Sources {
    /// The files.
    pub files: Vec<Arc<Source>>,
    /// Files that should have tags but have none.
    pub skipped: Vec<Skipped>,
    /// The folder that they are read from.
    pub folder: Arc<Folder>,
}

/// How files are read.
#[derive(Debug, Clone, Copy)]
pub struct Reading<'a> {
    /// The profile.
    pub profile: Profile,
    /// The folder outside which nothing is read.
    pub folder: &'a Arc<Folder>,
    /// Languages that the user set for extensions.
    pub overrides: &'a Overrides,
    /// Files that must not be parsed, by id, with the reason.
    pub avoided: &'a BTreeMap<u64, String>,
    /// The tags that were extracted earlier.
    pub tag_cache: Option<&'a dyn TagCache>,
}

/// How one file is read while others are.
#[derive(Debug, Clone, Copy)]
struct Limits<'a> {
    reading: Reading<'a>,
    max_bytes: u64,
    /// Total size of the source that was parsed so far, in bytes.
    parsed: &'a AtomicUsize,
    /// The files that are being parsed at the moment.
    load: &'a Load,
    /// Set if a text that is read late turns out to have changed; `None` if texts are read at once.
    is_stale: Option<&'a Arc<AtomicBool>>,
}

/// Sources that were read before, by absolute path.
#[derive(Debug, Default)]
pub struct SourceCache {
    known: BTreeMap<String, (Option<u64>, Known)>,
    /// True if only one map is made of the sources: then nothing is remembered, and in the parity
    /// profile outlines are made together with tags, to avoid parsing files a second time.
    for_one_map: bool,
    /// Whether texts are read only when they are needed, where the tag cache knows the rest. A session
    /// would read them when another map has long shown other ones.
    reads_late: bool,
    /// Set if a text that was read late had changed since its tags were extracted.
    is_stale: Arc<AtomicBool>,
}

/// A source, and why it has no tags if it should have some.
type Known = (Arc<Source>, Option<Skipped>);

/// Sources that were read just now, by absolute path.
pub type ReadBefore = BTreeMap<String, Known>;

impl SourceCache {
    /// A cache for a single map, which remembers nothing.
    pub fn for_one_map() -> Self {
        Self { for_one_map: true, ..Self::default() }
    }

    /// As [`SourceCache::for_one_map`], with texts that are read only when they are needed. The map
    /// is only good if [`SourceCache::is_stale`] says so afterwards.
    pub fn for_one_map_read_late() -> Self {
        Self { reads_late: true, ..Self::for_one_map() }
    }

    /// What is set if a text that is read late turns out to have changed.
    pub fn staleness(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.is_stale)
    }

    /// Whether a file was written between the look-up of its tags and the reading of its text.
    pub fn is_stale(&self) -> bool {
        self.is_stale.load(Ordering::Relaxed)
    }

    /// Reads and parses files on all threads. A regular file whose present modification time is
    /// known is not read again, nor is one that was `read` just now. Files whose id is in `avoided` are not parsed. The result depends
    /// neither on the number of threads nor on the contents of the tag cache.
    pub fn extract(
        &mut self,
        files: &BTreeMap<String, Arc<RepoFile>>,
        reading: &Reading,
        read: &ReadBefore,
    ) -> Sources {
        let known = &self.known;
        // A session renders files as they are at that time, so it outlines them then. The
        // enhancement profile shows signatures, and outlines only files that it shows without.
        let outlines = self.for_one_map && reading.profile.is_parity();
        let parsed = AtomicUsize::new(if outlines { 0 } else { OUTLINED_BYTES });
        let load = Load::default();
        let limits = self.limits(reading, &parsed, &load);
        let stamped = |file: &&Arc<RepoFile>| file.is_file && !self.for_one_map;
        let results: Vec<(Option<u64>, Known)> = files
            .values()
            .collect::<Vec<_>>()
            .into_par_iter()
            .with_max_len(8)
            .map(|file| {
                if let Some(read) = read.get(&file.abs) {
                    return (None, read.clone());
                }
                let time = Some(file).filter(stamped).and_then(|file| modified(&file.abs));
                let before = known.get(&file.abs).filter(|(at, _)| time.is_some() && *at == time);
                before.cloned().unwrap_or_else(|| {
                    let (source, skipped) = one(file, limits);
                    (time, (Arc::new(source), skipped))
                })
            })
            .collect();
        let mut sources = Sources {
            files: Vec::with_capacity(results.len()),
            skipped: Vec::new(),
            folder: Arc::clone(reading.folder),
        };
        for (time, (source, skipped)) in results {
            sources.files.push(Arc::clone(&source));
            sources.skipped.extend(skipped.clone());
            // A file that is missing now may come back with the state that is known.
            if time.is_some() {
                self.known.insert(source.file.abs.clone(), (time, (source, skipped)));
            }
        }
        sources
    }

    /// Reads and parses a single file.
    pub fn one(&self, file: &Arc<RepoFile>, reading: &Reading) -> (Source, Option<Skipped>) {
        let (parsed, load) = (AtomicUsize::new(OUTLINED_BYTES), Load::default());
        one(file, self.limits(reading, &parsed, &load))
    }

    fn limits<'a>(
        &'a self,
        reading: &Reading<'a>,
        parsed: &'a AtomicUsize,
        load: &'a Load,
    ) -> Limits<'a> {
        let max_bytes = match reading.profile {
            Profile::Parity => memory::most_code(),
            Profile::Enhancement => ENHANCEMENT_MAX_BYTES.min(memory::most_code()),
        };
        let is_stale = self.reads_late.then_some(&self.is_stale);
        Limits { reading: *reading, max_bytes, parsed, load, is_stale }
    }
}

/// The modification time of a file as the comparator compares it: the bits of a float in seconds,
/// which cannot distinguish times that differ by a few hundred nanoseconds.
pub fn modified(path: &str) -> Option<u64> {
    let data = fs::metadata(path).ok()?;
    Some((data.mtime() as f64 + 1e-9 * data.mtime_nsec() as f64).to_bits())
}

impl Sources {
    /// Number of files with tags, by language key.
    pub fn languages(&self) -> BTreeMap<String, usize> {
        let mut languages: BTreeMap<&str, usize> = BTreeMap::new();
        for source in self.files.iter().filter(|source| source.has_text()) {
            if let Some(key) = source.key {
                *languages.entry(key).or_default() += 1;
            }
        }
        languages.into_iter().map(|(key, count)| (key.to_owned(), count)).collect()
    }

    /// The id of the file at an absolute path.
    pub fn id(&self, abs: &str) -> Option<usize> {
        self.files.binary_search_by(|source| source.file.abs.as_str().cmp(abs)).ok()
    }
}

/// Reads and parses one file.
fn one(file: &Arc<RepoFile>, limits: Limits) -> (Source, Option<Skipped>) {
    let bare = |language| Source::bare(file, language);
    let skip = |reason: String| Some(Skipped::new(&file.rel, reason));
    let unparsed = |reason: String| Some(Skipped::unparsed(&file.rel, reason));
    // Only regular files are opened: opening a pipe would wait for its writer for ever.
    if !file.is_file {
        return (bare(None), skip(what_instead(file)));
    }
    let Detected::Tagged(language) =
        limits.reading.overrides.detect(&file.abs, limits.reading.profile)
    else {
        let parted = registry().parted(&file.rel).filter(|_| !limits.reading.profile.is_parity());
        return match parted.map(|parted| tagged_by_parts(file, parted, limits)) {
            Some(Ok((text, tags))) if !tags.is_empty() => {
                let (key, text) = (parted.map(|parted| parted.key), text.into());
                (Source { key, text, tags, ..bare(None) }, None)
            }
            Some(Err(skipped)) => (bare(None), Some(skipped)),
            _ => (bare(None), None),
        };
    };
    if let Some(reason) = limits.reading.avoided.get(&watch::file_id(&file.rel)) {
        return (bare(Some(language)), unparsed(reason.clone()));
    }
    let (text, identity) = match read_or_find(file, language, limits) {
        Ok(Read::Now(text, identity)) => (text, identity),
        Ok(Read::Before(text, kept, sha256)) => {
            let Kept { text: names, tags, refused, facts } = kept;
            let is_rival = facts.as_ref().is_some_and(|facts| facts.is_rival);
            let language = language.rival().filter(|_| is_rival).unwrap_or(language);
            let blobs = facts.as_ref().map(|facts| facts.blobs);
            let names = Some(names);
            let of = bare(Some(language));
            let source = Source { text, sha256, blobs, facts, names, tags, ..of };
            return (source, refused.and_then(unparsed));
        }
        Err(error) => return (bare(Some(language)), Some(unread(file, &error))),
    };
    let spoken = language.of_text(&file.abs, &text, limits.reading.profile);
    let facts = identity.map(|(_, raw)| Facts::of(raw, &text, language, spoken));
    let keep = |text: &str, tags: &[Tag], refused: Option<String>| {
        if let (Some(tag_cache), Some((identity, _))) = (limits.reading.tag_cache, identity) {
            // The backfill chooses its lexer by the file's name, as may the language.
            let by_name = tags.iter().any(|tag| tag.line < 0) || language.rival().is_some();
            let facts = facts.clone().filter(|_| refused.is_none());
            let kept = Kept { text: text.to_owned(), tags: tags.to_vec(), refused, facts };
            tag_cache.keep(file, language, identity, &kept, by_name);
        }
    };
    let spoken = Some(spoken);
    // The tree is dropped inside the closure, while its memory is still accounted for.
    let extracted = limits.load.with(text.len(), || {
        let work = || extract(language, &file.abs, &text, limits.reading.profile);
        let Extracted { tags, tree } = watch::marked(&file.rel, text.len(), work)?;
        if tags.is_empty() {
            return Ok((tags, None));
        }
        let before = limits.parsed.fetch_add(text.len(), Ordering::Relaxed);
        // Rendering needs a text that ends in a newline.
        let tree = tree.filter(|_| before < OUTLINED_BYTES && text.ends_with('\n'));
        Ok::<_, ExtractError>((tags, tree.map(|tree| outline_from(&tree, &text))))
    });
    match extracted {
        Ok((tags, outline)) => {
            keep(&text, &tags, None);
            if tags.is_empty() {
                return (Source { facts, ..bare(spoken) }, None);
            }
            let sha256 = identity.map(|(identity, _)| identity.sha256);
            let blobs = facts.as_ref().map(|facts| facts.blobs);
            let (text, of) = (text.into(), bare(spoken));
            (Source { text, sha256, blobs, facts, tags, outline, ..of }, None)
        }
        Err(error) => {
            let reason = error.to_string();
            if error.is_of_text() {
                keep("", &[], Some(reason.clone()));
                return (bare(Some(language)), unparsed(reason));
            }
            let may_pass = true;
            let skipped = Skipped { may_pass, ..Skipped::unparsed(&file.rel, reason) };
            (bare(Some(language)), Some(skipped))
        }
    }
}

/// A file that could not be read. What the system said may be gone the next time; its size and its
/// bytes stay.
fn unread(file: &RepoFile, error: &read::ReadError) -> Skipped {
    let may_pass = matches!(error, read::ReadError::Io(_));
    Skipped { may_pass, ..Skipped::new(&file.rel, error.to_string()) }
}

/// The text of a file, and the tags from its exploration. The tag cache does not keep them, as
/// reading the file takes as long as exploring it.
fn tagged_by_parts(
    file: &RepoFile,
    parted: &Parted,
    limits: Limits,
) -> Result<(String, Vec<Tag>), Skipped> {
    if let Some(reason) = limits.reading.avoided.get(&watch::file_id(&file.rel)) {
        return Err(Skipped::new(&file.rel, reason.clone()));
    }
    let text = read_source(limits.reading.folder, file, limits.max_bytes)
        .map_err(|error| unread(file, &error))?;
    let work = || parted_tags(parted, &file.rel, &text);
    let tags = limits.load.with(text.len(), || watch::marked(&file.rel, text.len(), work));
    Ok((text, tags))
}

/// What was found of a file.
enum Read {
    /// Its text, to be parsed, and what identifies the bytes if the result is to be kept.
    Now(String, Option<(Identity, Raw)>),
    /// What the tag cache has of it, and the sha256 of its bytes, if it has tags.
    Before(Text, Kept, Option<[u8; 32]>),
}

/// What the tag cache has of a file, or its text.
fn read_or_find(
    file: &RepoFile,
    language: &'static Language,
    limits: Limits,
) -> Result<Read, read::ReadError> {
    let read = || read_source(limits.reading.folder, file, limits.max_bytes);
    let Some(tag_cache) = limits.reading.tag_cache else { return Ok(Read::Now(read()?, None)) };
    match tag_cache.find(file, language, limits.reading.folder, limits.max_bytes)? {
        Found::Kept(kept, _) if kept.tags.is_empty() => {
            Ok(Read::Before(Text::default(), kept, None))
        }
        Found::Kept(kept, sha256) => {
            let text = match limits.is_stale {
                Some(is_stale) => {
                    let (folder, is_stale) =
                        (Arc::clone(limits.reading.folder), Arc::clone(is_stale));
                    Some(Late { sha256, folder, is_stale }.into())
                }
                None => text::unchanged(limits.reading.folder, file, sha256).map(Text::from),
            };
            match text {
                Some(text) => Ok(Read::Before(text, kept, Some(sha256))),
                // The file has changed since the tag cache looked at it.
                None => Ok(Read::Now(read()?, None)),
            }
        }
        Found::Nothing(bytes, identity) => {
            let raw = Raw::of(&bytes);
            Ok(Read::Now(read::text(bytes)?, Some((identity, raw))))
        }
    }
}

/// The text of a file, read from its folder.
fn read_source(folder: &Folder, file: &RepoFile, cap: u64) -> Result<String, read::ReadError> {
    folder.exact_bytes(Path::new(&file.rel), cap).and_then(read::text)
}

/// The present text of a file, for its page.
pub fn read_page(folder: &Folder, file: &RepoFile) -> Result<String, read::ReadError> {
    read_source(folder, file, memory::most_code())
}

#[cfg(test)]
mod tests {
    use std::{
        collections::BTreeMap,
        fs,
        sync::{
            Arc,
            atomic::{AtomicBool, Ordering},
        },
    };

    use base::{profile::Profile, text::folder::Folder, watch};

    use super::{Reading, SourceCache};
    use crate::{language::Overrides, repo::RepoFile};

    #[test]
    fn large_files_are_parsed_one_after_the_other_however_many_threads_there_are() {
        let place = tempfile::tempdir().unwrap();
        let text = format!("/*{}*/\n", "a comment\n".repeat(1 << 20));
        let files: BTreeMap<String, Arc<RepoFile>> = (0..4)
            .map(|number| {
                let rel = format!("large_{number}.c");
                let abs = place.path().join(&rel);
                fs::write(&abs, &text).unwrap();
                let abs = abs.to_str().unwrap().to_owned();
                (abs.clone(), RepoFile { rel, abs, is_file: true }.into())
            })
            .collect();
        let ids: Vec<u64> = files.values().map(|file| watch::file_id(&file.rel)).collect();
        let folder = Arc::new(Folder::open(place.path()).unwrap());
        let threads = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
        let ended = AtomicBool::new(false);
        let most = std::thread::scope(|scope| {
            let watched = scope.spawn(|| {
                let mut most = 0;
                while !ended.load(Ordering::Relaxed) {
                    most = watch::marks().filter(|mark| ids.contains(&mark.file)).count().max(most);
                }
                most
            });
            let avoided = BTreeMap::new();
            let sources = threads.install(|| {
                let (mut cache, none) = (SourceCache::for_one_map(), Overrides::default());
                let reading = Reading {
                    profile: Profile::Parity,
                    folder: &folder,
                    overrides: &none,
                    avoided: &avoided,
                    tag_cache: None,
                };
                cache.extract(&files, &reading, &BTreeMap::new())
            });
            ended.store(true, Ordering::Relaxed);
            assert!(sources.skipped.is_empty(), "{:?}", sources.skipped);
            watched.join().unwrap()
        });
        assert_eq!(most, 1, "parsed at once");
    }
}
