//! The scale of an axis: round numbers at equal distances.

use crate::text::number::{compact, milliseconds};

/// The number of steps that a scale has at most.
const STEPS_MAX: i64 = 5;

/// A scale from 0 to `step` times `steps`, which is at least the greatest value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    step: f64,
    pub(super) steps: i64,
}

impl Scale {
    /// Returns the scale with the smallest steps of 1, 2 or 5 times a power of ten.
    pub(super) fn new(top: f64) -> Self {
        let mut power = 10_f64.powf((top / 10.0).max(f64::MIN_POSITIVE).log10().floor());
        loop {
            for factor in [1.0, 2.0, 5.0] {
                let step = factor * power;
                if let Some(steps) = (1..=STEPS_MAX).find(|steps| to_float(*steps) * step >= top) {
                    return Self { step, steps };
                }
            }
            power *= 10.0;
        }
    }

    /// Returns a scale of whole numbers.
    pub(super) fn of_counts(top: i64) -> Self {
        let scale = Self::new(to_float(top));
        if scale.step < 1.0 { Self { step: 1.0, steps: top.max(1) } } else { scale }
    }

    /// Returns the scale of shares, in quarters.
    pub(super) fn of_shares() -> Self {
        Self { step: 25.0, steps: 4 }
    }

    /// Returns the labels of shares, from 0.
    pub(super) fn shares(self) -> Vec<String> {
        (0..=self.steps).map(|index| format!("{} %", index * 25)).collect()
    }

    /// Returns a scale without steps that ends at the greatest count.
    pub(super) fn up_to(top: i64) -> Self {
        Self { step: to_float(top.max(1)), steps: 1 }
    }

    /// Returns the greatest value.
    pub(super) fn top(self) -> f64 {
        self.step * to_float(self.steps)
    }

    /// Returns the labels of counts, from 0.
    pub(super) fn counts(self) -> Vec<String> {
        #[expect(clippy::cast_possible_truncation, reason = "a count fits")]
        let label = |index| compact((self.step * to_float(index)).round() as i64);
        (0..=self.steps).map(label).collect()
    }

    /// Returns the labels of milliseconds, from 0.
    pub(super) fn milliseconds(self) -> Vec<String> {
        let label = |index| milliseconds(self.step * to_float(index));
        std::iter::once("0".to_owned()).chain((1..=self.steps).map(label)).collect()
    }
}

/// Converts a whole number for a drawing.
#[expect(clippy::cast_precision_loss, reason = "a drawing needs few digits")]
pub fn to_float(number: i64) -> f64 {
    number as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_has_round_steps_and_contains_the_top() {
        for (top, labels) in [
            (1, vec!["0", "1"]),
            (3, vec!["0", "1", "2", "3"]),
            (7, vec!["0", "2", "4", "6", "8"]),
            (41, vec!["0", "10", "20", "30", "40", "50"]),
            (4_400, vec!["0", "1,000", "2,000", "3,000", "4,000", "5,000"]),
            (91_146, vec!["0", "20k", "40k", "60k", "80k", "100k"]),
        ] {
            let scale = Scale::of_counts(top);
            assert_eq!(scale.counts(), labels, "{top}");
            assert!(scale.top() >= to_float(top));
        }
        assert_eq!(Scale::new(0.12).milliseconds(), ["0", "0.050", "0.100", "0.150"]);
    }
}
