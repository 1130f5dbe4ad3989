//! Alerts: the pages of the list, of one alert, and of an action on several alerts.

pub mod action;
pub mod query;
pub mod row;
pub mod trail;
pub mod violation;

use contract::{
    id::{PolicyId, UserId},
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

use self::{
    action::ActionSummary,
    query::SelectionForm,
    row::AlertRow,
    trail::{AlertDelivery, PastChange},
};
use crate::problem::Problem;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AlertsPage {
    /// The alerts, newest first.
    pub rows: Vec<AlertRow>,
    /// The alert that is shown next to the list.
    pub shown: Option<AlertPage>,
    /// The number of alerts that match the filters.
    pub total: u64,
    /// The number of all open alerts.
    pub open: u64,
    /// The number of all snoozed alerts.
    pub snoozed: u64,
    /// The policies to filter by, with their names.
    pub policies: Vec<(PolicyId, String)>,
    /// The members to whom alerts can be assigned, with their names.
    pub people: Vec<(UserId, String)>,
    /// The error in the filters, as a sentence.
    pub error: Option<String>,
    /// Why the last action was rejected.
    pub refused: Option<Problem>,
    /// The result of the last action.
    pub result: Option<ActionSummary<AlertRow>>,
    /// Whether the user can acknowledge, assign and snooze alerts.
    pub may_act: bool,
    /// The position of the list in the event stream, used to count newer events.
    pub mark: String,
    /// The time of the list, which ages are relative to.
    pub now: Option<Timestamp>,
    /// The creation time of the newest alert, if the list is empty.
    pub last: Option<Timestamp>,
}

/// The alerts that one confirmation changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SelectionPreview {
    /// The address of the confirmation page.
    pub page: String,
    /// The form to send.
    pub form: SelectionForm,
    /// The alerts that the action changes, newest first.
    pub rows: Vec<AlertRow>,
    /// The selected alerts that stay as they are: they are acknowledged, or have changed since the selection.
    pub changed: Vec<AlertRow>,
    /// The number of further alerts that match.
    pub more: u64,
    /// The members to whom alerts can be assigned, with their names.
    pub people: Vec<(UserId, String)>,
    /// Why the last attempt was rejected.
    pub problem: Option<Problem>,
    /// The error in the selection, as a sentence.
    pub error: Option<String>,
    /// The time of the page, which ages are relative to.
    pub now: Option<Timestamp>,
}

/// The page of one alert.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AlertPage {
    pub row: AlertRow,
    /// Its deliveries to webhooks; empty if the user cannot read deliveries.
    pub deliveries: Vec<AlertDelivery>,
    /// What users and API keys did with it, oldest first.
    pub changes: Vec<PastChange>,
    /// Whether the user can acknowledge, assign and snooze it.
    pub may_act: bool,
    pub people: Vec<(UserId, String)>,
    /// The time of the page.
    pub now: Timestamp,
    /// Why the last action was rejected, with its input.
    pub rejected: Option<(Problem, SelectionForm)>,
    /// The result of the last action.
    pub result: Option<ActionSummary<AlertRow>>,
}
