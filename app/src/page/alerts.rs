//! Alerts: events that need attention until a user acknowledges them.

pub(crate) mod acknowledge;
pub(crate) mod assign;
mod confirm;
pub(crate) mod detail;
mod result;
pub(crate) mod snooze;

use contract::{
    alert::AlertStatus,
    id::{PolicyId, TenantId, UserId},
    rule::Severity,
    time::Timestamp,
};
use leptos::{prelude::*, server_fn::ServerFn};

use self::result::ResultNotice;
use super::keys::Attribution;
use crate::{
    api::alert::{AcknowledgeAlerts, list_alerts},
    markup::{
        icon::{Icon, icon},
        note::{Tone, note},
    },
    text::{messages, number::counted, url},
    ui::{
        badge::SeverityChip,
        empty::NothingMatches,
        field::{TextField, options},
        filter_menu::{ActiveFilter, ChoiceMenu, FieldMenu, chips, hidden},
        heading::Heading,
        list::Pager,
        live::{LiveSubject, NewItemsPill},
        load::load,
        params,
        problem::ProblemNote,
        time::{Age, Minute},
    },
    view::alert::{
        AlertQuery, AlertRow, AlertViolation, AlertsPage as AlertList, GroupName, PAGE, Selection,
        groups,
    },
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
    let tab = query.tab();
    let pill = (tab == AlertStatus::Open).then(|| {
        let (href, mark, is_part) =
            (query.address(&path, &[]), page.mark.clone(), query.has_filters());
        view! { <NewItemsPill subject=LiveSubject::Alerts mark href is_part /> }
    });
    let own = own_address(&path, &query);
    let result_notice =
        page.result.clone().map(|summary| view! { <ResultNotice tenant page=own summary /> });
    let problem_note = page.refused.clone().map(|problem| view! { <ProblemNote problem /> });
    let list = if let Some(error) = page.error.clone() {
        note(Tone::Warn, Some("alert"), error)
    } else if !page.rows.is_empty() {
        view! { <List tenant query=query.clone() page=page.clone() /> }.into_any()
    } else if query.has_filters() {
        view! { <NothingMatches clear=path.clone() /> }.into_any()
    } else {
        empty(tab, page.last)
    };
    let active = active_filters(&path, &query, &page);
    view! {
        <div class="page-head">
            <Heading title=messages::alerts::TITLE />
            {pill}
        </div>
        <Tabs path=path.clone() query=query.clone() counts=[page.open, page.snoozed] />
        <Filters path query active people=page.people policies=page.policies />
        {problem_note}
        {result_notice}
        {list}
    }
}

/// Returns the address of the page with these filters, to which an action returns.
fn own_address(path: &str, query: &AlertQuery) -> String {
    query.address(path, &[("page", &query.number().to_string())])
}

#[component]
fn Tabs(path: String, query: AlertQuery, counts: [u64; 2]) -> impl IntoView {
    let [open, snoozed] = counts.map(|count| Some(counted(count)));
    let tab = |status: AlertStatus, label: &'static str, count: Option<String>| {
        let value = if status == AlertStatus::Open { "" } else { status.as_str() };
        let count = count.map(|count| {
            view! {
                " "
                <span class="tabular-nums text-muted">{count}</span>
            }
        });
        view! {
            <a
                href=query.address(&path, &[("status", value)])
                aria-current=(query.tab() == status).then_some("true")
                data-noscroll=""
            >
                {label}
                {count}
            </a>
        }
    };
    view! {
        <nav class="tabs" aria-label=messages::alerts::TITLE>
            {tab(AlertStatus::Open, messages::alerts::OPEN, open)}
            {tab(AlertStatus::Snoozed, messages::alerts::SNOOZED, snoozed)}
            {tab(AlertStatus::Acknowledged, messages::alerts::ACKNOWLEDGED, None)}
        </nav>
    }
}

/// Renders the empty state of a tab. `last` is the creation time of the newest alert.
fn empty(tab: AlertStatus, last: Option<Timestamp>) -> AnyView {
    use messages::alerts as strings;
    let (title, text) = match tab {
        AlertStatus::Open => (strings::EMPTY, strings::EMPTY_NEXT),
        AlertStatus::Snoozed => (strings::NONE_SNOOZED, strings::NONE_SNOOZED_NEXT),
        AlertStatus::Acknowledged => (strings::NONE_ACKNOWLEDGED, strings::NONE_ACKNOWLEDGED_NEXT),
    };
    let last = last.map(|at| view! { <p>{strings::LAST_ALERT} " " <Minute at /> "."</p> });
    view! {
        <div class="empty">
            <p class="font-semibold">{title}</p>
            {last}
            <p class="text-muted">{text}</p>
        </div>
    }
    .into_any()
}

