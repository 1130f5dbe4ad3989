//! The list of alerts, and the actions for selected alerts.

use contract::{
    alert::{AlertStatus, COUNT_MAX},
    id::{AlertId, TenantId},
    rule::Severity,
    time::Timestamp,
};
use leptos::{prelude::*, server_fn::ServerFn};

use super::violation::{group_name, violation_details};
use crate::{
    alert::{
        act::AcknowledgeAlerts,
        view::{
            AlertsPage as AlertList,
            query::{AlertQuery, PAGE, Selection},
            row::{AlertRow, groups},
            violation::GroupName,
        },
        words,
    },
    key::Attribution,
    text::url,
    ui::{
        badge::SeverityChip,
        filter_menu::hidden,
        icon::{Icon, icon},
        list::Pager,
        time::{Age, Minute},
    },
};

/// Returns the address of the page with these filters, to which an action returns.
pub(super) fn own_address(path: &str, query: &AlertQuery) -> String {
    query.address(path, &[("page", &query.number().to_string()), ("alert", &query.alert)])
}

/// Returns the address of the list with an alert next to it.
fn address_with(path: &str, query: &AlertQuery, id: AlertId) -> String {
    query.address(path, &[("page", &query.page), ("alert", &id.to_string())])
}

/// Returns the addresses of the alerts before and after an alert of the page.
pub(super) fn adjacent(
    path: &str,
    query: &AlertQuery,
    page: &AlertList,
    id: AlertId,
) -> [Option<String>; 2] {
    let rows: Vec<_> =
        grouped(query, page.rows.clone()).into_iter().flat_map(|(_, rows)| rows).collect();
    let index = rows.iter().position(|row| row.id == id);
    let [before, after] =
        [index.and_then(|index| index.checked_sub(1)), index.map(|index| index + 1)];
    [before, after].map(|index| Some(address_with(path, query, rows.get(index?)?.id)))
}

/// Returns the rows in the order of the list. Groups by rule have a name.
fn grouped(query: &AlertQuery, rows: Vec<AlertRow>) -> Vec<(Option<GroupName>, Vec<AlertRow>)> {
    if query.is_by_time() {
        return vec![(None, rows)];
    }
    groups(rows).into_iter().map(|(name, rows)| (Some(name), rows)).collect()
}

/// The properties that all rows of a list have in common.
#[derive(Clone)]
struct RowContext {
    tenant: TenantId,
    query: AlertQuery,
    now: Option<Timestamp>,
    may_act: bool,
    is_selected: bool,
    /// The alert that is shown next to the list.
    shown: Option<AlertId>,
}

/// The alerts in one form, which posts the selection: the selected alerts, one alert with its own button, or
/// the filter with the time of the page. Each group is a table that can be folded.
#[component]
pub(super) fn List(tenant: TenantId, query: AlertQuery, page: AlertList) -> impl IntoView {
    let path = url::alerts(tenant);
    let number = query.number();
    let (count, total) = (page.rows.len(), page.total);
    let offset = u64::from(number.saturating_sub(1)) * u64::from(PAGE);
    let page_address = |number: u32| query.address(&path, &[("page", &number.to_string())]);
    let newer = (number > 1).then(|| page_address(number - 1));
    let is_full = u64::try_from(count).is_ok_and(|count| count == u64::from(PAGE));
    // The total ends at a limit. After it, a full page may have a next one.
    let has_older =
        u64::from(number) * u64::from(PAGE) < total || (total >= u64::from(COUNT_MAX) && is_full);
    let older = has_older.then(|| page_address(number.saturating_add(1)));
    let may_act = page.may_act && query.tab() != AlertStatus::Acknowledged;
    let is_selected = may_act && !query.select.is_empty();
    let tools = may_act.then(|| view! { <Tools tenant query=query.clone() total is_selected /> });
    let bar = may_act.then(|| view! { <SelectionBar tenant /> });
    let now = page.now;
    let at = now.map_or_else(String::new, |now| now.to_string());
    let back = own_address(&path, &query);
    let selection = Selection { query: query.clone(), ..Selection::default() };
    let mut fields = vec![
        ("tenant", tenant.to_string()),
        ("page", back.clone()),
        ("back", back),
        ("selection[at]", at),
    ];
    fields.extend(selection.query_fields());
    let shown = page.shown.map(|page| page.row.id);
    let groups = grouped(&query, page.rows);
    let context = RowContext { tenant, query: query.clone(), now, may_act, is_selected, shown };
    let group = move |(name, rows): (Option<GroupName>, Vec<AlertRow>)| {
        let context = context.clone();
        let Some(name) = name else {
            let table = table(&context, words::TITLE.into_any(), None, rows);
            return view! { <div class="alert-group">{table}</div> }.into_any();
        };
        let rule = name.code.as_deref().filter(|rule| *rule != query.rule);
        let group_address = rule.map(|rule| query.address(&path, &[("rule", rule)]));
        view! { <Group context name group_address rows /> }.into_any()
    };
    view! {
        <form method="post" action=AcknowledgeAlerts::url() class="stack">
            {may_act.then(|| hidden(fields))}
            // The default button of the form: Enter in a checkbox has no effect.
            <button disabled hidden data-default=""></button>
            {tools}
            <div class="alert-groups">{groups.into_iter().map(group).collect_view()}</div>
            {bar}
        </form>
        <Pager newer older count=words::range(offset, count, total) />
    }
}

