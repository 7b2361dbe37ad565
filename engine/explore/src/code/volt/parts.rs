//! Sections and lists in the forms that many layouts use.

use super::{Form, Part, Section, Sheet, entry::word};
use crate::{disclosure::Marker, selector::Item};

/// A section of lists below a title.
pub const fn section(title: &'static str, lists: &'static [Part]) -> Section {
    Section::Lists { title, lists }
}

/// A list on one line after its title.
pub const fn inline(title: &'static str, list: &'static str, cap: usize, marker: Marker) -> Part {
    Part { title, list, cap, marker, form: Form::Line(word) }
}

/// A list without a title of its own, with each entry on its own lines.
pub const fn lines(
    list: &'static str,
    cap: usize,
    marker: Marker,
    show: fn(&mut Sheet, Item) -> Vec<String>,
) -> Part {
    Part { title: "", list, cap, marker, form: Form::Lines("  ", show) }
}

/// A list with each entry on its own lines below the title.
pub const fn titled_lines(
    title: &'static str,
    list: &'static str,
    cap: usize,
    show: fn(&mut Sheet, Item) -> Vec<String>,
) -> Part {
    Part { title, list, cap, marker: Marker::Counted, form: Form::Lines("    ", show) }
}