/// The active filters, and a menu for each filter.
#[component]
fn Filters(
    path: String,
    query: AlertQuery,
    active: Vec<ActiveFilter>,
    people: Vec<(UserId, String)>,
    policies: Vec<(PolicyId, String)>,
) -> impl IntoView {
    use messages::alerts as strings;
    let choices = |name: &'static str, current: &str, choices: &[(&str, &str)]| {
        let set = choices.iter().filter(|(value, _)| !value.is_empty());
        set.map(|(value, label)| {
            (query.address(&path, &[(name, value)]), (*label).to_owned(), *value == current)
        })
        .collect::<Vec<_>>()
    };
    let severities = choices("severity", &query.severity, &strings::SEVERITIES);
    let kinds = choices("type", &query.kind, &strings::KINDS);
    let people = people.into_iter().map(|(id, name)| (id.to_string(), name)).collect();
    let policies = policies.into_iter().map(|(id, name)| (id.to_string(), name)).collect();
    let menu = |label: &'static str, name: &'static str, field: AnyView| {
        view! {
            <FieldMenu label path=path.clone() others=query.others(name)>
                {field}
            </FieldMenu>
        }
    };
    let rule = view! { <TextField label=strings::RULE name="rule" value=query.rule.clone() /> };
    let policy = select(strings::POLICY, "policy", policies, &query.policy);
    let assignee = select(strings::ASSIGNEE, "assignee", people, &query.assignee);
    let clear = query.has_filters().then(|| {
        view! {
            <a class="quiet" href=path.clone()>
                {messages::CLEAR_FILTERS}
            </a>
        }
    });
    view! {
        <div class="chip-bar">
            {chips(active)} <ChoiceMenu label=strings::SEVERITY choices=severities />
            <ChoiceMenu label=strings::KIND choices=kinds />
            {menu(strings::RULE, "rule", rule.into_any())} {menu(strings::POLICY, "policy", policy)}
            {menu(strings::ASSIGNEE, "assignee", assignee)} {clear}
        </div>
    }
}

/// Renders a field with a choice of names, by their ID.
fn select(
    label: &'static str,
    name: &'static str,
    choices: Vec<(String, String)>,
    value: &str,
) -> AnyView {
    let any = (String::new(), messages::alerts::ANY.to_owned());
    let choices = options(std::iter::once(any).chain(choices), value);
    view! {
        <label class="field">
            <span>{label}</span>
            <select name=name>{choices}</select>
        </label>
    }
    .into_any()
}

fn active_filters(path: &str, query: &AlertQuery, page: &AlertList) -> Vec<ActiveFilter> {
    use messages::alerts as strings;
    let label = |name: &str, value: &str| {
        let of = |choices: &[(&str, &str)]| {
            choices.iter().find(|(word, _)| *word == value).map(|(_, label)| (*label).to_owned())
        };
        match name {
            "severity" => of(&strings::SEVERITIES),
            "type" => of(&strings::KINDS),
            "policy" => {
                let mut policies = page.policies.iter();
                policies.find(|(id, _)| id.to_string() == value).map(|(_, name)| name.clone())
            }
            "assignee" => {
                let mut people = page.people.iter();
                people.find(|(id, _)| id.to_string() == value).map(|(_, name)| name.clone())
            }
            _ => None,
        }
    };
    let set = query.extra_filters().into_iter().filter(|(_, value)| !value.is_empty());
    set.map(|(name, value)| ActiveFilter {
        name: match name {
            "severity" => strings::SEVERITY,
            "type" => strings::KIND,
            "policy" => strings::POLICY,
            "assignee" => strings::ASSIGNEE,
            _ => strings::RULE,
        },
        value: label(name, value).unwrap_or_else(|| value.to_owned()),
        clear: query.address(path, &[(name, "")]),
    })
    .collect()
}

/// The alerts in one form, which posts the selection: the selected alerts, one alert with its own button, or
/// the filter with the time of the page. Each group is a table that can be folded.
#[component]
fn List(tenant: TenantId, query: AlertQuery, page: AlertList) -> impl IntoView {
    let path = url::alerts(tenant);
    let number = query.number();
    let (count, total) = (page.rows.len(), page.total);
    let offset = u64::from(number.saturating_sub(1)) * u64::from(PAGE);
    let page_address = |number: u32| query.address(&path, &[("page", &number.to_string())]);
    let newer = (number > 1).then(|| page_address(number - 1));
    let older = (u64::from(number) * u64::from(PAGE) < total)
        .then(|| page_address(number.saturating_add(1)));
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
    let group = move |(name, rows): (GroupName, Vec<AlertRow>)| {
        let rule = name.code.as_deref().filter(|rule| *rule != query.rule);
        let group_address = rule.map(|rule| query.address(&path, &[("rule", rule)]));
        view! { <Group tenant name group_address rows now may_act is_selected /> }
    };
    view! {
        <form method="post" action=AcknowledgeAlerts::url() class="stack">
            {may_act.then(|| hidden(fields))}
            // The default button of the form: Enter in a checkbox has no effect.
            <button disabled hidden data-default=""></button>
            {tools}
            <div class="alert-groups">
                {groups(page.rows).into_iter().map(group).collect_view()}
            </div>
            {bar}
        </form>
        <Pager newer older count=messages::alerts::range(offset, count, total) />
    }
}

