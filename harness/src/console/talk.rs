//! Messages to the user on standard error, where data is never written.

use std::{
    backtrace::{Backtrace, BacktraceStatus},
    io::Write,
    panic,
};

use base::{secrets::Secrets, text::visible};

use super::Bar;

/// Prints a message to the user. All lines but the first are indented, so that no line can pass for a
/// message of its own.
#[expect(clippy::disallowed_methods, reason = "this is the way to standard error")]
pub fn talk(message: &str) {
    // If standard error is closed, nobody can be told.
    let _ = std::io::stderr().write_all(shown(message).as_bytes());
}

fn shown(message: &str) -> String {
    // An error may quote an address with a password, or a line of a file.
    let message = Secrets::Masked.code(message);
    let mut shown = visible::lines(&message).trim_end().replace('\n', "\n  ");
    shown.push('\n');
    shown
}

/// Prints panics like other messages: they may quote the name of a file.
pub fn report_panics() {
    panic::set_hook(Box::new(|panic| {
        let mut message = panic.to_string();
        let backtrace = Backtrace::capture();
        if backtrace.status() == BacktraceStatus::Captured {
            message.push_str(&format!("\n{backtrace}"));
        }
        talk(&message);
    }));
}

/// Shows the progress of an installer: a spinner on a terminal, otherwise only the steps.
#[derive(Debug)]
pub struct Teller(Bar);

impl Teller {
    /// A teller for standard error.
    pub fn new() -> Self {
        Self(Bar::spinner())
    }

    /// Shows one line. Lines about single packages are shown only on a terminal, where each replaces
    /// the last.
    pub fn tell(&mut self, line: &str) {
        if !self.0.is_hidden() {
            self.0.say(line);
        } else if !line.starts_with("package ") {
            talk(line);
        }
    }

    /// Clears the spinner.
    pub fn finish(self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn no_part_of_a_message_looks_like_another() {
        let said = "error: no file a\nerror: b\x1b[2J\u{9b}\u{202e}\n";
        assert_eq!(shown(said), "error: no file a\n  error: b\\u{1b}[2J\\u{9b}\\u{202e}\n");
    }
}
