//! The actions on a version: their buttons, their dialogs, and pages with the same content.

pub(crate) mod content;

use leptos::prelude::*;

use self::content::{FormPlace, SignedActionForm, title};
use super::{
    act::read_version,
    action_words,
    actions::{AvailableAction, VersionAction},
    markup::Crumbs,
    view::VersionPage as Version,
};
use crate::{
    flash::RejectedForm,
    rule::view::RulePosition,
    text::url,
    ui::{
        form::VersionForm, heading::Heading, load::load, params, problem::ProblemNote, quote::quote,
    },
};

/// The buttons of a version's actions, in the order of the lifecycle.
#[component]
pub(crate) fn VersionActions(version: Version, rejected: Option<RejectedForm>) -> impl IntoView {
    let available = version.offers.clone();
    let version = StoredValue::new(version);
    let button = move |available_action: AvailableAction| {
        let rejected = rejected.clone();
        match (available_action.act, available_action.refusal) {
            (action, Some(reason)) => {
                view! { <UnavailableAction action reason version /> }.into_any()
            }
            (action @ VersionAction::Recall, None) => {
                view! { <ImmediateAction action version rejected /> }.into_any()
            }
            (action, None) if is_secondary(action) => {
                view! { <LinkedAction action version /> }.into_any()
            }
            (action, None) => view! { <DialogAction action version /> }.into_any(),
        }
    };
    let (secondary, primary): (Vec<_>, Vec<_>) =
        available.into_iter().partition(|offer| is_secondary(offer.act));
    let secondary = (!secondary.is_empty()).then(|| {
        let buttons = secondary.into_iter().map(button.clone()).collect_view();
        view! {
            <details class="disclosure">
                <summary>{action_words::MORE}</summary>
                <div class="acts remainder">{buttons}</div>
            </details>
        }
    });
    let primary = (!primary.is_empty()).then(
        || view! { <div class="acts">{primary.into_iter().map(button).collect_view()}</div> },
    );
    view! {
        {primary}
        {secondary}
    }
}

/// Returns whether an action is exceptional. Such actions are shown separately to prevent mistakes.
fn is_secondary(action: VersionAction) -> bool {
    matches!(action, VersionAction::Delete | VersionAction::SetAside | VersionAction::Supersede)
}

fn class(action: VersionAction) -> &'static str {
    match action {
        VersionAction::Send | VersionAction::Ratify | VersionAction::Activate => "button primary",
        VersionAction::Recall
        | VersionAction::Reject
        | VersionAction::Delete
        | VersionAction::SetAside
        | VersionAction::Supersede => "button",
    }
}

/// Returns the shortcut key of the action's button. No two buttons of a page have the same key.
fn key(action: VersionAction) -> Option<&'static str> {
    match action {
        VersionAction::Send => Some("s"),
        VersionAction::Ratify | VersionAction::Activate => Some("r"),
        VersionAction::Recall
        | VersionAction::Reject
        | VersionAction::Delete
        | VersionAction::SetAside
        | VersionAction::Supersede => None,
    }
}

/// A disabled button for an action that is not possible, with the reason.
#[component]
fn UnavailableAction(
    action: VersionAction,
    reason: String,
    version: StoredValue<Version>,
) -> impl IntoView {
    let id = format!("why-not-{}", action.word());
    let number = version.with_value(|version| version.version);
    view! {
        <div class="unavailable">
            <button type="button" class="button" aria-disabled="true" aria-describedby=id.clone()>
                {action.button(number)}
            </button>
            <span id=id class="text-xs text-muted">
                {reason}
            </span>
        </div>
    }
}

/// A button for an action without a signature, which runs without a dialog.
#[component]
fn ImmediateAction(
    action: VersionAction,
    version: StoredValue<Version>,
    rejected: Option<RejectedForm>,
) -> impl IntoView {
    let number = version.with_value(|version| version.version);
    view! {
        <VersionForm version_action=action version rejected>
            <button class=class(action) data-key=key(action)>
                {action.button(number)}
            </button>
        </VersionForm>
    }
}

/// A link to the page of an exceptional action.
#[component]
fn LinkedAction(action: VersionAction, version: StoredValue<Version>) -> impl IntoView {
    let (href, number) = version.with_value(|version| (page(version, action), version.version));
    view! {
        <a class=class(action) href=href>
            {action.button(number)}
        </a>
    }
}

