//! One item of the inbox: the names and the page of its action, the filters that it matches, and how it is shown.

use contract::fold::{contains_folded, fold_text};
use governance::insight::inbox::{
    AssignedAlert, Cause, RequestedAction, RuleChanges, WaitingVersion,
};
use page_kit::{prelude::*, ui::time::relative};
use policies::version::actions::VersionAction;

/// The age in milliseconds from which an item is marked as late.
const LATE_MS: i64 = 2 * DAY_MS;

pub(super) const OPEN: &str = "Open";

/// How an alert is shown.
pub(super) const ALERT: Look =
    Look { label: "Handle alert", word: "alert", tone: "alert", icon: Icon::Alert, button: OPEN };

pub(super) const ACTIONS: [RequestedAction; 5] = [
    RequestedAction::Review,
    RequestedAction::Ratify,
    RequestedAction::Activate,
    RequestedAction::Answer,
    RequestedAction::Reply,
];

/// What is known about an action.
pub(super) struct Look {
    pub(super) label: &'static str,
    /// The value of its filter.
    pub(super) word: &'static str,
    tone: &'static str,
    icon: Icon,
    button: &'static str,
}

pub(super) fn look(action: RequestedAction) -> Look {
    let look = |label, word, tone, icon, button| Look { label, word, tone, icon, button };
    match action {
        RequestedAction::Review => look("Review", "review", "review", Icon::Review, "Review"),
        RequestedAction::Ratify => look("Ratify", "ratify", "blue", Icon::Seal, "Ratify"),
        RequestedAction::Activate => look("Activate", "activate", "allow", Icon::Allow, "Activate"),
        RequestedAction::Answer => {
            look("Address requested changes", "address", "deny", Icon::Pen, OPEN)
        }
        RequestedAction::Reply => look("Reply to a mention", "reply", "na", Icon::Alert, "Reply"),
    }
}

fn cause(cause: Cause) -> &'static str {
    match cause {
        Cause::Submitted => "Submitted",
        Cause::Accepted => "Accepted",
        Cause::ChangesRequested => "Changes requested",
        Cause::Rejected => "Rejected",
        Cause::Ratified => "Ratified",
        Cause::Mentioned => "You are mentioned",
    }
}

/// Returns the page of the action that a version needs.
fn page(tenant: TenantId, version: &WaitingVersion) -> String {
    let (policy, number) = (version.policy_id, version.version);
    match version.action {
        RequestedAction::Review => url::review(tenant, policy, number),
        // Without a request, the version only has to be recalled and sent for review.
        RequestedAction::Answer if version.cause != Cause::Submitted => {
            url::edit_version(tenant, policy, number)
        }
        RequestedAction::Ratify => url::compare(tenant, policy, number),
        RequestedAction::Activate | RequestedAction::Answer | RequestedAction::Reply => {
            url::version(tenant, policy, number)
        }
    }
}

/// Returns the page on which the action is performed: the dialog of the action as a page, where it has one.
pub(crate) fn action_page(tenant: TenantId, version: &WaitingVersion) -> String {
    let dialog = match version.action {
        RequestedAction::Ratify => VersionAction::Ratify,
        RequestedAction::Activate => VersionAction::Activate,
        RequestedAction::Review | RequestedAction::Answer | RequestedAction::Reply => {
            return page(tenant, version);
        }
    };
    format!("{}/{}", url::version(tenant, version.policy_id, version.version), dialog.word())
}

/// Returns the name of the action, such as "Ratify Vendor payments v18".
pub(crate) fn action_label(version: &WaitingVersion) -> String {
    let separator = match version.action {
        RequestedAction::Review | RequestedAction::Ratify | RequestedAction::Activate => "",
        RequestedAction::Answer | RequestedAction::Reply => ":",
    };
    let WaitingVersion { action, policy_name, version, .. } = version;
    format!("{}{separator} {policy_name} v{version}", look(*action).label)
}

