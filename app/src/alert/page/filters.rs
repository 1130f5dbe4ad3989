//! The filters of the list of alerts.

use leptos::prelude::*;

use crate::{
    alert::{
        view::{AlertsPage as AlertList, query::AlertQuery},
        words,
    },
    text::messages,
    ui::{
        field::{TextField, options},
        filter_menu::{ActiveFilter, ChoiceMenu, FieldMenu, chips},
    },
};

/// The active filters, and a menu for each filter.
pub(super) fn filters(path: &str, query: &AlertQuery, page: &AlertList) -> impl IntoView + use<> {
    use crate::alert::words as strings;
    let choices = |name: &'static str, current: &str, choices: &[(&str, &str)]| {
        let set = choices.iter().filter(|(value, _)| !value.is_empty());
        set.map(|(value, label)| {
            (query.address(path, &[(name, value)]), (*label).to_owned(), *value == current)
        })
        .collect::<Vec<_>>()
    };
    let severities = choices("severity", &query.severity, &strings::SEVERITIES);
    let kinds = choices("type", &query.kind, &strings::KINDS);
    let people = page.people.iter().map(|(id, name)| (id.to_string(), name.clone())).collect();
    let policies = page.policies.iter().map(|(id, name)| (id.to_string(), name.clone())).collect();
    let menu = |label: &'static str, name: &'static str, field: AnyView| {
        view! {
            <FieldMenu label path=path.to_owned() others=query.others(name)>
                {field}
            </FieldMenu>
        }
    };
    let rule = view! { <TextField label=strings::RULE name="rule" value=query.rule.clone() /> };
    let policy = select(strings::POLICY, "policy", policies, &query.policy);
    let assignee = select(strings::ASSIGNEE, "assignee", people, &query.assignee);
    let clear = query.has_filters().then(|| {
        view! {
            <a class="quiet" href=path.to_owned()>
                {messages::CLEAR_FILTERS}
            </a>
        }
    });
    let order = |(order, label): (&'static str, &'static str)| {
        view! {
            <a
                href=query.address(path, &[("order", order)])
                aria-current=(query.order == order).then_some("true")
                data-noscroll=""
            >
                {label}
            </a>
        }
    };
    view! {
        <div class="chip-bar">
            {chips(active_filters(path, query, page))}
            <ChoiceMenu label=strings::SEVERITY choices=severities />
            <ChoiceMenu label=strings::KIND choices=kinds />
            {menu(strings::RULE, "rule", rule.into_any())} {menu(strings::POLICY, "policy", policy)}
            {menu(strings::ASSIGNEE, "assignee", assignee)} {clear}
            <nav class="segmented" aria-label=strings::ORDER>
                {strings::ORDERS.map(order)}
            </nav>
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
    let any = (String::new(), words::ANY.to_owned());
    let choices = options(std::iter::once(any).chain(choices), value);
    view! {
        <label class="field">
            <span>{label}</span>
            <select name=name>{choices}</select>
        </label>
    }
    .into_any()
}

/// Returns the active filters.
fn active_filters(path: &str, query: &AlertQuery, page: &AlertList) -> Vec<ActiveFilter> {
    use crate::alert::words as strings;
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
