//! Alerts: what people should look at, until somebody says that they did.

#[cfg(feature = "ssr")]
pub(crate) mod acknowledge;
pub(crate) mod sheet;
mod told;

use contract::{alert::AlertStatus, id::TenantId, time::Timestamp};
use leptos::{prelude::*, server_fn::ServerFn};
use leptos_router::hooks::use_query_map;

use self::told::Told;
use super::{keys::Who, params};
use crate::{
    api::alert::{AcknowledgeAlerts, list_alerts},
    text::{number::counted, url, words},
    ui::{
        badge::SeverityChip,
        empty::{Empty, NothingMatches},
        field::{SelectField, TextField},
        heading::Heading,
        icon::{Icon, icon},
        live::{LivePill, News},
        load::load,
        problem::ProblemNote,
        time::{Minute, Second},
    },
    view::alert::{AlertQuery, AlertRow, AlertsPage as Shown, PAGE, groups},
};

/// `/t/{tenant}/alerts`
#[component]
pub(crate) fn AlertsPage() -> impl IntoView {
    let tenant = params::tenant();
    let query = use_query_map();
    let query = move || AlertQuery::read(|name| query.with(|query| query.get(name)));
    let page = Resource::new(
        move || (tenant(), query()),
        async |(tenant, query)| {
            let tenant = tenant?;
            let page = list_alerts(tenant, query.clone()).await?;
            Ok((tenant, query, page))
        },
    );
    view! { {load(page, |(tenant, query, page)| view! { <Inbox tenant query page/> }.into_any())} }
}

#[component]
fn Inbox(tenant: TenantId, query: AlertQuery, page: Shown) -> impl IntoView {
    let path = url::alerts(tenant);
    let pill = (!query.is_acknowledged()).then(|| {
        let (href, mark, is_part) = (query.address(&path, &[]), page.mark.clone(), query.filters());
        view! { <LivePill news=News::Alerts mark href is_part/> }
    });
    let told = page.told.clone().map(|told| view! { <Told tenant told/> });
    let refused = page.refused.clone().map(|problem| view! { <ProblemNote problem/> });
    let list = if let Some(fault) = page.fault.clone() {
        view! {
            <div class="note warn" role="alert">
                {icon(Icon::Warn)}
                <p>{fault}</p>
            </div>
        }
        .into_any()
    } else if !page.rows.is_empty() {
        view! { <List tenant query=query.clone() page=page.clone()/> }.into_any()
    } else if query.filters() {
        view! { <NothingMatches clear=path.clone()/> }.into_any()
    } else if query.is_acknowledged() {
        use words::alerts::{NONE_ACKNOWLEDGED, NONE_ACKNOWLEDGED_NEXT};
        view! { <Empty title=NONE_ACKNOWLEDGED text=NONE_ACKNOWLEDGED_NEXT/> }.into_any()
    } else {
        view! { <NoneOpen last=page.last/> }.into_any()
    };
    view! {
        <div class="page-head">
            <Heading title=words::alerts::TITLE/>
            {pill}
        </div>
        <Tabs path=path.clone() query=query.clone() open=page.open/>
        <Filters path query/>
        {refused}
        {told}
        {list}
    }
}

#[component]
fn Tabs(path: String, query: AlertQuery, open: u64) -> impl IntoView {
    let is_acknowledged = query.is_acknowledged();
    let open = counted(open);
    let others = query.address(&path, &[("status", "")]);
    let acknowledged = AlertStatus::Acknowledged.as_str();
    let acknowledged = query.address(&path, &[("status", acknowledged)]);
    view! {
        <nav class="tabs" aria-label=words::alerts::TITLE>
            <a href=others aria-current=(!is_acknowledged).then_some("true") data-noscroll="">
                {words::alerts::OPEN}
                " "
                <span class="tabular-nums text-muted">{open}</span>
            </a>
            <a href=acknowledged aria-current=is_acknowledged.then_some("true") data-noscroll="">
                {words::alerts::ACKNOWLEDGED}
            </a>
        </nav>
    }
}

/// Nobody has to look at anything.
#[component]
fn NoneOpen(last: Option<Timestamp>) -> impl IntoView {
    let last = last.map(|at| {
        view! {
            <p>
                {words::alerts::LAST} " " <Minute at/> "."
            </p>
        }
    });
    view! {
        <div class="empty">
            <p class="font-semibold">{words::alerts::EMPTY}</p>
            {last}
            <p class="text-muted">{words::alerts::EMPTY_NEXT}</p>
        </div>
    }
}

/// The filters of the list: a plain form whose fields stand in the address.
#[component]
fn Filters(path: String, query: AlertQuery) -> impl IntoView {
    use words::alerts as say;
    let clear = query.filters().then(|| view! { <a href=path.clone()>{words::CLEAR_FILTERS}</a> });
    let status = (!query.status.is_empty())
        .then(|| view! { <input type="hidden" name="status" value=query.status.clone()/> });
    view! {
        <form method="get" action=path class="filters" aria-label=words::FILTER>
            {status}
            <SelectField
                label=say::SEVERITY
                name="severity"
                choices=say::SEVERITIES.to_vec()
                value=query.severity
            />
            <SelectField label=say::KIND name="type" choices=say::KINDS.to_vec() value=query.kind/>
            <TextField label=say::RULE name="rule" value=query.rule/>
            <button>{words::FILTER}</button>
            {clear}
        </form>
    }
}

