//! The filters of decisions: active filters as chips, a menu per filter, and the fields of all filters.

use contract::{evaluation::Verdict, id::PolicyId};
use leptos::prelude::*;

use crate::{
    markup::icon::{Icon, icon},
    text::messages::{self, decisions as strings},
    ui::{
        badge::VerdictBadge,
        field::{SelectField, SuggestField, TextField, options},
    },
    view::{
        decision::Suggestions,
        query::{DecisionQuery, RANGES},
    },
};

/// The fields of every filter except the time range.
#[component]
pub(in crate::page) fn FilterFields(
    query: DecisionQuery,
    suggestions: Suggestions,
) -> impl IntoView {
    let Suggestions { policies, decision_types, rules, actors } = suggestions;
    view! {
        <SelectField
            label=strings::VERDICT
            name="verdict"
            choices=strings::VERDICTS.to_vec()
            value=query.verdict
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
    let clear = query.has_filters().then(|| {
        view! {
            <a class="quiet" href=path.clone()>
                {messages::CLEAR_FILTERS}
            </a>
        }
    });
    let chips = active(&path, &query, &suggestions.policies);
    let chips = (!chips.is_empty()).then(|| {
        view! {
            <ul class="chips" aria-label=strings::FILTERS>
                {chips}
            </ul>
        }
    });
    let menus = menus(&path, &query, suggestions);
    view! { <div class="chip-bar">{chips} <VerdictMenu path query /> {menus} {clear}</div> }
}

/// Renders the menus of the filters that have fields.
fn menus(path: &str, query: &DecisionQuery, suggestions: Suggestions) -> impl IntoView + use<> {
    let Suggestions { policies, decision_types, rules, actors } = suggestions;
    let menu = |label: &'static str, names: &'static [&'static str], fields: AnyView| {
        let (path, query) = (path.to_owned(), query.clone());
        view! {
            <FieldMenu path query label names>
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
    view! {
        {menu(strings::TYPE, &["type"], decision_type)}
        {menu(strings::POLICY, &["policy", "version"], policy.into_any())}
        {menu(strings::RULE, &["rule"], rule)}
        {menu(strings::MORE_FILTERS, &["actor", "correlation", "chain", "key"], more.into_any())}
    }
}

/// The time ranges that end now as links, and a form for another range. The current range is marked.
#[component]
pub(super) fn Ranges(path: String, query: DecisionQuery) -> impl IntoView {
    let is_custom = query.range.is_empty() && !(query.from.is_empty() && query.to.is_empty());
    let link = |(range, label): (&'static str, &'static str)| {
        let href = query.clone().without_range().with("range", range).address(&path, "");
        let current = (!is_custom && query.range == range).then_some("true");
        view! {
            <a href=href aria-current=current>
                {label}
            </a>
        }
    };
    let links = strings::RANGES.map(link);
    let (from, to) = if is_custom {
        (query.from.clone(), query.to.clone())
    } else {
        (String::new(), String::new())
    };
    view! {
        <div class="range-bar">
            <nav class="segmented" aria-label=strings::RANGE>
                {links}
            </nav>
            <FieldMenu path query=query.without_range() label=strings::CUSTOM_RANGE names=&[]>
                <TextField label=strings::FROM name="from" kind="datetime-local" value=from />
                <TextField label=strings::TO name="to" kind="datetime-local" value=to />
            </FieldMenu>
        </div>
    }
}

/// Returns the chips of the active filters.
fn active(path: &str, query: &DecisionQuery, policies: &[(PolicyId, String)]) -> Vec<AnyView> {
    let chip = |name: &'static str, value: String, href: String| {
        view! {
            <li class="chip on">
                {name} " " <b>
                    <bdi>{value}</bdi>
                </b> <a class="x" href=href aria-label=strings::clear_filter(name)>
                    {icon(Icon::Cross)}
                </a>
            </li>
        }
        .into_any()
    };
    let set = query.values().into_iter().filter(|(_, value)| !value.is_empty());
    let mut chips: Vec<_> = set
        .map(|(parameter, value)| {
            let name = strings::filter_name(parameter);
            let mut rest = query.clone().with(parameter, "");
            if parameter == "policy" {
                // A version belongs to its policy.
                rest = rest.with("version", "");
            }
            let policy = policies.iter().find(|(id, _)| id.to_string() == value);
            let text = policy.map_or_else(|| value.to_owned(), |(_, name)| name.clone());
            chip(name, text, rest.address(path, ""))
        })
        .collect();
    if let Some(text) = range_text(query) {
        let rest = query.clone().without_range();
        chips.push(chip(strings::RANGE, text, rest.address(path, "")));
    }
    chips
}

/// Returns the time range as text, for example "Last 7 days" or "from 2026-11-20T10:00".
fn range_text(query: &DecisionQuery) -> Option<String> {
    if RANGES.iter().any(|(range, _)| *range == query.range) {
        let label = strings::RANGES.iter().find(|(range, _)| *range == query.range);
        return label.map(|(_, label)| (*label).to_owned());
    }
    match (&*query.from, &*query.to) {
        ("", "") => None,
        (from, "") => Some(format!("from {from}")),
        ("", to) => Some(format!("until {to}")),
        (from, to) => Some(format!("{from} to {to}")),
    }
}

/// The verdicts as links.
#[component]
fn VerdictMenu(path: String, query: DecisionQuery) -> impl IntoView {
    let link = |verdict: Verdict| {
        let href = query.clone().with("verdict", verdict.as_str()).address(&path, "");
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

/// A menu with the form of some filters. The other filters stay as they are.
#[component]
fn FieldMenu(
    path: String,
    query: DecisionQuery,
    label: &'static str,
    /// The parameters of the fields.
    names: &'static [&'static str],
    children: Children,
) -> impl IntoView {
    let has_times = names.is_empty();
    let others = query.values().into_iter().filter(|(name, _)| !names.contains(name));
    let times = if query.range.is_empty() {
        [("from", query.from.as_str()), ("to", query.to.as_str())]
    } else {
        // The start of the range is computed again.
        [("range", query.range.as_str()), ("", "")]
    };
    let times = times.into_iter().filter(|_| !has_times);
    let hidden = others.chain(times).filter(|(_, value)| !value.is_empty());
    let hidden = hidden
        .map(|(name, value)| view! { <input type="hidden" name=name value=value.to_owned() /> })
        .collect_view();
    view! {
        <details class="filter-menu" name="filter">
            <summary class="chip">{icon(Icon::Plus)} {label}</summary>
            <form method="get" action=path class="filter-panel">
                {hidden}
                {children()}
                <button>{strings::APPLY}</button>
            </form>
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
