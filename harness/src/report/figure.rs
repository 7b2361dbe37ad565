//! Numbers for people: short, but never rounded so that they contradict the verdict.

use std::fmt::Write as _;

use record::{Cell, Spread, Verdict};

use super::escape::visible;

/// Shown where no number was measured.
pub const ABSENT: &str = "–";

/// Two numbers are equal if they differ by less than this, which covers rounding in floating-point sums.
const NOISE: f64 = 1e-12;

/// A number in at most four decimals.
///
/// A number that would only look whole after rounding is written in full: 0.99999 is not 1. A number
/// that differs from a whole number only by floating-point noise is written as that whole number.
pub fn number(value: f64) -> String {
    if !value.is_finite() {
        return value.to_string();
    }
    if value.fract() == 0.0 && value.abs() < 1e15 {
        return format!("{}", value as i64);
    }
    if value.abs() < 1e-3 || value.abs() >= 1e15 {
        return format!("{value:.1e}");
    }
    let decimals = if value.abs() >= 100.0 { 1 } else { 4 };
    let rounded = format!("{value:.decimals$}");
    match rounded.parse::<f64>() {
        Ok(whole) if whole.fract() == 0.0 && (whole - value).abs() > NOISE => value.to_string(),
        Ok(whole) if whole.fract() == 0.0 => format!("{}", whole as i64),
        _ => rounded,
    }
}

/// A measured value for display beside its bound: written in full if rounding would make the two look
/// equal.
pub fn value(value: Option<f64>, bound: Option<f64>) -> String {
    match (value, bound) {
        (None, _) => ABSENT.to_owned(),
        (Some(value), Some(bound)) if value != bound && number(value) == number(bound) => {
            value.to_string()
        }
        (Some(value), _) => number(value),
    }
}

/// A number that may be missing.
pub fn optional(value: Option<f64>) -> String {
    value.map_or_else(|| ABSENT.to_owned(), number)
}

/// A noise floor: the mean and the minimum of the comparator's agreement with itself.
pub fn floor(mean: Option<f64>, min: Option<f64>) -> String {
    match (mean, min) {
        (Some(mean), Some(min)) => format!("{} / {}", number(mean), number(min)),
        _ => ABSENT.to_owned(),
    }
}

/// How far both sides are from the comparator's seeded runs; empty in other cells.
pub fn seeds(cell: &Cell) -> String {
    cell.seeds.map_or_else(String::new, |seeds| {
        let shown = |spread: Spread| floor(Some(spread.mean), Some(spread.min));
        format!("ours {}, canonical {}", shown(seeds.ours), shown(seeds.canonical))
    })
}

/// A distance with its sign; the minus is U+2212, as wide as the plus.
pub fn margin(value: Option<f64>) -> String {
    match value {
        None => ABSENT.to_owned(),
        Some(margin) if margin < 0.0 => format!("−{}", number(-margin)),
        Some(margin) if margin > 0.0 => format!("+{}", number(margin)),
        Some(_) => "0".to_owned(),
    }
}

/// A whole number with its digits in groups of three.
pub fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// On which side of its bound a value passes: `≥` or `≤`; empty if the numbers do not show it.
pub fn relation(value: Option<f64>, bound: Option<f64>, margin: Option<f64>) -> &'static str {
    let (Some(value), Some(bound), Some(margin)) = (value, bound, margin) else { return "" };
    if value == bound || margin == 0.0 {
        return "";
    }
    if (value > bound) == (margin > 0.0) { "≥ " } else { "≤ " }
}

/// Where a cell was measured: corpus, case and budget, as far as they apply.
pub fn place(cell: &Cell) -> String {
    let mut place = visible(&cell.corpus).into_owned();
    if !cell.case.is_empty() {
        place.push_str(" · ");
        place.push_str(&visible(&cell.case));
    }
    if let Some(budget) = cell.budget {
        let _ = write!(place, " · {} tokens", count(budget));
    }
    place
}

/// What a cell that does not pass measured, in words.
pub fn finding(cell: &Cell) -> String {
    let metric = visible(&cell.metric);
    let shown = value(cell.value, cell.threshold);
    let mut finding = match (cell.value, cell.threshold) {
        (Some(measured), Some(bound)) if cell.verdict == Verdict::Fail => {
            let sign = if measured < bound { "<" } else { ">" };
            let sign = if measured == bound { "against" } else { sign };
            format!("{metric} {shown} {sign} {}", number(bound))
        }
        (Some(_), _) => format!("{metric} {shown}, {}", words(cell.verdict)),
        (None, _) => format!("{metric} {}", words(cell.verdict)),
    };
    if !cell.note.is_empty() {
        finding.push_str(": ");
        finding.push_str(&visible(&cell.note));
    }
    finding
}

/// A verdict in words for people.
pub const fn words(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::NotRun => "not run",
        other => other.as_str(),
    }
}

#[cfg(test)]
mod tests {
    use super::{count, margin, number, relation, value};

    #[test]
    fn rounding_never_changes_what_a_number_says() {
        assert_eq!(number(0.999_99), "0.99999");
        assert_eq!(number(1.0), "1");
        assert_eq!(number(0.935_483), "0.9355");
        assert_eq!(number(1234.56), "1234.6");
        assert_eq!(number(2.5e-13), "2.5e-13");
        // A rank that one side lacks counts as the largest possible difference.
        assert_eq!(number(f64::MAX), "1.8e308");
        assert_eq!(margin(Some(-f64::MAX)), "−1.8e308");
        assert_eq!(value(Some(0.849_999), Some(0.85)), "0.849999");
        assert_eq!(value(Some(0.85), Some(0.85)), "0.8500");
    }

    #[test]
    fn signs_and_groups_are_shown() {
        assert_eq!(margin(Some(-0.04)), "−0.0400");
        assert_eq!(margin(Some(0.15)), "+0.1500");
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(count(999), "999");
    }

    #[test]
    fn the_side_of_a_bound_follows_from_the_margin() {
        assert_eq!(relation(Some(0.9), Some(0.85), Some(0.05)), "≥ ");
        assert_eq!(relation(Some(0.8), Some(0.85), Some(-0.05)), "≥ ");
        assert_eq!(relation(Some(1000.0), Some(1024.0), Some(24.0)), "≤ ");
        assert_eq!(relation(Some(1.0), Some(1.0), Some(0.0)), "");
    }
}
