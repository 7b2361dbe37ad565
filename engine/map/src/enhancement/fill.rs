//! The budget fit of the enhancement profile: the longest run of candidates from the first one,
//! then any others that still fit, then their documentation. The budget is never exceeded.

use base::tokens::LineCounter;

use super::{BudgetCount, Candidates, Drawing, sheet::Documented};
use crate::{render::RenderError, stages::Entry, trace::Probe};

/// First guess of the number of tokens of an entry. Maps of flask, tokio and django with 2048 tokens have 20 to 26.
const GUESSED_ENTRY_TOKENS: f64 = 20.0;
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
    candidates: &'a mut Candidates,
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
    candidates: &mut Candidates,
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

/// The lengths between which the longest run that fits lies, each with its number of tokens.
struct Bracket {
    /// The longest run that fits.
    low: (usize, f64),
    /// The shortest run that does not fit; `None` as long as all of them might.
    high: Option<(usize, f64)>,
    /// Length of the whole list.
    all: usize,
    probes: usize,
}

impl Bracket {
    const fn new(all: usize) -> Self {
        Self { low: (0, 0.0), high: None, all, probes: 0 }
    }

    /// The length to try next; `None` once the longest run is known.
    fn next(&mut self, budget: f64) -> Option<usize> {
        let (low, fits) = self.low;
        let high = self.high.map_or(self.all, |(high, _)| high - 1);
        if low >= high {
            return None;
        }
        self.probes += 1;
        // The number of tokens grows almost evenly with the length, so the next try is on the line between the
        // two ends. Every third one is in the middle, so that uneven lists take few tries as well.
        let at = match self.high {
            Some((beyond, over)) if !self.probes.is_multiple_of(3) => {
                low as f64 + (beyond - low) as f64 * (budget - fits) / (over - fits)
            }
            Some(_) => low as f64 + (high - low).div_ceil(2) as f64,
            None if low == 0 => budget / GUESSED_ENTRY_TOKENS,
            None => low as f64 * (budget / fits).clamp(1.0, 2.0),
        };
        Some((at.round() as usize).clamp(low + 1, high))
    }

    /// Takes in the number of tokens of a run.
    fn narrow(&mut self, length: usize, tokens: f64, budget: f64) {
        if tokens <= budget {
            self.low = (length, tokens);
        } else {
            self.high = Some((length, tokens));
        }
    }
}

impl Search<'_, '_> {
    /// Selects the longest run from the first candidate on that fits, and returns its length.
    fn longest_run(&mut self) -> Result<usize, RenderError> {
        let mut bracket = Bracket::new(self.candidates.len());
        while let Some(middle) = bracket.next(self.budget) {
            let cut = self.candidates.first_entries(middle);
            let tokens = self.probe(&cut)?;
            bracket.narrow(middle, tokens, self.budget);
        }
        Ok(bracket.low.0)
    }

    /// Adds candidates after the run one by one, as far as they fit.
    fn top_up(&mut self, run: usize) -> Result<(), RenderError> {
        let near = self.candidates.first_entries(run + LOOKED_AT).into_iter().skip(run);
        let names = self.candidates.bare_after(run + LOOKED_AT).iter().take(LOOKED_AT);
        let tried: Vec<Entry> = near.chain(names.map(|one| one.entry)).collect();
        let mut drawn = 0;
        for entry in tried {
            if self.used >= self.budget * FULL || drawn == DRAWN {
                break;
            }
            let least = self.counter.count(&self.drawing.least(entry)) as f64;
            if self.used + least > self.budget {
                continue;
            }
            let mut entries = self.filled.entries.clone();
            entries.push(entry);
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

#[cfg(test)]
mod tests {
    use super::Bracket;

    #[test]
    fn the_longest_run_is_found_in_few_tries() {
        let mut random = fastrand::Rng::with_seed(5);
        let (mut tries, mut searches) = (0, 0);
        for round in 0..2000 {
            // Entries of one size, of random sizes, and some that are a hundred times as large.
            let sizes: Vec<f64> = (0..random.usize(0..600))
                .map(|_| match round % 3 {
                    0 => 20.0,
                    1 => random.usize(1..40) as f64,
                    _ if random.u8(0..20) == 0 => 1000.0,
                    _ => 10.0,
                })
                .collect();
            let budget = random.usize(1..6000) as f64;
            let of = |length: usize| sizes[..length].iter().sum::<f64>();
            let mut bracket = Bracket::new(sizes.len());
            while let Some(length) = bracket.next(budget) {
                assert!(length > bracket.low.0 && length <= sizes.len());
                bracket.narrow(length, of(length), budget);
            }
            let longest = (0..=sizes.len()).rfind(|length| of(*length) <= budget);
            assert_eq!(Some(bracket.low.0), longest, "round {round}");
            assert!(bracket.probes <= 24, "{} tries in round {round}", bracket.probes);
            tries += bracket.probes;
            searches += 1;
        }
        assert!(tries <= 6 * searches, "{tries} tries in {searches} searches");
    }
}
