//! Why a violated rule applies: its gate as a tree, with the result of each part.

use leptos::prelude::*;

use crate::{
    decision::{view::explain::GateResult, words},
    ui::{
        icon::{Icon, icon},
        sentence::sentence,
    },
};

/// The gate of a rule. A group that does not match is one line.
#[component]
pub(super) fn Gate(gate: GateResult, open: bool) -> impl IntoView {
    view! {
        <details class="disclosure" open=open>
            <summary>{words::WHY_APPLIES}</summary>
            <ul class="gate">{part(gate)}</ul>
        </details>
    }
}

fn part(gate: GateResult) -> AnyView {
    let group = |title: &'static str, parts: Vec<GateResult>| {
        view! {
            <li>
                <p class="gate-group">{title}</p>
                <ul>{parts.into_iter().map(part).collect_view()}</ul>
            </li>
        }
        .into_any()
    };
    match gate {
        GateResult::All(parts) => group(words::ALL_OF, parts),
        GateResult::Any(parts) => group(words::ANY_OF, parts),
        GateResult::Condition { sentence: text, actual, matches } => {
            let (class, drawing, label) = if matches {
                ("gate-yes", Icon::Tick, words::MET)
            } else {
                ("gate-no", Icon::Dash, words::NOT_MET)
            };
            let actual = actual.map(|actual| {
                view! {
                    <span class="text-muted">
                        {words::ACTUAL_VALUE} " " <bdi class="value">{actual}</bdi>
                    </span>
                }
            });
            view! {
                <li class=class>
                    {icon(drawing)} <span class="sr-only">{label}</span>
                    <span>{sentence(text)} " " {actual}</span>
                </li>
            }
            .into_any()
        }
    }
}
