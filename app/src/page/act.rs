//! The acts on a version: their buttons, their dialogs, and the same dialogs as pages.

pub(super) mod content;

use leptos::prelude::*;

use self::content::{ActContent, title};
use super::{params, version::Crumbs};
use crate::{
    api::version::read_version,
    text::{url, words},
    ui::{
        form::{Dialog, VersionForm},
        heading::Heading,
        load::load,
        problem::ProblemNote,
    },
    view::{
        acts::{Act, Offer},
        kept::Kept,
        version::VersionPage as Version,
    },
};

/// The buttons of a version, in the order of its next steps.
#[component]
pub(super) fn Acts(version: Version, kept: Option<Kept>) -> impl IntoView {
    let offers = version.offers.clone();
    let version = StoredValue::new(version);
    let button = move |offer: Offer| {
        let kept = kept.clone();
        match (offer.act, offer.refusal) {
            (act, Some(reason)) => view! { <Unavailable act reason version/> }.into_any(),
            (act @ Act::Recall, None) => view! { <AtOnce act version kept/> }.into_any(),
            (act, None) if is_rare(act) => view! { <Elsewhere act version/> }.into_any(),
            (act, None) => view! { <WithDialog act version/> }.into_any(),
        }
    };
    let (rare, usual): (Vec<_>, Vec<_>) = offers.into_iter().partition(|offer| is_rare(offer.act));
    let rare = (!rare.is_empty()).then(|| {
        let buttons = rare.into_iter().map(button.clone()).collect_view();
        view! {
            <details class="disclosure">
                <summary>{words::act::MORE}</summary>
                <div class="acts rest">{buttons}</div>
            </details>
        }
    });
    let usual = (!usual.is_empty())
        .then(|| view! { <div class="acts">{usual.into_iter().map(button).collect_view()}</div> });
    view! {
        {usual}
        {rare}
    }
}

/// Ways out of the usual course stand apart, so that nobody takes one by mistake.
fn is_rare(act: Act) -> bool {
    matches!(act, Act::Delete | Act::SetAside | Act::Supersede)
}

fn class(act: Act) -> &'static str {
    match act {
        Act::Send | Act::Ratify | Act::Activate => "button primary",
        Act::Recall | Act::Reject | Act::Delete | Act::SetAside | Act::Supersede => "button",
    }
}

/// The key that presses the button; one act a page is the one asked for.
fn key(act: Act) -> Option<&'static str> {
    match act {
        Act::Send => Some("s"),
        Act::Ratify | Act::Activate => Some("r"),
        Act::Recall | Act::Reject | Act::Delete | Act::SetAside | Act::Supersede => None,
    }
}

/// An act that cannot be done now, with its reason beside it.
#[component]
fn Unavailable(act: Act, reason: String, version: StoredValue<Version>) -> impl IntoView {
    let id = format!("why-not-{}", act.word());
    let number = version.with_value(|version| version.version);
    view! {
        <div class="unavailable">
            <button type="button" class="button" aria-disabled="true" aria-describedby=id.clone()>
                {words::act::button(act, number)}
            </button>
            <span id=id class="text-xs text-muted">
                {reason}
            </span>
        </div>
    }
}

/// An act without a signature: one press.
#[component]
fn AtOnce(act: Act, version: StoredValue<Version>, kept: Option<Kept>) -> impl IntoView {
    let number = version.with_value(|version| version.version);
    view! {
        <VersionForm act version kept>
            <button class=class(act) data-key=key(act)>
                {words::act::button(act, number)}
            </button>
        </VersionForm>
    }
}

/// An act that few come for: a link to its page.
#[component]
fn Elsewhere(act: Act, version: StoredValue<Version>) -> impl IntoView {
    let (href, number) = version.with_value(|version| (page(version, act), version.version));
    view! {
        <a class=class(act) href=href>
            {words::act::button(act, number)}
        </a>
    }
}

