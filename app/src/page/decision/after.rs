//! What came after a decision: its outcome, and its replay.

use contract::{replay::Difference, time::Timestamp};
use leptos::prelude::*;

use super::facts::pairs;
use crate::{
    text::{time, words},
    ui::{
        code::Digest,
        icon::{Icon, icon},
        time::{Exact, Minute},
    },
    view::{decision::Replayed, outcome::Told},
};

/// What was told of the decision, in the rail.
#[component]
pub(super) fn Outcome(told: Told) -> impl IntoView {
    let known = [
        (words::outcome::NOTE_SHORT, told.note),
        (words::outcome::REFERENCE_SHORT, told.reference_id),
        (words::decision::ACTOR, told.actor),
        (words::outcome::HAPPENED, told.occurred_at.map(time::minute)),
    ];
    view! {
        <section class="card">
            <h2>{words::outcome::OUTCOME}</h2>
            <p class="font-semibold">{words::outcome::status(told.status)}</p>
            <dl>
                {pairs(known)}
                <dt>{words::outcome::TOLD}</dt>
                <dd>
                    <Minute at=told.recorded_at/>
                    " "
                    {words::BY}
                    " "
                    <bdi>{told.by}</bdi>
                </dd>
            </dl>
        </section>
    }
}

/// Leads to the same page with the decision made again.
#[component]
pub(super) fn ReplayButton(href: String) -> impl IntoView {
    view! {
        <a class="button" href=href>
            {words::decision::REPLAY}
        </a>
    }
}

/// What the stored context gives on the stored snapshot today.
#[component]
pub(super) fn Replay(replayed: Replayed, evaluated_at: Timestamp) -> impl IntoView {
    let differs = !replayed.differences.is_empty();
    let (tone, drawing, said) = if differs {
        ("note deny", Icon::Deny, words::decision::REPLAY_DIFFERS)
    } else {
        ("note allow", Icon::Allow, words::decision::REPLAY_EQUAL)
    };
    let row = |difference: Difference| {
        let value = |value: Option<contract::json::Value>| {
            value.map_or_else(|| "–".to_owned(), |value| value.to_canonical())
        };
        view! {
            <tr>
                <th scope="row" class="font-mono" data-label=words::decision::REPLAY_HEAD[0]>
                    {difference.path}
                </th>
                <td class="font-mono" data-label=words::decision::REPLAY_HEAD[1]>
                    <bdi>{value(difference.original)}</bdi>
                </td>
                <td class="font-mono" data-label=words::decision::REPLAY_HEAD[2]>
                    <bdi>{value(difference.replay)}</bdi>
                </td>
            </tr>
        }
    };
    let table = differs.then(|| {
        view! {
            <table class="list">
                <caption class="sr-only">{words::decision::REPLAY_DIFFERS}</caption>
                <thead>
                    <tr>
                        {words::decision::REPLAY_HEAD
                            .map(|head| view! { <th scope="col">{head}</th> })}
                    </tr>
                </thead>
                <tbody>{replayed.differences.into_iter().map(row).collect_view()}</tbody>
            </table>
        }
    });
    view! {
        <section class="card stack" aria-labelledby="replay">
            <h2 id="replay">{words::decision::REPLAY}</h2>
            <div class=tone role="status">
                {icon(drawing)}
                <div>
                    <p class="font-semibold">{said}</p>
                    <p>{words::decision::REPLAY_SAYS} " " <Exact at=evaluated_at/></p>
                </div>
            </div>
            {table}
            <dl class="facts">
                <dt>{words::decision::INTEGRITY_RECORDED}</dt>
                <dd>
                    <Digest digest=replayed.recorded_hash what=words::decision::INTEGRITY_RECORDED/>
                </dd>
                <dt>{words::decision::INTEGRITY_REPLAYED}</dt>
                <dd>
                    <Digest digest=replayed.replayed_hash what=words::decision::INTEGRITY_REPLAYED/>
                </dd>
            </dl>
        </section>
    }
}
