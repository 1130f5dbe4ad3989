//! The inbox: items that need the user's action, versions that need another user's, and past actions.

mod attention;
mod item;

use contract::{id::TenantId, time::Timestamp};
use leptos::prelude::*;

use self::{
    attention::{alerts_by_rule, decisions, figures},
    item::Item,
};
use super::{
    act::read_inbox,
    view::{ALERT, DoneRow, InboxItem, InboxPage as Inbox, InboxQuery, RequestedAction},
    words,
};
use crate::{
    text::{messages, number::counted, time, url},
    ui::{
        empty::{Empty, NothingMatches},
        field::{SelectField, TextField},
        heading::Heading,
        list::{FilterForm, table},
        load::load,
        params,
        time::Second,
    },
};

/// The number of versions in the summary of those that wait for others.
const SUMMARY_MAX: usize = 3;

/// `/t/{tenant}/inbox`
#[component]
pub(crate) fn InboxPage() -> impl IntoView {
    let tenant = params::tenant();
    let query = params::filters(InboxQuery::read);
    load(
        move || (tenant(), query()),
        async |(tenant, query)| {
            let inbox = read_inbox(tenant?, query.clone()).await?;
            Ok((query, inbox))
        },
        |(query, inbox)| view! { <InboxContent query inbox /> }.into_any(),
    )
}

#[component]
fn InboxContent(query: InboxQuery, inbox: Inbox) -> impl IntoView {
    let Inbox { tenant, now, totals, mine, others, done, attention } = inbox;
    let path = url::inbox(tenant);
    let clear = url::with_query(&path, &[("tab", &query.tab)]);
    let is_filtered = query.has_filters();
    let [needed, waiting] = totals;
    let figures = attention.as_ref().map(|attention| figures(tenant, now, needed, attention));
    let nothing = move |empty: AnyView| {
        if is_filtered {
            view! { <NothingMatches clear=clear.clone() /> }.into_any()
        } else {
            empty
        }
    };
    let list = match query.tab.as_str() {
        "done" if done.is_empty() => nothing(
            view! { <Empty title=words::NO_ACTIONS text=words::NO_ACTIONS_NOTE /> }.into_any(),
        ),
        "done" => done_list(tenant, done),
        "others" if others.is_empty() => nothing(
            view! { <Empty title=words::NONE_WAITING text=words::NONE_WAITING_NOTE /> }.into_any(),
        ),
        "others" => items(tenant, now, others, false),
        _ => {
            let mine = if mine.is_empty() {
                nothing(view! { <NothingMine others_count=waiting /> }.into_any())
            } else {
                items(tenant, now, mine, true)
            };
            let decisions = attention.as_ref().and_then(|attention| decisions(tenant, attention));
            let alerts = attention.and_then(|attention| alerts_by_rule(tenant, now, attention));
            let summary = summary(tenant, now, others, &query);
            let has_rail = decisions.is_some() || summary.is_some();
            let class = if has_rail { "with-rail" } else { "stack" };
            let rail = has_rail.then(|| view! { <div class="rail">{decisions} {summary}</div> });
            view! {
                <div class=class>
                    <div class="stack">{mine} {alerts}</div>
                    {rail}
                </div>
            }
            .into_any()
        }
    };
    view! {
        <Heading title=words::TITLE />
        <Tabs path=path.clone() query=query.clone() totals />
        {figures}
        <Filters path query />
        {list}
    }
}

#[component]
fn Tabs(path: String, query: InboxQuery, totals: [usize; 2]) -> impl IntoView {
    use super::words as strings;
    let [mine, others] = totals;
    let tabs = [
        ("", strings::NEEDS_ACTION, Some(mine)),
        ("others", strings::WAITING_ON_OTHERS, Some(others)),
        ("done", strings::DONE, None),
    ];
    let current =
        if ["others", "done"].contains(&&*query.tab) { query.tab.clone() } else { String::new() };
    let link = |(name, label, count): (&'static str, &'static str, Option<usize>)| {
        let count = count.map(|count| counted(count as u64));
        view! {
            <a
                href=query.address(&path, name)
                aria-current=(current == name).then_some("true")
                data-noscroll=""
            >
                {label}
                " "
                <span class="tabular-nums text-muted">{count}</span>
            </a>
        }
    };
    view! {
        <nav class="tabs" aria-label=strings::TITLE>
            {tabs.map(link).collect_view()}
        </nav>
    }
}

