//! Bars that show how far long work has come.

use std::{io::IsTerminal, time::Duration};

use base::text::visible::visible;
use indicatif::{ProgressBar, ProgressStyle};

/// How often a bar that moves by itself is drawn.
const TICK: Duration = Duration::from_millis(100);

/// A bar on standard error where that is a terminal, and nothing elsewhere. One that is dropped
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

    /// The same, with a name in front that the template shows as `prefix`; it moves by itself.
    #[must_use]
    pub fn named(self, name: &str) -> Self {
        self.0.set_prefix(visible(name).into_owned());
        self.tick();
        self
    }

    /// The same, after so many steps that were done before.
    #[must_use]
    pub fn after(self, done: u64) -> Self {
        Self(self.0.with_position(done))
    }

    /// Some more steps are done.
    pub fn advance(&self, steps: u64) {
        self.0.inc(steps);
    }

    /// Says what is being done, in place of what was said before.
    pub fn say(&self, what: &str) {
        self.0.set_message(visible(what).into_owned());
    }

    /// Whether nobody sees it.
    pub fn is_hidden(&self) -> bool {
        self.0.is_hidden()
    }

    /// Leaves it as it is, with a last word.
    pub fn finish(&self, last: &str) {
        self.0.finish_with_message(visible(last).into_owned());
    }

    /// Takes it away.
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
