//! One rule that differs, side by side; one below the other where there is little room.

use leptos::prelude::*;

use super::{Remark, beside::Behind};
use crate::{
    text::words,
    ui::{badge::SeverityChip, sentence::sentence},
    view::{
        clause::ClauseLine,
        review::{Change, ChangeKind},
        version::RuleLine,
    },
};

#[component]
pub(super) fn ChangeView(
    change: Change,
    remarks: Vec<Remark>,
    revision: u32,
    /// The clauses behind the rule as it is now, where the version has clauses.
    behind: Option<Vec<ClauseLine>>,
    /// What a reviewer adds to the rule.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    let (mark, word, tone) = words::review::kind(change.kind);
    let name = change.after.as_ref().or(change.before.as_ref()).and_then(|rule| rule.name.clone());
    let members = change.members.iter().map(|name| words::review::member(name));
    let members = members.collect::<Vec<_>>().join(", ");
    let moved = change.moved.map(|(from, to)| format!("{from} → {to}"));
    let is_codified = behind.is_some();
    let (code, label) = (change.code.clone(), change.code.clone());
    let own = remarks.into_iter().filter(|(of, ..)| *of == code);
    let remark = move |(_, of, by, _, text): Remark| {
        let outdated = (of != revision).then_some(words::review::OUTDATED);
        view! {
            <li data-comment tabindex="-1">
                <p class="text-xs text-muted">
                    <bdi>{by}</bdi>
                    " r"
                    {of}
                    {outdated.map(|word| view! { ", " {word} })}
                </p>
                <p class="quote">
                    <bdi>{text}</bdi>
                </p>
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
                        <span aria-hidden="true" class="font-mono">{mark}</span>
                        {word}
                    </span>
                    <bdi class="rule-code">{change.code}</bdi>
                    <bdi class="font-semibold">{name}</bdi>
                    <span class="plain">{members} {moved}</span>
                </div>
            </div>
            <div class:beside=is_codified>
                <div>
                    <div class="sides">
                        {side(words::review::BEFORE, change.before, change.kind == ChangeKind::Changed)}
                        {side(words::review::AFTER, change.after, change.kind == ChangeKind::Changed)}
                    </div>
                    {own}
                    {children.map(|children| children())}
                </div>
                {behind.map(|lines| view! { <Behind lines/> })}
            </div>
        </article>
    }
}

/// One side; it has a heading where there are two.
fn side(heading: &'static str, rule: Option<RuleLine>, paired: bool) -> Option<impl IntoView> {
    let rule = rule?;
    let off = (!rule.is_active).then_some(words::version::INACTIVE);
    Some(view! {
        <div>
            {paired.then(|| view! { <h3 class="text-xs text-muted">{heading}</h3> })}
            <p class="row">
                <SeverityChip severity=rule.severity/>
                <span class="plain">{off}</span>
            </p>
            <p>{sentence(rule.sentence)}</p>
            {rule.description.map(|text| view! { <p class="text-muted">{text}</p> })}
        </div>
    })
}
