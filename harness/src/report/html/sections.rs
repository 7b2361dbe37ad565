//! The sections of the page, top to bottom. maud escapes the text that is put into them; every value
//! from outside goes through `visible` first, which escapes control characters.

use std::collections::BTreeMap;

use maud::{Markup, PreEscaped, html};
use record::{Cell, Verdict};
use verdict::bundle::Environment;

use super::{badge, tone};
use crate::{
    history::{Diff, kind_of},
    report::{
        Entry, GateSummary, RankedCase, ReportError, RunReport,
        escape::visible,
        figure,
        plot::{self, Plot},
        table::{Line, Table},
    },
};

/// The verdict of the run, and the gates that decide it.
pub fn banner(report: &RunReport) -> Markup {
    let verdict = report.shown_verdict();
    // A pass of a part of the set is not a pass.
    let tone = if report.words() == "partial" { "doubt" } else { tone(verdict) };
    let failing = report.failing();
    html! {
        header #verdict .banner .(tone) {
            p .kicker { (visible(&report.title)) }
            h1 { (report.words()) }
            p { (report.headline()) }
            @if let Some(part) = &report.part {
                p { "Only a part of the set was run: " (visible(part)) ". This is not a verdict on the set." }
            }
            @if !failing.is_empty() {
                ul .failing { @for gate in failing { li {
                    a href={ "#gate-" (number_of(report, gate)) } { b { (gate.gate) } " " (visible(&gate.title)) }
                    ": " (figure::words(gate.verdict)) ", " (why(gate))
                } } }
            }
            p .quiet {
                "Measured against comparator commit " code { (visible(&report.comparator_commit)) }
                ". Only " em { "pass" } " counts as success."
            }
        }
    }
}

/// Why a gate does not pass, in a few words.
fn why(gate: &GateSummary) -> String {
    match gate.not_passing().as_slice() {
        [] if gate.cells.is_empty() => "nothing was measured".to_owned(),
        [] => "a rule over all its cells".to_owned(),
        [one] => format!("{}: {}", figure::place(one), figure::finding(one)),
        [first, rest @ ..] => {
            let more = rest.len();
            format!("{}: {}, and {more} more", figure::place(first), figure::finding(first))
        }
    }
}

/// The place of a gate in the report, from 1: its anchor on the page.
fn number_of(report: &RunReport, gate: &GateSummary) -> usize {
    report.gates.iter().position(|other| other.gate == gate.gate).map_or(0, |at| at + 1)
}

/// What the reader should do next.
pub fn next(report: &RunReport) -> Markup {
    let first = |gate: &GateSummary| {
        gate.not_passing().first().map_or_else(
            || format!("{} --gate {}", report.commands.whole, gate.gate),
            |cell| report.rerun(cell),
        )
    };
    let failing = report.failing();
    html! {
        section #next {
            h2 { "What to do next" }
            @if failing.is_empty() {
                @if let Some(verify) = &report.commands.verify {
                    p { "Verify the bundle, and look at " code { "docs/REVIEWING.md" } " before you sign it:" }
                    (command(verify))
                } @else {
                    p { "Run the whole set; only that can be sealed:" }
                    (command(&report.commands.whole))
                }
            } @else {
                p { "Measure the first failing cell of each gate again:" }
                @for gate in failing { (command(&first(gate))) }
                p { "Every cell that does not pass is listed under its gate, with its command." }
            }
        }
    }
}

/// What changed since an earlier run.
pub fn moved(diff: Option<&Diff>) -> Markup {
    let Some(diff) = diff else { return html! {} };
    let lists: [(&str, Vec<String>); 8] = [
        ("Corpora gone", diff.corpora_gone.clone()),
        ("Corpora of another commit", diff.corpora_changed.clone()),
        ("Cells gone", texts(&diff.cells_gone)),
        ("Gates", texts(&diff.gates)),
        ("Cells with another verdict", texts(&diff.changed)),
        ("Cells that moved beyond the known noise, with the same verdict", texts(&diff.moved)),
        ("Corpora added", diff.corpora_added.clone()),
        ("Cells added", texts(&diff.cells_added)),
    ];
    html! {
        section #moved {
            h2 { "What moved" }
            p .quiet { "Since " (visible(&diff.before.title())) "." }
            @if diff.is_empty() { p { "Nothing: " (figure::count(diff.compared as u64)) " cells compared." } }
            @for unlike in &diff.unlike { p { "Not alike: " (visible(unlike)) } }
            @for (title, items) in lists.iter().filter(|(_, items)| !items.is_empty()) {
                details open[items.len() <= MOST_OPEN] {
                    summary { (title) ": " (items.len()) }
                    ul { @for item in items { li { (visible(item)) } } }
                }
            }
        }
    }
}

