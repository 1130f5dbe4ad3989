//! The lifecycle of a version, from its draft to its activation.

use contract::policy::VersionStage;
use leptos::prelude::*;

use super::{view::VersionPage, words};
use crate::{
    policy::{
        view::{Step, StepKind},
        words::page as policy_words,
    },
    review::words as review_words,
    ui::{
        icon::{Icon, icon},
        time::{Minute, MinuteBy},
    },
};

/// A phase of the lifecycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    Drafted,
    Submitted,
    Review,
    Ratified,
    Active,
}

/// Whether a phase is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    Done,
    Current,
    Pending,
}

/// A phase of a version, with the event that completed it or that it started with.
#[derive(Clone, Debug, PartialEq)]
pub struct PhaseLine {
    pub phase: Phase,
    pub progress: Progress,
    pub event: Option<Step>,
}

impl Phase {
    const ALL: [Self; 5] =
        [Self::Drafted, Self::Submitted, Self::Review, Self::Ratified, Self::Active];

    fn is_event(self, kind: StepKind) -> bool {
        match self {
            Self::Drafted => kind == StepKind::Created,
            Self::Submitted => kind == StepKind::Submitted,
            Self::Review => matches!(kind, StepKind::Accepted | StepKind::ChangesRequested),
            Self::Ratified => kind == StepKind::Ratified,
            Self::Active => kind == StepKind::Activated,
        }
    }
}

/// Returns the phases of a version in order. A version that was closed or replaced has none.
pub fn phases(stage: VersionStage, steps: &[Step]) -> Vec<PhaseLine> {
    let Some(done) = phases_done(stage) else { return Vec::new() };
    let line = |(index, phase): (usize, Phase)| {
        let progress = match index.cmp(&done) {
            std::cmp::Ordering::Less => Progress::Done,
            std::cmp::Ordering::Equal => Progress::Current,
            std::cmp::Ordering::Greater => Progress::Pending,
        };
        // A recalled draft has events of phases that it must pass again.
        let event = steps.iter().find(|step| phase.is_event(step.what));
        let is_shown = match progress {
            Progress::Done => true,
            Progress::Current => phase == Phase::Drafted || stage == VersionStage::ChangesRequested,
            Progress::Pending => false,
        };
        PhaseLine { phase, progress, event: event.filter(|_| is_shown).cloned() }
    };
    Phase::ALL.into_iter().enumerate().map(line).collect()
}

/// Returns the number of complete phases of a stage.
fn phases_done(stage: VersionStage) -> Option<usize> {
    match stage {
        VersionStage::Draft => Some(0),
        VersionStage::WaitingForReview | VersionStage::ChangesRequested => Some(2),
        VersionStage::WaitingForRatification => Some(3),
        VersionStage::Ratified => Some(4),
        VersionStage::Active => Some(5),
        VersionStage::Inactive | VersionStage::Replaced | VersionStage::SetAside => None,
    }
}

/// The lifecycle of the version of a page. A version that was closed or replaced has none.
#[component]
pub(crate) fn Lifecycle(version: VersionPage) -> impl IntoView {
    let replaced = version.deciding.map(|active| active.version);
    phase_list(version.stage, &version.steps, replaced).map(|phases| {
        view! {
            <section class="card flush lifecycle" aria-labelledby="lifecycle">
                <h2 id="lifecycle" class="sr-only">
                    {words::LIFECYCLE}
                </h2>
                {phases}
            </section>
        }
    })
}

/// Renders the phases of a version with their events, newest event first in `steps`. `replaced` is the active version
/// that an activation replaces.
pub(crate) fn phase_list(
    stage: VersionStage,
    steps: &[Step],
    replaced: Option<u32>,
) -> Option<AnyView> {
    let lines = phases(stage, steps);
    let last = steps.first();
    let submissions = steps.iter().filter(|step| step.what == StepKind::Submitted).count();
    let line = |line: PhaseLine| phase_item(line, last, submissions, replaced);
    (!lines.is_empty()).then(|| {
        view! { <ol class="proof-steps">{lines.into_iter().map(line).collect_view()}</ol> }
            .into_any()
    })
}