/// The link that selects the page, and the actions for all alerts that match the filter, each with a page that
/// lists them.
#[component]
fn Tools(tenant: TenantId, query: AlertQuery, total: u64, is_selected: bool) -> impl IntoView {
    use crate::alert::words as strings;
    let select = if is_selected { "" } else { "page" };
    let page = query.number().to_string();
    let href = query.address(&url::alerts(tenant), &[("page", &page), ("select", select)]);
    let label = if is_selected { strings::SELECT_NONE } else { strings::SELECT_PAGE };
    let all = [
        (url::acknowledge(tenant), strings::ACKNOWLEDGE_ALL),
        (url::assign(tenant), strings::ASSIGN_ALL),
        (url::snooze(tenant), strings::SNOOZE_ALL),
    ];
    let all = all.map(|(page, label)| {
        view! {
            <li>
                <button name="selection[all]" value="1" formaction=page>
                    {label}
                </button>
            </li>
        }
    });
    view! {
        <div class="row">
            <a class="button" href=href data-key="X" data-noscroll="">
                {label}
            </a>
            <details class="filter-menu">
                <summary class="chip">{strings::all_matching(total)}</summary>
                <ul class="filter-panel plain-list">{all}</ul>
            </details>
        </div>
    }
}

/// The actions for the selected alerts. The style sheet keeps them in view while an alert is selected. Assigning
/// and snoozing have a page that lists the affected alerts.
#[component]
fn SelectionBar(tenant: TenantId) -> impl IntoView {
    use crate::alert::words as strings;
    view! {
        <div class="bulk" role="group" aria-label=strings::SELECTED data-bulk="">
            <span hidden data-selected=strings::SELECTED_COUNT></span>
            <button class="primary" data-key="e">
                {strings::ACKNOWLEDGE_SELECTED}
            </button>
            <button data-key="i" formaction=url::assign(tenant)>
                {strings::ASSIGN_SELECTED}
            </button>
            <button data-key="h" formaction=url::snooze(tenant)>
                {strings::SNOOZE_SELECTED}
            </button>
            <span class="text-xs text-muted">{strings::FINAL}</span>
        </div>
    }
}

