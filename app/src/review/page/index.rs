//! The index of the changed rules, next to the changes.

use leptos::prelude::*;

use crate::{
    review::{
        view::{Change, ReviewPage},
        words,
    },
    ui::icon::{Icon, icon},
};

/// Returns the ID of the element of a changed rule.
pub(super) fn anchor(code: &str) -> String {
    format!("change-{code}")
}

/// Links to the changed rules, each with its kind of change and whether the reviewer has viewed it.
#[component]
#[expect(clippy::needless_pass_by_value, reason = "a component owns its properties")]
pub(super) fn RuleIndex(page: ReviewPage) -> impl IntoView {
    let title = words::changed_rules(page.changes.len());
    let item = |change: &Change| {
        let (symbol, kind, tone) = change.kind.appearance();
        let rule = change.after.as_ref().or(change.before.as_ref());
        let name = rule.and_then(|rule| rule.name.clone());
        let is_viewed = page.draft.viewed.contains(&change.mark);
        view! {
            <li>
                <a href=format!("#{}", anchor(&change.code))>
                    <span class=format!("change-kind {tone}")>
                        <span aria-hidden="true">{symbol}</span>
                        <span class="sr-only">{kind}</span>
                    </span>
                    <span class="grow">
                        <bdi class="rule-code">{change.code.clone()}</bdi>
                        <bdi class="block">{name}</bdi>
                    </span>
                    <span class="seen" data-seen=change.mark.clone() hidden=!is_viewed>
                        {icon(Icon::Tick)}
                        <span class="sr-only">{words::VIEWED}</span>
                    </span>
                </a>
            </li>
        }
    };
    view! {
        <nav class="rule-index" aria-label=words::CHANGED_RULES>
            <p class="font-semibold">{title}</p>
            <ul class="plain-list">{page.changes.iter().map(item).collect_view()}</ul>
        </nav>
    }
}
