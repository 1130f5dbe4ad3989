//! Evaluation times in steps that grow by an eighth of a doubling: a percentile read from them is at
//! most a tenth too high.

/// The upper end of step 0, in milliseconds: times are measured to the microsecond.
const FIRST_MS: f64 = 0.001;

/// How many steps lead to twice the time.
const STEPS_OF_A_DOUBLING: f64 = 8.0;

/// The last step, for whatever takes longer: over an hour.
const LAST: i16 = 255;

/// The step of a time in milliseconds.
pub(super) fn step(ms: f64) -> i16 {
    let exact = ((ms / FIRST_MS).log2() * STEPS_OF_A_DOUBLING).ceil();
    (0..LAST).find(|step| f64::from(*step) >= exact).unwrap_or(LAST)
}

/// The longest time of a step, in milliseconds.
fn upper(step: i16) -> f64 {
    FIRST_MS * (f64::from(step) / STEPS_OF_A_DOUBLING).exp2()
}

/// The time within which `percent` of the decisions were evaluated, in milliseconds. `steps` are in
/// their order, each with its number of decisions.
pub(super) fn percentile(steps: &[(i16, i64)], percent: i64) -> Option<f64> {
    let total: i64 = steps.iter().map(|(_, count)| count).sum();
    // The smallest number of decisions that is at least that share of them.
    let rank = (total * percent + 99) / 100;
    let mut seen = 0;
    let reached = steps.iter().find(|(_, count)| {
        seen += count;
        seen >= rank.max(1)
    });
    reached.map(|(step, _)| upper(*step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_lies_within_its_step_and_at_most_a_tenth_below_its_end() {
        for micros in 1..200_000_u32 {
            let ms = f64::from(micros) / 1_000.0;
            let end = upper(step(ms));
            assert!(end >= ms * 0.999_999 && end <= ms * 1.1, "{ms} ms: {end}");
        }
        assert_eq!(step(0.0), 0);
        assert_eq!(step(f64::MAX), LAST);
    }

    #[test]
    fn a_percentile_is_the_time_of_the_decision_at_that_place() {
        let steps = [(step(0.01), 98), (step(1.0), 1), (step(40.0), 1)];
        let shown = |percent| percentile(&steps, percent).unwrap();
        assert!((0.01..0.011).contains(&shown(50)));
        assert!((0.01..0.011).contains(&shown(98)));
        assert!((1.0..1.1).contains(&shown(99)));
        assert!((40.0..44.0).contains(&shown(100)));
        assert_eq!(percentile(&[], 50), None);
    }
}
