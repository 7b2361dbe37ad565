//! The parts of the page, top to bottom. Every value from outside goes through `markup`.

use std::fmt::Write as _;

use frames::Summary;
use record::{Cell, Verdict};

use super::{badge, tone};
use crate::report::{Entry, GateSummary, ReportError, RunReport, escape::markup, figure, plot};

/// What it all came to.
pub fn banner(page: &mut String, report: &RunReport) {
    let verdict = report.shown_verdict();
    let _ = write!(
        page,
        "<header id=\"verdict\" class=\"banner {}\">\n<p class=\"kicker\">{}</p>\n<h1>{}</h1>\n<p>{}</p>\n<p class=\"quiet\">Measured against comparator \
         commit <code>{}</code>. Only <em>pass</em> counts as success.</p>\n</header>\n",
        tone(verdict),
        markup(&report.title),
        figure::words(verdict),
        report.headline(),
        markup(&report.comparator_commit),
    );
}

/// One line per gate and metric.
pub fn gate_table(page: &mut String, report: &RunReport, summaries: &[Summary]) {
    page.push_str(
        "<section id=\"gates\">\n<h2>Gates</h2>\n<div class=\"scroll\"><table>\n<thead><tr>\
         <th scope=\"col\">Gate</th><th scope=\"col\">Metric</th><th scope=\"col\">Verdict</th>\
         <th scope=\"col\" class=\"number\">Cells passed</th><th scope=\"col\" class=\"number\">\
         Worst value</th><th scope=\"col\" class=\"number\">Threshold</th><th scope=\"col\" \
         class=\"number\">Margin</th><th scope=\"col\" class=\"number\">Noise floor</th>\
         <th scope=\"col\" class=\"number\">n</th></tr></thead>\n<tbody>\n",
    );
    for (index, gate) in report.gates.iter().enumerate() {
        let lines: Vec<_> =
            summaries.iter().filter(|line| line.gate == gate.gate.as_str()).collect();
        let _ = write!(
            page,
            "<tr><th scope=\"rowgroup\" rowspan=\"{}\"><a href=\"#gate-{}\">{}</a></th>",
            lines.len().max(1),
            index + 1,
            gate.gate
        );
        if lines.is_empty() {
            let _ = writeln!(
                page,
                "<td></td><td>{}</td><td class=\"number\">0/0</td><td colspan=\"5\"></td></tr>",
                badge(gate.verdict)
            );
        }
        for (position, summary) in lines.into_iter().enumerate() {
            page.push_str(if position > 0 { "<tr>" } else { "" });
            summary_line(page, gate, summary);
        }
    }
    page.push_str(
        "</tbody>\n</table></div>\n<p class=\"quiet\">The worst value is the one closest to, or \
         farthest beyond, its threshold. The noise floor is how well seeded runs of the comparator \
         agree with each other, mean / least of all pairs; n counts the samples behind all cells.</p>\n</section>\n",
    );
}

/// The fields of one gate and metric, up to the end of the line.
fn summary_line(page: &mut String, gate: &GateSummary, summary: &Summary) {
    let of_metric = gate.cells.iter().filter(|cell| cell.metric == summary.metric);
    let warned = of_metric.clone().filter(|cell| !cell.warning.is_empty()).count();
    let verdict = Verdict::worst(of_metric.map(|cell| cell.verdict));
    let passed = summary.verdicts.get(Verdict::Pass.as_str()).copied().unwrap_or(0);
    let (worst, bound) = (summary.worst_value.or(summary.min), summary.worst_threshold);
    let _ = write!(page, "<td><code>{}</code></td>", markup(&summary.metric));
    // A metric without a bound decides nothing, so it does not pass either.
    let (shown, cells) = match bound {
        Some(_) => (badge(verdict), format!("{passed}/{}", summary.cells)),
        None => ("reported".to_owned(), summary.cells.to_string()),
    };
    let warned = if warned == 0 { String::new() } else { format!(", {warned} warned") };
    let _ = write!(page, "<td>{shown}{warned}</td>");
    let numbers = [
        cells,
        figure::value(worst, bound),
        figure::relation(worst, bound, summary.worst_margin).to_owned() + &figure::optional(bound),
        figure::margin(summary.worst_margin),
        figure::floor(summary.noise_floor, summary.noise_floor_min),
        figure::count(summary.samples),
    ];
    for number in numbers {
        let _ = write!(page, "<td class=\"number\">{number}</td>");
    }
    page.push_str("</tr>\n");
}

