//! Badges: an icon, a label and a color. Verdicts, statuses and severities have different shapes, and color is never
//! the only distinction.

use contract::{evaluation::Verdict, policy::VersionStage, rule::Severity};
use leptos::prelude::*;

use super::icon::{Icon, icon};
use crate::{
    any_view,
    text::verdict::{self, severity, stage},
};

/// Renders a status: an outlined pill. The badges of a noun are in its module.
pub fn badge(tone: &'static str, drawing: Icon, label: &'static str) -> AnyView {
    any_view! { <span class=format!("status {tone}")>{icon(drawing)} {label}</span> }
}

/// Returns the tone and the icon of a verdict.
pub const fn verdict_look(verdict: Verdict) -> (&'static str, Icon) {
    match verdict {
        Verdict::Allow => ("allow", Icon::Allow),
        Verdict::Alert => ("alert", Icon::Alert),
        Verdict::Review => ("review", Icon::Review),
        Verdict::Deny => ("deny", Icon::Deny),
    }
}

#[component]
pub fn VerdictBadge(verdict: Verdict) -> impl IntoView {
    let (tone, drawing) = verdict_look(verdict);
    view! { <span class=format!("verdict {tone}")>{icon(drawing)} {verdict.as_str()}</span> }
}

/// The status of a version.
pub fn stage_badge(stage: VersionStage) -> AnyView {
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

/// A severity: one to four bars, and its name.
pub fn severity_chip(severity: Severity) -> AnyView {
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
    any_view! {
        <span class=format!("severity {tone}")>
            <svg class="bars" viewBox="0 0 15 12" width="15" height="12" aria-hidden="true">
                {(0..4).map(bar).collect_view()}
            </svg>
            {self::severity(severity)}
        </span>
    }
}

/// Whether a check passed. `words` are the labels for a valid and an invalid result.
pub fn validity_badge(is_valid: bool, words: [&'static str; 2]) -> AnyView {
    let [valid, invalid] = words;
    if is_valid { badge("allow", Icon::Tick, valid) } else { badge("deny", Icon::Cross, invalid) }
}

/// The mode of a policy.
pub fn mode_badge(shadow: bool) -> AnyView {
    if shadow {
        badge("shadow", Icon::Shadow, verdict::SHADOW)
    } else {
        any_view! { <span class="plain">{verdict::ENFORCING}</span> }
    }
}
