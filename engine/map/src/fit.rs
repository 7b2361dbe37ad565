//! The comparator's budget fit: a binary search for the longest cut of the candidates that fits.

use base::tokens::{Tokenizer, estimate};

use super::{
    render::{RenderError, Renderer},
    stages::Entry,
    trace::Probe,
};

/// First guess of the number of tokens of an entry.
const GUESSED_ENTRY_TOKENS: f64 = 25.0;
/// Relative error from the target at which the comparator's search ends.
const ACCEPTED_ERROR: f64 = 0.15;

/// The cut that was kept, and how it was found.
#[derive(Debug, Default)]
pub struct Fit<'a> {
    /// The entries of the kept cut; empty if no probe was acceptable.
    pub cut: &'a [Entry],
    /// Text and estimate of the kept cut; absent if no probe was acceptable.
    pub kept: Option<(String, f64)>,
    /// Every probe in order.
    pub probes: Vec<Probe>,
}

/// Searches for the cut with the greatest estimate within the target. A cut whose estimate is
/// within 15 % of the target, above or below, is accepted at once. `target` is the budget in
/// tokens, greater than zero.
pub fn fit<'a>(
    entries: &'a [Entry],
    target: f64,
    renderer: &Renderer,
    tokenizer: Tokenizer,
) -> Result<Fit<'a>, RenderError> {
    let mut fit = Fit::default();
    let mut best = 0.0;
    let (mut low, mut high) = (0_i64, entries.len() as i64);
    let mut middle = ((target / GUESSED_ENTRY_TOKENS).floor() as i64).min(high);
    while low <= high {
        let cut = entries.get(..middle as usize).unwrap_or(entries);
        let text = renderer.render(cut)?;
        let tokens = estimate(tokenizer, &text);
        let pct_err = relative_error(tokens, target);
        let is_near = pct_err < ACCEPTED_ERROR;
        let kept = (tokens <= target && tokens > best) || is_near;
        fit.probes.push(Probe { middle: middle as u64, tokens, pct_err, kept });
        if kept {
            best = tokens;
            fit.cut = cut;
            fit.kept = Some((text, tokens));
            if is_near {
                break;
            }
        }
        if tokens < target {
            low = middle + 1;
        } else {
            high = middle - 1;
        }
        middle = (low + high).div_euclid(2);
    }
    Ok(fit)
}

fn relative_error(tokens: f64, target: f64) -> f64 {
    (tokens - target).abs() / target
}
