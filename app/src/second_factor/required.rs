//! The page for a member of a tenant that requires a second factor.

use leptos::prelude::*;

use super::{
    act::read_required,
    section::{NewPasskey, SetUpForm, not_proven},
    view::Required,
    words,
};
use crate::{
    text::url,
    ui::{heading::Heading, load::load, params, problem::ProblemNote, public::PublicFrame},
};

/// `/account/second-factor`
#[component]
pub(crate) fn RequiredPage() -> impl IntoView {
    let (tenant, next) = (params::query("tenant"), params::query("next"));
    let content = load(
        move || (tenant(), next()),
        |(tenant, next)| read_required(tenant, next),
        move |required| view! { <RequiredContent required next=next() /> }.into_any(),
    );
    view! {
        <PublicFrame width="reading">
            <Heading title=words::REQUIRED_TITLE />
            {content}
        </PublicFrame>
    }
}

#[component]
fn RequiredContent(required: Required, next: String) -> impl IntoView {
    let Required { tenant, can_add, page, rejected } = required;
    let (problem, name) = rejected.map(|rejected| (rejected.problem, rejected.text)).unzip();
    let forms = can_add.then(|| {
        view! {
            <section class="card stack">
                <h2>{words::PASSKEYS}</h2>
                <p class="text-muted">{words::PASSKEYS_HELP}</p>
                <NewPasskey name=name.unwrap_or_default() page=page.clone() next=next.clone() />
            </section>
            <section class="card stack">
                <h2>{words::AUTHENTICATOR}</h2>
                <p class="text-muted">{words::AUTHENTICATOR_HELP}</p>
                <SetUpForm page next />
            </section>
        }
    });
    view! {
        <p>{words::required(&tenant)}</p>
        {problem.map(|problem| view! { <ProblemNote problem /> })}
        {(!can_add).then(not_proven)}
        {forms}
        <p>
            <a href=url::ACCOUNT>{words::BACK}</a>
        </p>
    }
}
