//! The inbox: items that need the user's action, versions that wait for others, and the user's recent
//! actions.

use contract::{
    fold::{contains_folded, fold_text},
    id::{AlertId, PolicyId, TenantId},
    rule::Severity,
    time::{DAY_MS, Timestamp},
};
use serde::{Deserialize, Serialize};

#[cfg(feature = "ssr")]
use crate::version::actions::VersionAction;
use crate::{
    decision::counts::CountedBar,
    text::{time, url},
};

/// The age in milliseconds from which an item is marked as late.
const LATE_MS: i64 = 2 * DAY_MS;

/// The tab and the filters of the inbox, as query parameters. An empty value matches everything.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct InboxQuery {
    /// `others` or `done`; anything else means the items that need the user's action.
    pub tab: String,
    /// The word of an action, or `alert`.
    pub action: String,
    /// A part of the name of a policy or a person.
    pub text: String,
}

impl InboxQuery {
    pub fn read(get: &dyn Fn(&str) -> Option<String>) -> Self {
        let text = |name| get(name).unwrap_or_default().trim().to_owned();
        Self { tab: text("tab"), action: text("action"), text: text("text") }
    }

    /// Returns whether the tab is that of the items that need the user's action.
    pub fn is_main(&self) -> bool {
        !["others", "done"].contains(&&*self.tab)
    }

    pub fn has_filters(&self) -> bool {
        !self.action.is_empty() || !self.text.is_empty()
    }

    /// Returns the address of a tab with these filters.
    pub fn address(&self, path: &str, tab: &str) -> String {
        url::with_query(path, &[("tab", tab), ("action", &self.action), ("text", &self.text)])
    }

    /// Returns whether an item matches the filters.
    pub fn matches(&self, item: &InboxItem) -> bool {
        let is_action = self.action.is_empty() || self.action == item.word();
        is_action
            && match item {
                InboxItem::Version(row) => self.matches_text([Some(&*row.name), row.by.as_deref()]),
                InboxItem::Alert(row) => {
                    self.matches_text([Some(&*row.message), row.by.as_deref()])
                }
            }
    }

    /// Returns whether one of the texts contains the text of the filter.
    pub fn matches_text<const COUNT: usize>(&self, texts: [Option<&str>; COUNT]) -> bool {
        let wanted = fold_text(&self.text);
        texts.into_iter().flatten().any(|text| contains_folded(text, &wanted))
    }
}

/// The action that a version needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RequestedAction {
    /// Review the sealed revision.
    Review,
    Ratify,
    Activate,
    /// Address the requested changes and submit again.
    Answer,
    /// Reply to a comment that mentions the user.
    Reply,
}

impl RequestedAction {
    pub const ALL: [Self; 5] =
        [Self::Review, Self::Ratify, Self::Activate, Self::Answer, Self::Reply];

    pub fn label(self) -> &'static str {
        match self {
            Self::Review => "Review",
            Self::Ratify => "Ratify",
            Self::Activate => "Activate",
            Self::Answer => "Address requested changes",
            Self::Reply => "Reply to a mention",
        }
    }

    /// Returns the label of its button.
    pub fn button(self) -> &'static str {
        match self {
            Self::Review | Self::Ratify | Self::Activate => self.label(),
            Self::Answer => "Open",
            Self::Reply => "Reply",
        }
    }

    /// Returns the value of its filter.
    pub fn word(self) -> &'static str {
        match self {
            Self::Review => "review",
            Self::Ratify => "ratify",
            Self::Activate => "activate",
            Self::Answer => "address",
            Self::Reply => "reply",
        }
    }
}

/// The event that made a version wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cause {
    Submitted,
    Accepted,
    ChangesRequested,
    Rejected,
    Ratified,
    Mentioned,
}

impl Cause {
    pub fn label(self) -> &'static str {
        match self {
            Self::Submitted => "Submitted",
            Self::Accepted => "Accepted",
            Self::ChangesRequested => "Changes requested",
            Self::Rejected => "Rejected",
            Self::Ratified => "Ratified",
            Self::Mentioned => "You are mentioned",
        }
    }
}

