//! What is said to the user: on standard error, where data never goes.

use std::{
    backtrace::{Backtrace, BacktraceStatus},
    io::Write,
    panic,
};

use base::{secrets::Secrets, text::visible};

use super::Bar;

/// Says something to the user. Of a message of several lines, all but the first are indented: what
/// looks like a message of its own is one.
#[expect(clippy::disallowed_methods, reason = "this is the way to standard error")]
pub fn talk(message: &str) {
    // There is nobody to report to when standard error is closed.
    let _ = std::io::stderr().write_all(shown(message).as_bytes());
}

fn shown(message: &str) -> String {
    // An error may quote an address with its password, or a line of a file.
    let message = Secrets::Masked.code(message);
    let mut shown = visible::lines(&message).trim_end().replace('\n', "\n  ");
    shown.push('\n');
    shown
}

/// Says what a panic says. It may quote a name of a file.
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

/// Shows what an installer says: a spinner on a terminal, and elsewhere only the steps.
#[derive(Debug)]
pub struct Teller(Bar);

impl Teller {
    /// A teller for standard error.
    pub fn new() -> Self {
        Self(Bar::spinner())
    }

    /// Tells one line. Lines about single packages are shown only where they replace each other.
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
