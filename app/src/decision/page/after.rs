//! The outcome and the replay of a decision.

use contract::{replay::Difference, time::Timestamp};
use leptos::prelude::*;

use super::facts::pairs;
use crate::{
    decision::{view::Replayed, words},
    outcome::{view::OutcomeDetails, words as outcome_words},
    text::time,
    ui::{
        facts::{digest_fact, fact},
        icon::{Icon, icon},
        list::table,
        time::{Exact, MinuteBy},
    },
};

#[component]
pub(crate) fn Outcome(outcome: OutcomeDetails) -> impl IntoView {
    let details = [
        (outcome_words::NOTE_SHORT, outcome.note),
        (outcome_words::REFERENCE_SHORT, outcome.reference_id),
        (words::ACTOR, outcome.actor),
        (outcome_words::OCCURRED, outcome.occurred_at.map(time::minute)),
    ];
    view! {
        <section class="card">
            <h2>{outcome_words::OUTCOME}</h2>
            <p class="font-semibold">{outcome_words::status(outcome.status)}</p>
            <dl>
                {pairs(details)}
                {fact(
                    outcome_words::RECORDED_AT,
                    view! { <MinuteBy at=outcome.recorded_at by=Some(outcome.by) /> },
                )}
            </dl>
        </section>
    }
}

/// The result of a replay of the stored context against the stored snapshot.
#[component]
pub(crate) fn Replay(replayed: Replayed, evaluated_at: Timestamp) -> impl IntoView {
    let differs = !replayed.differences.is_empty();
    let (class, drawing, message) = if differs {
        ("note deny", Icon::Deny, words::REPLAY_DIFFERS)
    } else {
        ("note allow", Icon::Allow, words::REPLAY_EQUAL)
    };
    let row = |difference: Difference| {
        let value = |value: Option<contract::json::Value>| {
            value.map_or_else(|| "–".to_owned(), |value| value.to_canonical())
        };
        view! {
            <tr>
                <th scope="row" class="font-mono" data-label=words::REPLAY_HEAD[0]>
                    {difference.path}
                </th>
                <td class="font-mono" data-label=words::REPLAY_HEAD[1]>
                    <bdi>{value(difference.original)}</bdi>
                </td>
                <td class="font-mono" data-label=words::REPLAY_HEAD[2]>
                    <bdi>{value(difference.replay)}</bdi>
                </td>
            </tr>
        }
    };
    let table = differs
        .then(|| table(words::REPLAY_DIFFERS, words::REPLAY_HEAD, replayed.differences, row));
    view! {
        <section class="card stack" aria-labelledby="replay">
            <h2 id="replay">{words::REPLAY}</h2>
            <div class=class role="status">
                {icon(drawing)}
                <div>
                    <p class="font-semibold">{message}</p>
                    <p>{words::REPLAY_NOTE} " " <Exact at=evaluated_at /></p>
                </div>
            </div>
            {table}
            <dl class="facts">
                {digest_fact(words::INTEGRITY_RECORDED, replayed.recorded_hash)}
                {digest_fact(words::INTEGRITY_REPLAYED, replayed.replay_hash)}
            </dl>
        </section>
    }
}
