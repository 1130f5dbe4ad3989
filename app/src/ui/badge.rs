//! Badges: an icon, a word and a tint; never the tint alone.

use contract::{evaluation::Verdict, policy::VersionStatus, rule::Severity};
use leptos::prelude::*;

use super::icon::{Icon, icon};
use crate::{
    text::{
        verdict::{severity, status},
        words,
    },
    view::{capability::GrantState, key::KeyState},
};

/// A word with its icon, in the tint of `tone`.
fn badge(tone: &'static str, drawing: Icon, word: &'static str) -> impl IntoView {
    view! { <span class=format!("badge {tone}")>{icon(drawing)} {word}</span> }
}

/// A verdict.
#[component]
pub(crate) fn VerdictBadge(verdict: Verdict) -> impl IntoView {
    let (tone, drawing) = match verdict {
        Verdict::Allow => ("allow", Icon::Allow),
        Verdict::Alert => ("shadow", Icon::Alert),
        Verdict::Review => ("warn", Icon::Review),
        Verdict::Deny => ("deny", Icon::Deny),
    };
    badge(tone, drawing, verdict.as_str())
}

/// Where a version stands.
#[component]
pub(crate) fn StatusBadge(
    status: VersionStatus,
    #[prop(optional)] is_active: bool,
) -> impl IntoView {
    if is_active {
        return badge("allow", Icon::Allow, words::version::ACTIVE);
    }
    let (tone, drawing) = match status {
        VersionStatus::Draft => ("na", Icon::Pen),
        VersionStatus::Submitted => ("warn", Icon::Wait),
        VersionStatus::Ratified => ("low", Icon::Seal),
        VersionStatus::Replaced | VersionStatus::SetAside => ("na", Icon::History),
    };
    badge(tone, drawing, self::status(status))
}

/// Whether a policy counts or only watches.
#[component]
pub(crate) fn ModeBadge(shadow: bool) -> impl IntoView {
    if shadow {
        badge("shadow", Icon::Shadow, words::policies::SHADOW).into_any()
    } else {
        view! { <span class="plain">{words::policies::ENFORCING}</span> }.into_any()
    }
}

/// A severity: one to four bars, and the word.
#[component]
pub(crate) fn SeverityChip(severity: Severity) -> impl IntoView {
    let (tone, bars) = match severity {
        Severity::Low => ("low", 1),
        Severity::Medium => ("warn", 2),
        Severity::High => ("high", 3),
        Severity::Critical => ("critical", 4),
    };
    let bar = |place: usize| {
        let class = if place < bars { "on" } else { "off" };
        let height = 3 * (place + 1);
        view! { <rect class=class x=4 * place y=12 - height width="3" height=height></rect> }
    };
    view! {
        <span class=format!("badge {tone}")>
            <svg class="bars" viewBox="0 0 15 12" width="15" height="12" aria-hidden="true">
                {(0..4).map(bar).collect_view()}
            </svg>
            {self::severity(severity)}
        </span>
    }
}

/// Whether a hosted form is there for the public.
#[cfg(feature = "ssr")]
#[component]
pub(crate) fn FormBadge(is_published: bool) -> impl IntoView {
    if is_published {
        badge("allow", Icon::Allow, words::hosted::PUBLISHED)
    } else {
        badge("na", Icon::Pen, words::hosted::UNPUBLISHED)
    }
}

/// What became of a delivery.
#[cfg(feature = "ssr")]
#[component]
pub(crate) fn DeliveryBadge(status: contract::webhook::DeliveryStatus) -> impl IntoView {
    use contract::webhook::DeliveryStatus;
    let (tone, drawing) = match status {
        DeliveryStatus::Pending => ("na", Icon::Wait),
        DeliveryStatus::Delivered => ("allow", Icon::Allow),
        DeliveryStatus::Failed => ("warn", Icon::Wait),
        DeliveryStatus::Dead => ("deny", Icon::Deny),
    };
    badge(tone, drawing, words::deliveries::status(status))
}

/// Whether a chain takes further steps.
#[cfg(feature = "ssr")]
#[component]
pub(crate) fn ChainBadge(status: contract::chain::ChainStatus) -> impl IntoView {
    use contract::chain::ChainStatus;
    let (tone, drawing) = match status {
        ChainStatus::Open => ("na", Icon::Wait),
        ChainStatus::Sealed => ("low", Icon::Seal),
    };
    badge(tone, drawing, words::chain::status(status))
}

/// Whether something that was checked holds, in the word for either.
#[cfg(feature = "ssr")]
#[component]
pub(crate) fn HeldBadge(holds: bool, words: [&'static str; 2]) -> impl IntoView {
    let [good, wrong] = words;
    if holds { badge("allow", Icon::Tick, good) } else { badge("deny", Icon::Cross, wrong) }
}

/// Whether a published key still signs.
#[cfg(feature = "ssr")]
pub(crate) fn trust_badge(state: &crate::view::trust::KeyState) -> impl IntoView + use<> {
    use crate::view::trust::KeyState;
    match state {
        KeyState::Active => badge("allow", Icon::Allow, words::trust::ACTIVE),
        KeyState::Retired => badge("na", Icon::History, words::trust::RETIRED),
        KeyState::Revoked { .. } => badge("deny", Icon::Deny, words::trust::REVOKED),
    }
}

/// Whether an API key opens the door.
#[component]
pub(crate) fn KeyBadge(state: KeyState) -> impl IntoView {
    let (tone, drawing) = match state {
        KeyState::Active => ("allow", Icon::Allow),
        KeyState::Expired => ("na", Icon::Wait),
        KeyState::Revoked => ("na", Icon::History),
    };
    badge(tone, drawing, words::keys::state(state))
}

/// Whether an authoring grant opens anything.
#[component]
pub(crate) fn GrantBadge(state: GrantState) -> impl IntoView {
    let (tone, drawing) = match state {
        GrantState::Live => ("allow", Icon::Allow),
        GrantState::NotYetValid | GrantState::Expired => ("na", Icon::Wait),
        GrantState::Exhausted => ("warn", Icon::Dash),
        GrantState::Revoked => ("na", Icon::History),
        GrantState::Missing | GrantState::Broken => ("deny", Icon::Warn),
    };
    badge(tone, drawing, words::capability::state(state))
}
