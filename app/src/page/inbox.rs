//! The inbox: versions that need the user's action, versions that need another user's, and past actions.

use contract::id::TenantId;
use leptos::prelude::*;

use crate::{
    api::inbox::read_inbox,
    text::{messages, url},
    ui::{empty::Empty, heading::Heading, list::table, load::load, params, time::Second},
    view::inbox::{DoneRow, InboxPage as Inbox, WaitingRow},
};

/// `/t/{tenant}/inbox`
#[component]
pub(crate) fn InboxPage() -> impl IntoView {
    let tenant = params::tenant();
    load(
        tenant,
        async |tenant| read_inbox(tenant?).await,
        |inbox| view! { <InboxContent inbox /> }.into_any(),
    )
}

#[component]
fn InboxContent(inbox: Inbox) -> impl IntoView {
    let tab = params::query("tab");
    let path = url::inbox(inbox.tenant);
    let link = move |(name, label, count): (&'static str, &'static str, Option<usize>)| {
        let href = url::with_query(&path, &[("tab", name)]);
        let current = move || (tab() == name).then_some("true");
        view! {
            <a href=href aria-current=current data-noscroll="">
                {label}
                " "
                <span class="tabular-nums text-muted">{count}</span>
            </a>
        }
    };
    let tabs = [
        ("", messages::inbox::NEEDS_ACTION, Some(inbox.mine.len())),
        ("others", messages::inbox::WAITING_ON_OTHERS, Some(inbox.others.len())),
        ("done", messages::inbox::DONE, None),
    ];
    let inbox = StoredValue::new(inbox);
    let content = move || {
        let Inbox { tenant, mine, others, done } = inbox.get_value();
        match tab().as_str() {
            "done" => view! { <DoneList tenant done /> }.into_any(),
            "others" if others.is_empty() => view! { <Empty title=messages::inbox::NONE_WAITING text=messages::inbox::NONE_WAITING_NOTE /> }
            .into_any(),
            "others" => view! { <WaitingList tenant rows=others /> }.into_any(),
            _ if mine.is_empty() => view! { <NothingMine others_count=others.len() /> }.into_any(),
            _ => view! { <WaitingList tenant rows=mine /> }.into_any(),
        }
    };
    view! {
        <Heading title=messages::inbox::TITLE />
        <nav class="tabs" aria-label=messages::inbox::TITLE>
            {tabs.map(link)}
        </nav>
        {content}
    }
}

#[component]
fn NothingMine(others_count: usize) -> impl IntoView {
    view! {
        <div class="empty">
            <p class="font-semibold">{messages::inbox::NOTHING_TO_REVIEW}</p>
            <p class="text-muted">{messages::inbox::waiting(others_count)}</p>
        </div>
    }
}

#[component]
fn WaitingList(tenant: TenantId, rows: Vec<WaitingRow>) -> impl IntoView {
    use messages::inbox::HEAD;
    let row = move |row: WaitingRow| {
        let href = row.page(tenant);
        let change = row.moved().map(messages::inbox::newer_revision);
        view! {
            <tr>
                <th scope="row" data-label=HEAD[0]>
                    <a href=href data-row="">
                        {row.requested_action.label()}
                    </a>
                </th>
                <td data-label=HEAD[1]>
                    <bdi>{row.name}</bdi>
                </td>
                <td data-label=HEAD[2]>
                    <span class="tabular-nums">"v" {row.version} " r" {row.revision}</span>
                    {change.map(|text| view! { <span class="plain">{text}</span> })}
                </td>
                <td data-label=HEAD[3]>
                    <bdi>{row.by}</bdi>
                </td>
                <td data-label=HEAD[4]>
                    <Second at=row.since />
                </td>
            </tr>
        }
    };
    table(messages::inbox::TITLE, HEAD, rows, row)
}

#[component]
fn DoneList(tenant: TenantId, done: Vec<DoneRow>) -> impl IntoView {
    use messages::inbox::DONE_HEAD as HEAD;
    if done.is_empty() {
        return view! { <Empty title=messages::inbox::NO_ACTIONS text=messages::inbox::NO_ACTIONS_NOTE /> }
        .into_any();
    }
    let row = move |row: DoneRow| {
        let href = url::version(tenant, row.policy, row.version);
        view! {
            <tr>
                <th scope="row" data-label=HEAD[0]>
                    <a href=href data-row="">
                        {messages::inbox::action(&row.action)}
                    </a>
                </th>
                <td data-label=HEAD[1]>
                    <bdi>{row.name}</bdi>
                </td>
                <td data-label=HEAD[2] class="tabular-nums">
                    "v"
                    {row.version}
                </td>
                <td data-label=HEAD[3]>
                    <Second at=row.at />
                </td>
            </tr>
        }
    };
    table(messages::inbox::DONE, HEAD, done, row)
}
