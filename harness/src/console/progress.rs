//! Progress of a slow step, written to standard error only.

use super::{Bar, talk};

/// Receives the progress of each slow unit of work: its start, its steps and its end.
pub trait Progress {
    /// A unit named `name` begins; it will advance `total` times.
    fn start(&mut self, name: &str, total: u64);
    /// `step` is what is being done now; it counts as one of the total.
    fn advance(&mut self, step: &str);
    /// The unit is complete. It is not called for a unit that failed.
    fn finish(&mut self);
}

/// Bars on a terminal, otherwise one line for each finished unit; no output if `quiet`.
pub fn on_stderr(quiet: bool) -> Box<dyn Progress> {
    match (quiet, Bar::spinner().is_hidden()) {
        (true, _) => Box::new(Silent),
        (false, false) => Box::new(Bars(None)),
        (false, true) => Box::new(Lines(String::new())),
    }
}

/// Discards all progress.
#[derive(Debug)]
pub struct Silent;

impl Progress for Silent {
    fn start(&mut self, _: &str, _: u64) {}
    fn advance(&mut self, _: &str) {}
    fn finish(&mut self) {}
}

/// One line for each complete unit, for logs.
#[derive(Debug)]
struct Lines(String);

impl Progress for Lines {
    fn start(&mut self, name: &str, _: u64) {
        name.clone_into(&mut self.0);
    }
    fn advance(&mut self, _: &str) {}
    fn finish(&mut self) {
        talk(&format!("{} ready", self.0));
    }
}

/// One bar at a time on a terminal.
#[derive(Debug)]
struct Bars(Option<Bar>);

impl Progress for Bars {
    fn start(&mut self, name: &str, total: u64) {
        let bar = Bar::new(total, "{spinner} {prefix:24} {bar:20} {msg}");
        self.0 = Some(bar.named(name));
    }
    fn advance(&mut self, step: &str) {
        if let Some(bar) = &self.0 {
            bar.say(step);
            bar.advance(1);
        }
    }
    fn finish(&mut self) {
        if let Some(bar) = self.0.take() {
            bar.finish("ready");
        }
    }
}
