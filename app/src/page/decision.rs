//! One decision explained.

mod after;
mod facts;
pub(super) mod rules;

use leptos::prelude::*;

use self::{
    after::{Outcome, Replay, ReplayButton},
    facts::{Facts, Parts},
    rules::Rules,
};
use super::{outcome::OutcomeButton, params};
use crate::{
    api::decision::read_decision,
    text::{url, words},
    ui::{
        badge::VerdictBadge,
        heading::Heading,
        icon::{Icon, icon},
        load::load,
        time::Exact,
    },
    view::decision::DecisionPage as Decision,
};

/// `/t/{tenant}/decisions/{decision}`
#[component]
pub(crate) fn DecisionPage() -> impl IntoView {
    let (tenant, id) = (params::tenant(), params::decision());
    let replay = params::query("replay");
    let decision = Resource::new(
        move || (tenant(), id(), replay() == "now"),
        async |(tenant, id, replay)| read_decision(tenant?, id?, replay).await,
    );
    view! { {load(decision, |decision| view! { <Explained decision/> }.into_any())} }
}

#[component]
fn Explained(decision: Decision) -> impl IntoView {
    let title = words::decision::title(decision.verdict, &decision.decision_type);
    let decision_type = decision.decision_type.clone();
    let path = url::decision(decision.tenant, decision.id);
    let original = decision.original.map(|original| {
        view! {
            <div class="note shadow">
                {icon(Icon::Shadow)}
                <p>{words::decision::WITHOUT_SHADOW} " " <VerdictBadge verdict=original/></p>
            </div>
        }
    });
    let tell = (decision.may_tell && decision.told.is_none())
        .then(|| view! { <OutcomeButton tenant=decision.tenant id=decision.id/> });
    let told = decision.told.clone().map(|told| view! { <Outcome told/> });
    let evaluated_at = decision.evaluated_at;
    let replay = decision.replayed.clone();
    let replay = replay.map(|replayed| view! { <Replay replayed evaluated_at/> });
    let again = decision.may_try.then(|| {
        let href = url::try_again(decision.tenant, decision.id);
        view! {
            <a class="button" href=href>
                {words::decision::TRY_AGAIN}
            </a>
        }
    });
    let mut why = decision.why.clone().into_iter();
    let (first, rest) = (why.next(), why.collect::<Vec<_>>().join(" "));
    view! {
        <nav class="crumbs" aria-label=words::menu::CRUMBS>
            <a href=url::decisions(decision.tenant)>{words::decisions::TITLE}</a>
        </nav>
        <div class="page-head">
            <Heading title>
                <VerdictBadge verdict=decision.verdict/>
                <bdi>{decision_type}</bdi>
            </Heading>
            <span class="text-muted">
                <Exact at=decision.recorded_at/>
            </span>
            <span class="grow"></span>
            {tell}
            <ReplayButton href=url::with_query(&path, &[("replay", "now")])/>
            {again}
            <a class="button" href=url::bundle(decision.tenant, decision.id)>
                {words::decision::BUNDLE}
            </a>
            <a class="button" href=url::receipt(decision.id)>
                {words::decision::RECEIPT}
            </a>
            <a class="button" href=url::verify(decision.id)>
                {words::receipt::CHECK}
            </a>
        </div>
        <p class="lead">
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
                <Parts decision=decision.clone() path/>
            </div>
            <aside class="rail">
                {told}
                <Facts decision/>
            </aside>
        </div>
    }
}
