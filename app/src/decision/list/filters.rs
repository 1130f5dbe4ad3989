//! The filters of decisions: active filters as chips, a menu per filter, and the fields of all filters.

use contract::{evaluation::Verdict, id::PolicyId};
use leptos::prelude::*;

use crate::{
    alert::words as alert_words,
    decision::{list_words as strings, view::Suggestions},
    text::{
        messages,
        query::{DecisionQuery, ListQuery as _, RANGES},
        time::{field, minute},
        url,
    },
    ui::{
        badge::VerdictBadge,
        field::{SelectField, SuggestField, TextField, options},
        filter_menu::{ActiveFilter, ChoiceMenu, FieldMenu, FilterBar, choices, label_of, others},
        icon::{Icon, icon},
    },
};

/// The fields of every filter except the time range.
#[component]
pub(crate) fn FilterFields(query: DecisionQuery, suggestions: Suggestions) -> impl IntoView {
    let Suggestions { policies, decision_types, rules, actors } = suggestions;
    view! {
        <SelectField
            label=strings::VERDICT
            name="verdict"
            choices=strings::VERDICTS.to_vec()
            value=query.verdict
        />
        <SelectField
            label=strings::SEVERITY
            name="severity"
            choices=alert_words::SEVERITIES.to_vec()
            value=query.severity
        />
        <SuggestField
            label=strings::TYPE
            name="type"
            value=query.decision_type
            suggestions=decision_types
        />
        <PolicyField policies value=query.policy />
        <TextField label=strings::VERSION name="version" value=query.version />
        <SuggestField label=strings::RULE name="rule" value=query.rule suggestions=rules />
        <SelectField
            label=strings::OUTCOME
            name="outcome"
            choices=strings::OUTCOMES.to_vec()
            value=query.outcome
        />
        <SelectField
            label=strings::SHADOW
            name="shadow"
            choices=strings::SHADOW_CHOICES.to_vec()
            value=query.shadow
        />
        <SuggestField label=strings::ACTOR name="actor" value=query.actor suggestions=actors />
        <TextField label=messages::CORRELATION_ID name="correlation" value=query.correlation_id />
        <TextField label=strings::CHAIN name="chain" value=query.chain />
        <TextField label=strings::IDEMPOTENCY name="key" value=query.idempotency_key />
    }
}

/// The active filters, each with a link that clears it, and a menu for each filter.
#[component]
pub(super) fn Filters(
    path: String,
    query: DecisionQuery,
    suggestions: Suggestions,
) -> impl IntoView {
    let Suggestions { policies, decision_types, rules, actors } = suggestions;
    let active = active(&path, &query, &policies);
    let choices = |name, all: &[(&'static str, &'static str)]| choices(&query, &path, name, all);
    let severities = choices("severity", &alert_words::SEVERITIES);
    let outcomes = choices("outcome", &strings::OUTCOMES);
    let shadow = choices("shadow", &strings::SHADOW_CHOICES);
    let menu = |label: &'static str, names: &[&str], fields: AnyView| {
        view! {
            <FieldMenu label path=path.clone() others=others(&query, names)>
                {fields}
            </FieldMenu>
        }
    };
    let text = |label: &'static str, name: &'static str, value: &str| {
        let value = value.to_owned();
        view! { <TextField label name value /> }.into_any()
    };
    let suggest = |label, name, value: &str, suggestions| {
        let value = value.to_owned();
        view! { <SuggestField label name value suggestions /> }.into_any()
    };
    let decision_type = suggest(strings::TYPE, "type", &query.decision_type, decision_types);
    let policy = view! {
        <PolicyField policies value=query.policy.clone() />
        {text(strings::VERSION, "version", &query.version)}
    };
    let rule = suggest(strings::RULE, "rule", &query.rule, rules);
    let more = view! {
        {suggest(strings::ACTOR, "actor", &query.actor, actors)}
        {text(messages::CORRELATION_ID, "correlation", &query.correlation_id)}
        {text(strings::CHAIN, "chain", &query.chain)}
        {text(strings::IDEMPOTENCY, "key", &query.idempotency_key)}
    };
    let menus = view! {
        {menu(strings::TYPE, &["type"], decision_type)}
        {menu(strings::POLICY, &["policy", "version"], policy.into_any())}
        {menu(strings::RULE, &["rule"], rule)}
        <ChoiceMenu label=strings::OUTCOME choices=outcomes />
        <ChoiceMenu label=strings::SHADOW choices=shadow />
        {menu(strings::MORE_FILTERS, &["actor", "correlation", "chain", "key"], more.into_any())}
    }
    .into_any();
    view! {
        <FilterBar path=path.clone() active>
            <VerdictMenu path query />
            <ChoiceMenu label=strings::SEVERITY choices=severities />
            {menus}
        </FilterBar>
    }
}

