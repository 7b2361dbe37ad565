//! The budget fit of the enhancement profile: the longest run of candidates from the first one,
//! then any others that still fit, then their documentation. The budget is never exceeded.

use base::tokens::LineCounter;

use super::{BudgetCount, Drawing, sheet::Documented};
use crate::{render::RenderError, stages::Entry, trace::Probe};

/// First guess of the number of tokens of an entry.
const GUESSED_ENTRY_TOKENS: f64 = 12.0;
/// Share of the budget above which nothing more is tried.
const FULL: f64 = 0.995;
/// Number of definitions after the run, and of bare files, that are considered for the rest of the
/// budget.
const LOOKED_AT: usize = 400;
/// Maximum number of these that are rendered.
const DRAWN: usize = 60;

/// What was selected.
#[derive(Debug, Default)]
pub struct Filled {
    /// The selected entries, in the order of the candidates.
    pub entries: Vec<Entry>,
    /// Their text; `None` if nothing fits.
    pub text: Option<String>,
    /// Every cut tried in the search for the run, in order, and the final selections, without and
    /// with documentation.
    pub probes: Vec<Probe>,
}

/// A search for what fits into a budget.
struct Search<'a, 's> {
    candidates: &'a [Entry],
    drawing: &'a Drawing<'s>,
    count: BudgetCount,
    budget: f64,
    /// Whether the rest of the budget is filled with documentation.
    documents: bool,
    filled: Filled,
    /// Number of tokens of the present selection.
    used: f64,
    counter: LineCounter,
}

/// Fills a budget of tokens, greater than zero, with candidates, most important first. What is left
/// is filled with the documentation of those selected if it `documents`.
pub fn fill(
    candidates: &[Entry],
    drawing: &Drawing,
    count: BudgetCount,
    budget: f64,
    documents: bool,
) -> Result<Filled, RenderError> {
    let filled = Filled::default();
    let counter = LineCounter::default();
    let mut search =
        Search { candidates, drawing, count, budget, documents, filled, used: 0.0, counter };
    let run = search.longest_run()?;
    search.top_up(run)?;
    search.document()?;
    Ok(search.filled)
}

impl Search<'_, '_> {
    /// Selects the longest run from the first candidate on that fits, and returns its length.
    fn longest_run(&mut self) -> Result<usize, RenderError> {
        let (mut low, mut high) = (0, self.candidates.len());
        let mut middle = ((self.budget / GUESSED_ENTRY_TOKENS) as usize).clamp(1, high.max(1));
        // The list usually goes far beyond the budget, so the search starts at a guess and not at
        // its middle.
        while low < high {
            let cut = self.candidates.get(..middle.min(high)).unwrap_or(self.candidates);
            let tokens = self.probe(cut)?;
            if tokens <= self.budget {
                low = cut.len();
            } else {
                high = cut.len() - 1;
            }
            middle = if high == self.candidates.len() { low * 2 } else { (low + high).div_ceil(2) };
        }
        Ok(low)
    }

    /// Adds candidates after the run one by one, as far as they fit.
    fn top_up(&mut self, run: usize) -> Result<(), RenderError> {
        let behind = self.candidates.get(run..).unwrap_or_default();
        let is_bare = |entry: &&Entry| matches!(entry, Entry::Bare { .. });
        let near = behind.iter().take(LOOKED_AT);
        let names = behind.iter().skip(LOOKED_AT).filter(is_bare).take(LOOKED_AT);
        let mut drawn = 0;
        for entry in near.chain(names) {
            if self.used >= self.budget * FULL || drawn == DRAWN {
                break;
            }
            let least = self.counter.count(&self.drawing.least(*entry)) as f64;
            if self.used + least > self.budget {
                continue;
            }
            let mut entries = self.filled.entries.clone();
            entries.push(*entry);
            self.probe(&entries)?;
            drawn += 1;
        }
        Ok(())
    }

    /// Adds the documentation of selected entries, most important first, as far as it fits. It
    /// comes last, so that it never takes the place of an entry.
    fn document(&mut self) -> Result<(), RenderError> {
        if !self.documents || self.used >= self.budget * FULL {
            return Ok(());
        }
        let mut lines: Vec<_> = Vec::new();
        let mut least = self.used;
        for entry in &self.filled.entries {
            let Some((place, line)) = self.drawing.documentation(*entry) else { continue };
            least += self.counter.count(&line) as f64;
            if least > self.budget {
                break;
            }
            lines.push((place, line));
        }
        // The text of all of them may count more than they do one by one, so fewer may fit.
        let (mut low, mut high) = (0, lines.len());
        while low < high {
            let middle = if high == lines.len() { high } else { (low + high).div_ceil(2) };
            let documented: Documented = lines.iter().take(middle).cloned().collect();
            let text = self.drawing.draw(&self.filled.entries, &documented)?;
            let tokens = self.count.of(&text, &mut self.counter);
            if tokens <= self.budget {
                low = middle;
                self.keep(tokens);
                self.filled.text = Some(text);
            } else {
                high = middle - 1;
            }
        }
        Ok(())
    }

    /// Records that a text with this number of tokens is the best one so far.
    fn keep(&mut self, tokens: f64) {
        self.used = tokens;
        self.filled.probes.push(Probe {
            middle: self.filled.entries.len() as u64,
            tokens,
            pct_err: (tokens - self.budget).abs() / self.budget,
            kept: true,
        });
    }

    /// Renders a selection. It is kept if it fits and uses more of the budget than the previous
    /// one.
    fn probe(&mut self, entries: &[Entry]) -> Result<f64, RenderError> {
        let text = self.drawing.draw(entries, &Documented::new())?;
        let tokens = self.count.of(&text, &mut self.counter);
        let kept = tokens <= self.budget && entries.len() > self.filled.entries.len();
        self.filled.probes.push(Probe {
            middle: entries.len() as u64,
            tokens,
            pct_err: (tokens - self.budget).abs() / self.budget,
            kept,
        });
        if kept {
            self.used = tokens;
            self.filled.entries = entries.to_vec();
            self.filled.text = Some(text);
        }
        Ok(tokens)
    }
}
