//! The list of alerts, and the actions for selected alerts.

use contract::alert::COUNT_MAX;
use page_kit::prelude::*;

use super::{
    PAGE, TITLE,
    action::{AcknowledgeAlerts, FINAL},
    number, own_address,
    row::{AlertRow, GroupName, groups},
    selection::Filters,
};

/// The groups of the rows, each with its name.
pub(super) type Groups = Vec<(Option<GroupName>, Vec<AlertRow>)>;

/// The properties that all rows of a list have in common.
pub(super) struct AlertList<'a> {
    pub(super) tenant: TenantId,
    pub(super) query: &'a ListQuery,
    /// The time of the page.
    pub(super) now: Timestamp,
    /// The number of alerts that match the filters.
    pub(super) total: u64,
    pub(super) may_act: bool,
    /// The alert that is shown next to the list.
    pub(super) shown: Option<AlertId>,
}

const HEAD: [&str; 7] = ["Select", "Alert", "Actor", "Assigned to", "Decision", "Age", "Status"];

impl AlertList<'_> {
    /// Returns the address of the list with an alert next to it.
    fn address_with(&self, id: AlertId) -> String {
        self.query.address(&[("page", &page::query("page")), ("alert", &id.to_string())])
    }

    /// Returns the rows in the order of the list. Groups by rule have a name.
    pub(super) fn grouped(&self, rows: Vec<AlertRow>) -> Groups {
        if self.query.value("order") == "time" {
            return vec![(None, rows)];
        }
        groups(rows).into_iter().map(|(name, rows)| (Some(name), rows)).collect()
    }

    /// Returns the addresses of the alerts before and after an alert of the page.
    pub(super) fn adjacent(&self, groups: &Groups, id: AlertId) -> [Option<String>; 2] {
        let ids: Vec<_> =
            groups.iter().flat_map(|(_, rows)| rows).map(|row| row.alert.id).collect();
        let index = ids.iter().position(|own| *own == id);
        let [before, after] =
            [index.and_then(|index| index.checked_sub(1)), index.map(|index| index + 1)];
        [before, after].map(|index| Some(self.address_with(*ids.get(index?)?)))
    }

    /// Returns whether the address selects every row of the page.
    fn is_selected(&self) -> bool {
        self.may_act && !page::query("select").is_empty()
    }

    /// Renders the alerts in one form, which posts the selection: the selected alerts, one alert with its own button,
    /// or the filter with the time of the page. Each group is a table that can be folded.
    pub(super) fn view(&self, groups: Groups) -> AnyView {
        let number = number();
        let shown: usize = groups.iter().map(|(_, rows)| rows.len()).sum();
        let first = u64::from(number.saturating_sub(1)) * u64::from(PAGE) + 1;
        let last = first + shown as u64 - 1;
        let range = format!("{} to {} of {}", counted(first), counted(last), limited(self.total));
        let page_address = |number: u32| self.query.address(&[("page", &number.to_string())]);
        let newer = (number > 1).then(|| page_address(number - 1));
        let is_full = u64::try_from(shown).is_ok_and(|shown| shown == u64::from(PAGE));
        // The total ends at a limit. After it, a full page may have a next one.
        let has_older = u64::from(number) * u64::from(PAGE) < self.total
            || (self.total >= u64::from(COUNT_MAX) && is_full);
        let older = has_older.then(|| page_address(number.saturating_add(1)));
        let own = own_address(self.query);
        let fields = Filters::of(self.query).fields([
            ("tenant", self.tenant.to_string()),
            ("page", own.clone()),
            ("back", own),
            ("selection[at]", self.now.to_string()),
        ]);
        let group = |(name, rows): (Option<GroupName>, Vec<AlertRow>)| {
            let Some(name) = name else {
                let table = self.table(TITLE.into_any(), None, rows);
                return any_view! { <div class="alert-group">{table}</div> };
            };
            self.group(&name, rows)
        };
        let groups: Vec<_> = groups.into_iter().map(group).collect();
        any_view! {
            <form method="post" action=AcknowledgeAlerts::url() class="stack">
                {self.may_act.then(|| hidden(fields))}
                // The default button of the form: Enter in a checkbox has no effect.
                <button disabled hidden data-default=""></button>
                {self.may_act.then(|| self.tools())}
                <div class="alert-groups">{groups}</div>
                {self.may_act.then(|| selection_bar(self.tenant))}
            </form>
            {pager(newer, older, range)}
        }
    }

    /// Renders the link that selects the page, and the actions for all alerts that match the filter, each with a page
    /// that lists them.
    fn tools(&self) -> AnyView {
        let (label, select) =
            if self.is_selected() { ("Select none", "") } else { ("Select this page", "page") };
        let href = self.query.address(&[("page", &number().to_string()), ("select", select)]);
        let all = [
            (url::acknowledge(self.tenant), "Acknowledge all"),
            (url::assign(self.tenant), "Assign all"),
            (url::snooze(self.tenant), "Snooze all"),
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
        any_view! {
            <div class="row">
                <a class="button" href=href data-key="X" data-noscroll="">
                    {label}
                </a>
                <details class="filter-menu">
                    <summary class="chip">
                        {format!("All matching ({})", limited(self.total))}
                    </summary>
                    <ul class="filter-panel plain-list">{all}</ul>
                </details>
            </div>
        }
    }

    /// Renders a group, with the link to the list filtered to its rule if that is another list.
    fn group(&self, name: &GroupName, rows: Vec<AlertRow>) -> AnyView {
        let count = count(rows.len(), "alert on this page", "alerts on this page");
        let newest = rows.first().map(|row| {
            view! {
                " · "
                "newest"
                " "
                {age(row.alert.created_at, self.now)}
            }
        });
        let severity = rows.iter().map(|row| row.alert.severity).max();
        let chip = severity.map(severity_chip);
        let rule = name.code.as_deref().filter(|rule| *rule != self.query.value("rule"));
        let more = rule.map(|rule| {
            view! {
                <p class="alert-more">
                    <a href=self.query.address(&[("rule", rule)])>"All alerts of this rule"</a>
                </p>
            }
        });
        any_view! {
            <details class="alert-group" open>
                <summary>
                    {icon(Icon::Down)} {chip} <span class="grow">{name.view()}</span>
                    <span class="text-muted text-xs">{count} {newest}</span>
                </summary>
                {self.table(name.view(), severity, rows)}
                {more}
            </details>
        }
    }

    /// Renders rows as a table. `severity` is that of the group.
    fn table(&self, caption: AnyView, severity: Option<Severity>, rows: Vec<AlertRow>) -> AnyView {
        let head = HEAD.map(|head| {
            view! {
                <th scope="col">
                    <span class="sr-only">{head}</span>
                </th>
            }
        });
        let rows: Vec<_> = rows.into_iter().map(|row| self.row(row, severity)).collect();
        any_view! {
            <table class="list">
                <caption class="sr-only">{caption}</caption>
                <thead>
                    <tr>{head}</tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        }
    }

    /// Renders a row. It shows its severity if that is not the one of the group.
    fn row(&self, row: AlertRow, severity: Option<Severity>) -> AnyView {
        let title = row.title();
        let AlertRow { alert, violation, acknowledged, assignee, snoozed_until, .. } = row;
        let id = alert.id.to_string();
        let is_chosen = page::query("alert") == id;
        let class = (self.shown == Some(alert.id) && !is_chosen).then_some("by-default");
        let chip = (severity != Some(alert.severity)).then(|| severity_chip(alert.severity));
        let decision = alert.decision_id.map(|id| decision_link(self.tenant, id));
        let actor = violation.as_ref().and_then(|violation| violation.actor.clone());
        let checkbox = self.may_act.then(|| {
            view! {
                <input
                    type="checkbox"
                    name="selection[ids][]"
                    value=id.clone()
                    checked=self.is_selected()
                    aria-label=format!("Select: {}", isolated(&title))
                    data-key="x"
                />
            }
        });
        let snoozed = snoozed_until.map(|until| {
            view! {
                "Until"
                " "
                {minute(until)}
                " "
            }
        });
        let action = match acknowledged {
            Some((by, at)) => attribution(by, at),
            None if self.may_act => any_view! {
                <button name="selection[only]" value=id>
                    "Acknowledge"
                </button>
            },
            None => ().into_any(),
        };
        let href = self.address_with(alert.id);
        let [
            select_head,
            alert_head,
            actor_head,
            assignee_head,
            decision_head,
            age_head,
            status_head,
        ] = HEAD;
        any_view! {
            <tr data-row="" tabindex="-1" class=class aria-current=is_chosen.then_some("true")>
                <td data-label=select_head>{checkbox}</td>
                <th scope="row" data-label=alert_head>
                    <a href=href data-noscroll="">
                        <bdi class="breaks">{title}</bdi>
                    </a>
                    " "
                    {chip}
                    {violation.map(|violation| violation.details())}
                </th>
                <td data-label=actor_head>{actor.map(|actor| view! { <bdi>{actor}</bdi> })}</td>
                <td data-label=assignee_head>{assignee.map(|name| view! { <bdi>{name}</bdi> })}</td>
                <td data-label=decision_head>{decision}</td>
                <td data-label=age_head>{age(alert.created_at, self.now)}</td>
                <td data-label=status_head>{snoozed} {action}</td>
            </tr>
        }
    }
}

/// Renders the link to a decision, with the first characters of its ID.
pub(super) fn decision_link(tenant: TenantId, id: DecisionId) -> AnyView {
    let short: String = id.to_string().chars().take(8).collect();
    any_view! {
        <a class="font-mono" href=url::decision(tenant, id)>
            {short}
        </a>
    }
}

/// Renders the actions for the selected alerts. The style sheet keeps them in view while an alert is selected.
/// Assigning and snoozing have a page that lists the affected alerts.
fn selection_bar(tenant: TenantId) -> AnyView {
    any_view! {
        <div class="bulk" role="group" aria-label="Selected alerts" data-bulk="">
            // `public/page.js` replaces `{count}`.
            <span hidden data-selected="{count} selected"></span>
            <button class="primary" data-key="e">
                "Acknowledge selected"
            </button>
            <button data-key="i" formaction=url::assign(tenant)>
                "Assign selected"
            </button>
            <button data-key="h" formaction=url::snooze(tenant)>
                "Snooze selected"
            </button>
            <span class="text-xs text-muted">{FINAL}</span>
        </div>
    }
}
