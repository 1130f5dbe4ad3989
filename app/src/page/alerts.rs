//! Alerts: events that need attention until a user acknowledges them.

#[cfg(feature = "ssr")]
pub(crate) mod acknowledge;
pub(crate) mod detail;
mod result;

use contract::{alert::AlertStatus, id::TenantId, time::Timestamp};
use leptos::{prelude::*, server_fn::ServerFn};

use self::result::ResultNotice;
use super::keys::Attribution;
use crate::{
    api::alert::{AcknowledgeAlerts, list_alerts},
    markup::note::{Tone, note},
    text::{messages, number::counted, url},
    ui::{
        badge::SeverityChip,
        empty::{Empty, NothingMatches},
        field::{SelectField, TextField},
        heading::Heading,
        list::FilterForm,
        live::{LiveSubject, NewItemsPill},
        load::load,
        params,
        problem::ProblemNote,
        time::{Minute, Second},
    },
    view::alert::{AlertQuery, AlertRow, AlertsPage as AlertList, PAGE, groups},
};

/// `/t/{tenant}/alerts`
#[component]
pub(crate) fn AlertsPage() -> impl IntoView {
    let tenant = params::tenant();
    let query = params::filters(AlertQuery::read);
    load(
        move || (tenant(), query()),
        async |(tenant, query)| {
            let tenant = tenant?;
            let page = list_alerts(tenant, query.clone()).await?;
            Ok((tenant, query, page))
        },
        |(tenant, query, page)| view! { <AlertsContent tenant query page /> }.into_any(),
    )
}

#[component]
fn AlertsContent(tenant: TenantId, query: AlertQuery, page: AlertList) -> impl IntoView {
    let path = url::alerts(tenant);
    let pill = (!query.is_acknowledged()).then(|| {
        let (href, mark, is_part) =
            (query.address(&path, &[]), page.mark.clone(), query.has_filters());
        view! { <NewItemsPill subject=LiveSubject::Alerts mark href is_part /> }
    });
    let result_notice =
        page.result.clone().map(|summary| view! { <ResultNotice tenant summary /> });
    let problem_note = page.refused.clone().map(|problem| view! { <ProblemNote problem /> });
    let list = if let Some(error) = page.fault.clone() {
        note(Tone::Warn, Some("alert"), error)
    } else if !page.rows.is_empty() {
        view! { <List tenant query=query.clone() page=page.clone() /> }.into_any()
    } else if query.has_filters() {
        view! { <NothingMatches clear=path.clone() /> }.into_any()
    } else if query.is_acknowledged() {
        use messages::alerts::{NONE_ACKNOWLEDGED, NONE_ACKNOWLEDGED_NEXT};
        view! { <Empty title=NONE_ACKNOWLEDGED text=NONE_ACKNOWLEDGED_NEXT /> }.into_any()
    } else {
        view! { <NoneOpen last=page.last /> }.into_any()
    };
    view! {
        <div class="page-head">
            <Heading title=messages::alerts::TITLE />
            {pill}
        </div>
        <Tabs path=path.clone() query=query.clone() open=page.open />
        <Filters path query />
        {problem_note}
        {result_notice}
        {list}
    }
}

#[component]
fn Tabs(path: String, query: AlertQuery, open: u64) -> impl IntoView {
    let is_acknowledged = query.is_acknowledged();
    let open = counted(open);
    let open_list = query.address(&path, &[("status", "")]);
    let acknowledged = query.address(&path, &[("status", AlertStatus::Acknowledged.as_str())]);
    view! {
        <nav class="tabs" aria-label=messages::alerts::TITLE>
            <a href=open_list aria-current=(!is_acknowledged).then_some("true") data-noscroll="">
                {messages::alerts::OPEN}
                " "
                <span class="tabular-nums text-muted">{open}</span>
            </a>
            <a href=acknowledged aria-current=is_acknowledged.then_some("true") data-noscroll="">
                {messages::alerts::ACKNOWLEDGED}
            </a>
        </nav>
    }
}

#[component]
fn NoneOpen(last: Option<Timestamp>) -> impl IntoView {
    let last = last.map(|at| {
        view! { <p>{messages::alerts::LAST_ALERT} " " <Minute at /> "."</p> }
    });
    view! {
        <div class="empty">
            <p class="font-semibold">{messages::alerts::EMPTY}</p>
            {last}
            <p class="text-muted">{messages::alerts::EMPTY_NEXT}</p>
        </div>
    }
}

#[component]
fn Filters(path: String, query: AlertQuery) -> impl IntoView {
    use messages::alerts as strings;
    let is_filtered = query.has_filters();
    let status = (!query.status.is_empty())
        .then(|| view! { <input type="hidden" name="status" value=query.status.clone() /> });
    view! {
        <FilterForm path is_filtered>
            {status}
            <SelectField
                label=strings::SEVERITY
                name="severity"
                choices=strings::SEVERITIES.to_vec()
                value=query.severity
            />
            <SelectField
                label=strings::KIND
                name="type"
                choices=strings::KINDS.to_vec()
                value=query.kind
            />
            <TextField label=strings::RULE name="rule" value=query.rule />
        </FilterForm>
    }
}