/// The time ranges that end now as links, and a form for another range. The current range is marked.
#[component]
#[expect(clippy::needless_pass_by_value, reason = "a component owns its properties")]
pub(super) fn Ranges(path: String, query: DecisionQuery) -> impl IntoView {
    let is_custom = query.range.is_empty() && !(query.from.is_empty() && query.to.is_empty());
    let link = |(range, label): (&'static str, &'static str)| {
        let href = query.clone().without_range().filtered(&path, "range", range);
        let current = (!is_custom && query.range == range).then_some("true");
        view! {
            <a href=href aria-current=current>
                {label}
            </a>
        }
    };
    let links = strings::RANGES.map(link);
    let others = others(&query, &["range", "from", "to"]);
    let (from, to) = if is_custom {
        (field(&query.from), field(&query.to))
    } else {
        (String::new(), String::new())
    };
    view! {
        <div class="range-bar">
            <nav class="segmented" aria-label=strings::RANGE>
                {links}
            </nav>
            <FieldMenu label=strings::CUSTOM_RANGE path others>
                <TextField label=strings::FROM name="from" kind="datetime-local" value=from />
                <TextField label=strings::TO name="to" kind="datetime-local" value=to />
            </FieldMenu>
        </div>
    }
}

/// Returns the active filters. The time range is one of them.
fn active(path: &str, query: &DecisionQuery, policies: &[(PolicyId, String)]) -> Vec<ActiveFilter> {
    let set = query.values().into_iter().filter(|(_, value)| !value.is_empty());
    let mut active: Vec<_> = set
        .map(|(parameter, value)| {
            let text = match parameter {
                "severity" => label_of(&alert_words::SEVERITIES, value),
                "outcome" => label_of(&strings::OUTCOMES, value),
                "shadow" => label_of(&strings::SHADOW_CHOICES, value),
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
                name: strings::filter_name(parameter),
                value: text.unwrap_or_else(|| value.to_owned()),
                clear: url::with_other(path, &query.filters(), &cleared),
            }
        })
        .collect();
    if let Some(value) = range_text(query) {
        let clear = query.clone().without_range().address(path, "");
        active.push(ActiveFilter { name: strings::RANGE, value, clear });
    }
    active
}

/// Returns the time range as text, for example "Last 7 days" or "from 20 Nov 2026 10:00 UTC".
fn range_text(query: &DecisionQuery) -> Option<String> {
    if RANGES.iter().any(|(range, _)| *range == query.range) {
        let label = strings::RANGES.iter().find(|(range, _)| *range == query.range);
        return label.map(|(_, label)| (*label).to_owned());
    }
    let shown = |text: &str| text.parse().map_or_else(|_| text.to_owned(), minute);
    match (&*query.from, &*query.to) {
        ("", "") => None,
        (from, "") => Some(format!("from {}", shown(from))),
        ("", to) => Some(format!("until {}", shown(to))),
        (from, to) => Some(format!("{} to {}", shown(from), shown(to))),
    }
}

/// The verdicts as links.
#[component]
fn VerdictMenu(path: String, query: DecisionQuery) -> impl IntoView {
    let link = |verdict: Verdict| {
        let href = query.filtered(&path, "verdict", verdict.as_str());
        let current = (query.verdict == verdict.as_str()).then_some("true");
        view! {
            <li>
                <a href=href aria-current=current aria-label=strings::only(verdict)>
                    <VerdictBadge verdict />
                </a>
            </li>
        }
    };
    let verdicts = [Verdict::Deny, Verdict::Review, Verdict::Alert, Verdict::Allow];
    view! {
        <details class="filter-menu" name="filter">
            <summary class="chip">{icon(Icon::Plus)} {strings::VERDICT}</summary>
            <ul class="filter-panel plain-list">{verdicts.map(link).collect_view()}</ul>
        </details>
    }
}

#[component]
fn PolicyField(policies: Vec<(PolicyId, String)>, value: String) -> impl IntoView {
    let choices = policies.into_iter().map(|(id, name)| (id.to_string(), name));
    view! {
        <label class="field">
            <span>{strings::POLICY}</span>
            <select name="policy">
                <option value="">{strings::ANY}</option>
                {options(choices, &value)}
            </select>
        </label>
    }
}
