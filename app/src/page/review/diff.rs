//! One changed rule, before and after: side by side, or stacked in a narrow window.

use leptos::prelude::*;

use super::clauses::RuleClauses;
use crate::{
    text::messages,
    ui::{badge::SeverityChip, sentence::sentence},
    view::{
        clause::ClauseLine,
        review::{Change, ChangeKind},
        rule::RuleLine,
    },
};

#[component]
pub(super) fn ChangeView(
    change: Change,
    /// The comments on the rule, as HTML.
    comments: Option<String>,
    /// The clauses of the rule, if the version has clauses.
    rule_clauses: Option<Vec<ClauseLine>>,
    /// The reviewer's controls for the rule.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    let (mark, label_text, tone) = change.kind.appearance();
    let name = change.after.as_ref().or(change.before.as_ref()).and_then(|rule| rule.name.clone());
    let members = change.members.iter().map(|name| messages::review::member(name));
    let members = members.collect::<Vec<_>>().join(", ");
    let position_change = change.moved.map(|(from, to)| format!("{from} → {to}"));
    let is_codified = rule_clauses.is_some();
    let label = change.code.clone();
    let comments = comments.map(|html| view! { <div inner_html=html></div> });
    view! {
        <article class="card change" aria-label=label data-row tabindex="-1">
            <div class="rule-head">
                <div>
                    <span class=format!("status {tone}")>
                        <span aria-hidden="true" class="font-mono">
                            {mark}
                        </span>
                        {label_text}
                    </span>
                    <bdi class="rule-code">{change.code}</bdi>
                    <bdi class="font-semibold">{name}</bdi>
                    <span class="plain">{members} {position_change}</span>
                </div>
            </div>
            <div class:aside=is_codified>
                <div>
                    <div class="sides">
                        {side(
                            messages::review::BEFORE,
                            change.before,
                            change.kind == ChangeKind::Changed,
                        )}
                        {side(
                            messages::review::AFTER,
                            change.after,
                            change.kind == ChangeKind::Changed,
                        )}
                    </div>
                    {comments}
                    {children.map(|children| children())}
                </div>
                {rule_clauses.map(|lines| view! { <RuleClauses lines /> })}
            </div>
        </article>
    }
}

/// Renders one side. It has a heading if both sides are shown.
fn side(heading: &'static str, rule: Option<RuleLine>, has_heading: bool) -> Option<impl IntoView> {
    let rule = rule?;
    let inactive = (!rule.is_active).then_some(messages::version::INACTIVE);
    Some(view! {
        <div>
            {has_heading.then(|| view! { <h3 class="text-xs text-muted">{heading}</h3> })}
            <p class="row">
                <SeverityChip severity=rule.severity />
                <span class="plain">{inactive}</span>
            </p> <p>{sentence(rule.sentence)}</p>
            {rule
                .description
                .map(|text| {
                    view! {
                        <p class="text-muted">
                            <bdi>{text}</bdi>
                        </p>
                    }
                })}
        </div>
    })
}
