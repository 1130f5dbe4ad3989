//! The trend of a key figure against the previous period of the same length.

use std::cmp::Ordering;

use contract::time::DAY_MS;

use crate::text::number::{limited, whole};

/// Returns the previous period, for example "the 7 days before" or "the 24 hours before".
fn before(period_ms: i64) -> String {
    let hours = period_ms * 24 / DAY_MS;
    if hours <= 48 {
        format!("the {hours} hours before")
    } else {
        format!("the {} days before", whole(hours / 24))
    }
}

/// Returns, for example, "2 new, 1 in the 7 days before".
pub fn new_items(now: u64, previous: u64, period_ms: i64) -> String {
    format!("{} new, {} in {}", limited(now), limited(previous), before(period_ms))
}

/// Returns the relative change of a number, for example "up 4.1 % on the 30 days before". A period without
/// decisions has no number.
pub fn change_of(now: Option<f64>, previous: Option<f64>, period_ms: i64) -> String {
    let (Some(now), Some(previous)) = (now, previous) else {
        return no_decisions(now.is_none(), period_ms);
    };
    let percent = (now / previous - 1.0) * 100.0;
    let size = percent.abs();
    let size = if size < 10.0 { format!("{size:.1}") } else { format!("{size:.0}") };
    trend(percent.total_cmp(&0.0), &size, "%", period_ms)
}

/// Returns the change of a rate in tenths of a percent, for example "down 0.3 points on the 30 days before". A
/// period without decisions has no rate.
pub fn points(now: Option<i64>, previous: Option<i64>, period_ms: i64) -> String {
    let (Some(now), Some(previous)) = (now, previous) else {
        return no_decisions(now.is_none(), period_ms);
    };
    let size = (now - previous).abs();
    let size = format!("{}.{}", size / 10, size % 10);
    trend(now.cmp(&previous), &size, "points", period_ms)
}

fn trend(direction: Ordering, size: &str, unit: &str, period_ms: i64) -> String {
    let before = before(period_ms);
    if size == "0.0" {
        return format!("same as in {before}");
    }
    let direction = if direction == Ordering::Less { "down" } else { "up" };
    format!("{direction} {size} {unit} on {before}")
}

fn no_decisions(is_current: bool, period_ms: i64) -> String {
    if is_current {
        "no decisions in this range".to_owned()
    } else {
        format!("no decisions in {}", before(period_ms))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trend_names_direction_size_and_period() {
        let change = |now, previous, days| change_of(Some(now), previous, days * DAY_MS);
        assert_eq!(change(104.1, Some(100.0), 30), "up 4.1 % on the 30 days before");
        assert_eq!(change(50.0, Some(100.0), 7), "down 50 % on the 7 days before");
        assert_eq!(change(100.0, Some(100.0), 1), "same as in the 24 hours before");
        assert_eq!(change(5.0, None, 1), "no decisions in the 24 hours before");
        let points = |now, previous| points(now, Some(previous), 90 * DAY_MS);
        assert_eq!(points(Some(64), 67), "down 0.3 points on the 90 days before");
        assert_eq!(points(Some(64), 64), "same as in the 90 days before");
        assert_eq!(points(None, 64), "no decisions in this range");
        assert_eq!(new_items(2, 1, 7 * DAY_MS), "2 new, 1 in the 7 days before");
    }
}