/// The link that selects the page, and the actions for all alerts that match the filter, each with a page that
/// lists them.
#[component]
fn Tools(tenant: TenantId, query: AlertQuery, total: u64, is_selected: bool) -> impl IntoView {
    use messages::alerts as strings;
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
    use messages::alerts as strings;
    view! {
        <div class="bulk" role="group" aria-label=strings::SELECTED>
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
    tenant: TenantId,
    name: GroupName,
    /// The address of the list filtered to the rule of this group, if that is another list.
    group_address: Option<String>,
    rows: Vec<AlertRow>,
    now: Option<Timestamp>,
    may_act: bool,
    is_selected: bool,
) -> impl IntoView {
    let count = messages::alerts::rows_on_page(rows.len());
    let newest = rows.first().map(|row| row.at).zip(now).map(|(at, now)| {
        view! {
            " · "
            {messages::alerts::NEWEST}
            " "
            <Age at now />
        }
    });
    let severity = rows.iter().map(|row| row.severity).max();
    let chip = severity.map(|severity| view! { <SeverityChip severity /> });
    let row = move |row| view! { <Row tenant row severity now may_act is_selected /> };
    let more = group_address.map(|href| {
        view! {
            <p class="alert-more">
                <a href=href>{messages::alerts::ALL_OF_RULE}</a>
            </p>
        }
    });
    let head = |head: &'static str| {
        view! {
            <th scope="col">
                <span class="sr-only">{head}</span>
            </th>
        }
    };
    let head = messages::alerts::HEAD.map(head);
    view! {
        <details class="alert-group" open>
            <summary>
                {icon(Icon::Down)} {chip} <span class="grow">{group_name(name.clone())}</span>
                <span class="text-muted text-xs">{count} {newest}</span>
            </summary>
            <table class="list">
                <caption class="sr-only">{group_name(name)}</caption>
                <thead>
                    <tr>{head}</tr>
                </thead>
                <tbody>{rows.into_iter().map(row).collect_view()}</tbody>
            </table>
            {more}
        </details>
    }
}

/// Renders the name of a group: the name of its rule, if it has one, and the code of the rule, or the type of
/// its alerts.
fn group_name(GroupName { name, code }: GroupName) -> impl IntoView {
    view! {
        {name
            .map(|name| {
                view! {
                    <bdi>{name}</bdi>
                    " "
                }
            })}
        {code.map(|code| view! { <bdi class="font-mono">{code}</bdi> })}
    }
}

/// Renders the policy of a violation, and its value if the reason does not contain it.
fn violation_details(violation: &AlertViolation) -> impl IntoView + use<> {
    let value = violation.unstated_value().map(|value| {
        let field = violation.field.clone().map(|field| {
            view! {
                <bdi>{field}</bdi>
                ": "
            }
        });
        view! {
            " · "
            <code class="breaks">{field} <bdi>{value.to_owned()}</bdi></code>
        }
    });
    view! { <span class="text-xs text-muted">{policy_name(violation)} {value}</span> }
}

/// Renders the name and the evaluated version of the policy of a violation.
fn policy_name(violation: &AlertViolation) -> impl IntoView + use<> {
    let version = violation.version.map(|version| format!(" v{version}"));
    view! {
        <bdi>{violation.policy_name.clone()}</bdi>
        {version}
    }
}

#[component]
fn Row(
    tenant: TenantId,
    row: AlertRow,
    /// The severity of the group; the row shows a different one.
    severity: Option<Severity>,
    now: Option<Timestamp>,
    may_act: bool,
    is_selected: bool,
) -> impl IntoView {
    use messages::alerts::HEAD;
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
        let label = messages::alerts::select(&title);
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
            {messages::alerts::UNTIL}
            " "
            <Minute at=until />
            " "
        }
    });
    let action = match row.acknowledged {
        Some((by, at)) => view! { <Attribution by at /> }.into_any(),
        None if may_act => view! {
            <button name="selection[only]" value=id>
                {messages::alerts::ACKNOWLEDGE}
            </button>
        }
        .into_any(),
        None => ().into_any(),
    };
    view! {
        <tr data-row="" tabindex="-1">
            <td data-label=HEAD[0]>{checkbox}</td>
            <th scope="row" data-label=HEAD[1]>
                <a href=url::alert(tenant, row.id)>
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