/// Longer lists are folded.
const MOST_OPEN: usize = 10;

fn texts<T: ToString>(items: &[T]) -> Vec<String> {
    items.iter().map(ToString::to_string).collect()
}

/// The gates: those that do not pass first and open, each other one folded to one line.
pub fn gates(report: &RunReport, table: &Table) -> Result<Markup, ReportError> {
    let failing = report.failing();
    let passing = report.gates.iter().filter(|gate| gate.verdict == Verdict::Pass);
    let parts = failing
        .into_iter()
        .chain(passing)
        .map(|gate| one_gate(report, number_of(report, gate), gate, table))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(html! {
        section #gates {
            h2 { "Gates" }
            @for part in parts { (part) }
            p .quiet {
                "The worst value is the one closest to, or farthest beyond, its threshold. The noise floor \
                 is how well seeded runs of the comparator agree with each other, mean / least of all \
                 pairs; n counts the samples behind all cells."
            }
        }
    })
}

/// One gate: its metrics, the cells that do not pass, its plots, its command, and all of its cells.
fn one_gate(
    report: &RunReport,
    number: usize,
    gate: &GateSummary,
    table: &Table,
) -> Result<Markup, ReportError> {
    let plots = plot::of_gate(gate)?;
    let lines: Vec<&Line> = table.lines.iter().filter(|line| line.gate == gate.gate).collect();
    Ok(html! {
        details .gate .(tone(gate.verdict)) id={ "gate-" (number) } open[gate.verdict != Verdict::Pass] {
            summary {
                span .name { b { (gate.gate) } " " (visible(&gate.title)) }
                " " (badge(gate.verdict)) " "
                span .quiet { (in_short(gate, &lines)) }
            }
            (metric_table(&lines))
            (findings(report, gate))
            @for plot in &plots.drawn {
                figure {
                    figcaption { (visible(&plot.title)) }
                    div .scroll tabindex="0" { (PreEscaped(&plot.svg)) }
                }
            }
            @for sentence in &plots.told { p .quiet { (visible(sentence)) } }
            (command(&format!("{} --gate {}", report.commands.whole, gate.gate)))
            (cell_table(gate))
        }
    })
}

/// A gate on one line: how many cells it judges, and the one closest to its threshold.
fn in_short(gate: &GateSummary, lines: &[&Line]) -> String {
    let cells = format!(
        "{} of {} judged cells passed",
        figure::count(gate.passed() as u64),
        figure::count(gate.judged() as u64)
    );
    let margins = lines.iter().filter_map(|line| Some((line.margin?, line.metric.as_deref()?)));
    let worst = margins.min_by(|(one, _), (other, _)| one.total_cmp(other));
    match worst {
        Some((margin, metric)) => {
            format!("{cells} · worst margin {} ({})", figure::margin(Some(margin)), visible(metric))
        }
        None => cells,
    }
}

/// One line per metric. On a narrow screen the columns of class `wide` are left out.
fn metric_table(lines: &[&Line]) -> Markup {
    html! {
        div .scroll { table {
            thead { tr {
                th scope="col" { "Metric" } th scope="col" { "Verdict" }
                @for (column, name) in
                    ["Cells passed", "Worst value", "Threshold", "Margin", "Noise floor", "n"].iter().enumerate()
                {
                    th .number .wide[is_wide(column)] scope="col" { (name) }
                }
            } }
            tbody { @for line in lines { tr {
                td { @if let Some(metric) = &line.metric { code { (visible(metric)) } } }
                td {
                    @if line.is_judged() { (badge(line.verdict)) } @else { (line.words()) }
                    (line.warnings())
                }
                @for (column, figure) in line.figures().iter().enumerate() {
                    td .number .wide[is_wide(column)] { (figure) }
                }
            } } }
        } }
    }
}

/// Whether a column of figures is left out on a narrow screen: all but the worst value and its threshold.
const fn is_wide(column: usize) -> bool {
    !matches!(column, 1 | 2)
}

/// Every cell of a gate that does not pass, with the command that measures it again.
fn findings(report: &RunReport, gate: &GateSummary) -> Markup {
    let cells = gate.not_passing();
    html! {
        @for (at, cell) in cells.iter().enumerate() {
            @if at < MOST_FOUND {
                div .finding .(tone(cell.verdict)) {
                    p { (badge(cell.verdict)) " " (figure::place(cell)) ": " (figure::finding(cell)) }
                    (command(&report.rerun(cell)))
                }
            }
        }
        @if cells.len() > MOST_FOUND {
            p { "… and " (cells.len() - MOST_FOUND) " more: see the table of all cells." }
        }
    }
}

