//! The history as one HTML file, without script: the last record, what moved, and a small curve for each value.

use frames::{FrameError, History, Series};
use maud::{Markup, html};

use super::{
    movers::{MARGIN, SECONDS, Weight},
    record::{Outcome, Record, State},
};
use crate::report::{escape::visible, figure, html::page};

/// How curves are drawn.
const STYLE: &str = "svg.curve polyline{fill:none;stroke:var(--ink);stroke-width:1.5} svg.curve circle{fill:var(--ink)}";
/// Width and height of a curve, in pixels.
const SIZE: (f64, f64) = (160.0, 28.0);
/// Margin around a curve for the dot of its last value, in pixels.
const EDGE: f64 = 3.0;

/// The whole page, UTF-8.
pub fn render(record: &Record, history: &History) -> Result<String, FrameError> {
    let (records, series) = (history.records()?, history.series()?);
    let of = |kind: &str| series.iter().filter(|one| one.kind == kind).collect::<Vec<_>>();
    let missing = record.steps.iter().filter(|step| step.state != State::Passed).count();
    let regressed = record.movers.iter().any(|mover| mover.weight == Weight::Regressed);
    let (tone, words) = if regressed {
        ("fail", "regressed")
    } else if record.movers.iter().any(|mover| mover.weight == Weight::Missing) {
        ("doubt", "incomplete")
    } else {
        ("pass", "nothing regressed")
    };
    let title = html! { (words) " · nightly " (visible(&record.name)) };
    let sections = html! {
        header #verdict .banner .(tone) {
            p .kicker { "Nightly " (visible(&record.name)) ", " (visible(&record.finished_at)) }
            h1 { (words) }
            p {
                (record.steps.len().saturating_sub(missing)) " of " (record.steps.len())
                " steps passed; records in the history: " (figure::count(records.len() as u64)) "."
            }
        }
        (moved(record))
        (steps(&record.steps))
        (curves("Least distance to a threshold", "margins", &of(MARGIN), &records))
        (curves("Wall time in seconds", "times", &of(SECONDS), &records))
    };
    Ok(page(&title, STYLE, &sections).into_string())
}

fn moved(record: &Record) -> Markup {
    let groups = [
        (Weight::Missing, "Missing"),
        (Weight::Regressed, "Regressed"),
        (Weight::Changed, "Changed"),
    ];
    html! {
        section #moved {
            h2 { "What moved" }
            @match &record.before {
                Some(before) => p .quiet { "Runs are compared with those of the record before, " (visible(before)) "." },
                None => p .quiet { "There is no record before this one to compare with." },
            }
            @if record.movers.is_empty() { p { "Nothing." } }
            @for (weight, title) in groups {
                @let told: Vec<_> = record.movers.iter().filter(|one| one.weight == weight).collect();
                @if !told.is_empty() {
                    h3 { (title) ": " (told.len()) }
                    ul { @for mover in told { li { (visible(&mover.text)) } } }
                }
            }
        }
    }
}

fn steps(steps: &[Outcome]) -> Markup {
    let said = |state: State| match state {
        State::Passed => ("pass", "✓ passed"),
        State::Failed => ("fail", "✗ failed"),
        State::Interrupted => ("doubt", "! interrupted"),
        State::NotRun => ("doubt", "! not run"),
        State::Outdated => ("doubt", "! of another commit"),
        State::Unsealed => ("doubt", "! no bundle"),
    };
    html! {
        section #steps {
            h2 { "Steps" }
            div .scroll { table {
                thead { tr { th { "step" } th { "state" } th { "seconds" } th { "what" } } }
                tbody { @for step in steps {
                    @let (tone, words) = said(step.state);
                    tr {
                        th { (step.name) }
                        td { span .verdict .(tone) { (words) } }
                        td { (step.seconds.map_or_else(|| "–".to_owned(), |took| format!("{took:.1}"))) }
                        td {
                            (visible(&step.what))
                            @if let Some(record) = &step.record { ", from the record " (visible(record)) }
                        }
                    }
                } }
            } }
        }
    }
}

fn curves(title: &str, id: &str, series: &[&Series], records: &[String]) -> Markup {
    html! {
        section id=(id) {
            h2 { (title) }
            details open[series.len() <= 40] {
                summary { (figure::count(series.len() as u64)) " values over " (records.len()) " records" }
                div .scroll { table {
                    thead { tr { th { "value" } th { "curve" } th { "last" } th { "before" } } }
                    tbody { @for one in series {
                        @let mut known = one.values.iter().rev();
                        @let (last, before) = (known.next().copied().flatten(), known.find_map(|value| *value));
                        tr {
                            th { (visible(&one.name)) }
                            td { (curve(one)) }
                            td { (figure::optional(last)) }
                            td { (figure::optional(before)) }
                        }
                    } }
                } }
            }
        }
    }
}

/// One curve. It is broken where a record has no value, and empty if no record has one.
fn curve(series: &Series) -> Markup {
    let known = || series.values.iter().flatten().copied();
    let (least, most) = known().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), value| {
        (least.min(value), most.max(value))
    });
    let span = if most > least { most - least } else { 1.0 };
    let (width, height) = (SIZE.0 - 2.0 * EDGE, SIZE.1 - 2.0 * EDGE);
    let steps = series.values.len().saturating_sub(1).max(1) as f64;
    let place = |at: usize, value: f64| {
        let across = EDGE + width * at as f64 / steps;
        let down = EDGE + height * (1.0 - (value - least) / span);
        (across, if most > least { down } else { EDGE + height / 2.0 })
    };
    let pieces = series.values.split(Option::is_none);
    let mut start = 0;
    let mut lines = Vec::new();
    for piece in pieces {
        let points = piece.iter().flatten().enumerate();
        let points = points.map(|(at, value)| place(start + at, *value));
        let points: Vec<String> = points.map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        if points.len() > 1 {
            lines.push(points.join(" "));
        }
        start += piece.len() + 1;
    }
    let dots =
        series.values.iter().enumerate().filter_map(|(at, value)| Some(place(at, (*value)?)));
    let title = format!(
        "{}: {} of {} records have a value, from {} to {}",
        series.name,
        known().count(),
        series.values.len(),
        figure::optional(known().next().map(|_| least)),
        figure::optional(known().next().map(|_| most)),
    );
    html! {
        svg .curve width=(SIZE.0) height=(SIZE.1) viewBox=(format!("0 0 {} {}", SIZE.0, SIZE.1)) role="img" {
            title { (visible(&title)) }
            @for line in &lines { polyline points=(line); }
            @for (x, y) in dots { circle cx=(format!("{x:.1}")) cy=(format!("{y:.1}")) r="1.8"; }
        }
    }
}
