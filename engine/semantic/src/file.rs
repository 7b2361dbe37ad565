//! One file: its lines and its parts.

use base::text::{paths, read};
use explore::{
    Input, Options, Profile, Project,
    dispatch::{self, Family},
};

use crate::{Lines, Place, between, imports::Imports, leading, nest, signature};

/// A file of source code, divided into parts.
#[derive(Debug)]
pub struct File {
    /// Key of its language, such as `python`.
    pub language: String,
    lines: Lines,
    parts: Vec<Part>,
}

/// A part of a file. Lines are 1-based.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its kind: that of a symbol as explorations name it, or `import`, `comment` or `statement`.
    pub kind: &'static str,
    /// The name of a symbol; for other parts, what they import, or the beginning of their first
    /// line.
    pub name: String,
    /// Whether it is a symbol, so that `name` is its own name.
    pub is_symbol: bool,
    /// The enclosing scope of a symbol, as its language joins names; `None` at the top level of a
    /// file.
    pub parent: Option<String>,
    /// Index of the enclosing part.
    pub inside: Option<usize>,
    /// Number of enclosing parts.
    pub depth: usize,
    /// Line of the name; for a part that is not a symbol, its first line.
    pub line: u32,
    /// First line, with the comment that documents it.
    pub start: u32,
    /// Last line.
    pub end: u32,
    /// The declaration in one line of at most 400 characters; for a part that is not a symbol, its
    /// first line.
    pub signature: String,
    /// The first paragraph of its documentation.
    pub documentation: Option<String>,
    /// The 1-based lines of the file's imports that it uses.
    pub imports: Vec<u32>,
}

/// Why a file has no parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoParts {
    /// It is not source code of a language that has an explorer.
    NotCode,
    /// It could not be read whole, for the given reason.
    Unreadable(String),
}

impl File {
    /// Whether a file of this name may be source code: its name says so, or does not tell.
    pub fn may_be_code(path: &str) -> bool {
        let base = paths::basename(path);
        match dispatch::by_name(base) {
            Some(explorer) => explorer.family == Family::Code,
            None => !base.contains('.'),
        }
    }

    /// The parts of a file with these bytes. If its content does not decide the language, its name
    /// does.
    ///
    /// # Errors
    /// The file is not source code, or cannot be read.
    pub fn read(path: &str, bytes: &[u8]) -> Result<Self, NoParts> {
        Self::read_as(path, None, bytes)
    }

    /// As [`File::read`], but with the language given by the key of its explorer, whatever the
    /// file's name and content say.
    ///
    /// # Errors
    /// As [`File::read`].
    pub fn read_as(path: &str, language: Option<&str>, bytes: &[u8]) -> Result<Self, NoParts> {
        let given = input(path, language, bytes);
        let unreadable = |error: std::io::Error| NoParts::Unreadable(error.to_string());
        let found = dispatch::dispatch(&given, None).map_err(unreadable)?;
        if found.explorer.family != Family::Code {
            return Err(NoParts::NotCode);
        }
        let lines = Lines::of(path, bytes)
            .map_err(|byte| NoParts::Unreadable(format!("not valid UTF-8 at byte {byte}")))?;
        // The explorer splits lines in the same way: a lone carriage return ends a line, too.
        let text = read::universal_newlines(String::from_utf8_lossy(bytes).into_owned());
        let options = Options { short: false, ..Options::from(Profile::Enhancement) };
        let explored =
            explore::explore(&input(path, language, text.as_bytes()), &Project::default(), options);
        let mut parts = nest::parts(&explored.symbols, lines.all().len());
        for part in &mut parts {
            part.signature = signature::of(lines.all(), part.line, part.end);
        }
        leading::extend(&mut parts, lines.all());
        between::add(&mut parts, lines.all(), &explored.imports);
        nest::order(&mut parts);
        Imports::of(&explored.imports, lines.all()).assign(&mut parts, lines.all());
        Ok(Self { language: explored.explorer_used, lines, parts })
    }

    /// The parts, sorted by first line, enclosing parts first.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The lines of the file.
    pub const fn lines(&self) -> &Lines {
        &self.lines
    }

    /// The places of the parts, in the same order.
    pub fn places(&self) -> Vec<Place<'_>> {
        self.parts.iter().map(Part::place).collect()
    }
}

fn input<'a>(path: &str, language: Option<&str>, bytes: &'a [u8]) -> Input<'a> {
    let input = Input::memory(path, bytes);
    match language {
        Some(language) => input.taken_for(language),
        None => input,
    }
}

impl Part {
    fn place(&self) -> Place<'_> {
        Place {
            kind: self.kind,
            name: &self.name,
            parent: self.parent.as_deref(),
            inside: self.inside,
            line: self.line,
            start: self.start,
            end: self.end,
            signature: &self.signature,
        }
    }
}