/// An item that needs an action. `by` has the name of who started it.
pub(super) enum Item {
    /// A version, and how its rules differ from those of the active version, if they were compared.
    Version(WaitingVersion, Option<RuleChanges>),
    /// An open alert that is assigned to the user.
    Alert(AssignedAlert),
}

impl Item {
    /// Returns the start of its waiting time.
    pub(super) fn since(&self) -> Timestamp {
        match self {
            Self::Version(version, _) => version.since,
            Self::Alert(alert) => alert.since,
        }
    }

    /// Returns its age at `now` as text, and whether it is late.
    fn age(&self, now: Timestamp) -> (String, bool) {
        let age = now.millis().saturating_sub(self.since().millis());
        (time::span(age), age >= LATE_MS)
    }

    /// Returns whether it has the requested action, and its name or that of the person contains the text. Empty filters
    /// match everything.
    pub(super) fn matches(&self, action: &str, text: &str) -> bool {
        let (own, name, by) = match self {
            Self::Version(version, _) => {
                (look(version.action).word, &version.policy_name, version.by.as_deref())
            }
            Self::Alert(alert) => (ALERT.word, &alert.message, alert.by.as_deref()),
        };
        (action.is_empty() || action == own) && matches_text(text, [Some(name), by])
    }

    /// Renders the item: its action and subject as a link over the whole row, who started it, its comments, and its age.
    /// With `is_mine`, the user can perform the action.
    pub(super) fn view(self, tenant: TenantId, now: Timestamp, is_mine: bool) -> AnyView {
        let (age, is_late) = self.age(now);
        let since = self.since();
        let (look, content) = match self {
            Self::Version(version, changes) => {
                (look(version.action), version_content(tenant, version, changes))
            }
            Self::Alert(alert) => (ALERT, alert_content(tenant, alert)),
        };
        // The link of the item covers the button, which only shows what the link does.
        let button = is_mine.then(|| {
            view! {
                <span class="button" aria-hidden="true">
                    {look.button}
                </span>
            }
        });
        let class = if is_late { "age late" } else { "age" };
        let age = view! {
            {is_late.then(|| icon(Icon::Wait))}
            {age}
        };
        any_view! {
            <li class="task">
                <span class=format!("task-icon {}", look.tone)>{icon(look.icon)}</span>
                <div class="task-main">{content}</div>
                <div class="task-end">{relative(since, age, Some(class))} {button}</div>
            </li>
        }
    }

    /// Renders a version in one line.
    pub(super) fn summary(self, tenant: TenantId, now: Timestamp) -> Option<AnyView> {
        let (age, _) = self.age(now);
        let Self::Version(version, _) = self else { return None };
        let href = page(tenant, &version);
        Some(any_view! {
            <li>
                <a href=href>
                    {look(version.action).label} " " <bdi>{version.policy_name}</bdi> " v"
                    {version.version}
                </a>
                <span class="text-xs text-muted">
                    {cause(version.cause)} {version.by.map(by)} ", " {age}
                </span>
            </li>
        })
    }
}

/// Returns whether one of the texts contains the text of the filter.
pub(super) fn matches_text<const COUNT: usize>(text: &str, texts: [Option<&str>; COUNT]) -> bool {
    let wanted = fold_text(text);
    texts.into_iter().flatten().any(|text| contains_folded(text, &wanted))
}

/// Renders " by " and a name.
fn by(name: String) -> AnyView {
    any_view! {
        " "
        {messages::BY}
        " "
        <bdi>{name}</bdi>
    }
}

