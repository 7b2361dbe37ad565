//! A horizontal axis: which values it spans, where its ticks are, how values become pixels.

/// The most ticks on an axis.
const MOST_TICKS: usize = 8;

/// A linear axis over a finite, non-empty range.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    low: f64,
    high: f64,
    /// Tick positions, ascending.
    pub ticks: Vec<f64>,
    decimals: usize,
    unit: &'static str,
}

impl Axis {
    /// An axis that covers all values below 1e100, from one round number to another (steps of 1, 2 or 5
    /// times a power of ten). Larger values are ignored; without any value it runs from 0 to 1.
    pub fn over(values: impl IntoIterator<Item = f64>) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.into_iter().filter(|value| value.abs() < 1e100) {
            low = low.min(value);
            high = high.max(value);
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        if high - low < 1e-9 * high.abs().max(1.0) {
            let room = 0.05 * high.abs().max(1.0);
            (low, high) = (low - room, high + room);
        }
        let rough = (high - low) / (MOST_TICKS - 2) as f64;
        let power = 10_f64.powf(rough.log10().floor());
        let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|factor| factor * power >= rough);
        let step = factor.unwrap_or(10.0) * power;
        // The slack keeps a limit that is a multiple of the step in place despite rounding errors.
        let first = (low / step + 1e-9).floor();
        let last = (high / step - 1e-9).ceil();
        let ticks = (0..=(last - first) as usize).map(|index| (first + index as f64) * step);
        let decimals = (-step.log10().floor()).clamp(0.0, 9.0) as usize;
        Self { low: first * step, high: last * step, ticks: ticks.collect(), decimals, unit: "" }
    }

    /// The axis from 0 to 100 %.
    pub fn percent() -> Self {
        Self { unit: " %", ..Self::over([0.0, 100.0]) }
    }

    /// The pixel of a value if the axis runs from `left` to `right`. A value outside the axis is placed
    /// at its end.
    pub fn pixel(&self, value: f64, left: i32, right: i32) -> i32 {
        let share = ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        left + (share * f64::from(right - left)).round() as i32
    }

    /// A tick as it is labelled.
    pub fn label(&self, tick: f64) -> String {
        let label = format!("{tick:.*}", self.decimals);
        // A tick next to zero may round to a negative zero.
        if label.trim_start_matches('-').trim_matches(['0', '.']).is_empty() {
            format!("0{}", self.unit)
        } else {
            label + self.unit
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Axis;

    #[test]
    fn the_axis_spans_its_values_with_few_round_ticks() {
        for number in 0..500_u32 {
            let scale = 10_f64.powi((number % 12) as i32 - 6);
            let values = (1..=5).map(|position| f64::from(number * number * position * 37 % 2000));
            let values: Vec<f64> = values.map(|value| (value - 1000.0) * scale).collect();
            let axis = Axis::over(values.iter().copied());
            let slack = 1e-6 * scale;
            for value in values {
                assert!(axis.low - slack <= value && value <= axis.high + slack);
                assert!((100..=600).contains(&axis.pixel(value, 100, 600)));
            }
            assert!((2..=super::MOST_TICKS + 2).contains(&axis.ticks.len()), "{axis:?}");
        }
    }

    #[test]
    fn one_value_none_or_absurd_ones_still_make_an_axis() {
        for values in [vec![], vec![1.0], vec![0.0], vec![f64::NAN], vec![f64::MAX, f64::MIN]] {
            let axis = Axis::over(values);
            assert!(axis.low < axis.high && axis.ticks.len() >= 2);
        }
    }

    #[test]
    fn labels_are_as_long_as_the_step_needs() {
        let axis = Axis::over([0.8, 1.0]);
        let labels: Vec<String> = axis.ticks.iter().map(|tick| axis.label(*tick)).collect();
        assert_eq!(labels, ["0.80", "0.85", "0.90", "0.95", "1.00"]);
    }
}
