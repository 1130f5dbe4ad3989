//! The filters of decisions: active filters as chips, a menu per filter, and the fields of all filters.

use contract::{
    decision::DecisionRecord, evaluation::Verdict, id::PolicyId, pagination::LIMIT_MAX,
    policy::PolicyFilter,
};
use governance::{Cx, PageRequest, authoring::policy, deciding::decision::worst_violation};
use leptos::prelude::*;

use crate::{
    problem::Problem,
    text::{
        messages,
        query::{DecisionQuery, ListQuery as _},
        time::{field, minute},
        url,
        verdict::SEVERITIES,
    },
    ui::{
        badge::VerdictBadge,
        field::{SuggestField, TextField, options},
        filter_menu::{ActiveFilter, ChoiceMenu, FieldMenu, FilterBar, choices, label_of, others},
        icon::{Icon, icon},
    },
};

const RANGE: &str = "Time range";
const RANGES: [(&str, &str); 5] = [
    ("", "All time"),
    ("1h", "Last hour"),
    ("24h", "Last 24 hours"),
    ("7d", "Last 7 days"),
    ("30d", "Last 30 days"),
];
const OUTCOMES: [(&str, &str); 6] = [
    ("accepted", "Accepted"),
    ("overridden", "Overridden"),
    ("escalated", "Escalated"),
    ("expired", "Expired"),
    ("abandoned", "Abandoned"),
    ("none", "None reported"),
];
const SHADOW: [(&str, &str); 2] = [("true", "Verdict changed"), ("false", "Verdict not changed")];

/// The verdicts, the most severe one first.
pub(super) const VERDICTS: [Verdict; 4] =
    [Verdict::Deny, Verdict::Review, Verdict::Alert, Verdict::Allow];

/// Returns the label of a filter by its parameter.
pub(super) fn label(parameter: &str) -> &'static str {
    match parameter {
        "verdict" => "Verdict",
        "severity" => "Severity",
        "type" => "Type",
        "policy" => "Policy",
        "version" => "Version",
        "rule" => "Violated rule",
        "outcome" => "Outcome",
        "shadow" => "Shadow mode",
        "correlation" => messages::CORRELATION_ID,
        "actor" => "Actor ID",
        "chain" => "Chain ID",
        "key" => "Idempotency key",
        _ => RANGE,
    }
}

/// The values that the filters suggest.
#[derive(Default)]
pub(crate) struct Suggestions {
    /// The policies to choose from, with their names.
    pub(crate) policies: Vec<(PolicyId, String)>,
    decision_types: Vec<String>,
    /// The codes of violated rules.
    rules: Vec<String>,
    actors: Vec<String>,
}

impl Suggestions {
    /// Returns the policies to choose from and their decision types. Most tenants have fewer policies than the
    /// limit; decisions of other policies are found by their rule or type.
    pub(crate) async fn read(cx: &Cx) -> Result<Self, Problem> {
        let page = PageRequest { limit: LIMIT_MAX, cursor: None };
        let policies = policy::list(cx, PolicyFilter::default(), &page).await?.items.into_iter();
        Ok(Self::new(policies.map(|policy| (policy.id, policy.name, policy.decision_types))))
    }

    /// Creates the suggestions of the policies, with their names and decision types.
    pub(super) fn new(policies: impl IntoIterator<Item = (PolicyId, String, Vec<String>)>) -> Self {
        let mut suggestions = Self::default();
        for (id, name, decision_types) in policies {
            suggestions.policies.push((id, name));
            suggestions.decision_types.extend(decision_types);
        }
        suggestions.policies.sort_by(|(_, a), (_, b)| a.cmp(b));
        suggestions.add(&[]);
        suggestions
    }

