//! The outcome and the replay of a decision.

use contract::{replay::Difference, time::Timestamp};
use leptos::prelude::*;

use super::facts::pairs;
use crate::{
    markup::icon::{Icon, icon},
    text::{messages, time},
    ui::{
        facts::{digest_fact, fact},
        list::table,
        time::{Exact, MinuteBy},
    },
    view::{decision::Replayed, outcome::OutcomeDetails},
};

#[component]
pub(super) fn Outcome(outcome: OutcomeDetails) -> impl IntoView {
    let details = [
        (messages::outcome::NOTE_SHORT, outcome.note),
        (messages::outcome::REFERENCE_SHORT, outcome.reference_id),
        (messages::decision::ACTOR, outcome.actor),
        (messages::outcome::OCCURRED, outcome.occurred_at.map(time::minute)),
    ];
    view! {
        <section class="card">
            <h2>{messages::outcome::OUTCOME}</h2>
            <p class="font-semibold">{messages::outcome::status(outcome.status)}</p>
            <dl>
                {pairs(details)}
                {fact(
                    messages::outcome::RECORDED_AT,
                    view! { <MinuteBy at=outcome.recorded_at by=Some(outcome.by) /> },
                )}
            </dl>
        </section>
    }
}

/// The result of a replay of the stored context against the stored snapshot.
#[component]
pub(super) fn Replay(replayed: Replayed, evaluated_at: Timestamp) -> impl IntoView {
    let differs = !replayed.differences.is_empty();
    let (class, drawing, message) = if differs {
        ("note deny", Icon::Deny, messages::decision::REPLAY_DIFFERS)
    } else {
        ("note allow", Icon::Allow, messages::decision::REPLAY_EQUAL)
    };
    let row = |difference: Difference| {
        let value = |value: Option<contract::json::Value>| {
            value.map_or_else(|| "–".to_owned(), |value| value.to_canonical())
        };
        view! {
            <tr>
                <th scope="row" class="font-mono" data-label=messages::decision::REPLAY_HEAD[0]>
                    {difference.path}
                </th>
                <td class="font-mono" data-label=messages::decision::REPLAY_HEAD[1]>
                    <bdi>{value(difference.original)}</bdi>
                </td>
                <td class="font-mono" data-label=messages::decision::REPLAY_HEAD[2]>
                    <bdi>{value(difference.replay)}</bdi>
                </td>
            </tr>
        }
    };
    let table = differs.then(|| {
        table(
            messages::decision::REPLAY_DIFFERS,
            messages::decision::REPLAY_HEAD,
            replayed.differences,
            row,
        )
    });
    view! {
        <section class="card stack" aria-labelledby="replay">
            <h2 id="replay">{messages::decision::REPLAY}</h2>
            <div class=class role="status">
                {icon(drawing)}
                <div>
                    <p class="font-semibold">{message}</p>
                    <p>{messages::decision::REPLAY_NOTE} " " <Exact at=evaluated_at /></p>
                </div>
            </div>
            {table}
            <dl class="facts">
                {digest_fact(messages::decision::INTEGRITY_RECORDED, replayed.recorded_hash)}
                {digest_fact(messages::decision::INTEGRITY_REPLAYED, replayed.replayed_hash)}
            </dl>
        </section>
    }
}
