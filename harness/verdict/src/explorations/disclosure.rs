//! What summaries leave out, gathered for B2 one output at a time.

use record::{Labels, Profile};
use serde::Serialize;
use serde_json::Value;

use super::{
    explored::{Explored, model_tier},
    formats::{EntityRule, FormatRules},
    list,
    markers::Markers,
    shown,
};
use crate::metrics::f1::Counts;

/// Names longer than this, in characters, may be cut within a line of the summary.
const WHOLE_NAME: usize = 40;
/// Most faults that are kept to be shown.
const KEPT: usize = 200;

/// What B2 judges, gathered one output at a time.
#[derive(Debug, Clone, Default)]
pub struct B2Evidence {
    /// Outputs.
    pub outputs: u64,
    /// Outputs without a summary.
    pub empty: u64,
    /// Outputs that a model took part in.
    pub model_tiers: u64,
    /// Capped lists.
    pub lists: u64,
    /// Of these, lists that the summary marks as the profile demands, after as many entries as the cut says
    /// are shown.
    pub marked: u64,
    /// Of these, lists whose total is the length of the full list. A list that the fields cut as well must
    /// have the length there that the cut states, and a greater total.
    pub true_totals: u64,
    /// Outputs whose uncapped lists are all in the summary; only our own format shows all.
    pub whole: u64,
    /// Outputs for which that was checked.
    pub asked_whole: u64,
    /// Symbols of the files with gold whose list of symbols is cut, and the totals of cut lists
    /// that gold counts.
    pub behind: Counts,
    /// The first faults, for people.
    pub faults: Vec<Fault>,
}

/// Something that is wrong with an output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(into = "String")]
pub struct Fault {
    /// The metric that it lowers.
    pub metric: &'static str,
    /// The file and what is wrong.
    pub what: String,
}

impl From<Fault> for String {
    fn from(fault: Fault) -> Self {
        fault.what
    }
}

impl B2Evidence {
    /// Adds one output: a line of `parity explore --json`, and the same line as it was parsed.
    pub fn add(&mut self, line: &[u8], explored: &Explored, profile: Profile) {
        let parity = profile.is_parity();
        self.outputs += 1;
        if model_tier(&explored.explorer_used) {
            self.model_tiers += 1;
            let what = format!("was made by {}", explored.explorer_used);
            self.fault("model_tiers", explored, &what);
        }
        if explored.summary.trim().is_empty() {
            self.empty += 1;
            self.fault("outputs_with_summary", explored, "has an empty summary");
        }
        if !explored.truncated.is_empty() {
            self.cuts(line, explored, parity);
        }
        if !parity {
            self.shown(explored);
        }
    }

    /// Adds the counts of a file with gold, if its summary cuts a list of symbols: the full list must be
    /// right, and not only have the right length.
    pub fn add_gold(&mut self, explored: &Explored, symbols: Counts) {
        if explored.truncated.iter().any(|cut| cut.list.starts_with("/symbols")) {
            self.behind.add(symbols);
        }
    }

    /// Adds how many entries the cut lists of a format have, by gold and by us.
    pub fn add_format_gold(&mut self, rules: &FormatRules, gold: &Labels, explored: &Explored) {
        for cut in &explored.truncated {
            let lists = |rule: &&EntityRule| {
                cut.list.strip_prefix("/fields") == Some(rule.list.as_str()) && rule.lists_all()
            };
            for rule in rules.entities.iter().filter(lists) {
                let is = |entity: &&Vec<Value>| {
                    entity.first().and_then(Value::as_str) == Some(rule.kind.as_str())
                };
                let truth = gold.entities.iter().filter(is).count() as u64;
                if truth != cut.total {
                    let (list, total) = (&cut.list, cut.total);
                    let what = format!("{list}: total {total}, gold has {truth}");
                    let metric = if total < truth { "list_recall" } else { "list_precision" };
                    self.fault(metric, explored, &what);
                }
                let paired = truth.min(cut.total);
                self.behind.add(Counts { paired, gold: truth, found: cut.total });
            }
        }
    }

    fn cuts(&mut self, line: &[u8], explored: &Explored, parity: bool) {
        let document: Value = serde_json::from_slice(line).unwrap_or_default();
        let mut markers = Markers::of(&explored.summary);
        // A marker with a number belongs to a cut of that number. One without a number can belong to any
        // cut that is left, so such markers are assigned last.
        for cut in &explored.truncated {
            self.lists += 1;
            let hidden = cut.total.checked_sub(cut.shown).filter(|hidden| *hidden > 0);
            let marked = if cut.section.is_empty() {
                // Only the fields cut this list: there is no text to look at. A list that a section
                // cuts as well has to say so in the text of that section.
                let only_fields =
                    cut.list.starts_with("/fields/") && !explored.has_section(&cut.list);
                only_fields && cut.shown == 0 && cut.listed.is_some()
            } else {
                hidden.is_some_and(|hidden| {
                    markers.take(hidden, parity)
                        && shown::has(&explored.summary, hidden, cut.shown, parity)
                })
            };
            let length = list::length(&document, &cut.list);
            let is_true = length.as_ref() == Ok(&cut.listed.unwrap_or(cut.total))
                && cut.listed.is_none_or(|listed| listed < cut.total);
            self.marked += u64::from(marked);
            self.true_totals += u64::from(is_true);
            let (section, shown, total) = (&cut.section, cut.shown, cut.total);
            if !marked {
                let what = format!("{section}: no mark for {shown} of {total}");
                self.fault("lists_marked", explored, &what);
            }
            if !is_true {
                let real = length.map_or_else(|why| why, |length| length.to_string());
                let what = format!("{section}: total {total}, {} has {real}", cut.list);
                self.fault("totals_true", explored, &what);
            }
        }
    }

    /// Checks that every symbol and import is in the summary unless a cut is declared.
    fn shown(&mut self, explored: &Explored) {
        let cut = |list: &str| explored.truncated.iter().any(|cut| cut.list.starts_with(list));
        let hidden = |name: &str| {
            name.chars().count() <= WHOLE_NAME
                && !name.chars().any(char::is_control)
                && !explored.summary.contains(name.trim())
        };
        let short = |parent: &Option<String>| {
            parent.as_ref().is_none_or(|parent| parent.chars().count() <= WHOLE_NAME)
        };
        let symbols = explored.symbols.iter().filter(|one| short(&one.parent));
        let symbol = symbols.map(|one| one.name.as_str()).find(|name| hidden(name));
        let import = explored.imports.iter().map(|one| one.path.as_str()).find(|path| hidden(path));
        self.asked_whole += 1;
        let silent = [("/symbols", symbol), ("/imports", import)]
            .into_iter()
            .find_map(|(list, name)| name.filter(|_| !cut(list)).map(|name| (list, name)));
        match silent {
            Some((list, name)) => {
                let what = format!("{list}: {name} is not shown");
                self.fault("nothing_hidden_silently", explored, &what);
            }
            None => self.whole += 1,
        }
    }

    fn fault(&mut self, metric: &'static str, explored: &Explored, what: &str) {
        if self.faults.len() < KEPT {
            self.faults.push(Fault { metric, what: format!("{}: {what}", explored.file) });
        }
    }
}
