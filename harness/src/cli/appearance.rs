//! How text is shown: options that every command has.

use clap::{Args, ColorChoice};

use crate::console::no_pager;

/// Colours and the pager.
#[derive(Debug, Clone, Copy, Args)]
pub struct Appearance {
    /// When to use colours; auto means on a terminal, unless NO_COLOR, CLICOLOR or TERM forbids it.
    #[arg(long, global = true, value_name = "WHEN", default_value_t = ColorChoice::Auto,
        hide_possible_values = true, help_heading = "Appearance")]
    color: ColorChoice,
    /// Print text that is longer than the screen at once. Without it PARITY_PAGER, PAGER or less shows the
    /// text.
    #[arg(long, global = true, help_heading = "Appearance")]
    no_pager: bool,
}

impl Appearance {
    /// Applies the options to everything that this process prints.
    pub fn apply(self) {
        match self.color {
            ColorChoice::Auto => anstream::ColorChoice::Auto,
            ColorChoice::Always => anstream::ColorChoice::Always,
            ColorChoice::Never => anstream::ColorChoice::Never,
        }
        .write_global();
        if self.no_pager {
            no_pager();
        }
    }
}