/// An act with a dialog: a link to its page, which opens as a dialog where scripts run.
#[component]
fn WithDialog(act: Act, version: StoredValue<Version>) -> impl IntoView {
    let dialog = Dialog::new();
    let label = format!("{}-title", act.word());
    let title_id = label.clone();
    let (href, number) = version.with_value(|version| (page(version, act), version.version));
    view! {
        <a class=class(act) href=href data-key=key(act) on:click=move |event| dialog.open(&event)>
            {words::act::button(act, number)}
        </a>
        <dialog node_ref=dialog.node() aria-labelledby=label>
            <h2 id=title_id tabindex="-1">{title(act, version)}</h2>
            <ActContent act version kept=None dialog=Some(dialog)/>
        </dialog>
    }
}

fn page(version: &Version, act: Act) -> String {
    let version = url::version(version.tenant, version.policy, version.version);
    format!("{version}/{}", act.word())
}

/// `…/versions/{version}/ratify`
#[component]
pub(crate) fn RatifyPage() -> impl IntoView {
    view! { <ActPage act=Act::Ratify/> }
}

/// `…/versions/{version}/activate`
#[component]
pub(crate) fn ActivatePage() -> impl IntoView {
    view! { <ActPage act=Act::Activate/> }
}

/// `…/versions/{version}/reject`
#[component]
pub(crate) fn RejectPage() -> impl IntoView {
    view! { <ActPage act=Act::Reject/> }
}

/// `…/versions/{version}/send`
#[component]
pub(crate) fn SendPage() -> impl IntoView {
    view! { <ActPage act=Act::Send/> }
}

/// `…/versions/{version}/set-aside`
#[component]
pub(crate) fn SetAsidePage() -> impl IntoView {
    view! { <ActPage act=Act::SetAside/> }
}

/// `…/versions/{version}/supersede`
#[component]
pub(crate) fn SupersedePage() -> impl IntoView {
    view! { <ActPage act=Act::Supersede/> }
}

/// `…/versions/{version}/delete`
#[component]
pub(crate) fn DeletePage() -> impl IntoView {
    view! { <ActPage act=Act::Delete/> }
}

#[component]
fn ActPage(act: Act) -> impl IntoView {
    let (tenant, policy, version) = (params::tenant(), params::policy(), params::version());
    let fetched = Resource::new(
        move || (tenant(), policy(), version()),
        move |(tenant, policy, version)| async move {
            let (tenant, policy, version) = (tenant?, policy?, version?);
            let page = format!("{}/{}", url::version(tenant, policy, version), act.word());
            read_version(tenant, policy, version, page).await
        },
    );
    view! { {load(fetched, move |(version, kept)| view! { <ActSheet act version kept/> }.into_any())} }
}

#[component]
fn ActSheet(act: Act, version: Version, kept: Option<Kept>) -> impl IntoView {
    let allowed = version.allows(act);
    let offer = version.offers.iter().find(|offer| offer.act == act);
    let refusal = offer.and_then(|offer| offer.refusal.clone());
    let crumbs = version.clone();
    let version = StoredValue::new(version);
    let sheet = if allowed {
        view! { <ActContent act version kept dialog=None/> }.into_any()
    } else {
        view! { <NotNow version refusal kept/> }.into_any()
    };
    view! {
        <Crumbs version=crumbs/>
        <div class="card sheet roomy">
            <Heading title=title(act, version)/>
            {sheet}
        </div>
    }
}

/// The act is not possible: why, and what was typed before it became so.
#[component]
fn NotNow(
    version: StoredValue<Version>,
    refusal: Option<String>,
    kept: Option<Kept>,
) -> impl IntoView {
    let (status, href) = version.with_value(|version| {
        (version.status, url::version(version.tenant, version.policy, version.version))
    });
    let reason = refusal.unwrap_or_else(|| words::act::not_now(status));
    let typed = kept.as_ref().map(|kept| kept.text.clone()).filter(|text| !text.is_empty());
    view! {
        {kept.map(|kept| view! { <ProblemNote problem=kept.problem/> })}
        <p>{reason}</p>
        {typed.map(|text| view! { <p class="quote"><bdi>{text}</bdi></p> })}
        <p>
            <a class="button" href=href>
                {words::act::BACK}
            </a>
        </p>
    }
}