#[component]
fn Filters(path: String, query: InboxQuery) -> impl IntoView {
    use super::words as strings;
    let is_filtered = query.has_filters();
    let tab = (!query.tab.is_empty())
        .then(|| view! { <input type="hidden" name="tab" value=query.tab.clone() /> });
    let action = (query.tab != "done").then(|| {
        let mut choices = vec![("", strings::ANY)];
        choices.extend(RequestedAction::ALL.map(|action| (action.word(), action.label())));
        choices.push((ALERT, strings::ALERT));
        view! { <SelectField label=strings::ACTION name="action" choices value=query.action /> }
    });
    view! {
        <FilterForm path is_filtered>
            {tab}
            {action}
            <TextField label=strings::POLICY_OR_PERSON name="text" value=query.text />
        </FilterForm>
    }
}

#[component]
fn NothingMine(others_count: usize) -> impl IntoView {
    view! {
        <div class="empty">
            <p class="font-semibold">{words::NOTHING_TO_REVIEW}</p>
            <p class="text-muted">{words::waiting(others_count)}</p>
        </div>
    }
}

/// Renders a list of items. Only items of the user have a button.
fn items(tenant: TenantId, now: Timestamp, items: Vec<InboxItem>, is_mine: bool) -> AnyView {
    let item = move |item: InboxItem| view! { <Item tenant now item is_mine /> };
    view! { <ol class="tasks">{items.into_iter().map(item).collect_view()}</ol> }.into_any()
}

/// Renders the versions that wait for others longest.
fn summary(
    tenant: TenantId,
    now: Timestamp,
    others: Vec<InboxItem>,
    query: &InboxQuery,
) -> Option<AnyView> {
    let all = query.address(&url::inbox(tenant), "others");
    let item = move |item: InboxItem| {
        let (age, _) = item.age(now);
        let InboxItem::Version(row) = item else { return None };
        let href = row.page(tenant);
        Some(view! {
            <li>
                <a href=href>
                    {row.requested_action.label()} " " <bdi>{row.name}</bdi> " v" {row.version}
                </a>
                <span class="text-xs text-muted">
                    {row.cause.label()} {row.by.map(by)} ", " {age}
                </span>
            </li>
        })
    };
    (!others.is_empty()).then(|| {
        view! {
            <section class="stack" aria-label=words::WAITING_ON_OTHERS>
                <div class="card-head">
                    <h2>{words::WAITING_ON_OTHERS}</h2>
                    <a class="text-xs" href=all>
                        {words::ALL_WAITING}
                    </a>
                </div>
                <ul class="waiting-summary">
                    {others.into_iter().take(SUMMARY_MAX).filter_map(item).collect_view()}
                </ul>
            </section>
        }
        .into_any()
    })
}

/// Renders " by " and a name.
fn by(name: String) -> impl IntoView {
    view! {
        " "
        {messages::BY}
        " "
        <bdi>{name}</bdi>
    }
}

fn done_list(tenant: TenantId, done: Vec<DoneRow>) -> AnyView {
    use super::words::DONE_HEAD as HEAD;
    let row = move |row: DoneRow| {
        let href = url::version(tenant, row.policy, row.version);
        view! {
            <tr>
                <th scope="row" data-label=HEAD[0]>
                    <a href=href data-row="">
                        {words::action(&row.action)}
                    </a>
                </th>
                <td data-label=HEAD[1]>
                    <bdi>{row.name}</bdi>
                </td>
                <td data-label=HEAD[2] class="tabular-nums">
                    "v"
                    {row.version}
                </td>
                <td data-label=time::head(HEAD[3])>
                    <Second at=row.at />
                </td>
            </tr>
        }
    };
    table(words::DONE, HEAD, done, row)
}
