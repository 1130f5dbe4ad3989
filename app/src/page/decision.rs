//! One decision explained.

mod facts;
pub(super) mod rules;

use leptos::prelude::*;

use self::{
    facts::{Facts, Parts},
    rules::Rules,
};
use super::params;
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
    let decision = Resource::new(
        move || (tenant(), id()),
        async |(tenant, id)| read_decision(tenant?, id?).await,
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
            {again}
            <a class="button" href=url::receipt(decision.id)>
                {words::decision::RECEIPT}
            </a>
        </div>
        <p class="lead">
            <strong>{first}</strong>
            " "
            {rest}
        </p>
        {original}
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
                <Facts decision/>
            </aside>
        </div>
    }
}
