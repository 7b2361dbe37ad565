//! The colours of plots.
//!
//! Plots are drawn in light colours, so that a plot works outside a page; inside a page [`stylesheet`]
//! replaces each colour with the page's variable of the same name, which follows its light or dark
//! theme.

use std::fmt::Write as _;

use plotters::style::RGBColor;
use record::Verdict;

/// What a mark means, which decides its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Text.
    Ink,
    /// Text of less importance.
    Muted,
    /// Grid lines and empty tracks.
    Rule,
    /// A shaded range.
    Band,
    /// Passes.
    Pass,
    /// A failure, and the threshold that it missed.
    Fail,
    /// Could not be judged.
    Doubt,
}

/// Every role, its variable in the page, and its colour in the light theme.
const ROLES: [(Role, &str, RGBColor); 7] = [
    (Role::Ink, "ink", RGBColor(0x1f, 0x23, 0x28)),
    (Role::Muted, "muted", RGBColor(0x5c, 0x63, 0x6b)),
    (Role::Rule, "rule", RGBColor(0xde, 0xdb, 0xd3)),
    (Role::Band, "band", RGBColor(0xe6, 0xee, 0xe8)),
    (Role::Pass, "pass", RGBColor(0x1b, 0x74, 0x4a)),
    (Role::Fail, "fail", RGBColor(0xb3, 0x26, 0x1e)),
    (Role::Doubt, "doubt", RGBColor(0x8a, 0x5a, 0x00)),
];

impl Role {
    /// The colour in the light theme.
    pub fn colour(self) -> RGBColor {
        let known = ROLES.iter().find(|(role, ..)| *role == self);
        known.map_or(RGBColor(0, 0, 0), |(.., colour)| *colour)
    }

    /// The role of a verdict.
    pub const fn of(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Pass => Self::Pass,
            Verdict::Fail => Self::Fail,
            Verdict::Insufficient | Verdict::Unstable | Verdict::NotRun => Self::Doubt,
        }
    }
}

/// Style rules that give every plot of a page the page's colours.
pub fn stylesheet() -> String {
    let mut rules = String::new();
    for (_, name, RGBColor(red, green, blue)) in ROLES {
        for property in ["fill", "stroke"] {
            let _ = writeln!(
                rules,
                "svg [{property}=\"#{red:02X}{green:02X}{blue:02X}\"] {{ {property}: var(--{name}) }}"
            );
        }
    }
    rules
}
