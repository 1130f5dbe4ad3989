//! Rates of rules as horizontal bars, with their text above each bar.

use kit::any_view;
use leptos::prelude::*;

use super::percent;

pub struct Rate {
    pub rule: String,
    /// The policy and version, if the chart covers several.
    pub policy: Option<String>,
    /// Whether the policy was in shadow mode.
    pub is_shadow: bool,
    /// The formatted numbers.
    pub label: String,
    /// Part and whole; `None` when there is too little data for a bar.
    pub bar: Option<(i64, i64)>,
    /// The address of the list of decisions that violate the rule.
    pub href: String,
}

/// Returns one bar for each rule. `name` is unique on the page.
pub fn rates(name: &'static str, rates: Vec<Rate>) -> AnyView {
    let rows = rates.into_iter().enumerate().map(|(index, rate)| {
        let bar = rate.bar.map(|bar| bar_of(&format!("{name}-{index}"), &rate, bar));
        let shadow = rate.is_shadow.then(|| view! { <span class="plain">"shadow"</span> });
        view! {
            <li>
                <div class="row">
                    <a href=rate.href class="font-mono">
                        <bdi>{rate.rule}</bdi>
                    </a>
                    {rate.policy.map(|policy| view! { <bdi class="text-muted">{policy}</bdi> })}
                    {shadow}
                </div>
                {bar}
                <p class="text-xs text-muted">{rate.label}</p>
            </li>
        }
    });
    any_view! { <ol class="rates">{rows.collect_view()}</ol> }
}

fn bar_of(name: &str, rate: &Rate, (part, whole): (i64, i64)) -> AnyView {
    let (title_id, description_id) = (format!("{name}-title"), format!("{name}-says"));
    any_view! {
        <svg class="rate" role="img" aria-labelledby=title_id aria-describedby=description_id>
            <title id=title_id.clone()>{rate.rule.clone()}</title>
            <desc id=description_id.clone()>{rate.label.clone()}</desc>
            <rect class="track" width="100%" height="100%" />
            <rect class="filled" width=percent(part, whole) height="100%" />
        </svg>
    }
}