/// What the page shows above and below the items that need the user's action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attention {
    /// The start of the waiting time of the item that needs the user's action longest.
    pub oldest: Option<Timestamp>,
    pub open_alerts: u64,
    pub critical_alerts: u64,
    /// The start and the end of the last 24 hours, in complete hours.
    pub span: [Timestamp; 2],
    /// The number of decisions in the span before.
    pub previous_decisions: i64,
    /// The decisions in the span.
    pub bars: Vec<CountedBar>,
    /// The length of the time span of a bar in milliseconds.
    pub step_ms: i64,
    pub dead_deliveries: u64,
    /// The time of the oldest last attempt of a dead delivery.
    pub dead_since: Option<Timestamp>,
    /// The rules with the most severe open alerts.
    pub rules: Vec<RuleAlerts>,
}

impl Attention {
    /// Returns the number of decisions in the span.
    pub fn decisions(&self) -> i64 {
        self.bars.iter().flat_map(|bar| &bar.decisions).map(|(_, decisions)| decisions).sum()
    }
}

/// The open alerts about decisions that violate one rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleAlerts {
    pub code: String,
    /// The name of the rule in the decision that caused the newest alert.
    pub name: Option<String>,
    pub severity: Severity,
    pub open: u64,
    /// The creation time of the newest alert.
    pub newest: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InboxPage {
    pub tenant: TenantId,
    /// The time of the page, which ages are relative to.
    pub now: Timestamp,
    /// The numbers of items that need the user's action and of versions that wait for others, without the
    /// filters.
    pub totals: [usize; 2],
    /// The items that need the user's action, longest waiting first.
    pub mine: Vec<InboxItem>,
    /// The versions that only other users can act on.
    pub others: Vec<InboxItem>,
    /// The user's recent actions, newest first.
    pub done: Vec<DoneRow>,
    /// Only read for the tab with the items that need the user's action.
    pub attention: Option<Attention>,
}

/// An item that needs an action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum InboxItem {
    Version(WaitingRow),
    /// An open alert that is assigned to the user.
    Alert(AlertRow),
}

impl InboxItem {
    /// Returns the start of its waiting time.
    pub fn since(&self) -> Timestamp {
        match self {
            Self::Version(row) => row.since,
            Self::Alert(row) => row.since,
        }
    }

    /// Returns its age at `now` as text, and whether it is late.
    pub fn age(&self, now: Timestamp) -> (String, bool) {
        let age = now.millis().saturating_sub(self.since().millis());
        (time::span(age), age >= LATE_MS)
    }

    /// Returns the value of its filter.
    fn word(&self) -> &'static str {
        match self {
            Self::Version(row) => row.requested_action.word(),
            Self::Alert(_) => ALERT,
        }
    }
}

/// The value of the filter for alerts.
pub const ALERT: &str = "alert";

/// A version that needs an action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitingRow {
    pub requested_action: RequestedAction,
    pub cause: Cause,
    pub policy: PolicyId,
    /// The policy's name.
    pub name: String,
    pub version: u32,
    /// The current revision.
    pub revision: u32,
    /// The last sealed revision.
    pub sealed: Option<u32>,
    /// The start of the waiting time.
    pub since: Timestamp,
    /// The name of the user whose action started it.
    pub by: Option<String>,
    /// How its rules differ from those of the active version; absent if they were not compared.
    pub changes: Option<RuleChanges>,
    /// The number of comment threads.
    pub comments: u64,
    /// The number of comment threads that are not resolved.
    pub open_comments: u64,
}

impl WaitingRow {
    /// Returns the page of the action.
    pub fn page(&self, tenant: TenantId) -> String {
        match self.requested_action {
            RequestedAction::Review => url::review(tenant, self.policy, self.version),
            // Without a request, the version only has to be recalled and sent for review.
            RequestedAction::Answer if self.cause != Cause::Submitted => {
                url::edit_version(tenant, self.policy, self.version)
            }
            RequestedAction::Ratify => url::compare(tenant, self.policy, self.version),
            RequestedAction::Activate | RequestedAction::Answer | RequestedAction::Reply => {
                url::version(tenant, self.policy, self.version)
            }
        }
    }