/// The most cells that are shown with a command each; the table has all of them.
const MOST_FOUND: usize = 50;

/// How close the judged cells are to their thresholds.
pub fn margins(report: &RunReport) -> Result<Markup, ReportError> {
    let Some(plots) = plot::of_margins(&report.gates)? else { return Ok(html! {}) };
    Ok(html! {
        section #margins {
            h2 { "Margins" }
            @for plot in &plots.drawn { (drawing(plot)) }
            @for sentence in &plots.told { p .quiet { (visible(sentence)) } }
        }
    })
}

/// The orders of files, where both sides differ.
pub fn ranks(cases: &[RankedCase]) -> Result<Markup, ReportError> {
    let plots = cases.iter().map(plot::of_ranks).collect::<Result<Vec<_>, _>>()?;
    Ok(html! {
        @if !plots.is_empty() {
            section #ranks {
                h2 { "Ranks that differ" }
                p .quiet { "The cases with the lowest correlations. A small dot is where both ranks would be equal." }
                @for plot in &plots { (drawing(plot)) }
            }
        }
    })
}

fn drawing(plot: &Plot) -> Markup {
    html! {
        figure {
            figcaption { (visible(&plot.title)) }
            div .scroll tabindex="0" { (PreEscaped(&plot.svg)) }
        }
    }
}

/// What a reader should know although it does not change the verdict.
pub fn warnings(report: &RunReport) -> Markup {
    let cells: Vec<&Cell> = report.gates.iter().flat_map(GateSummary::warned).collect();
    html! {
        @if !cells.is_empty() {
            section #warnings {
                h2 { "Warnings" }
                details open[cells.len() <= MOST_OPEN] {
                summary { (cells.len()) " cells have one; no verdict is changed by it" }
                @for cell in cells {
                    div .finding.(tone(Verdict::Unstable)) {
                        p {
                            b { (cell.gate) } " " (figure::place(cell)) " "
                            code { (visible(&cell.metric)) }
                        }
                        p { (visible(&cell.warning)) }
                    }
                }
                }
            }
        }
    }
}

/// All cells of a gate, folded.
fn cell_table(gate: &GateSummary) -> Markup {
    let (cells, judged, reported) = (&gate.cells, gate.judged(), gate.reported());
    html! {
        details {
            summary {
                "All " (figure::count(cells.len() as u64)) " cells: " (figure::count(judged as u64)) " judged, "
                (figure::count(reported as u64)) " only reported"
            }
            div .scroll { table {
                thead { tr {
                    th scope="col" { "Corpus" } th scope="col" { "Case" }
                    th .number scope="col" { "Budget" } th scope="col" { "Metric" }
                    @for name in ["Value", "Threshold", "Margin", "Noise floor", "n"] {
                        th .number scope="col" { (name) }
                    }
                    th scope="col" { "Verdict" }
                } }
                tbody { @for cell in cells { (cell_line(cell)) "\n" } }
            } }
        }
    }
}

fn cell_line(cell: &Cell) -> Markup {
    let budget = cell.budget.map_or_else(|| figure::ABSENT.to_owned(), figure::count);
    let floor = cell.noise_floor;
    let figures = [
        figure::value(cell.value, cell.threshold),
        figure::optional(cell.threshold),
        figure::margin(cell.margin),
        figure::floor(floor.map(|floor| floor.mean), floor.map(|floor| floor.min)),
        figure::count(cell.n),
    ];
    let remarks = [&*figure::seeds(cell), &cell.note, &cell.warning].join(" ");
    html! {
        tr {
            td { (visible(&cell.corpus)) } td { (visible(&cell.case)) }
            td .number { (budget) } td { code { (visible(&cell.metric)) } }
            @for figure in figures { td .number { (figure) } }
            td {
                // A cell without a threshold decides nothing, so it is not shown as passing.
                @if cell.threshold.is_none() && cell.verdict == Verdict::Pass { "reported" }
                @else { (badge(cell.verdict)) }
                " " (visible(&remarks))
            }
        }
    }
}