/// The alerts in one form: what is ticked is acknowledged together, and each has a button of its own.
#[component]
fn List(tenant: TenantId, query: AlertQuery, page: Shown) -> impl IntoView {
    let path = url::alerts(tenant);
    let number = query.number();
    let (count, total) = (page.rows.len(), page.total);
    let at = move |query: &AlertQuery, path: &str, number: u32| {
        query.address(path, &[("page", &number.to_string())])
    };
    let newer = (number > 1).then(|| {
        let href = at(&query, &path, number - 1);
        view! { <a class="button" href=href>{words::alerts::NEWER}</a> }
    });
    let older = (u64::from(number) * u64::from(PAGE) < total).then(|| {
        let href = at(&query, &path, number.saturating_add(1));
        view! { <a class="button" href=href>{words::OLDER}</a> }
    });
    let may_act = page.may_act && !query.is_acknowledged();
    let is_selected = may_act && !query.select.is_empty();
    let back = at(&query, &path, number);
    let bar = may_act.then(|| view! { <Bar tenant query=query.clone() total is_selected/> });
    let filters = query.narrowing().into_iter().filter(|(_, value)| !value.is_empty());
    let filters = filters
        .map(|(name, value)| view! { <input type="hidden" name=name value=value.to_owned()/> })
        .collect_view();
    let now = page.now;
    let group = move |(name, rows): (String, Vec<AlertRow>)| {
        let only = rows.iter().find_map(|row| row.rules.first());
        let only = only.map(|rule| query.address(&path, &[("rule", rule)]));
        view! { <Group tenant name only rows now may_act is_selected/> }
    };
    view! {
        <form method="post" action=AcknowledgeAlerts::url() class="stack">
            <input type="hidden" name="tenant" value=tenant.to_string()/>
            <input type="hidden" name="back" value=back/>
            {filters}
            {bar}
            <table class="list">
                <caption class="sr-only">{words::alerts::TITLE}</caption>
                <thead>
                    <tr>{words::alerts::HEAD.map(|head| view! { <th scope="col">{head}</th> })}</tr>
                </thead>
                {groups(page.rows).into_iter().map(group).collect_view()}
            </table>
        </form>
        <p class="row">
            {newer}
            {older}
            <span class="text-xs text-muted">{words::alerts::range(number, count, total)}</span>
        </p>
    }
}

/// What is done with the rows that are ticked, and with all that match: the next page says how many these are,
/// and asks.
#[component]
fn Bar(tenant: TenantId, query: AlertQuery, total: u64, is_selected: bool) -> impl IntoView {
    let select = if is_selected { "" } else { "page" };
    let page = query.number().to_string();
    let href = query.address(&url::alerts(tenant), &[("page", &page), ("select", select)]);
    let word = if is_selected { words::alerts::SELECT_NONE } else { words::alerts::SELECT_PAGE };
    let next = url::acknowledge(tenant);
    let all = query.address(&next, &[("all", "1")]);
    view! {
        <p class="row">
            <a class="button" href=href data-key="X" data-noscroll="">
                {word}
            </a>
            <button data-key="e" formaction=next formmethod="get">
                {words::alerts::ACKNOWLEDGE_SELECTED}
            </button>
            <a class="button" href=all>
                {words::alerts::all_matching(total)}
            </a>
            <span class="text-xs text-muted">{words::alerts::FINAL}</span>
        </p>
    }
}

#[component]
fn Group(
    tenant: TenantId,
    name: String,
    /// The list of these alone.
    only: Option<String>,
    rows: Vec<AlertRow>,
    now: Option<Timestamp>,
    may_act: bool,
    is_selected: bool,
) -> impl IntoView {
    let shown = words::alerts::shown(rows.len());
    let row = move |row| view! { <Row tenant row now may_act is_selected/> };
    let name = view! { <bdi class="font-mono">{name}</bdi> };
    let name = match only {
        Some(href) => view! { <a href=href>{name}</a> }.into_any(),
        None => name.into_any(),
    };
    view! {
        <tbody>
            <tr class="group">
                <th colspan="5" scope="rowgroup">
                    {name}
                    " "
                    <span class="text-muted text-xs">{shown}</span>
                </th>
            </tr>
            {rows.into_iter().map(row).collect_view()}
        </tbody>
    }
}

#[component]
fn Row(
    tenant: TenantId,
    row: AlertRow,
    now: Option<Timestamp>,
    may_act: bool,
    is_selected: bool,
) -> impl IntoView {
    use words::alerts::HEAD;
    let age = now.map(|now| view! { <span class="text-muted">{row.age(now)}</span> });
    let id = row.id.to_string();
    let tick = may_act.then(|| {
        let label = words::alerts::select(&row.message);
        view! {
            <input
                type="checkbox"
                name="ids[]"
                value=id.clone()
                checked=is_selected
                aria-label=label
                data-key="x"
            />
        }
    });
    let act = match row.acknowledged {
        Some((by, at)) => view! { <Who by at/> }.into_any(),
        None if may_act => view! {
            <button name="only" value=id>
                {words::alerts::ACKNOWLEDGE}
            </button>
        }
        .into_any(),
        None => ().into_any(),
    };
    view! {
        <tr data-row="" tabindex="-1">
            <td data-label=HEAD[0]>{tick}</td>
            <td data-label=HEAD[1]>
                <SeverityChip severity=row.severity/>
            </td>
            <th scope="row" data-label=HEAD[2]>
                <a href=url::alert(tenant, row.id)>
                    <bdi class="breaks">{row.message}</bdi>
                </a>
            </th>
            <td data-label=HEAD[3]>
                <Second at=row.at/>
                {age}
            </td>
            <td data-label=HEAD[4]>{act}</td>
        </tr>
    }
}
