//! The file to explore: where its bytes are, and how many of them are loaded into memory.

use std::{
    borrow::Cow,
    fs::File,
    io::{self, Read},
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use base::text::{folder::Folder, open};

/// Size of the largest file that is loaded whole if an explorer needs that: the comparator's limit,
/// 50 MiB.
pub const WHOLE_LIMIT: u64 = 50 * 1024 * 1024;

/// Larger files are sampled: three pieces of this size, in bytes, from start, middle and end.
pub const SAMPLE_PIECE: u64 = 200 * 1024 / 3;

/// Number of bytes that detection reads.
pub const HEAD: usize = 8 * 1024;

/// A file on disk or bytes in memory.
#[derive(Debug, Clone)]
pub struct Input<'a> {
    /// The name that is shown and used for detection; a path with `/`.
    pub name: String,
    place: Place<'a>,
    size: u64,
    unparsed: Option<String>,
    language: Option<String>,
}

#[derive(Debug, Clone)]
enum Place<'a> {
    /// An open file, and its path for parsers that must open it themselves.
    Disk(Arc<File>, PathBuf),
    Memory(&'a [u8]),
}

/// Bytes that were loaded.
#[derive(Debug, Clone)]
pub struct Content<'a> {
    /// The bytes: the whole file, or the pieces of a sample.
    pub bytes: Cow<'a, [u8]>,
    /// True if the bytes are a sample.
    pub sampled: bool,
}

impl<'a> Input<'a> {
    /// A regular file on disk. Links in its path are followed.
    ///
    /// # Errors
    /// The file does not exist, is not a regular file or cannot be opened.
    pub fn open(name: &str, path: &Path) -> io::Result<Self> {
        Ok(Self::opened(name, path.to_owned(), open::regular(path)?))
    }

    /// The regular file at a path relative to a folder.
    ///
    /// # Errors
    /// As [`Input::open`], or if the path leads out of the folder.
    pub fn open_in(folder: &Folder, name: &str, path: &Path) -> io::Result<Self> {
        let found = folder.find(path)?;
        let file = folder.exactly(&found)?;
        Ok(Self::opened(name, folder.path().join(found), file))
    }

    fn opened(name: &str, path: PathBuf, (file, size): (File, u64)) -> Self {
        let place = Place::Disk(Arc::new(file), path);
        Self { name: name.to_owned(), place, size, unparsed: None, language: None }
    }

    /// Bytes in memory, with a name.
    pub fn memory(name: &str, bytes: &'a [u8]) -> Self {
        let size = bytes.len() as u64;
        let place = Place::Memory(bytes);
        Self { name: name.to_owned(), place, size, unparsed: None, language: None }
    }

    /// The same file, which must not be parsed, with the reason: it has made a parser crash before.
    #[must_use]
    pub fn unparsed(self, why: &str) -> Self {
        Self { unparsed: Some(why.to_owned()), ..self }
    }

    /// The same file, explored as a given language whatever its name says. `language` is the key of
    /// an explorer; an unknown key changes nothing.
    #[must_use]
    pub fn taken_for(self, language: &str) -> Self {
        Self { language: Some(language.to_owned()), ..self }
    }

    /// The key of the explorer that was set for it, if any.
    pub fn language(&self) -> Option<&str> {
        self.language.as_deref()
    }

    /// Why the file must not be parsed, if so.
    pub fn why_unparsed(&self) -> Option<&str> {
        self.unparsed.as_deref()
    }

    /// Size in bytes.
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// The path of the file on disk, for parsers that must open it themselves.
    pub fn path(&self) -> Option<&Path> {
        match &self.place {
            Place::Disk(_, path) => Some(path),
            Place::Memory(_) => None,
        }
    }

    /// The part of the name after the last `/`.
    pub fn base_name(&self) -> &str {
        self.name.rsplit('/').next().unwrap_or(&self.name)
    }

    /// A reader over all bytes, for explorers that stream.
    pub fn reader(&self) -> Box<dyn Read + '_> {
        match &self.place {
            Place::Disk(file, _) => Box::new(Reader::new(file, 0)),
            Place::Memory(bytes) => Box::new(*bytes),
        }
    }

    /// The first bytes, at most `count`.
    pub fn head(&self, count: usize) -> io::Result<Vec<u8>> {
        self.piece(0, count as u64)
    }

    /// At most `length` bytes from `start`.
    pub fn piece(&self, start: u64, length: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        match &self.place {
            Place::Disk(file, _) => {
                Reader::new(file, start).take(length).read_to_end(&mut bytes)?;
            }
            Place::Memory(whole) => {
                let start = usize::try_from(start).unwrap_or(usize::MAX).min(whole.len());
                let rest = whole.get(start..).unwrap_or_default();
                let length = usize::try_from(length).unwrap_or(usize::MAX).min(rest.len());
                bytes.extend_from_slice(rest.get(..length).unwrap_or_default());
            }
        }
        Ok(bytes)
    }

    /// The whole content up to 50 MiB; otherwise three pieces of whole lines, separated by a line
    /// that says so.
    pub fn content(&self) -> io::Result<Content<'a>> {
        if let Place::Memory(bytes) = self.place {
            return Ok(Content { bytes: Cow::Borrowed(bytes), sampled: false });
        }
        if self.size <= WHOLE_LIMIT {
            // A file that grows while it is read is cut off at the limit.
            let bytes = self.piece(0, WHOLE_LIMIT)?;
            return Ok(Content { bytes: Cow::Owned(bytes), sampled: false });
        }
        let mut bytes = Vec::new();
        for start in [0, (self.size - SAMPLE_PIECE) / 2, self.size - SAMPLE_PIECE] {
            if !bytes.is_empty() {
                bytes.extend_from_slice(b"\n\n... [CONTENT SAMPLED - FILE TOO LARGE] ...\n\n");
            }
            let piece = self.piece(start, SAMPLE_PIECE)?;
            bytes.extend_from_slice(whole_lines(&piece, start > 0));
        }
        Ok(Content { bytes: Cow::Owned(bytes), sampled: true })
    }
}

/// Reads an open file from an offset, independently of other readers of it, and with a time limit.
struct Reader<'a> {
    file: &'a File,
    start: u64,
    at: u64,
    waited: Duration,
}

impl<'a> Reader<'a> {
    const fn new(file: &'a File, start: u64) -> Self {
        Self { file, start, at: start, waited: Duration::ZERO }
    }
}

impl Read for Reader<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        open::expect_pace(self.at - self.start, self.waited)?;
        let started = Instant::now();
        let count = self.file.read_at(bytes, self.at)?;
        self.waited += started.elapsed();
        self.at += count as u64;
        Ok(count)
    }
}

/// A piece without the partial lines at its ends, unless it consists of one line.
fn whole_lines(piece: &[u8], inside: bool) -> &[u8] {
    let start =
        if inside { memchr::memchr(b'\n', piece).map_or(0, |position| position + 1) } else { 0 };
    let end = memchr::memrchr(b'\n', piece).map_or(piece.len(), |position| position + 1);
    piece.get(start..end).filter(|lines| !lines.is_empty()).unwrap_or(piece)
}