    /// Adds the types, rules and actors of listed decisions.
    pub(super) fn add(&mut self, records: &[DecisionRecord]) {
        self.decision_types.extend(records.iter().map(|record| record.decision_type.clone()));
        let tops = records.iter().filter_map(|record| worst_violation(&record.result.violations));
        self.rules.extend(tops.map(|violation| violation.rule_code.clone()));
        let actors = records.iter().filter_map(|record| record.actor.as_ref()?.id.clone());
        self.actors.extend(actors);
        for values in [&mut self.decision_types, &mut self.rules, &mut self.actors] {
            values.sort_unstable();
            values.dedup();
        }
    }
}

/// Renders the fields of every filter except the time range.
pub(crate) fn filter_fields(query: &DecisionQuery, suggestions: Suggestions) -> AnyView {
    let verdicts = ["DENY", "REVIEW", "ALERT", "ALLOW"].map(|verdict| (verdict, verdict));
    view! {
        {select("verdict", verdicts, &query.verdict)}
        {select("severity", SEVERITIES, &query.severity)}
        {suggest("type", &query.decision_type, suggestions.decision_types)}
        {policy_field(suggestions.policies, &query.policy)}
        {text("version", &query.version)}
        {suggest("rule", &query.rule, suggestions.rules)}
        {select("outcome", OUTCOMES, &query.outcome)}
        {select("shadow", SHADOW, &query.shadow)}
        {suggest("actor", &query.actor, suggestions.actors)}
        {text("correlation", &query.correlation_id)}
        {text("chain", &query.chain)}
        {text("key", &query.idempotency_key)}
    }
    .into_any()
}

fn text(name: &'static str, value: &str) -> AnyView {
    view! { <TextField label=label(name) name value=value.to_owned() /> }.into_any()
}

fn suggest(name: &'static str, value: &str, suggestions: Vec<String>) -> AnyView {
    view! { <SuggestField label=label(name) name value=value.to_owned() suggestions /> }.into_any()
}

fn policy_field(policies: Vec<(PolicyId, String)>, value: &str) -> AnyView {
    select("policy", policies.into_iter().map(|(id, name)| (id.to_string(), name)), value)
}

/// Renders a selection list of the values and labels, after the choice of any value.
fn select<V: Into<String>, L: Into<String>>(
    name: &'static str,
    choices: impl IntoIterator<Item = (V, L)>,
    value: &str,
) -> AnyView {
    let any = (String::new(), "Any".to_owned());
    let choices = choices.into_iter().map(|(value, label)| (value.into(), label.into()));
    view! {
        <label class="field">
            <span>{label(name)}</span>
            <select name=name>{options(std::iter::once(any).chain(choices), value)}</select>
        </label>
    }
    .into_any()
}

/// Renders the active filters, each with a link that clears it, and a menu for each filter.
pub(super) fn filter_bar(path: &str, query: &DecisionQuery, suggestions: Suggestions) -> AnyView {
    let Suggestions { policies, decision_types, rules, actors } = suggestions;
    let active = active(path, query, &policies);
    let links = |name: &'static str, all: &[(&'static str, &'static str)]| {
        let choices = choices(query, path, name, all);
        view! { <ChoiceMenu label=label(name) choices /> }
    };
    let menu = |label: &'static str, names: &[&str], fields: AnyView| {
        view! {
            <FieldMenu label path=path.to_owned() others=others(query, names)>
                {fields}
            </FieldMenu>
        }
    };
    let policy = view! {
        {policy_field(policies, &query.policy)}
        {text("version", &query.version)}
    };
    let more = view! {
        {suggest("actor", &query.actor, actors)}
        {text("correlation", &query.correlation_id)}
        {text("chain", &query.chain)}
        {text("key", &query.idempotency_key)}
    };
    let menus = view! {
        {verdict_menu(path, query)}
        {links("severity", &SEVERITIES)}
        {menu(label("type"), &["type"], suggest("type", &query.decision_type, decision_types))}
        {menu(label("policy"), &["policy", "version"], policy.into_any())}
        {menu(label("rule"), &["rule"], suggest("rule", &query.rule, rules))}
        {links("outcome", &OUTCOMES)}
        {links("shadow", &SHADOW)}
        {menu("More filters", &["actor", "correlation", "chain", "key"], more.into_any())}
    }
    .into_any();
    view! {
        <FilterBar path=path.to_owned() active>
            {menus}
        </FilterBar>
    }
    .into_any()
}

