//! The parts of a summary that show a tree: its counts and its types.

use base::secrets::MASK;

use super::{Kind, MAX_LISTED_DEPTH, Node, SAMPLE, Tree, facts::list_below, record::KEPT};
use crate::{
    disclosure::{List, Marker},
    findings::{Findings, Task, grouped},
    formats::shared::parts,
};

/// Limits of the type tree in a summary: keys per object, depth, and lines.
const SHOWN_KEYS: usize = 15;
const SHOWN_DEPTH: usize = 10;
const SHOWN_LINES: usize = 400;
/// Maximum number of lines if the parts of the document come first.
const BESIDE_PARTS: usize = 60;

impl Tree {
    /// Writes the counts under `Structure:`.
    pub fn structure(&self, findings: &mut Findings) {
        let summary = &mut findings.summary;
        self.limits(summary);
        summary.line(&format!("  Root type: {}", self.root_type()));
        summary.line(&format!("  Max depth: {}", self.totals.max_depth));
        summary.line(&format!("  Total keys: {}", grouped(self.totals.keys)));
        if self.totals.array_elements > 0 {
            let elements = grouped(self.totals.array_elements);
            summary.line(&format!("  Total array elements: {elements}"));
        }
        if self.totals.duplicates > 0 {
            summary.line(&format!("  Repeated keys: {}", grouped(self.totals.duplicates)));
        }
        if !self.complete {
            let shown = grouped(self.nodes.len());
            summary.line(&format!(
                "  Listed: the first {shown} distinct paths down to depth {MAX_LISTED_DEPTH}"
            ));
        }
    }

    /// Writes the type tree under a title; in the enhancement profile, after the parts of the
    /// document.
    pub fn schema(&self, findings: &mut Findings, task: &Task, title: &str) {
        if self.root().is_none() {
            return;
        }
        let mut most = SHOWN_LINES;
        if !task.profile.is_parity() {
            for (title, entries) in parts::parts(task.input.base_name(), &self.record) {
                findings.part(task, title, entries);
            }
            if !findings.parts.is_empty() {
                most = BESIDE_PARTS;
                if self.record.is_full() {
                    let kept = grouped(KEPT);
                    findings.summary.line(&format!("  (of the document's first {kept} values)"));
                }
            }
        }
        findings.summary.blank();
        findings.summary.line(title);
        let paths = self.paths();
        let mut left = most;
        self.show(findings, &paths, 0, "", 1, &mut left);
    }

    /// Writes one value and, down to [`SHOWN_DEPTH`], its contents. `before` is its key.
    fn show(
        &self,
        findings: &mut Findings,
        paths: &[String],
        id: u32,
        before: &str,
        level: usize,
        left: &mut usize,
    ) {
        let Some(node) = self.node(id) else { return };
        let indent = "  ".repeat(level);
        let is_parity = findings.summary.profile().is_parity();
        let (mut text, inner) = self.describe(id, node, !is_parity);
        // The comparator shows no lines.
        if !is_parity && !before.is_empty() {
            text.push_str(&format!(" [{}]", node.line));
        }
        *left = left.saturating_sub(1);
        let Some((holder, object)) = inner else {
            findings.summary.line(&format!("{indent}{before}{text}"));
            return;
        };
        let path = paths.get(holder as usize).map(String::as_str).unwrap_or_default();
        let source = list_below(path);
        let open = level > SHOWN_DEPTH || *left == 0 || !findings.summary.has_room();
        let list = List {
            section: "Schema",
            source: &source,
            cap: if open { 0 } else { SHOWN_KEYS },
            marker: Marker::CountedNoun("keys"),
        };
        if open {
            let names = vec![String::new(); object.keys.len()];
            let more = findings.summary.inline(&list, &names);
            findings.summary.line(&format!("{indent}{before}{text} {{{more}}}"));
            return;
        }
        findings.summary.line(&format!("{indent}{before}{text} {{"));
        for key in object.keys.iter().take(SHOWN_KEYS) {
            let name = format!(
                "{}: ",
                findings.summary.short(self.name(*key).unwrap_or_default(), SAMPLE)
            );
            self.show(findings, paths, *key, &name, level + 1, left);
        }
        findings.summary.mark(&list, &format!("{indent}  "), object.keys.len());
        findings.summary.line(&format!("{indent}}}"));
    }

    /// The kind of a value, in words, and the object in it whose keys are shown next. If few texts are repeated
    /// and `counted`, all of them stand there.
    fn describe<'a>(
        &'a self,
        id: u32,
        node: &'a Node,
        counted: bool,
    ) -> (String, Option<(u32, &'a Node)>) {
        let (mut id, mut node, mut text) = (id, node, String::new());
        // Arrays of arrays: the loop is bounded, because listed nodes have a maximum depth.
        while node.first == Some(Kind::Array) {
            let several = node.kinds().count() > 1;
            let Some((next, items)) = node.items.and_then(|id| Some((id, self.node(id)?))) else {
                text.push_str("array (empty)");
                return (text, None);
            };
            let of = match node.lengths {
                Some((fewest, most)) if fewest != most => {
                    format!("array[{}-{}] of ", grouped(fewest), grouped(most))
                }
                lengths => format!("array[{}] of ", grouped(lengths.map_or(0, |(_, most)| most))),
            };
            text.push_str(&of);
            if several {
                let others: Vec<_> =
                    node.words().into_iter().filter(|word| *word != "array").collect();
                text = format!("{} or {text}", others.join(" or "));
            }
            (id, node) = (next, items);
            if node.kinds().count() > 1 {
                text.push_str("mixed types: ");
            }
        }
        if node.first.is_none() {
            text.push_str("no value");
        }
        text.push_str(&node.words().join(" or "));
        let (before, after) = match node.first {
            Some(Kind::String) => (" (e.g. \"", "\")"),
            Some(Kind::Number | Kind::Datetime) => (" (e.g. ", ")"),
            Some(Kind::Boolean) => (" (", ")"),
            _ => ("", ""),
        };
        if let Some(sample) = self.sample(id).filter(|_| !before.is_empty()) {
            let counts = node.counted().filter(|_| counted && sample != MASK);
            match counts {
                Some(counts) => text.extend([" (", &counts, ")"]),
                None => text.extend([before, sample, after]),
            }
        }
        if !node.keys.is_empty() {
            return (text, Some((id, node)));
        }
        if node.first == Some(Kind::Object) {
            text.push_str(" (empty)");
        }
        (text, None)
    }
}
