//! Badges: an icon, a label and a color. Verdicts, statuses and severities have different shapes, and color is never
//! the only distinction.

use contract::{evaluation::Verdict, policy::VersionStage, rule::Severity};
use leptos::prelude::*;

use super::icon::{Icon, icon};
use crate::{
    capability::view::GrantState,
    decision::words as decision_words,
    key::view::KeyState,
    policy::list_words as policy_list_words,
    text::verdict::{severity, stage},
};
#[cfg(feature = "ssr")]
use crate::{
    chain::words as chain_words, delivery::words as delivery_words,
    hosted_form::words as hosted_form_words, member::words as member_words,
    trust::words as trust_words,
};

/// Renders a status: an outlined pill.
fn badge(tone: &'static str, drawing: Icon, label: &'static str) -> impl IntoView {
    view! { <span class=format!("status {tone}")>{icon(drawing)} {label}</span> }
}

#[component]
pub(crate) fn VerdictBadge(verdict: Verdict) -> impl IntoView {
    let (tone, drawing) = match verdict {
        Verdict::Allow => ("allow", Icon::Allow),
        Verdict::Alert => ("alert", Icon::Alert),
        Verdict::Review => ("review", Icon::Review),
        Verdict::Deny => ("deny", Icon::Deny),
    };
    view! { <span class=format!("verdict {tone}")>{icon(drawing)} {verdict.as_str()}</span> }
}

/// The note that policies in shadow mode would change the verdict to `verdict`.
#[component]
pub(crate) fn VerdictWithoutShadow(verdict: Verdict) -> impl IntoView {
    view! {
        <div class="note shadow">
            {icon(Icon::Shadow)}
            <p>{decision_words::WITHOUT_SHADOW} " " <VerdictBadge verdict /></p>
        </div>
    }
}

/// The status of a version.
#[component]
pub(crate) fn StageBadge(stage: VersionStage) -> impl IntoView {
    let (tone, drawing) = match stage {
        VersionStage::Draft => ("na", Icon::Pen),
        VersionStage::WaitingForReview | VersionStage::WaitingForRatification => {
            ("warn", Icon::Wait)
        }
        VersionStage::ChangesRequested => ("deny", Icon::Warn),
        VersionStage::Ratified => ("blue", Icon::Seal),
        VersionStage::Active => ("allow", Icon::Allow),
        VersionStage::Inactive | VersionStage::Replaced | VersionStage::SetAside => {
            ("na", Icon::History)
        }
    };
    badge(tone, drawing, self::stage(stage))
}

#[component]
pub(crate) fn ModeBadge(shadow: bool) -> impl IntoView {
    if shadow {
        badge("shadow", Icon::Shadow, policy_list_words::SHADOW).into_any()
    } else {
        view! { <span class="plain">{policy_list_words::ENFORCING}</span> }.into_any()
    }
}

/// A severity: one to four bars, and its name.
#[component]
pub(crate) fn SeverityChip(severity: Severity) -> impl IntoView {
    let (tone, bars) = match severity {
        Severity::Low => ("low", 1),
        Severity::Medium => ("medium", 2),
        Severity::High => ("high", 3),
        Severity::Critical => ("critical", 4),
    };
    let bar = |index: usize| {
        let class = if index < bars { "on" } else { "off" };
        let height = 3 * (index + 1);
        view! { <rect class=class x=4 * index y=12 - height width="3" height=height></rect> }
    };
    view! {
        <span class=format!("severity {tone}")>
            <svg class="bars" viewBox="0 0 15 12" width="15" height="12" aria-hidden="true">
                {(0..4).map(bar).collect_view()}
            </svg>
            {self::severity(severity)}
        </span>
    }
}

#[cfg(feature = "ssr")]
#[component]
pub(crate) fn FormBadge(is_published: bool) -> impl IntoView {
    if is_published {
        badge("allow", Icon::Allow, hosted_form_words::PUBLISHED)
    } else {
        badge("na", Icon::Pen, hosted_form_words::UNPUBLISHED)
    }
}

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
    badge(tone, drawing, delivery_words::status(status))
}

#[cfg(feature = "ssr")]
#[component]
pub(crate) fn ChainBadge(status: contract::chain::ChainStatus) -> impl IntoView {
    use contract::chain::ChainStatus;
    let (tone, drawing) = match status {
        ChainStatus::Open => ("na", Icon::Wait),
        ChainStatus::Sealed => ("blue", Icon::Seal),
    };
    badge(tone, drawing, chain_words::status(status))
}

/// Whether a check passed. `words` are the labels for a valid and an invalid result.
#[cfg(feature = "ssr")]
#[component]
pub(crate) fn ValidityBadge(is_valid: bool, words: [&'static str; 2]) -> impl IntoView {
    let [valid, invalid] = words;
    if is_valid { badge("allow", Icon::Tick, valid) } else { badge("deny", Icon::Cross, invalid) }
}

/// The status of a published signing key.
#[cfg(feature = "ssr")]
pub(crate) fn trust_badge(state: &crate::trust::view::KeyState) -> impl IntoView + use<> {
    use crate::trust::view::KeyState;
    match state {
        KeyState::Active => badge("allow", Icon::Allow, trust_words::ACTIVE),
        KeyState::Retired => badge("na", Icon::History, trust_words::RETIRED),
        KeyState::Revoked { .. } => badge("deny", Icon::Deny, trust_words::REVOKED),
    }
}

/// The status of a membership.
#[cfg(feature = "ssr")]
#[component]
pub(crate) fn MemberBadge(is_invited: bool) -> impl IntoView {
    if is_invited {
        badge("na", Icon::Wait, member_words::INVITED)
    } else {
        badge("allow", Icon::Allow, member_words::ACTIVE)
    }
}

#[component]
pub(crate) fn KeyBadge(state: KeyState) -> impl IntoView {
    let (tone, drawing) = match state {
        KeyState::Active => ("allow", Icon::Allow),
        KeyState::Expired => ("na", Icon::Wait),
        KeyState::Revoked => ("na", Icon::History),
    };
    badge(tone, drawing, state.label())
}

/// The status of an authoring capability.
#[component]
pub(crate) fn GrantBadge(state: GrantState) -> impl IntoView {
    let (tone, drawing) = match state {
        GrantState::Live => ("allow", Icon::Allow),
        GrantState::NotYetValid | GrantState::Expired => ("na", Icon::Wait),
        GrantState::Exhausted => ("warn", Icon::Dash),
        GrantState::Revoked => ("na", Icon::History),
        GrantState::Missing | GrantState::Broken => ("deny", Icon::Warn),
    };
    badge(tone, drawing, state.label())
}
