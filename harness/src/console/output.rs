//! Standard output, where results go.

use std::{
    fmt,
    fs::File,
    io::{self, BufWriter, IsTerminal, StdoutLock, Write},
    mem,
    os::fd::AsFd,
};

use anstream::{AutoStream, ColorChoice};
use base::{profile::Profile, text::visible};
use serde::Serialize;

use super::pager;

/// Standard output, buffered. [`Output::flush`] writes what is buffered, and so does dropping the value.
#[derive(Debug)]
pub struct Output {
    to: Sink,
    is_raw: bool,
}

/// Where the output goes.
#[derive(Debug)]
enum Sink {
    Direct(BufWriter<StdoutLock<'static>>),
    /// All of it is collected before it is shown.
    Paged {
        pager: Vec<String>,
        text: Vec<u8>,
    },
}

/// Standard output for a protocol between two programs, which nobody reads: every byte is written as it
/// is. Unlike [`Output`] it may move to another thread.
pub fn protocol() -> io::Result<BufWriter<File>> {
    Ok(BufWriter::new(File::from(standard().as_fd().try_clone_to_owned()?)))
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Direct(to) => to.write(bytes),
            Self::Paged { text, .. } => text.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        let (pager, text) = match self {
            Self::Direct(to) => return to.flush(),
            Self::Paged { pager, text } => (pager, mem::take(text)),
        };
        let is_longer = pager::is_longer(&String::from_utf8_lossy(&text), &standard());
        if is_longer && pager::show(pager, &text).is_ok() {
            return Ok(());
        }
        let mut to = standard().lock();
        to.write_all(&text)?;
        to.flush()
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        // An error was returned by an explicit flush before, if anybody wanted to know it.
        let _ = self.flush();
    }
}

impl Output {
    /// An output for this program's own messages and tables.
    pub fn new() -> Self {
        Self { to: Sink::Direct(BufWriter::new(standard().lock())), is_raw: false }
    }

    /// The same; on a terminal, text that is longer than the screen is shown through the user's pager.
    #[must_use]
    pub fn paged(mut self) -> Self {
        if let Some(pager) = pager::pager().filter(|_| is_terminal()) {
            self.to = Sink::Paged { pager, text: Vec::new() };
        }
        self
    }

    /// An output for maps and explorations. In the parity profile, text that goes to a file or a pipe
    /// is written unchanged, exactly as the comparator prints it.
    pub fn of(profile: Profile) -> Self {
        Self { is_raw: profile.is_parity() && !is_terminal(), ..Self::new() }
    }

    /// Whether text is written unchanged.
    pub const fn is_raw(&self) -> bool {
        self.is_raw
    }

    /// Writes text of several lines.
    pub fn text(&mut self, text: &str) -> io::Result<()> {
        if self.is_raw {
            return self.to.write_all(text.as_bytes());
        }
        self.to.write_all(visible::lines(text).as_bytes())
    }

    /// Writes arbitrary bytes: unchanged to a file or a pipe, and as text to a terminal.
    pub fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        if is_terminal() {
            return self.text(&String::from_utf8_lossy(bytes));
        }
        self.to.write_all(bytes)
    }

    /// Writes a table of ours, which may have colours. All other control characters are escaped; names
    /// within the table must be escaped before, because a name could hold a colour.
    pub fn table(&mut self, text: &str) -> io::Result<()> {
        for (index, part) in text.split("\x1b[").enumerate() {
            let (colour, rest) = split_colour(part).filter(|_| index > 0).unwrap_or(("", part));
            if index > 0 {
                let begin = if colour.is_empty() { r"\u{1b}[" } else { "\x1b[" };
                self.to.write_all(begin.as_bytes())?;
            }
            self.to.write_all(colour.as_bytes())?;
            self.to.write_all(visible::lines(rest).as_bytes())?;
        }
        Ok(())
    }

    /// Writes a value as one line of JSON and a line end.
    pub fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        if self.is_raw {
            serde_json::to_writer(&mut self.to, value)?;
            return self.to.write_all(b"\n");
        }
        self.json_text(&serde_json::to_string(value)?)?;
        self.to.write_all(b"\n")
    }

    /// Writes a value as indented JSON and a line end.
    pub fn pretty_json(&mut self, value: &impl Serialize) -> io::Result<()> {
        self.json_text(&serde_json::to_string_pretty(value)?)?;
        self.to.write_all(b"\n")
    }

    /// Writes a JSON text without a line end.
    pub fn json_text(&mut self, text: &str) -> io::Result<()> {
        let shown = if self.is_raw { text.into() } else { visible::json(text) };
        self.to.write_all(shown.as_bytes())
    }

    /// Called by `write!` and `writeln!`; the same as [`Output::table`].
    pub fn write_fmt(&mut self, text: fmt::Arguments<'_>) -> io::Result<()> {
        match text.as_str() {
            Some(text) => self.table(text),
            None => self.table(&text.to_string()),
        }
    }

    /// Writes what is buffered.
    pub fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Whether results may be coloured: standard output is a terminal that supports colours, and neither
/// `NO_COLOR`, `CLICOLOR`, `CLICOLOR_FORCE` nor `TERM` forbids it.
pub fn takes_colours() -> bool {
    AutoStream::choice(&standard()) != ColorChoice::Never
}

/// Whether standard output is a terminal.
fn is_terminal() -> bool {
    standard().is_terminal()
}

#[expect(clippy::disallowed_methods, reason = "this is the way to standard output")]
fn standard() -> io::Stdout {
    io::stdout()
}

/// The rest of a colour's escape sequence, and the text after it.
fn split_colour(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != ';')?;
    text.get(end..)?.starts_with('m').then(|| text.split_at(end + 1))
}