/// The deviations that applied to the run.
pub fn deviations(report: &RunReport) -> Markup {
    html! {
        section #deviations {
            h2 { "Declared deviations" }
            @if report.deviations.is_empty() { p { "None applied." } }
            @for deviation in &report.deviations {
                div .deviation {
                    p { code { (visible(&deviation.id)) } " " (visible(&deviation.what)) }
                    p .quiet {
                        (visible(deviation.why.trim_end_matches('.'))) ". Evidence: "
                        (visible(deviation.evidence.trim_end_matches('.'))) ". Stands until "
                        (visible(&deviation.expiry)) "."
                    }
                }
            }
        }
    }
}

/// Profile, machine, digests and timings. The machine is known only to this copy of the page: a bundle
/// states it in a note.
pub fn environment(report: &RunReport, made: Option<&Environment>) -> Result<Markup, ReportError> {
    let pairs = |entries: &[Entry]| -> Vec<(String, String)> {
        entries.iter().map(|entry| (entry.name.clone(), entry.value.clone())).collect()
    };
    let profile = report.profile.iter().map(|(name, value)| (name.clone(), value.clone()));
    let times = made.map(|made| plot::of_seconds(TIMES, &by_kind(made))).transpose()?;
    Ok(html! {
        section #environment {
            h2 { "Environment and digests" }
            (definitions("Profile", &profile.collect::<Vec<_>>()))
            (definitions("Programs", &pairs(&report.environment)))
            @if let Some(made) = made {
                (definitions("When and where", &machine(made)))
                (definitions("Longest units, wall time (no verdict depends on it)", &longest(made)))
            }
            @if let Some(times) = &times { (drawing(times)) }
            (definitions("Digests", &pairs(&report.digests)))
            @if let Some(profile) = report.profile_line() {
                details { summary { "Profile of the run with the whole comparator tuple" } pre { (profile) } }
            }
        }
    })
}

/// The caption of [`by_kind`].
const TIMES: &str =
    "Wall times of all units, kind by kind, added up over processes that ran side by side";

/// Seconds of the units of each kind.
fn by_kind(made: &Environment) -> Vec<(String, f64)> {
    let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
    for (unit, took) in &made.units {
        *kinds.entry(kind_of(unit)).or_default() += took;
    }
    kinds.into_iter().map(|(kind, took)| (kind.to_owned(), took as f64 / 1000.0)).collect()
}

/// When and where a run was made.
fn machine(made: &Environment) -> Vec<(String, String)> {
    let host = &made.host;
    let memory = format!("{:.1} GiB", host.memory_bytes as f64 / f64::from(1 << 30));
    let wall = format!("{:.0} s", made.wall_ms as f64 / 1000.0);
    let loads = format!("{} before, {} after", host.load_before, host.load_after);
    let processors = format!("{} × {}", host.processors, host.processor);
    [
        ("from", made.started_at.clone()),
        ("to", made.finished_at.clone()),
        ("wall time of this attempt", wall),
        ("system", format!("{}, {}", host.system, host.architecture)),
        ("processors", processors),
        ("memory", memory),
        ("load over 1, 5 and 15 minutes", loads),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .to_vec()
}

/// The units that took longest.
fn longest(made: &Environment) -> Vec<(String, String)> {
    let mut units: Vec<(&String, &u64)> = made.units.iter().collect();
    units.sort_by(|(one, took), (other, other_took)| other_took.cmp(took).then(one.cmp(other)));
    let shown =
        |(unit, took): (&String, &u64)| (unit.clone(), format!("{:.2} s", *took as f64 / 1000.0));
    units.into_iter().take(MOST_OPEN).map(shown).collect()
}

fn definitions(title: &str, pairs: &[(String, String)]) -> Markup {
    html! {
        @if !pairs.is_empty() {
            h3 { (title) }
            dl {
                @for (name, value) in pairs {
                    div { dt { (visible(name)) } dd { code { (visible(value)) } } }
                }
            }
        }
    }
}

/// A command to be copied. A browser may break a line after any hyphen, so each word is an element that is broken
/// only if it is wider than the line.
fn command(text: &str) -> Markup {
    html! {
        pre .command {
            @for (at, word) in text.split(' ').enumerate() {
                @if at > 0 { " " }
                span { (visible(word)) }
            }
        }
    }
}

/// How to repeat the run, and how to verify it.
pub fn commands(report: &RunReport) -> Markup {
    html! {
        section #commands {
            h2 { "Reproduce and verify" }
            p { "Repeat the run:" }
            (command(&report.commands.run))
            @if let Some(verify) = &report.commands.verify {
                p { "Recompute every verdict from the recordings in the bundle:" }
                (command(verify))
            } @else {
                p { "A partial run has no bundle. The whole set, which has one:" }
                (command(&report.commands.whole))
            }
        }
    }
}
