//! One item of the inbox.

use contract::{id::TenantId, time::Timestamp};
use leptos::prelude::*;

use super::by;
use crate::{
    inbox::{
        view::{AlertRow, InboxItem, RequestedAction, WaitingRow},
        words,
    },
    text::url,
    ui::{
        badge::SeverityChip,
        icon::{Icon, icon},
        time::relative,
    },
};

/// An item: its action and subject as a link over the whole row, who started it, its comments, and its age.
#[component]
pub(super) fn Item(
    tenant: TenantId,
    now: Timestamp,
    item: InboxItem,
    /// Whether the user can perform the action.
    is_mine: bool,
) -> impl IntoView {
    let (age, is_late) = item.age(now);
    let since = item.since();
    let (tone, drawing, button, content) = match item {
        InboxItem::Version(row) => {
            let (tone, drawing) = appearance(row.requested_action);
            (tone, drawing, row.requested_action.button(), version(tenant, row))
        }
        InboxItem::Alert(row) => ("alert", Icon::Alert, words::OPEN_ALERT, alert(tenant, row)),
    };
    // The link of the item covers the button, which only shows what the link does.
    let button = is_mine.then(|| {
        view! {
            <span class="button" aria-hidden="true">
                {button}
            </span>
        }
    });
    let class = if is_late { "age late" } else { "age" };
    let late = is_late.then(|| icon(Icon::Wait));
    view! {
        <li class="task">
            <span class=format!("task-icon {tone}")>{icon(drawing)}</span>
            <div class="task-main">{content}</div>
            <div class="task-end">
                {relative(
                    since,
                    view! {
                        {late}
                        {age}
                    },
                    Some(class),
                )} {button}
            </div>
        </li>
    }
}

fn appearance(action: RequestedAction) -> (&'static str, Icon) {
    match action {
        RequestedAction::Review => ("review", Icon::Review),
        RequestedAction::Ratify => ("blue", Icon::Seal),
        RequestedAction::Activate => ("allow", Icon::Allow),
        RequestedAction::Answer => ("deny", Icon::Pen),
        RequestedAction::Reply => ("na", Icon::Alert),
    }
}

fn version(tenant: TenantId, row: WaitingRow) -> AnyView {
    let href = row.page(tenant);
    let change = row.moved().map(|moved| {
        view! { <p class="task-note">{icon(Icon::Warn)} {words::newer_revision(moved)}</p> }
    });
    let fact = |drawing: Icon, text: String| view! { <li>{icon(drawing)} {text}</li> };
    let changes = row.changes.map(|changes| fact(Icon::Changed, words::changes(changes)));
    let comments = (row.comments > 0)
        .then(|| fact(Icon::Comment, words::comments(row.comments, row.open_comments)));
    let facts = (changes.is_some() || comments.is_some())
        .then(|| view! { <ul class="task-facts">{changes} {comments}</ul> });
    view! {
        <h2>
            <a class="lead" href=href data-row="">
                {row.requested_action.label()}
                " "
                <bdi>{row.name}</bdi>
                " v"
                {row.version}
            </a>
            " "
            <span class="tag">"r" {row.revision}</span>
        </h2>
        <p class="text-muted">{row.cause.label()} {row.by.map(by)} "."</p>
        {change}
        {facts}
    }
    .into_any()
}

fn alert(tenant: TenantId, row: AlertRow) -> AnyView {
    view! {
        <h2>
            <a class="lead" href=url::alert(tenant, row.id) data-row="">
                {words::ALERT}
                ": "
                <bdi>{row.message}</bdi>
            </a>
        </h2>
        <p class="text-muted">{words::ASSIGNED} {row.by.map(by)} "."</p>
        <p>
            <SeverityChip severity=row.severity />
        </p>
    }
    .into_any()
}
