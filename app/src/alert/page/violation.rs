//! The violation that caused an alert: its rule, its policy and its value.

use leptos::prelude::*;

use crate::alert::view::violation::{AlertViolation, GroupName};

/// Renders the name of a group: the name of its rule, if it has one, and the code of the rule, or the type of
/// its alerts.
pub(super) fn group_name(GroupName { name, code }: GroupName) -> impl IntoView {
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
pub(super) fn violation_details(violation: &AlertViolation) -> impl IntoView + use<> {
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
pub(super) fn policy_name(violation: &AlertViolation) -> impl IntoView + use<> {
    let version = violation.version.map(|version| format!(" v{version}"));
    view! {
        <bdi>{violation.policy_name.clone()}</bdi>
        {version}
    }
}
