//! Lines of a long installation: a spinner on a terminal, and elsewhere only the steps.

use std::{io::IsTerminal, time::Duration};

use indicatif::ProgressBar;

use super::talk;

/// Shows what an installer says.
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