/// Renders a phase with its event. The current phase names the time since which the version waits; a
/// ratified version can stay without activation, so it names none.
fn phase_item(
    line: PhaseLine,
    last: Option<&Step>,
    submissions: usize,
    replaced: Option<u32>,
) -> AnyView {
    let PhaseLine { phase, progress, event } = line;
    let (class, current) = match progress {
        Progress::Done => ("done", None),
        Progress::Current => ("now", Some("step")),
        Progress::Pending => ("open", None),
    };
    let waits = progress == Progress::Current && phase != Phase::Drafted && event.is_none();
    let since = last.filter(|_| waits).map(|last| {
        if phase == Phase::Active {
            return view! { <p class="text-muted">{policy_words::NOT_YET}</p> }.into_any();
        }
        view! { <p class="text-muted">{policy_words::WAITS_SINCE} " " <Minute at=last.at /></p> }
            .into_any()
    });
    let replaces = replaced.filter(|_| phase == Phase::Active && progress != Progress::Done);
    let replaces = replaces.map(|active| {
        view! { <p class="text-muted">{policy_words::replaces(active)}</p> }
    });
    let skipped = phase == Phase::Review && progress == Progress::Done && event.is_none();
    let skipped = skipped.then(|| {
        view! { <p class="text-muted">{review_words::NOT_REVIEWED}</p> }
    });
    let repeated = (phase == Phase::Submitted && event.is_some() && submissions > 1).then(|| {
        view! { <p class="text-muted">{policy_words::submission(submissions)}</p> }
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
    let (drawing, label) = appearance(phase, progress == Progress::Done);
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

/// Returns the icon and the label of a phase: its result once it is complete, before that the act that is still to come.
fn appearance(phase: Phase, is_done: bool) -> (Icon, &'static str) {
    match (phase, is_done) {
        (Phase::Drafted, _) => (Icon::Pen, policy_words::DRAFTED),
        (Phase::Submitted, true) => (Icon::Next, policy_words::SUBMITTED),
        (Phase::Submitted, false) => (Icon::Next, policy_words::SUBMISSION),
        (Phase::Review, _) => (Icon::Review, policy_words::REVIEW),
        (Phase::Ratified, true) => (Icon::Seal, policy_words::RATIFIED),
        (Phase::Ratified, false) => (Icon::Seal, policy_words::RATIFICATION),
        (Phase::Active, true) => (Icon::Allow, policy_words::ACTIVE),
        (Phase::Active, false) => (Icon::Allow, policy_words::ACTIVATION),
    }
}

#[cfg(test)]
mod tests {
    use contract::time::Timestamp;

    use super::*;

    /// Returns the letters of the progress of each phase, and `+` for each with an event.
    fn summary(stage: VersionStage) -> String {
        let step = |what, ms| Step {
            what,
            revision: None,
            at: Timestamp::from_millis(ms).unwrap(),
            by: Some("L. Chen".to_owned()),
        };
        let steps = [step(StepKind::Submitted, 2), step(StepKind::Created, 1)];
        let line = |line: PhaseLine| {
            let letter = match line.progress {
                Progress::Done => "d",
                Progress::Current => "c",
                Progress::Pending => "p",
            };
            letter.to_owned() + if line.event.is_some() { "+" } else { "" }
        };
        phases(stage, &steps).into_iter().map(line).collect()
    }

    #[test]
    fn a_version_has_one_current_phase_and_the_events_of_those_before() {
        assert_eq!(summary(VersionStage::Draft), "c+pppp");
        assert_eq!(summary(VersionStage::WaitingForReview), "d+d+cpp");
        assert_eq!(summary(VersionStage::WaitingForRatification), "d+d+dcp");
        assert_eq!(summary(VersionStage::Ratified), "d+d+ddc");
        assert_eq!(summary(VersionStage::Active), "d+d+ddd");
        assert_eq!(summary(VersionStage::SetAside), "");
    }
}
