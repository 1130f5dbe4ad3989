//! The retry schedule of deliveries (specification, "Retry and time-out").

use std::str::FromStr;

use chrono::NaiveDateTime;

use crate::base::prelude::*;

const ATTEMPTS_MAX: usize = 20;

/// The maximum delay in milliseconds: 7 days.
const WAIT_MAX_MS: f64 = 604_800_000.0;

/// The maximum delay that a receiver can ask for, in milliseconds: one hour.
const RETRY_AFTER_MAX_MS: i64 = 3_600_000;

/// The three forms of a date in HTTP (RFC 9110, section 5.6.7).
const HTTP_DATES: [&str; 3] =
    ["%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT", "%a %b %e %H:%M:%S %Y"];

/// Returns the time that a `Retry-After` header names, in seconds or as a date, at most an hour from now; `None` if it
/// is malformed.
pub(super) fn retry_after(text: &str, now: Timestamp) -> Option<Timestamp> {
    let text = text.trim();
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let wait_ms = if is_number {
        // A number that is too large for the type is also more than an hour.
        text.parse::<i64>().unwrap_or(i64::MAX).saturating_mul(1_000)
    } else {
        let date = HTTP_DATES.iter().find_map(|form| {
            NaiveDateTime::parse_from_str(text, form).ok().map(|date| date.and_utc())
        })?;
        date.timestamp_millis().saturating_sub(now.millis())
    };
    Some(now.plus_millis(wait_ms.clamp(0, RETRY_AFTER_MAX_MS)))
}

/// The delays before each attempt except the first, which is immediate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    waits: Vec<u32>,
}

impl Default for Schedule {
    /// Returns the schedule of the specification: six attempts with delays of about 1, 2, 4, 8 and 16
    /// seconds.
    fn default() -> Self {
        Self { waits: vec![1_000, 2_000, 4_000, 8_000, 16_000] }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "must be delays such as `0,1,2,4,8,16`: in seconds, or with `ms`, `s`, `m` or `h`; at most 20"
)]
pub struct ParseScheduleError;

impl FromStr for Schedule {
    type Err = ParseScheduleError;

    /// Parses comma-separated delays before each attempt. The first attempt is immediate; its `0` may be
    /// omitted.
    fn from_str(text: &str) -> Result<Self, ParseScheduleError> {
        let waits: Option<Vec<u32>> = text.split(',').map(|wait| millis(wait.trim())).collect();
        let mut waits = waits.ok_or(ParseScheduleError)?;
        if waits.first() == Some(&0) {
            waits.remove(0);
        }
        if waits.len() < ATTEMPTS_MAX { Ok(Self { waits }) } else { Err(ParseScheduleError) }
    }
}

fn millis(text: &str) -> Option<u32> {
    let units = [("ms", 1.0), ("s", 1_000.0), ("m", 60_000.0), ("h", 3_600_000.0)];
    let with_unit = units.into_iter().find_map(|(unit, ms)| Some((text.strip_suffix(unit)?, ms)));
    let (number, ms) = with_unit.unwrap_or((text, 1_000.0));
    let wait = number.trim().parse::<f64>().ok()? * ms;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within bounds")]
    (0.0..=WAIT_MAX_MS).contains(&wait).then_some(wait.round() as u32)
}

impl Schedule {
    pub fn attempts(&self) -> u32 {
        u32::try_from(self.waits.len()).unwrap_or(u32::MAX).saturating_add(1)
    }

    /// Returns the delay after failed attempt `attempt` (from 1) in milliseconds, with a jitter of ±20 %, or
    /// `None` if it was the last attempt.
    pub(crate) fn wait_ms(&self, attempt: u32, entropy: &Entropy) -> Option<i64> {
        let wait = *self.waits.get(usize::try_from(attempt.checked_sub(1)?).ok()?)?;
        let [byte] = entropy.bytes::<1>();
        // 80 % to 120 % of the delay.
        let permille = 800 + i64::from(byte) * 400 / 255;
        Some(i64::from(wait) * permille / 1_000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedule_is_parsed_in_seconds_or_with_units() {
        let waits = |text: &str| text.parse::<Schedule>().map(|schedule| schedule.waits);
        assert_eq!("0,1,2,4,8,16".parse(), Ok(Schedule::default()));
        assert_eq!(waits("1, 2,4,8,16"), Ok(Schedule::default().waits));
        assert_eq!(waits("0"), Ok(vec![]));
        assert_eq!(waits("0,50ms,0.2,3s,5m,1h"), Ok(vec![50, 200, 3_000, 300_000, 3_600_000]));
        for bad in ["", ",", "1,", "-1", "x", "1d", "NaN", "inf", "999999999", &["1"; 20].join(",")]
        {
            assert_eq!(waits(bad), Err(ParseScheduleError), "{bad}");
        }
    }

    #[test]
    fn retry_after_is_seconds_or_a_date_and_at_most_an_hour() {
        let now: Timestamp = "2026-09-01T10:00:00Z".parse().unwrap();
        let wait = |text| retry_after(text, now).map(|at| at.millis() - now.millis());
        let half = Some(1_800_000);
        for text in [
            "1800",
            " 1800 ",
            "Tue, 01 Sep 2026 10:30:00 GMT",
            "Tuesday, 01-Sep-26 10:30:00 GMT",
            "Tue Sep  1 10:30:00 2026",
        ] {
            assert_eq!(wait(text), half, "{text}");
        }
        for (text, expected) in [
            ("0", 0),
            ("Tue, 01 Sep 2026 09:00:00 GMT", 0),
            ("86400", RETRY_AFTER_MAX_MS),
            ("99999999999999999999", RETRY_AFTER_MAX_MS),
            ("Wed, 02 Sep 2026 10:00:00 GMT", RETRY_AFTER_MAX_MS),
        ] {
            assert_eq!(wait(text), Some(expected), "{text}");
        }
        for text in ["", "soon", "-1", "1.5", "2026-09-01T10:30:00Z"] {
            assert_eq!(wait(text), None, "{text}");
        }
    }

    #[test]
    fn jitter_is_at_most_a_fifth() {
        let (schedule, entropy) = (Schedule::default(), Entropy::seeded(7));
        for (attempt, wait) in (1..).zip([1_000, 2_000, 4_000, 8_000, 16_000]) {
            let samples: Vec<i64> =
                (0..500).filter_map(|_| schedule.wait_ms(attempt, &entropy)).collect();
            assert!(samples.iter().all(|ms| (wait * 8 / 10..=wait * 12 / 10).contains(ms)));
            assert!(
                samples.iter().any(|ms| *ms < wait * 9 / 10)
                    && samples.iter().any(|ms| *ms > wait * 11 / 10)
            );
        }
        assert_eq!((schedule.attempts(), schedule.wait_ms(6, &entropy)), (6, None));
    }
}
