//! Histogram of evaluation times. Each step is 2^(1/8) times the previous one, so percentiles are at most
//! 10 % too high.

/// The upper bound of step 0 in milliseconds. Times are measured in microseconds.
const FIRST_MS: f64 = 0.001;

/// The number of steps that double the time.
const STEPS_PER_DOUBLING: f64 = 8.0;

/// The last step, which includes all longer times: over an hour.
const STEP_MAX: i16 = 255;

/// Returns the step of a time in milliseconds.
pub(super) fn step(ms: f64) -> i16 {
    let exact = ((ms / FIRST_MS).log2() * STEPS_PER_DOUBLING).ceil();
    (0..STEP_MAX).find(|step| f64::from(*step) >= exact).unwrap_or(STEP_MAX)
}

/// Returns the upper bound of a step in milliseconds.
fn upper_ms(step: i16) -> f64 {
    FIRST_MS * (f64::from(step) / STEPS_PER_DOUBLING).exp2()
}

/// Returns the time in milliseconds within which `percent` of the decisions were evaluated, or `None`
/// without decisions. `steps` contains the number of decisions per step, in order.
pub(super) fn percentile(steps: &[(i16, i64)], percent: i64) -> Option<f64> {
    let total: i64 = steps.iter().map(|(_, count)| count).sum();
    // The smallest number of decisions that is at least `percent` of the total.
    let rank = (total * percent + 99) / 100;
    let mut cumulative = 0;
    let found_step = steps.iter().find(|(_, count)| {
        cumulative += count;
        cumulative >= rank.max(1)
    });
    found_step.map(|(step, _)| upper_ms(*step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_at_most_a_tenth_below_the_end_of_its_step() {
        for micros in 1..200_000_u32 {
            let ms = f64::from(micros) / 1_000.0;
            let end = upper_ms(step(ms));
            assert!(end >= ms * 0.999_999 && end <= ms * 1.1, "{ms} ms: {end}");
        }
        assert_eq!(step(0.0), 0);
        assert_eq!(step(f64::MAX), STEP_MAX);
    }

    #[test]
    fn percentile_is_the_time_of_the_decision_at_that_rank() {
        let steps = [(step(0.01), 98), (step(1.0), 1), (step(40.0), 1)];
        let percentile_ms = |percent| percentile(&steps, percent).unwrap();
        assert!((0.01..0.011).contains(&percentile_ms(50)));
        assert!((0.01..0.011).contains(&percentile_ms(98)));
        assert!((1.0..1.1).contains(&percentile_ms(99)));
        assert!((40.0..44.0).contains(&percentile_ms(100)));
        assert_eq!(percentile(&[], 50), None);
    }
}
