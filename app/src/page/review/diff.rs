//! One changed rule, before and after: side by side, or stacked in a narrow window.

use leptos::prelude::*;

use super::{Remark, clauses::RuleClauses};
use crate::{
    markup::quote::quote,
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
    remarks: Vec<Remark>,
    revision: u32,
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
    let own = remarks.into_iter().filter(|remark| remark.rule_code == change.code);
    let remark = move |remark: Remark| {
        let outdated = (remark.revision != revision).then_some(messages::review::OUTDATED);
        view! {
            <li data-comment tabindex="-1">
                <p class="text-xs text-muted">
                    <bdi>{remark.by}</bdi>
                    " r"
                    {remark.revision}
                    {outdated
                        .map(|text| {
                            view! {
                                ", "
                                {text}
                            }
                        })}
                </p>
                {quote(remark.text)}
            </li>
        }
    };
    let own = own.map(remark).collect::<Vec<_>>();
    let own = (!own.is_empty()).then(|| view! { <ul class="plain-list">{own}</ul> });
    view! {
        <article class="card change" aria-label=label data-row tabindex="-1">
            <div class="rule-head">
                <div>
                    <span class=format!("badge {tone}")>
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
                    {own}
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
            {rule.description.map(|text| view! { <p class="text-muted">{text}</p> })}
        </div>
    })
}