#[component]
fn Group(
    context: RowContext,
    name: GroupName,
    /// The address of the list filtered to the rule of this group, if that is another list.
    group_address: Option<String>,
    rows: Vec<AlertRow>,
) -> impl IntoView {
    let count = words::rows_on_page(rows.len());
    let newest = rows.first().map(|row| row.at).zip(context.now).map(|(at, now)| {
        view! {
            " · "
            {words::NEWEST}
            " "
            <Age at now />
        }
    });
    let severity = rows.iter().map(|row| row.severity).max();
    let chip = severity.map(|severity| view! { <SeverityChip severity /> });
    let table = table(&context, group_name(name.clone()).into_any(), severity, rows);
    let more = group_address.map(|href| {
        view! {
            <p class="alert-more">
                <a href=href>{words::ALL_OF_RULE}</a>
            </p>
        }
    });
    view! {
        <details class="alert-group" open>
            <summary>
                {icon(Icon::Down)} {chip} <span class="grow">{group_name(name)}</span>
                <span class="text-muted text-xs">{count} {newest}</span>
            </summary>
            {table}
            {more}
        </details>
    }
}

/// Renders rows as a table. `severity` is that of the group.
fn table(
    context: &RowContext,
    caption: AnyView,
    severity: Option<Severity>,
    rows: Vec<AlertRow>,
) -> impl IntoView + use<> {
    let head = |head: &'static str| {
        view! {
            <th scope="col">
                <span class="sr-only">{head}</span>
            </th>
        }
    };
    let head = words::HEAD.map(head);
    let row = |row| view! { <Row context=context.clone() row severity /> };
    view! {
        <table class="list">
            <caption class="sr-only">{caption}</caption>
            <thead>
                <tr>{head}</tr>
            </thead>
            <tbody>{rows.into_iter().map(row).collect_view()}</tbody>
        </table>
    }
}

#[component]
fn Row(
    context: RowContext,
    row: AlertRow,
    /// The severity of the group; the row shows a different one.
    severity: Option<Severity>,
) -> impl IntoView {
    use crate::alert::words::HEAD;
    let RowContext { tenant, query, now, may_act, is_selected, shown } = context;
    let href = address_with(&url::alerts(tenant), &query, row.id);
    let is_chosen = query.alert == row.id.to_string();
    let class = (shown == Some(row.id) && !is_chosen).then_some("by-default");
    let age = now.map(|now| view! { <Age at=row.at now /> });
    let details = row.violation.as_ref().map(violation_details);
    let chip =
        (severity != Some(row.severity)).then(|| view! { <SeverityChip severity=row.severity /> });
    let decision = row.decision.map(|id| {
        let short: String = id.to_string().chars().take(8).collect();
        view! {
            <a class="font-mono" href=url::decision(tenant, id)>
                {short}
            </a>
        }
    });
    let actor = row.violation.as_ref().and_then(|violation| violation.actor.clone());
    let title = row.title().to_owned();
    let id = row.id.to_string();
    let checkbox = may_act.then(|| {
        let label = words::select(&title);
        view! {
            <input
                type="checkbox"
                name="selection[ids][]"
                value=id.clone()
                checked=is_selected
                aria-label=label
                data-key="x"
            />
        }
    });
    let snoozed = row.snoozed_until.map(|until| {
        view! {
            {words::UNTIL}
            " "
            <Minute at=until />
            " "
        }
    });
    let action = match row.acknowledged {
        Some((by, at)) => view! { <Attribution by at /> }.into_any(),
        None if may_act => view! {
            <button name="selection[only]" value=id>
                {words::ACKNOWLEDGE}
            </button>
        }
        .into_any(),
        None => ().into_any(),
    };
    view! {
        <tr data-row="" tabindex="-1" class=class aria-current=is_chosen.then_some("true")>
            <td data-label=HEAD[0]>{checkbox}</td>
            <th scope="row" data-label=HEAD[1]>
                <a href=href data-noscroll="">
                    <bdi class="breaks">{title}</bdi>
                </a>
                " "
                {chip}
                {details}
            </th>
            <td data-label=HEAD[2]>{actor.map(|actor| view! { <bdi>{actor}</bdi> })}</td>
            <td data-label=HEAD[3]>{row.assignee.map(|name| view! { <bdi>{name}</bdi> })}</td>
            <td data-label=HEAD[4]>{decision}</td>
            <td data-label=HEAD[5]>{age}</td>
            <td data-label=HEAD[6]>{snoozed} {action}</td>
        </tr>
    }
}