/// Every cell that does not pass, with the command that measures it again.
pub fn not_passing(page: &mut String, report: &RunReport) {
    page.push_str("<section id=\"findings\">\n<h2>Cells that do not pass</h2>\n");
    let cells: Vec<&Cell> = report.gates.iter().flat_map(GateSummary::not_passing).collect();
    if cells.is_empty() {
        page.push_str("<p>None.</p>\n");
    }
    for cell in cells {
        let _ = write!(
            page,
            "<div class=\"finding {}\">\n<p>{} <b>{}</b> {}</p>\n<p>{}</p>\n<pre>{}</pre>\n</div>\n",
            tone(cell.verdict),
            badge(cell.verdict),
            cell.gate,
            markup(&figure::place(cell)),
            markup(&figure::finding(cell)),
            markup(&report.rerun(cell)),
        );
    }
    page.push_str("</section>\n");
}

/// What a reader must know although it does not change the verdict.
pub fn warnings(page: &mut String, report: &RunReport) {
    let cells: Vec<&Cell> = report.gates.iter().flat_map(GateSummary::warned).collect();
    if cells.is_empty() {
        return;
    }
    page.push_str("<section id=\"warnings\">\n<h2>Warnings</h2>\n");
    for cell in cells {
        let _ = write!(
            page,
            "<div class=\"finding doubt\">\n<p><b>{}</b> {} <code>{}</code></p>\n<p>{}</p>\n</div>\n",
            cell.gate,
            markup(&figure::place(cell)),
            markup(&cell.metric),
            markup(&cell.warning),
        );
    }
    page.push_str("</section>\n");
}

/// One gate: its plots, its command, all of its cells.
pub fn gate(page: &mut String, report: &RunReport, gate: &GateSummary) -> Result<(), ReportError> {
    let position = report.gates.iter().position(|other| std::ptr::eq(other, gate));
    let _ = write!(
        page,
        "<section id=\"gate-{}\">\n<h2>{} <small>{}</small> {}</h2>\n",
        position.map_or(0, |index| index + 1),
        gate.gate,
        markup(&gate.title),
        badge(gate.verdict),
    );
    for plot in plot::of_gate(gate)? {
        let caption = markup(&plot.title);
        let _ = write!(
            page,
            "<figure>\n<figcaption>{caption}</figcaption>\n<div class=\"scroll\" role=\"img\" \
             aria-label=\"{caption}; the same values are in the table below\">\n{}</div>\n</figure>\n",
            plot.svg
        );
    }
    let command = format!("{} --gate {}", report.commands.run, gate.gate);
    let _ = writeln!(page, "<pre>{}</pre>", markup(&command));
    cell_table(page, &gate.cells);
    page.push_str("</section>\n");
    Ok(())
}

