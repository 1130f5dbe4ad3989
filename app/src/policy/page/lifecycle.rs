//! The lifecycle of the version on its way to activation, as steps.

use leptos::prelude::*;

use crate::{
    policy::{
        view::{PolicyPage as Policy, Step, StepKind, VersionRow},
        words::page as strings,
    },
    review::words as review_words,
    text::{url, verdict::stage_meaning},
    ui::{
        badge::StageBadge,
        icon::{Icon, icon},
        quote::quote,
        time::{Minute, MinuteBy},
    },
    version::lifecycle::{Phase, PhaseLine, Progress, phases},
};

/// The version on its way to activation with its phases, or a note that no draft is open.
#[component]
#[expect(clippy::needless_pass_by_value, reason = "a component owns its properties")]
pub(super) fn Lifecycle(policy: Policy) -> impl IntoView {
    let Some(version) = policy.upcoming().cloned() else {
        return view! {
            <section class="card">
                <h2>{strings::OPEN_DRAFT}</h2>
                <p class="text-muted">{strings::NO_DRAFT}</p>
            </section>
        }
        .into_any();
    };
    let href = url::version(policy.tenant, policy.row.id, version.version);
    let replaced = policy.active().map(|active| active.version);
    let lines = phases(&version);
    let line = |line: PhaseLine| phase(line, &version, replaced);
    view! {
        <section class="card flush lifecycle" aria-labelledby="open-version">
            <div class="compare-head">
                <h2 id="open-version">
                    <a href=href>{strings::version(version.version)}</a>
                </h2>
                <span class="tag">"r" {version.revision}</span>
                <StageBadge stage=version.stage />
                <span class="text-muted text-xs">{stage_meaning(version.stage)}</span>
            </div>
            {version
                .change_reason
                .clone()
                .map(|reason| view! { <div class="pad">{quote(reason)}</div> })}
            <ol class="proof-steps">{lines.into_iter().map(line).collect_view()}</ol>
        </section>
    }
    .into_any()
}

/// Renders a phase with its event. The current phase names the time since which the version waits.
fn phase(line: PhaseLine, version: &VersionRow, replaced: Option<u32>) -> AnyView {
    let PhaseLine { phase, progress, event } = line;
    let (class, current) = match progress {
        Progress::Done => ("done", None),
        Progress::Current => ("now", Some("step")),
        Progress::Pending => ("open", None),
    };
    let waits = progress == Progress::Current && phase != Phase::Drafted && event.is_none();
    let since = waits.then(|| {
        view! { <p class="text-muted">{strings::WAITS_SINCE} " " <Minute at=version.last.at /></p> }
    });
    let replaces = replaced.filter(|_| phase == Phase::Active && progress != Progress::Done);
    let replaces = replaces.map(|active| {
        view! { <p class="text-muted">{strings::replaces(active)}</p> }
    });
    let skipped = phase == Phase::Review && progress == Progress::Done && event.is_none();
    let skipped = skipped.then(|| {
        view! { <p class="text-muted">{review_words::NOT_REVIEWED}</p> }
    });
    let is_submission = |step: &&Step| step.what == StepKind::Submitted;
    let submissions = version.steps.iter().filter(is_submission).count();
    let repeated = (phase == Phase::Submitted && event.is_some() && submissions > 1).then(|| {
        view! { <p class="text-muted">{strings::submission(submissions)}</p> }
    });
    let event = event.map(|Step { what, at, by, .. }| {
        let verdict = (phase == Phase::Review).then(|| view! { <p>{what.label()}</p> });
        view! {
            {verdict}
            <p class="text-muted">
                <MinuteBy at by />
            </p>
        }
    });
    let (drawing, label) = appearance(phase);
    view! {
        <li class=class aria-current=current>
            <span class="dot">{icon(drawing)}</span>
            <h3>{label}</h3>
            {event}
            {repeated}
            {since}
            {skipped}
            {replaces}
        </li>
    }
    .into_any()
}

fn appearance(phase: Phase) -> (Icon, &'static str) {
    match phase {
        Phase::Drafted => (Icon::Pen, strings::DRAFTED),
        Phase::Submitted => (Icon::Next, strings::SUBMITTED),
        Phase::Review => (Icon::Review, strings::REVIEW),
        Phase::Ratified => (Icon::Seal, strings::RATIFIED),
        Phase::Active => (Icon::Allow, strings::ACTIVE),
    }
}
