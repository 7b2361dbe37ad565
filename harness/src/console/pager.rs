//! The user's pager, for text that is longer than the terminal.

use std::{
    env,
    io::{self, Write as _},
    process::{Command, Stdio},
    sync::atomic::{AtomicBool, Ordering},
};

use terminal_size::{Height, Width, terminal_size_of};
use unicode_width::UnicodeWidthChar;

/// The variables that name the pager, the first one first. An empty one means none.
const VARIABLES: [&str; 2] = ["PARITY_PAGER", "PAGER"];
const DEFAULT: &str = "less";
/// How `less` behaves unless the user has set its variable, the same as with git: it passes colours on,
/// does not clear the screen, and ends by itself if the text fits.
const LESS: &str = "FRX";

static IS_OFF: AtomicBool = AtomicBool::new(false);

/// Text is printed at once from now on.
pub fn no_pager() {
    IS_OFF.store(true, Ordering::Relaxed);
}

/// The program and arguments of the user's pager; `None` if text is to be printed at once.
pub fn pager() -> Option<Vec<String>> {
    if IS_OFF.load(Ordering::Relaxed) {
        return None;
    }
    let named = VARIABLES.iter().find_map(|name| env::var(name).ok());
    let words = shlex::split(named.as_deref().unwrap_or(DEFAULT))?;
    words.first().is_some_and(|program| program != "cat").then_some(words)
}

/// Whether text takes more lines than the terminal has. Colours in it count as nothing.
pub fn is_longer(text: &str, terminal: &io::Stdout) -> bool {
    let Some((Width(columns), Height(rows))) = terminal_size_of(terminal) else { return false };
    lines(text, columns.max(1).into()) >= usize::from(rows)
}

/// The lines that a terminal of this width needs.
fn lines(text: &str, columns: usize) -> usize {
    text.lines().map(|line| width(line).div_ceil(columns).max(1)).sum()
}

fn width(line: &str) -> usize {
    let (mut width, mut is_colour) = (0, false);
    for c in line.chars() {
        match (is_colour, c) {
            (_, '\x1b') => is_colour = true,
            (true, 'm') => is_colour = false,
            (true, _) => (),
            (false, c) => width += c.width().unwrap_or_default(),
        }
    }
    width
}

/// Shows text through a pager until the user ends it.
///
/// # Errors
/// The pager cannot be started.
pub fn show(words: &[String], text: &[u8]) -> io::Result<()> {
    let (program, arguments) = words.split_first().ok_or(io::ErrorKind::InvalidInput)?;
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped());
    if env::var_os("LESS").is_none() {
        command.env("LESS", LESS);
    }
    let mut child = command.spawn()?;
    if let Some(mut input) = child.stdin.take() {
        // An error means that the user has seen enough.
        let _ = input.write_all(text);
    }
    child.wait().map(drop)
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn lines_are_counted_as_a_terminal_wraps_them() {
        for (text, expected) in [
            ("", 0),
            ("\n", 1),
            ("12345", 1),
            ("123456", 2),
            ("\x1b[31m12345\x1b[0m\n\nx", 3),
            ("\u{5bbd}\u{5bbd}\u{5bbd}", 2),
        ] {
            assert_eq!(lines(text, 5), expected, "{text:?}");
        }
    }
}
