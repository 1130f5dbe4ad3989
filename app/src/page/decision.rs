//! One decision and its explanation.

mod after;
mod facts;
pub(super) mod rules;

use leptos::prelude::*;

use self::{
    after::{Outcome, Replay},
    facts::{Facts, Parts},
    rules::Rules,
};
use super::outcome::OutcomeButton;
use crate::{
    api::decision::read_decision,
    text::{messages, url},
    ui::{
        badge::{VerdictBadge, VerdictWithoutShadow},
        heading::Heading,
        load::load,
        panel::Crumb,
        params,
        time::Exact,
    },
    view::decision::DecisionPage as Decision,
};

/// `/t/{tenant}/decisions/{decision}`
#[component]
pub(crate) fn DecisionPage() -> impl IntoView {
    let (tenant, id) = (params::tenant(), params::decision());
    let replay = params::query("replay");
    load(
        move || (tenant(), id(), replay() == "now"),
        async |(tenant, id, replay)| read_decision(tenant?, id?, replay).await,
        |decision| view! { <DecisionContent decision /> }.into_any(),
    )
}

#[component]
fn DecisionContent(decision: Decision) -> impl IntoView {
    let title = messages::decision::title(decision.verdict, &decision.decision_type);
    let decision_type = decision.decision_type.clone();
    let path = url::decision(decision.tenant, decision.id);
    let original = decision.original.map(|verdict| view! { <VerdictWithoutShadow verdict /> });
    let outcome_button = (decision.can_record_outcome && decision.outcome.is_none())
        .then(|| view! { <OutcomeButton tenant=decision.tenant id=decision.id /> });
    let outcome = decision.outcome.clone().map(|outcome| view! { <Outcome outcome /> });
    let evaluated_at = decision.evaluated_at;
    let replay =
        decision.replayed.clone().map(|replayed| view! { <Replay replayed evaluated_at /> });
    let try_link = decision.may_try.then(|| {
        let href = url::try_again(decision.tenant, decision.id);
        view! {
            <a class="button" href=href>
                {messages::decision::TRY_AGAIN}
            </a>
        }
    });
    let mut explanation = decision.why.clone().into_iter();
    let (first, rest) = (explanation.next(), explanation.collect::<Vec<_>>().join(" "));
    view! {
        <Crumb href=url::decisions(decision.tenant) label=messages::decisions::TITLE />
        <div class="page-head">
            <Heading title>
                <VerdictBadge verdict=decision.verdict />
                <bdi>{decision_type}</bdi>
            </Heading>
            <span class="text-muted">
                <Exact at=decision.recorded_at />
            </span>
            <span class="grow"></span>
            {outcome_button}
            <a class="button" href=url::with_query(&path, &[("replay", "now")])>
                {messages::decision::REPLAY}
            </a>
            {try_link}
            <a class="button" href=url::bundle(decision.tenant, decision.id)>
                {messages::decision::BUNDLE}
            </a>
            <a class="button" href=url::receipt(decision.id)>
                {messages::decision::RECEIPT}
            </a>
            <a class="button" href=url::verify(decision.id)>
                {messages::receipt::CHECK}
            </a>
        </div>
        <p class="intro">
            <strong>{first}</strong>
            " "
            {rest}
        </p>
        {original}
        {replay}
        <div class="with-rail">
            <div class="stack">
                <Rules
                    path=path.clone()
                    counts=decision.counts
                    policies=decision.policies.clone()
                    tenant=decision.tenant
                />
                <Parts decision=decision.clone() path />
            </div>
            <aside class="rail">{outcome} <Facts decision /></aside>
        </div>
    }
}