/// Renders the time ranges that end now as links, and a form for another range. The current range is marked.
pub(super) fn range_bar(path: &str, query: &DecisionQuery) -> AnyView {
    let is_custom = query.range.is_empty() && !(query.from.is_empty() && query.to.is_empty());
    let link = |(range, label): (&'static str, &'static str)| {
        let href = query.clone().without_range().filtered(path, "range", range);
        let current = (!is_custom && query.range == range).then_some("true");
        view! {
            <a href=href aria-current=current>
                {label}
            </a>
        }
    };
    let others = others(query, &["range", "from", "to"]);
    let (from, to) = if is_custom {
        (field(&query.from), field(&query.to))
    } else {
        (String::new(), String::new())
    };
    view! {
        <div class="range-bar">
            <nav class="segmented" aria-label=RANGE>
                {RANGES.map(link)}
            </nav>
            <FieldMenu label="Custom range" path=path.to_owned() others>
                <TextField label="From (UTC)" name="from" kind="datetime-local" value=from />
                <TextField label="To (UTC)" name="to" kind="datetime-local" value=to />
            </FieldMenu>
        </div>
    }
    .into_any()
}

/// Returns the active filters. The time range is one of them.
fn active(path: &str, query: &DecisionQuery, policies: &[(PolicyId, String)]) -> Vec<ActiveFilter> {
    let set = query.values().into_iter().filter(|(_, value)| !value.is_empty());
    let mut active: Vec<_> = set
        .map(|(parameter, value)| {
            let text = match parameter {
                "severity" => label_of(&SEVERITIES, value),
                "outcome" => label_of(&OUTCOMES, value),
                "shadow" => label_of(&SHADOW, value),
                "policy" => {
                    let policy = policies.iter().find(|(id, _)| id.to_string() == value);
                    policy.map(|(_, name)| name.clone())
                }
                _ => None,
            };
            // A version belongs to its policy.
            let version = (parameter == "policy").then_some(("version", ""));
            let cleared: Vec<_> = version.into_iter().chain([(parameter, "")]).collect();
            ActiveFilter {
                name: label(parameter),
                value: text.unwrap_or_else(|| value.to_owned()),
                clear: url::with_other(path, &query.filters(), &cleared),
            }
        })
        .collect();
    if let Some(value) = range_text(query) {
        let clear = query.clone().without_range().address(path, "");
        active.push(ActiveFilter { name: RANGE, value, clear });
    }
    active
}

/// Returns the time range as text, for example "Last 7 days" or "from 20 Nov 2026 10:00 UTC".
fn range_text(query: &DecisionQuery) -> Option<String> {
    if !query.range.is_empty() {
        return label_of(&RANGES, &query.range);
    }
    let shown = |text: &str| text.parse().map_or_else(|_| text.to_owned(), minute);
    match (&*query.from, &*query.to) {
        ("", "") => None,
        (from, "") => Some(format!("from {}", shown(from))),
        ("", to) => Some(format!("until {}", shown(to))),
        (from, to) => Some(format!("{} to {}", shown(from), shown(to))),
    }
}

/// Renders the verdicts as links.
fn verdict_menu(path: &str, query: &DecisionQuery) -> AnyView {
    let link = |verdict: Verdict| {
        let href = query.filtered(path, "verdict", verdict.as_str());
        let current = (query.verdict == verdict.as_str()).then_some("true");
        view! {
            <li>
                <a href=href aria-current=current aria-label=format!("Only {verdict}")>
                    <VerdictBadge verdict />
                </a>
            </li>
        }
    };
    view! {
        <details class="filter-menu" name="filter">
            <summary class="chip">{icon(Icon::Plus)} {label("verdict")}</summary>
            <ul class="filter-panel plain-list">{VERDICTS.map(link).collect_view()}</ul>
        </details>
    }
    .into_any()
}
