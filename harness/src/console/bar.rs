//! Progress bars for long work.

use std::{io::IsTerminal, time::Duration};

use base::text::visible::visible;
use indicatif::{ProgressBar, ProgressStyle};

/// How often a bar that moves by itself is redrawn.
const TICK: Duration = Duration::from_millis(100);

/// A bar on standard error if that is a terminal; otherwise it shows nothing. A bar that is dropped
/// unfinished is cleared.
#[derive(Debug)]
pub struct Bar(ProgressBar);

impl Bar {
    /// A bar of `total` steps, drawn as `template` says (see `indicatif`).
    pub fn new(total: u64, template: &str) -> Self {
        if !is_watched() {
            return Self(ProgressBar::hidden());
        }
        let bar = ProgressBar::new(total);
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self(bar)
    }

    /// A bar that only shows that something is going on.
    pub fn spinner() -> Self {
        let bar = if is_watched() { ProgressBar::new_spinner() } else { ProgressBar::hidden() };
        let bar = Self(bar);
        bar.tick();
        bar
    }

    /// The same bar with a name, which the template shows as `prefix`; it moves by itself.
    #[must_use]
    pub fn named(self, name: &str) -> Self {
        self.0.set_prefix(visible(name).into_owned());
        self.tick();
        self
    }

    /// The same bar, starting after `done` steps.
    #[must_use]
    pub fn after(self, done: u64) -> Self {
        Self(self.0.with_position(done))
    }

    /// Advances the bar by `steps`.
    pub fn advance(&self, steps: u64) {
        self.0.inc(steps);
    }

    /// Replaces the message that says what is being done.
    pub fn say(&self, what: &str) {
        self.0.set_message(visible(what).into_owned());
    }

    /// Takes the bar off the terminal while something else is said there.
    pub fn hide_while(&self, say: impl FnOnce()) {
        self.0.suspend(say);
    }

    /// Whether the bar is not shown.
    pub fn is_hidden(&self) -> bool {
        self.0.is_hidden()
    }

    /// Leaves the bar on the terminal with a last message.
    pub fn finish(&self, last: &str) {
        self.0.finish_with_message(visible(last).into_owned());
    }

    /// Removes the bar from the terminal.
    pub fn clear(&self) {
        self.0.finish_and_clear();
    }

    fn tick(&self) {
        if !self.is_hidden() {
            self.0.enable_steady_tick(TICK);
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "asked about, not written to")]
fn is_watched() -> bool {
    std::io::stderr().is_terminal()
}
