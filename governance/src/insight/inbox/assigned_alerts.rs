//! The open alerts that are assigned to the signed-in user.

use super::time;
use crate::base::prelude::*;

/// An open alert that is assigned to the caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssignedAlert {
    pub id: AlertId,
    pub severity: Severity,
    /// A message for people.
    pub message: String,
    /// The time of the assignment.
    pub since: Timestamp,
    /// The user or API key that assigned the alert.
    pub by: Option<String>,
}

/// The members of an assigned alert, with its time in milliseconds.
pub(super) type AssignedRow = (AlertId, Severity, String, i64, Option<String>);

pub(super) fn alert((id, severity, message, at, by): AssignedRow) -> Result<AssignedAlert> {
    Ok(AssignedAlert { id, severity, message, since: time(at)?, by })
}
