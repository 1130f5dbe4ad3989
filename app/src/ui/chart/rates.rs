//! Rates of rules as horizontal bars: the words stand above each bar.

use leptos::prelude::*;

use super::percent;
use crate::text::words::overview::chart as say;

/// One rule.
pub(crate) struct Rate {
    pub(crate) rule: String,
    /// Its policy and version, where the chart is of several.
    pub(crate) policy: Option<String>,
    /// Whether its policy only watched.
    pub(crate) is_shadow: bool,
    /// The numbers in words.
    pub(crate) said: String,
    /// Part and whole; `None` when too little is known for a bar.
    pub(crate) bar: Option<(i64, i64)>,
    /// The log of the decisions that violate it.
    pub(crate) href: String,
}

/// One bar for each rule. `name` is unique on the page.
pub(crate) fn rates(name: &'static str, rates: Vec<Rate>) -> AnyView {
    let rows = rates.into_iter().enumerate().map(|(place, rate)| {
        let bar = rate.bar.map(|bar| bar_of(&format!("{name}-{place}"), &rate, bar));
        let shadow = rate.is_shadow.then(|| view! { <span class="plain">{say::SHADOW}</span> });
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
                <p class="text-xs text-muted">{rate.said}</p>
            </li>
        }
    });
    view! { <ol class="rates">{rows.collect_view()}</ol> }.into_any()
}

fn bar_of(name: &str, rate: &Rate, (part, whole): (i64, i64)) -> AnyView {
    let (titled, described) = (format!("{name}-title"), format!("{name}-says"));
    view! {
        <svg class="rate" role="img" aria-labelledby=titled aria-describedby=described>
            <title id=titled.clone()>{rate.rule.clone()}</title>
            <desc id=described.clone()>{rate.said.clone()}</desc>
            <rect class="track" width="100%" height="100%"/>
            <rect class="filled" width=percent(part, whole) height="100%"/>
        </svg>
    }
    .into_any()
}