/// The alerts in one form. Selected alerts are acknowledged together; each one also has a button of its own.
#[component]
fn List(tenant: TenantId, query: AlertQuery, page: AlertList) -> impl IntoView {
    let path = url::alerts(tenant);
    let number = query.number();
    let (count, total) = (page.rows.len(), page.total);
    let offset = u64::from(number.saturating_sub(1)) * u64::from(PAGE);
    let page_address = |number: u32| query.address(&path, &[("page", &number.to_string())]);
    let newer = (number > 1).then(|| {
        let href = page_address(number - 1);
        view! {
            <a class="button" href=href>
                {messages::alerts::NEWER}
            </a>
        }
    });
    let older = (u64::from(number) * u64::from(PAGE) < total).then(|| {
        let href = page_address(number.saturating_add(1));
        view! {
            <a class="button" href=href>
                {messages::OLDER}
            </a>
        }
    });
    let may_act = page.may_act && !query.is_acknowledged();
    let is_selected = may_act && !query.select.is_empty();
    let back = page_address(number);
    let bar = may_act.then(|| view! { <Bar tenant query=query.clone() total is_selected /> });
    let filters = query.extra_filters().into_iter().filter(|(_, value)| !value.is_empty());
    let filters = filters
        .map(|(name, value)| view! { <input type="hidden" name=name value=value.to_owned() /> })
        .collect_view();
    let now = page.now;
    let group = move |(name, rows): (String, Vec<AlertRow>)| {
        let rule = rows.iter().find_map(|row| row.rules.first());
        let group_address = rule.map(|rule| query.address(&path, &[("rule", rule)]));
        view! { <Group tenant name group_address rows now may_act is_selected /> }
    };
    view! {
        <form method="post" action=AcknowledgeAlerts::url() class="stack">
            <input type="hidden" name="tenant" value=tenant.to_string() />
            <input type="hidden" name="back" value=back />
            {filters}
            {bar}
            <table class="list">
                <caption class="sr-only">{messages::alerts::TITLE}</caption>
                <thead>
                    <tr>
                        {messages::alerts::HEAD.map(|head| view! { <th scope="col">{head}</th> })}
                    </tr>
                </thead>
                {groups(page.rows).into_iter().map(group).collect_view()}
            </table>
        </form>
        <p class="row">
            {newer} {older}
            <span class="text-xs text-muted">{messages::alerts::range(offset, count, total)}</span>
        </p>
    }
}

/// The actions for selected alerts and for all alerts that match. The next page shows their number and asks
/// for confirmation.
#[component]
fn Bar(tenant: TenantId, query: AlertQuery, total: u64, is_selected: bool) -> impl IntoView {
    let select = if is_selected { "" } else { "page" };
    let page = query.number().to_string();
    let href = query.address(&url::alerts(tenant), &[("page", &page), ("select", select)]);
    let label =
        if is_selected { messages::alerts::SELECT_NONE } else { messages::alerts::SELECT_PAGE };
    let next = url::acknowledge(tenant);
    let all = query.address(&next, &[("all", "1")]);
    view! {
        <p class="row">
            <a class="button" href=href data-key="X" data-noscroll="">
                {label}
            </a>
            <button data-key="e" formaction=next formmethod="get">
                {messages::alerts::ACKNOWLEDGE_SELECTED}
            </button>
            <a class="button" href=all>
                {messages::alerts::all_matching(total)}
            </a>
            <span class="text-xs text-muted">{messages::alerts::FINAL}</span>
        </p>
    }
}

#[component]
fn Group(
    tenant: TenantId,
    name: String,
    /// The address of the list filtered to this group.
    group_address: Option<String>,
    rows: Vec<AlertRow>,
    now: Option<Timestamp>,
    may_act: bool,
    is_selected: bool,
) -> impl IntoView {
    let count = messages::alerts::rows_on_page(rows.len());
    let row = move |row| view! { <Row tenant row now may_act is_selected /> };
    let name = view! { <bdi class="font-mono">{name}</bdi> };
    let name = match group_address {
        Some(href) => view! { <a href=href>{name}</a> }.into_any(),
        None => name.into_any(),
    };
    view! {
        <tbody>
            <tr class="group">
                <th colspan="5" scope="rowgroup">
                    {name}
                    " "
                    <span class="text-muted text-xs">{count}</span>
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
    use messages::alerts::HEAD;
    let age = now.map(|now| view! { <span class="text-muted">{row.age(now)}</span> });
    let id = row.id.to_string();
    let checkbox = may_act.then(|| {
        let label = messages::alerts::select(&row.message);
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
    let action = match row.acknowledged {
        Some((by, at)) => view! { <Attribution by at /> }.into_any(),
        None if may_act => view! {
            <button name="only" value=id>
                {messages::alerts::ACKNOWLEDGE}
            </button>
        }
        .into_any(),
        None => ().into_any(),
    };
    view! {
        <tr data-row="" tabindex="-1">
            <td data-label=HEAD[0]>{checkbox}</td>
            <td data-label=HEAD[1]>
                <SeverityChip severity=row.severity />
            </td>
            <th scope="row" data-label=HEAD[2]>
                <a href=url::alert(tenant, row.id)>
                    <bdi class="breaks">{row.message}</bdi>
                </a>
            </th>
            <td data-label=HEAD[3]>
                <Second at=row.at />
                {age}
            </td>
            <td data-label=HEAD[4]>{action}</td>
        </tr>
    }
}
