//! One changed rule, before and after: side by side, or stacked in a narrow window.

use leptos::prelude::*;

use super::{clauses::RuleClauses, index::anchor};
use crate::{
    clause::view::ClauseLine,
    comparison::markup::marked,
    review::{
        view::{Change, ChangeKind},
        words,
    },
    rule::view::RuleLine,
    text::difference::{Run, Side, of_sentences, of_side},
    ui::{badge::SeverityChip, sentence::sentence},
    version::words as version_words,
};

#[component]
pub(super) fn ChangeView(
    change: Change,
    /// The comments on the rule, as HTML.
    comments: Option<String>,
    /// The clauses of the rule, if the version has clauses.
    rule_clauses: Option<Vec<ClauseLine>>,
    /// The field that marks the rule as viewed.
    #[prop(optional_no_strip)]
    viewed: Option<AnyView>,
    /// The reviewer's controls for the rule.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    let (mark, label_text, tone) = change.kind.appearance();
    let name = change.after.as_ref().or(change.before.as_ref()).and_then(|rule| rule.name.clone());
    let members = change.members.iter().map(|name| words::member(name));
    let members = members.collect::<Vec<_>>().join(", ");
    let position_change = change.moved.map(|(from, to)| format!("{from} → {to}"));
    let is_codified = rule_clauses.is_some();
    let id = anchor(&change.code);
    let sentences = change.before.as_ref().zip(change.after.as_ref());
    let words = sentences.map(|(before, after)| of_sentences(&before.sentence, &after.sentence));
    let words_of = |side| words.as_ref().map(|words| of_side(words, side));
    let is_changed = change.kind == ChangeKind::Changed;
    let label = change.code.clone();
    let comments = comments.map(|html| view! { <div inner_html=html></div> });
    view! {
        <article class="card change" id=id aria-label=label data-row tabindex="-1">
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
                {viewed}
            </div>
            <div class:aside=is_codified>
                <div>
                    <div class="sides comparison">
                        {side(
                            is_changed.then_some(words::BEFORE),
                            change.before,
                            words_of(Side::Before),
                        )}
                        {side(
                            is_changed.then_some(words::AFTER),
                            change.after,
                            words_of(Side::After),
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

/// Renders one side. `words` is its sentence with the marked differences, if both sides are shown.
fn side(
    heading: Option<&'static str>,
    rule: Option<RuleLine>,
    words: Option<Vec<Run>>,
) -> Option<impl IntoView> {
    let rule = rule?;
    let text = match words {
        Some(words) => marked(words),
        None => sentence(rule.sentence).into_any(),
    };
    let inactive = (!rule.is_active).then_some(version_words::INACTIVE);
    Some(view! {
        <div>
            {heading.map(|heading| view! { <h3 class="text-xs text-muted">{heading}</h3> })}
            <p class="row">
                <SeverityChip severity=rule.severity />
                <span class="plain">{inactive}</span>
            </p> <p>{text}</p>
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
