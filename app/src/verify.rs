//! The page that verifies bundles.

mod own_check;

use contract::id::DecisionId;
pub(crate) use islands::verify::words;
use islands::verify::{OwnResult, Verifier};
use leptos::prelude::*;

use crate::{
    text::url,
    ui::{
        heading::Heading,
        icon::{Icon, icon},
        load::load,
        params,
        public::PublicFrame,
    },
};

/// `/verify?id=`. The island fetches the bundle of the ID.
#[component]
pub(crate) fn VerifyPage() -> impl IntoView {
    let id = params::query("id")();
    view! {
        <PublicFrame width="wide">
            <Verifier id=id.clone()>
                <Heading title=words::TITLE />
                <p class="intro">{words::INTRO}</p>
                <NoScripts id=id.clone() />
                <ServiceCheck id=id.clone() />
            </Verifier>
        </PublicFrame>
    }
}

/// The alternatives for users without scripts.
#[component]
fn NoScripts(id: String) -> impl IntoView {
    let bundle = id.parse().ok().map(|id: DecisionId| {
        view! {
            <p>
                <a href=url::archive(id) rel="external" download=format!("{id}.tar")>
                    {words::DOWNLOAD_BUNDLE}
                </a>
            </p>
        }
    });
    view! {
        <div class="note warn without-scripts">
            {icon(Icon::Warn)} <div>
                <p>{words::NO_SCRIPTS}</p>
                <pre>{words::COMMAND}</pre>
                {bundle}
            </div>
        </div>
    }
}

/// The verification by the service itself, for users without scripts.
#[component]
fn ServiceCheck(id: String) -> impl IntoView {
    let content = load(
        || id.parse::<DecisionId>().ok(),
        async |id| match id {
            Some(id) => own_check::own_check(id).await.map(Some),
            None => Ok(None),
        },
        |check| check.map(|check| view! { <OwnResult check /> }).into_any(),
    );
    view! { <div class="without-scripts">{content}</div> }
}
