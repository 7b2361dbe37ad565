//! Progress of a slow step. Written to standard error only.

use std::{
    io::{IsTerminal, stderr},
    time::Duration,
};

use indicatif::{ProgressBar, ProgressStyle};

/// Told about every slow unit of work: it starts, moves on, and ends.
pub trait Progress {
    /// A unit named `name` begins; it will advance `total` times.
    fn start(&mut self, name: &str, total: u64);
    /// `step` is what is being done now; one more of the total is behind.
    fn advance(&mut self, step: &str);
    /// The unit is complete. It is not called for a unit that failed.
    fn finish(&mut self);
}

/// Bars on a terminal, otherwise one line for each finished unit; nothing if `quiet`.
pub fn on_stderr(quiet: bool) -> Box<dyn Progress> {
    match (quiet, stderr().is_terminal()) {
        (true, _) => Box::new(Silent),
        (false, true) => Box::new(Bar(ProgressBar::hidden())),
        (false, false) => Box::new(Lines(String::new())),
    }
}

/// Says nothing.
#[derive(Debug)]
pub struct Silent;

impl Progress for Silent {
    fn start(&mut self, _: &str, _: u64) {}
    fn advance(&mut self, _: &str) {}
    fn finish(&mut self) {}
}

/// One line when a unit is complete, for logs.
#[derive(Debug)]
struct Lines(String);

impl Progress for Lines {
    fn start(&mut self, name: &str, _: u64) {
        name.clone_into(&mut self.0);
    }
    fn advance(&mut self, _: &str) {}
    fn finish(&mut self) {
        eprintln!("{} ready", self.0);
    }
}

/// One bar at a time on a terminal; a bar that is dropped unfinished is cleared.
#[derive(Debug)]
struct Bar(ProgressBar);

impl Progress for Bar {
    fn start(&mut self, name: &str, total: u64) {
        self.0 = ProgressBar::new(total).with_prefix(name.to_owned());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {prefix:24} {bar:20} {msg}") {
            self.0.set_style(style);
        }
        self.0.enable_steady_tick(Duration::from_millis(100));
    }
    fn advance(&mut self, step: &str) {
        self.0.set_message(step.to_owned());
        self.0.inc(1);
    }
    fn finish(&mut self) {
        self.0.finish_with_message("ready");
    }
}
