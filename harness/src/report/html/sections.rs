//! The parts of the page, top to bottom. maud escapes what is put into them; every value from
//! outside goes through `visible` first, which shows control characters.

use maud::{Markup, PreEscaped, html};
use record::{Cell, Verdict};

use super::{badge, tone};
use crate::report::{
    Entry, GateSummary, ReportError, RunReport,
    escape::visible,
    figure, plot,
    table::{Line, Table},
};

/// What it all came to.
pub fn banner(report: &RunReport) -> Markup {
    let verdict = report.shown_verdict();
    html! {
        header #verdict .banner .(tone(verdict)) {
            p .kicker { (visible(&report.title)) }
            h1 { (figure::words(verdict)) }
            p { (report.headline()) }
            p .quiet {
                "Measured against comparator commit " code { (visible(&report.comparator_commit)) }
                ". Only " em { "pass" } " counts as success."
            }
        }
    }
}

/// One line per gate and metric.
pub fn gate_table(report: &RunReport, table: &Table) -> Markup {
    html! {
        section #gates {
            h2 { "Gates" }
            div .scroll { table {
                thead { tr {
                    th scope="col" { "Gate" } th scope="col" { "Metric" } th scope="col" { "Verdict" }
                    @for name in ["Cells passed", "Worst value", "Threshold", "Margin", "Noise floor", "n"] {
                        th .number scope="col" { (name) }
                    }
                } }
                tbody {
                    @for (index, gate) in report.gates.iter().enumerate() {
                        (lines(index + 1, gate, table))
                    }
                }
            } }
            p .quiet {
                "The worst value is the one closest to, or farthest beyond, its threshold. The noise floor \
                 is how well seeded runs of the comparator agree with each other, mean / least of all \
                 pairs; n counts the samples behind all cells."
            }
        }
    }
}

/// The lines of one gate, whose name stands beside all of them.
fn lines(number: usize, gate: &GateSummary, table: &Table) -> Markup {
    let lines: Vec<&Line> = table.lines.iter().filter(|line| line.gate == gate.gate).collect();
    html! {
        @for (position, line) in lines.iter().enumerate() {
            tr {
                @if position == 0 {
                    th scope="rowgroup" rowspan=(lines.len()) {
                        a href={ "#gate-" (number) } { (gate.gate) }
                    }
                }
                td { @if let Some(metric) = &line.metric { code { (visible(metric)) } } }
                td {
                    @if line.is_judged() { (badge(line.verdict)) } @else { (line.words()) }
                    (line.warnings())
                }
                @for figure in line.figures() { td .number { (figure) } }
            }
        }
    }
}

/// Every cell that does not pass, with the command that measures it again.
pub fn not_passing(report: &RunReport) -> Markup {
    let cells: Vec<&Cell> = report.gates.iter().flat_map(GateSummary::not_passing).collect();
    html! {
        section #findings {
            h2 { "Cells that do not pass" }
            @if cells.is_empty() { p { "None." } }
            @for cell in cells {
                div .finding .(tone(cell.verdict)) {
                    p { (badge(cell.verdict)) " " b { (cell.gate) } " " (figure::place(cell)) }
                    p { (figure::finding(cell)) }
                    pre { (visible(&report.rerun(cell))) }
                }
            }
        }
    }
}

/// What a reader must know although it does not change the verdict.
pub fn warnings(report: &RunReport) -> Markup {
    let cells: Vec<&Cell> = report.gates.iter().flat_map(GateSummary::warned).collect();
    html! {
        @if !cells.is_empty() {
            section #warnings {
                h2 { "Warnings" }
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

/// One gate: its plots, its command, all of its cells. `number` is its place in the report.
pub fn gate(report: &RunReport, number: usize, gate: &GateSummary) -> Result<Markup, ReportError> {
    let plots = plot::of_gate(gate)?;
    Ok(html! {
        section id={ "gate-" (number) } {
            h2 { (gate.gate) " " small { (visible(&gate.title)) } " " (badge(gate.verdict)) }
            @for plot in plots {
                @let caption = visible(&plot.title);
                figure {
                    figcaption { (caption) }
                    div .scroll role="img"
                        aria-label={ (caption) "; the same values are in the table below" } {
                        (PreEscaped(&plot.svg))
                    }
                }
            }
            pre { (visible(&format!("{} --gate {}", report.commands.run, gate.gate))) }
            (cell_table(&gate.cells))
        }
    })
}

/// All cells of a gate, folded away until asked for.
fn cell_table(cells: &[Cell]) -> Markup {
    html! {
        details {
            summary { "All " (cells.len()) " cells" }
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
            td { (badge(cell.verdict)) " " (visible(&remarks)) }
        }
    }
}

/// The known differences that applied to the run.
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

/// Profile, machine, digests and timings.
pub fn environment(report: &RunReport) -> Markup {
    let pairs = |entries: &[Entry]| -> Vec<(String, String)> {
        entries.iter().map(|entry| (entry.name.clone(), entry.value.clone())).collect()
    };
    let profile = report.profile.iter().map(|(name, value)| (name.clone(), value.clone()));
    let timings = report
        .timings
        .iter()
        .map(|timing| (timing.name.clone(), format!("{:.2} s", timing.seconds)));
    html! {
        section #environment {
            h2 { "Environment and digests" }
            (definitions("Profile", &profile.collect::<Vec<_>>()))
            (definitions("Machine", &pairs(&report.environment)))
            (definitions("Digests", &pairs(&report.digests)))
            (definitions("Wall time (no verdict depends on it)", &timings.collect::<Vec<_>>()))
        }
    }
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

/// How to get the same again, and how to check that it is the same.
pub fn commands(report: &RunReport) -> Markup {
    html! {
        section #commands {
            h2 { "Reproduce and verify" }
            p { "Repeat the run:" }
            pre { (visible(&report.commands.run)) }
            p { "Recompute every verdict from the recordings in the bundle:" }
            pre { (visible(&report.commands.verify)) }
        }
    }
}
