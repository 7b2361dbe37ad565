//! What is said to the user: on standard error, where data never goes.

use std::{
    io::{IsTerminal, Write},
    time::Duration,
};

use indicatif::ProgressBar;

/// Says something to the user.
pub fn talk(message: &str) {
    // There is nobody to report to when standard error is closed.
    let _ = writeln!(std::io::stderr(), "{message}");
}

/// Shows what an installer says: a spinner on a terminal, and elsewhere only the steps.
#[derive(Debug)]
pub struct Teller {
    spinner: Option<ProgressBar>,
}

impl Teller {
    /// A teller for standard error.
    pub fn new() -> Self {
        let spinner = std::io::stderr().is_terminal().then(ProgressBar::new_spinner);
        if let Some(spinner) = &spinner {
            spinner.enable_steady_tick(Duration::from_millis(100));
        }
        Self { spinner }
    }

    /// Tells one line. Lines about single packages are shown only where they replace each other.
    pub fn tell(&mut self, line: &str) {
        match &self.spinner {
            Some(spinner) => spinner.set_message(line.to_owned()),
            None if line.starts_with("package ") => {}
            None => talk(line),
        }
    }

    /// Clears the spinner.
    pub fn finish(self) {
        if let Some(spinner) = self.spinner {
            spinner.finish_and_clear();
        }
    }
}
