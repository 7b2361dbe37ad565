//! A comparison as one HTML file, without script.

use maud::{Markup, html};

use super::Diff;
use crate::report::{
    escape::visible,
    figure,
    html::{moved, page},
};

impl Diff {
    /// The page, UTF-8.
    pub fn page(&self) -> String {
        let (tone, words) = match (self.is_regression(), self.is_empty()) {
            (true, _) => ("fail", "something is lost"),
            (false, true) => ("pass", "nothing changed"),
            (false, false) => ("pass", "nothing is lost"),
        };
        let title = html! { (words) " · " (visible(&self.after.title())) };
        let sections = html! {
            header #verdict .banner .(tone) {
                p .kicker { (visible(&self.after.title())) }
                h1 { (words) }
                p {
                    (figure::count(self.compared as u64)) " cells compared. Something is lost if it was measured and no \
                    longer is, or passed and no longer does."
                }
            }
            (moved(Some(self)))
            (self.times_table())
        };
        page(&title, "", &sections).into_string()
    }

    fn times_table(&self) -> Markup {
        html! {
            section #times {
                h2 { "Wall times" }
                p .quiet {
                    "Sums over the units that both runs have. An answer from the response cache has the time that it \
                    took when it was made. A time is slower if it is above the third quartile of earlier runs by more \
                    than three interquartile ranges."
                }
                @if self.times.is_empty() { p { "One of the runs does not say how long its units took." } }
                @else {
                    div .scroll { table {
                        thead { tr { th { "kind" } th { "units" } th { "before, s" } th { "after, s" } th { "" } } }
                        tbody { @for row in &self.times {
                            tr {
                                th { (visible(&row.kind)) }
                                td { (figure::count(row.units as u64)) }
                                @for took in row.seconds { td { (format!("{took:.1}")) } }
                                td { (row.comparison()) }
                            }
                        } }
                    } }
                }
                @if let Some(recordings) = &self.recordings { p { (recordings) } }
            }
        }
    }
}
