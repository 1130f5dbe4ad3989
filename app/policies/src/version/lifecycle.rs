//! The events of a version, and the phases of its lifecycle from the draft to the activation.

use governance::authoring::policy::version::{SubmissionEvents, VersionProgress};
use page_kit::prelude::*;

/// An event of a version.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Step {
    pub(crate) what: StepKind,
    /// The submitted or reviewed revision.
    pub(crate) revision: Option<u32>,
    pub(crate) at: Timestamp,
    /// The actor: a user's email address or a key's name.
    pub(crate) by: Option<String>,
}

/// The kind of an event of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StepKind {
    Created,
    Submitted,
    Accepted,
    ChangesRequested,
    Rejected,
    Ratified,
    Activated,
    /// The version was replaced by another draft, or set aside.
    Closed,
}

impl StepKind {
    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::Created => "Created",
            Self::Submitted => "Submitted",
            Self::Accepted => "Accepted",
            Self::ChangesRequested => "Changes requested",
            Self::Rejected => "Rejected",
            Self::Ratified => "Ratified",
            Self::Activated => "Activated",
            Self::Closed => "Closed",
        }
    }
}

impl From<ReviewVerdict> for StepKind {
    fn from(verdict: ReviewVerdict) -> Self {
        match verdict {
            ReviewVerdict::Accept => Self::Accepted,
            ReviewVerdict::Return => Self::ChangesRequested,
        }
    }
}

/// Returns all events of a version, newest first: its status changes, with only the last of several rejections, and its
/// submissions and reviews. A submission is part of both, and is included once.
pub(crate) fn steps(
    version: &PolicyVersion,
    progress: Option<&VersionProgress>,
    names: &Names,
) -> Vec<Step> {
    let reviews: Vec<Step> = progress.map(|own| review_steps(own, names)).unwrap_or_default();
    let is_in_reviews = |at: Timestamp| {
        reviews.iter().any(|step| step.what == StepKind::Submitted && step.at == at)
    };
    let submitted_at = version.submitted_at.filter(|at| !is_in_reviews(*at));
    let mut steps: Vec<Step> = [
        (StepKind::Created, Some(version.created_at), &version.created_by),
        (StepKind::Submitted, submitted_at, &version.submitted_by),
        (StepKind::Rejected, version.rejected_at, &version.rejected_by),
        (StepKind::Ratified, version.ratified_at, &version.ratified_by),
        (StepKind::Activated, version.activated_at, &version.activated_by),
        (StepKind::Closed, version.closed_at, &version.closed_by),
    ]
    .into_iter()
    .filter_map(|(what, at, by)| {
        Some(Step { what, revision: None, at: at?, by: known(by.clone(), names) })
    })
    .collect();
    steps.extend(reviews);
    steps.reverse();
    steps.sort_by_key(|step| std::cmp::Reverse(step.at));
    steps
}

/// Returns the submissions of a version and their reviews as events, oldest first.
fn review_steps(progress: &VersionProgress, names: &Names) -> Vec<Step> {
    let events = |submission: &SubmissionEvents| {
        let step = |what, at, by: &String| {
            let revision = Some(submission.revision);
            Step { what, revision, at, by: known(Some(by.clone()), names) }
        };
        let submitted = step(StepKind::Submitted, submission.at, &submission.by);
        let review = submission.review.as_ref();
        let reviewed = review.map(|(verdict, at, by)| step((*verdict).into(), *at, by));
        std::iter::once(submitted).chain(reviewed)
    };
    progress.submissions.iter().flat_map(events).collect()
}

/// A phase of the lifecycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Drafted,
    Submitted,
    Review,
    Ratified,
    Active,
}

/// Whether a phase is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    Done,
    Current,
    Pending,
}

/// A phase of a version, with the event that completed it or that it started with.
#[derive(Clone, Debug, PartialEq)]
struct PhaseLine {
    phase: Phase,
    progress: Progress,
    event: Option<Step>,
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
fn phases(stage: VersionStage, steps: &[Step]) -> Vec<PhaseLine> {
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
        any_view! { <ol class="proof-steps">{lines.into_iter().map(line).collect_view()}</ol> }
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
            return any_view! { <p class="text-muted">"Not yet"</p> };
        }
        any_view! { <p class="text-muted">"Since " {minute(last.at)}</p> }
    });
    let replaces = replaced.filter(|_| phase == Phase::Active && progress != Progress::Done);
    let replaces = replaces.map(|active| {
        view! { <p class="text-muted">{format!("Replaces v{active}")}</p> }
    });
    let skipped = phase == Phase::Review && progress == Progress::Done && event.is_none();
    let skipped = skipped.then(|| {
        view! { <p class="text-muted">"Not reviewed"</p> }
    });
    let repeated = (phase == Phase::Submitted && event.is_some() && submissions > 1).then(|| {
        view! { <p class="text-muted">{format!("Submission {submissions}")}</p> }
    });
    let event = event.map(|Step { what, at, by, .. }| {
        let verdict = (phase == Phase::Review).then(|| view! { <p>{what.label()}</p> });
        view! {
            {verdict}
            <p class="text-muted">{minute_by(at, by)}</p>
        }
    });
    let (drawing, label) = appearance(phase, progress == Progress::Done);
    any_view! {
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
}

/// Returns the icon and the label of a phase: its result once it is complete, before that the act that is still to come.
fn appearance(phase: Phase, is_done: bool) -> (Icon, &'static str) {
    match (phase, is_done) {
        (Phase::Drafted, _) => (Icon::Pen, "Drafted"),
        (Phase::Submitted, true) => (Icon::Next, "Submitted"),
        (Phase::Submitted, false) => (Icon::Next, "Submission"),
        (Phase::Review, _) => (Icon::Review, "Review"),
        (Phase::Ratified, true) => (Icon::Seal, "Ratified"),
        (Phase::Ratified, false) => (Icon::Seal, "Ratification"),
        (Phase::Active, true) => (Icon::Allow, "Active"),
        (Phase::Active, false) => (Icon::Allow, "Activation"),
    }
}

#[cfg(test)]
mod tests {
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