    /// Returns the page on which the action is performed: the dialog of the action as a page, where it has one.
    #[cfg(feature = "ssr")]
    pub fn action_page(&self, tenant: TenantId) -> String {
        let page = |word| format!("{}/{word}", url::version(tenant, self.policy, self.version));
        match self.requested_action {
            RequestedAction::Ratify => page(VersionAction::Ratify.word()),
            RequestedAction::Activate => page(VersionAction::Activate.word()),
            RequestedAction::Review | RequestedAction::Answer | RequestedAction::Reply => {
                self.page(tenant)
            }
        }
    }

    /// Returns the name of the action, such as "Ratify Vendor payments v18".
    #[cfg(feature = "ssr")]
    pub fn action_label(&self) -> String {
        let separator = match self.requested_action {
            RequestedAction::Review | RequestedAction::Ratify | RequestedAction::Activate => "",
            RequestedAction::Answer | RequestedAction::Reply => ":",
        };
        let Self { requested_action, name, version, .. } = self;
        format!("{}{separator} {name} v{version}", requested_action.label())
    }

    /// Returns the sealed and the current revision, if they differ.
    pub fn moved(&self) -> Option<(u32, u32)> {
        self.sealed.filter(|sealed| *sealed != self.revision).map(|sealed| (sealed, self.revision))
    }
}

/// The numbers of rules of a version that differ from those of the active version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleChanges {
    /// The number of rules of the version.
    pub rules: u32,
    /// The rules that are new or changed; absent if no version of the policy is active.
    pub changed: Option<u32>,
    /// The rules of the active version that the version neither has nor replaces.
    pub removed: u32,
}

/// An open alert that is assigned to the user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlertRow {
    pub id: AlertId,
    pub severity: Severity,
    pub message: String,
    /// The time of the assignment.
    pub since: Timestamp,
    /// The name of the user or API key that assigned it.
    pub by: Option<String>,
}

/// An action of the user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DoneRow {
    /// The action, as in the audit log.
    pub action: String,
    pub policy: PolicyId,
    /// The policy's name.
    pub name: String,
    pub version: u32,
    pub at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(by: &str) -> InboxItem {
        InboxItem::Alert(AlertRow {
            id: "00000000-0000-4000-8000-000000000000".parse().unwrap(),
            severity: Severity::High,
            message: "The decision was denied.".to_owned(),
            since: Timestamp::from_millis(0).unwrap(),
            by: Some(by.to_owned()),
        })
    }

    #[test]
    fn filters_select_by_action_and_by_part_of_a_name() {
        let query = |action: &str, text: &str| InboxQuery {
            action: action.into(),
            text: text.into(),
            ..InboxQuery::default()
        };
        assert!(query("", "").matches(&item("Ines Roy")));
        assert!(query("alert", "ROY").matches(&item("Ines Roy")));
        assert!(query("", "denied").matches(&item("Ines Roy")));
        assert!(!query("review", "").matches(&item("Ines Roy")));
        assert!(!query("", "chen").matches(&item("Ines Roy")));
        let path = query("alert", "a b").address("/inbox", "others");
        assert_eq!(path, "/inbox?tab=others&action=alert&text=a%20b");
    }

    #[test]
    fn requested_changes_are_addressed_in_the_editor() {
        let page = |cause| {
            let id = uuid::Uuid::nil();
            let row = WaitingRow {
                requested_action: RequestedAction::Answer,
                cause,
                policy: PolicyId(id),
                name: "Vendor payments".to_owned(),
                version: 18,
                revision: 7,
                sealed: Some(7),
                since: Timestamp::from_millis(0).unwrap(),
                by: None,
                changes: None,
                comments: 2,
                open_comments: 1,
            };
            row.page(TenantId(id))
        };
        for cause in [Cause::ChangesRequested, Cause::Rejected] {
            assert!(page(cause).ends_with("/versions/18/edit"), "{cause:?}");
        }
        // A version that was submitted without a required review has no request.
        assert!(page(Cause::Submitted).ends_with("/versions/18"));
    }

    #[test]
    fn an_item_is_late_after_two_days() {
        let age = |ms| item("x").age(Timestamp::from_millis(ms).unwrap());
        assert_eq!(age(LATE_MS - 1), ("47 h".to_owned(), false));
        assert_eq!(age(LATE_MS), ("2 days".to_owned(), true));
    }
}