fn version_content(
    tenant: TenantId,
    version: WaitingVersion,
    changes: Option<RuleChanges>,
) -> AnyView {
    let href = page(tenant, &version);
    let WaitingVersion { revision, comments, open_comments, .. } = version;
    let sealed = version.sealed_revision.filter(|sealed| *sealed != revision);
    let newer = sealed.map(|sealed| {
        let text = format!("r{sealed} was submitted; r{revision} is the latest");
        view! { <p class="task-note">{icon(Icon::Warn)} {text}</p> }
    });
    let fact = |drawing: Icon, text: String| view! { <li>{icon(drawing)} {text}</li> };
    let changes = changes.map(|changes| fact(Icon::Changed, changes_text(changes)));
    let comments =
        (comments > 0).then(|| fact(Icon::Comment, comments_text(comments, open_comments)));
    let facts = (changes.is_some() || comments.is_some())
        .then(|| view! { <ul class="task-facts">{changes} {comments}</ul> });
    any_view! {
        <h2>
            <a class="lead" href=href data-row="">
                {look(version.action).label}
                " "
                <bdi>{version.policy_name}</bdi>
                " v"
                {version.version}
            </a>
            " "
            <span class="tag">"r" {revision}</span>
        </h2>
        <p class="text-muted">{cause(version.cause)} {version.by.map(by)} "."</p>
        {newer}
        {facts}
    }
}

/// Returns, for example, "3 of 16 rules changed, 1 removed".
fn changes_text(RuleChanges { rules, changed, removed }: RuleChanges) -> String {
    let all = count(usize::try_from(rules).unwrap_or(usize::MAX), "rule", "rules");
    let Some(changed) = changed else { return format!("{all}, all new") };
    let [changed, removed] = [changed, removed].map(|number| counted(number.into()));
    let removed = if removed == "0" { String::new() } else { format!(", {removed} removed") };
    format!("{changed} of {all} changed{removed}")
}

/// Returns, for example, "3 comments, 1 open".
fn comments_text(all: u64, open: u64) -> String {
    let all = count(usize::try_from(all).unwrap_or(usize::MAX), "comment", "comments");
    let open = if open == 0 { "none open".to_owned() } else { format!("{} open", counted(open)) };
    format!("{all}, {open}")
}

fn alert_content(tenant: TenantId, alert: AssignedAlert) -> AnyView {
    any_view! {
        <h2>
            <a class="lead" href=url::alert(tenant, alert.id) data-row="">
                {ALERT.label}
                ": "
                <bdi>{alert.message}</bdi>
            </a>
        </h2>
        <p class="text-muted">"Assigned to you" {alert.by.map(by)} "."</p>
        <p>{severity_chip(alert.severity)}</p>
    }
}

#[cfg(test)]
mod tests {
    use contract::{id::PolicyId, rule::Severity};

    use super::*;

    fn item(by: &str) -> Item {
        Item::Alert(AssignedAlert {
            id: "00000000-0000-4000-8000-000000000000".parse().unwrap(),
            severity: Severity::High,
            message: "The decision was denied.".to_owned(),
            since: Timestamp::from_millis(0).unwrap(),
            by: Some(by.to_owned()),
        })
    }

    #[test]
    fn filters_select_by_action_and_by_part_of_a_name() {
        let item = item("Ines Roy");
        for (action, text) in [("", ""), ("alert", "ROY"), ("", "denied")] {
            assert!(item.matches(action, text), "{action} {text}");
        }
        for (action, text) in [("review", ""), ("", "chen")] {
            assert!(!item.matches(action, text), "{action} {text}");
        }
    }

    #[test]
    fn requested_changes_are_addressed_in_the_editor() {
        let page = |cause| {
            let id = uuid::Uuid::nil();
            let version = WaitingVersion {
                action: RequestedAction::Answer,
                cause,
                policy_id: PolicyId(id),
                policy_name: "Vendor payments".to_owned(),
                version: 18,
                revision: 7,
                sealed_revision: Some(7),
                since: Timestamp::from_millis(0).unwrap(),
                by: None,
                is_actionable: true,
                comments: 2,
                open_comments: 1,
            };
            page(TenantId(id), &version)
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
