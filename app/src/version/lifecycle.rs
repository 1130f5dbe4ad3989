//! The lifecycle of a version, from its draft to its activation.

use contract::policy::VersionStage;

use crate::policy::view::{Step, StepKind, VersionRow};

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
pub fn phases(version: &VersionRow) -> Vec<PhaseLine> {
    let Some(done) = phases_done(version.stage) else { return Vec::new() };
    let line = |(index, phase): (usize, Phase)| {
        let progress = match index.cmp(&done) {
            std::cmp::Ordering::Less => Progress::Done,
            std::cmp::Ordering::Equal => Progress::Current,
            std::cmp::Ordering::Greater => Progress::Pending,
        };
        // A recalled draft has events of phases that it must pass again.
        let event = version.steps.iter().find(|step| phase.is_event(step.what));
        let is_shown = match progress {
            Progress::Done => true,
            Progress::Current => {
                phase == Phase::Drafted || version.stage == VersionStage::ChangesRequested
            }
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

#[cfg(test)]
mod tests {
    use contract::time::Timestamp;

    use super::*;

    fn version(stage: VersionStage) -> VersionRow {
        let step = |what, ms| Step {
            what,
            revision: None,
            at: Timestamp::from_millis(ms).unwrap(),
            by: Some("L. Chen".to_owned()),
        };
        let steps = vec![step(StepKind::Submitted, 2), step(StepKind::Created, 1)];
        VersionRow {
            version: 2,
            revision: 1,
            stage,
            is_draft: false,
            is_active: false,
            change_reason: None,
            last: steps[0].clone(),
            steps,
        }
    }

    /// Returns the letters of the progress of each phase, and `+` for each with an event.
    fn summary(stage: VersionStage) -> String {
        let line = |line: PhaseLine| {
            let letter = match line.progress {
                Progress::Done => "d",
                Progress::Current => "c",
                Progress::Pending => "p",
            };
            letter.to_owned() + if line.event.is_some() { "+" } else { "" }
        };
        phases(&version(stage)).into_iter().map(line).collect()
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