/// All cells of a gate, folded away until asked for.
fn cell_table(page: &mut String, cells: &[Cell]) {
    let _ = write!(
        page,
        "<details>\n<summary>All {} cells</summary>\n<div class=\"scroll\"><table>\n<thead><tr>\
         <th scope=\"col\">Corpus</th><th scope=\"col\">Case</th><th scope=\"col\" class=\"number\">\
         Budget</th><th scope=\"col\">Metric</th><th scope=\"col\" class=\"number\">Value</th>\
         <th scope=\"col\" class=\"number\">Threshold</th><th scope=\"col\" class=\"number\">Margin\
         </th><th scope=\"col\" class=\"number\">Noise floor</th><th scope=\"col\" \
         class=\"number\">n</th><th scope=\"col\">Verdict</th></tr></thead>\n<tbody>\n",
        cells.len()
    );
    for cell in cells {
        let budget = cell.budget.map_or_else(|| figure::ABSENT.to_owned(), figure::count);
        let _ = writeln!(
            page,
            "<tr><td>{}</td><td>{}</td><td class=\"number\">{budget}</td><td><code>{}</code></td>\
             <td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td>\
             <td class=\"number\">{}</td><td class=\"number\">{}</td><td>{} {}</td></tr>",
            markup(&cell.corpus),
            markup(&cell.case),
            markup(&cell.metric),
            figure::value(cell.value, cell.threshold),
            figure::optional(cell.threshold),
            figure::margin(cell.margin),
            figure::floor(
                cell.noise_floor.map(|floor| floor.mean),
                cell.noise_floor.map(|floor| floor.min)
            ),
            figure::count(cell.n),
            badge(cell.verdict),
            markup(&[&*figure::seeds(cell), &cell.note, &cell.warning].join(" ")),
        );
    }
    page.push_str("</tbody>\n</table></div>\n</details>\n");
}

/// The known differences that applied to the run.
pub fn deviations(page: &mut String, report: &RunReport) {
    page.push_str("<section id=\"deviations\">\n<h2>Declared deviations</h2>\n");
    if report.deviations.is_empty() {
        page.push_str("<p>None applied.</p>\n");
    }
    for deviation in &report.deviations {
        let _ = write!(
            page,
            "<div class=\"deviation\">\n<p><code>{}</code> {}</p>\n<p class=\"quiet\">{}. Evidence: \
             {}. Stands until {}.</p>\n</div>\n",
            markup(&deviation.id),
            markup(&deviation.what),
            markup(deviation.why.trim_end_matches('.')),
            markup(deviation.evidence.trim_end_matches('.')),
            markup(&deviation.expiry),
        );
    }
    page.push_str("</section>\n");
}

/// Profile, machine, digests and timings.
pub fn environment(page: &mut String, report: &RunReport) {
    page.push_str("<section id=\"environment\">\n<h2>Environment and digests</h2>\n");
    let pairs = |entries: &[Entry]| -> Vec<(String, String)> {
        entries.iter().map(|entry| (entry.name.clone(), entry.value.clone())).collect()
    };
    let profile = report.profile.iter().map(|(name, value)| (name.clone(), value.clone()));
    let timings = report
        .timings
        .iter()
        .map(|timing| (timing.name.clone(), format!("{:.2} s", timing.seconds)));
    definitions(page, "Profile", &profile.collect::<Vec<_>>());
    definitions(page, "Machine", &pairs(&report.environment));
    definitions(page, "Digests", &pairs(&report.digests));
    definitions(page, "Wall time (no verdict depends on it)", &timings.collect::<Vec<_>>());
    page.push_str("</section>\n");
}

fn definitions(page: &mut String, title: &str, pairs: &[(String, String)]) {
    if pairs.is_empty() {
        return;
    }
    let _ = write!(page, "<h3>{title}</h3>\n<dl>\n");
    for (name, value) in pairs {
        let _ = writeln!(
            page,
            "<div><dt>{}</dt><dd><code>{}</code></dd></div>",
            markup(name),
            markup(value)
        );
    }
    page.push_str("</dl>\n");
}

/// How to get the same again, and how to check that it is the same.
pub fn commands(page: &mut String, report: &RunReport) {
    let _ = write!(
        page,
        "<section id=\"commands\">\n<h2>Reproduce and verify</h2>\n<p>Repeat the run:</p>\n\
         <pre>{}</pre>\n<p>Recompute every verdict from the recordings in the bundle:</p>\n\
         <pre>{}</pre>\n</section>\n",
        markup(&report.commands.run),
        markup(&report.commands.verify),
    );
}
