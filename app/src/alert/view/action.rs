//! The results of actions on alerts, and the times of snoozing.

use contract::time::{DAY_MS, Timestamp};
use serde::{Deserialize, Serialize};

use crate::{
    alert::words,
    text::{query::end_instant, time},
};

/// What a user did with alerts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AlertAction {
    Acknowledged,
    /// Assigned to the person with this name, or to no one.
    Assigned(Option<String>),
    /// Snoozed until this time, or opened again.
    Snoozed(Option<Timestamp>),
    /// Restored as before an assignment or snooze time.
    Undone,
}

impl AlertAction {
    /// Returns what was done with one alert, for example "Assigned to I. Roy".
    pub fn event(&self) -> String {
        match self {
            Self::Acknowledged => words::ACKNOWLEDGED.to_owned(),
            Self::Assigned(Some(name)) => words::assigned_to(name),
            Self::Assigned(None) => words::UNASSIGNED.to_owned(),
            Self::Snoozed(Some(until)) => {
                format!("{} {}", words::SNOOZED_UNTIL, time::minute(*until))
            }
            Self::Snoozed(None) => words::OPENED_AGAIN.to_owned(),
            Self::Undone => words::RESTORED.to_owned(),
        }
    }

    /// Returns the result of the action on `done` alerts, as a sentence.
    fn sentence(&self, done: usize) -> String {
        let alerts = if done == 1 { words::ONE.to_owned() } else { words::alerts(done) };
        match self {
            Self::Acknowledged => format!("{alerts} acknowledged."),
            Self::Assigned(Some(name)) => format!("{alerts} assigned to {name}."),
            Self::Assigned(None) => format!("{alerts} assigned to no one."),
            Self::Snoozed(Some(until)) => {
                format!("{alerts} snoozed until {}.", time::minute(*until))
            }
            Self::Snoozed(None) => format!("{alerts} opened again."),
            Self::Undone => format!("{alerts} restored."),
        }
    }
}

/// The result of an action on several alerts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActionSummary<T> {
    pub action: AlertAction,
    /// The number of alerts to which the action was applied.
    pub done: usize,
    /// The alerts that changed first, so that the action left them as they are.
    pub failed: Vec<T>,
    /// The number of alerts that were not found.
    pub missing: usize,
    /// The time of the action, if it can be undone.
    pub undo: Option<Timestamp>,
}

impl<T> ActionSummary<T> {
    /// Creates the result of an action on no alerts.
    pub fn new(action: AlertAction) -> Self {
        Self { action, done: 0, failed: Vec::new(), missing: 0, undo: None }
    }

    /// Returns the action and the number of its alerts, as a sentence.
    pub fn sentence(&self) -> String {
        self.action.sentence(self.done)
    }
}

/// Returns the end of a snooze time: the date of the form, or else a choice of the form. `None` opens the
/// alert again.
///
/// # Errors
/// Returns an error message for the user.
pub fn snooze_until(
    choice: &str,
    date: &str,
    now: Timestamp,
) -> Result<Option<Timestamp>, &'static str> {
    const HOUR_MS: i64 = 3_600_000;
    let date = end_instant(date).map_err(|()| words::BAD_DATE)?;
    if date.is_some() {
        return Ok(date);
    }
    match choice {
        "1h" => Ok(Some(now.plus_millis(HOUR_MS))),
        "4h" => Ok(Some(now.plus_millis(4 * HOUR_MS))),
        "tomorrow" => {
            let since_midnight = now.millis().rem_euclid(DAY_MS);
            Ok(Some(now.plus_millis(DAY_MS + 9 * HOUR_MS - since_midnight)))
        }
        "open" => Ok(None),
        _ => Err(words::NO_TIME),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snooze_time_ends_after_hours_tomorrow_at_nine_or_at_a_date() {
        let now: Timestamp = "2026-11-20T23:04:11.302Z".parse().unwrap();
        let until = |choice, date| {
            snooze_until(choice, date, now).map(|until| until.map(|until| until.to_string()))
        };
        let time = |text: &str| Ok(Some(text.to_owned()));
        assert_eq!(until("1h", ""), time("2026-11-21T00:04:11.302Z"));
        assert_eq!(until("4h", ""), time("2026-11-21T03:04:11.302Z"));
        assert_eq!(until("tomorrow", ""), time("2026-11-21T09:00:00.000Z"));
        assert_eq!(until("open", ""), Ok(None));
        assert_eq!(until("1h", "2026-12-01T08:00"), time("2026-12-01T08:00:00.000Z"));
        assert!(until("1h", "soon").is_err() && until("", "").is_err());
    }
}