/// A link to the page of an action. Scripts open a dialog with the same content instead.
#[component]
fn DialogAction(action: VersionAction, version: StoredValue<Version>) -> impl IntoView {
    let dialog = format!("{}-dialog", action.word());
    let title_id = format!("{}-title", action.word());
    let labelled_by = title_id.clone();
    let (href, number) = version.with_value(|version| (page(version, action), version.version));
    view! {
        <a class=class(action) href=href data-key=key(action) data-dialog=dialog.clone()>
            {action.button(number)}
        </a>
        <dialog id=dialog aria-labelledby=labelled_by>
            <h2 id=title_id tabindex="-1">
                {title(action, version)}
            </h2>
            <SignedActionForm action version rejected=None place=FormPlace::Dialog />
        </dialog>
    }
}

fn page(version: &Version, action: VersionAction) -> String {
    let version = url::version(version.tenant, version.policy, version.version);
    format!("{version}/{}", action.word())
}

/// `…/versions/{version}/ratify`
#[component]
pub(crate) fn RatifyPage() -> impl IntoView {
    view! { <ActionPage action=VersionAction::Ratify /> }
}

/// `…/versions/{version}/activate`
#[component]
pub(crate) fn ActivatePage() -> impl IntoView {
    view! { <ActionPage action=VersionAction::Activate /> }
}

/// `…/versions/{version}/reject`
#[component]
pub(crate) fn RejectPage() -> impl IntoView {
    view! { <ActionPage action=VersionAction::Reject /> }
}

/// `…/versions/{version}/send`
#[component]
pub(crate) fn SendPage() -> impl IntoView {
    view! { <ActionPage action=VersionAction::Send /> }
}

/// `…/versions/{version}/set-aside`
#[component]
pub(crate) fn SetAsidePage() -> impl IntoView {
    view! { <ActionPage action=VersionAction::SetAside /> }
}

/// `…/versions/{version}/supersede`
#[component]
pub(crate) fn SupersedePage() -> impl IntoView {
    view! { <ActionPage action=VersionAction::Supersede /> }
}

/// `…/versions/{version}/delete`
#[component]
pub(crate) fn DeletePage() -> impl IntoView {
    view! { <ActionPage action=VersionAction::Delete /> }
}

#[component]
fn ActionPage(action: VersionAction) -> impl IntoView {
    let (tenant, policy, version) = (params::tenant(), params::policy(), params::version());
    load(
        move || (tenant(), policy(), version()),
        move |(tenant, policy, version)| async move {
            let (tenant, policy, version) = (tenant?, policy?, version?);
            let page = format!("{}/{}", url::version(tenant, policy, version), action.word());
            read_version(tenant, policy, version, page, RulePosition::default(), false).await
        },
        move |(version, rejected)| view! { <ActionContent action version rejected /> }.into_any(),
    )
}

#[component]
fn ActionContent(
    action: VersionAction,
    version: Version,
    rejected: Option<RejectedForm>,
) -> impl IntoView {
    let is_allowed = version.allows(action);
    let available = version.offers.iter().find(|available| available.act == action);
    let refusal = available.and_then(|available| available.refusal.clone());
    let crumbs = version.clone();
    let version = StoredValue::new(version);
    let content = if is_allowed {
        view! { <SignedActionForm action version rejected place=FormPlace::Page /> }.into_any()
    } else {
        view! { <ActionUnavailable version refusal rejected /> }.into_any()
    };
    view! {
        <Crumbs version=crumbs />
        <div class="card panel roomy" data-main="">
            <Heading title=title(action, version) autofocus=true />
            {content}
        </div>
    }
}

/// The reason why the action is not possible, with the input of an earlier attempt.
#[component]
fn ActionUnavailable(
    version: StoredValue<Version>,
    refusal: Option<String>,
    rejected: Option<RejectedForm>,
) -> impl IntoView {
    let (stage, href) = version.with_value(|version| {
        (version.stage, url::version(version.tenant, version.policy, version.version))
    });
    let reason = refusal.unwrap_or_else(|| action_words::unavailable(stage));
    let input =
        rejected.as_ref().map(|rejected| rejected.text.clone()).filter(|text| !text.is_empty());
    view! {
        {rejected.map(|rejected| view! { <ProblemNote problem=rejected.problem /> })}
        <p>{reason}</p>
        {input.map(quote)}
        <p>
            <a class="button" href=href>
                {action_words::BACK}
            </a>
        </p>
    }
}
