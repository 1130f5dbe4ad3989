//! Transitions of a version, as pure functions without database or clock (contract, section 4). The tests compare them with a
//! model of the state machine.

use contract::{policy::ReviewVerdict, settings::Settings};
use entity::policy_version::Model;

use crate::base::{
    error::{invalid_transition, maker_checker, maker_unknown},
    prelude::*,
};

/// A transition of a version, named like its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transition {
    Edit,
    /// The edit of a draft, or of a submitted version with requested changes, which it recalls.
    EditWithRecall,
    Submit,
    Recall,
    Reject,
    Ratify,
    Activate,
    Delete,
    Seal,
    Record,
    SetAside,
    Supersede,
}

impl Transition {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Edit | Self::EditWithRecall => "edit",
            Self::Submit => "submit",
            Self::Recall => "recall",
            Self::Reject => "reject",
            Self::Ratify => "ratify",
            Self::Activate => "activate",
            Self::Delete => "delete",
            Self::Seal => "seal",
            Self::Record => "records",
            Self::SetAside => "set-aside",
            Self::Supersede => "supersede",
        }
    }

    /// Returns the statuses in which the transition is allowed, and the reason when the status is
    /// another one.
    const fn allowed_statuses(self) -> (&'static [VersionStatus], &'static str) {
        use VersionStatus::{Draft, Ratified, Replaced, Submitted};
        match self {
            Self::Edit | Self::Submit | Self::Delete | Self::Supersede => {
                (&[Draft], "VERSION_NOT_DRAFT")
            }
            Self::EditWithRecall => (&[Draft, Submitted], "VERSION_NOT_DRAFT"),
            Self::Recall | Self::Reject => (&[Submitted], "VERSION_NOT_SUBMITTED"),
            // A draft whose revision was accepted can be ratified directly: see `ratifiable`.
            Self::Ratify => (&[Draft, Submitted], "VERSION_NOT_SUBMITTED"),
            Self::Activate => (&[Ratified], "VERSION_NOT_RATIFIED"),
            Self::Seal => (&[Draft, Submitted], "VERSION_NOT_SEALABLE"),
            // The successor of a replaced draft must address changes requested for the draft.
            Self::Record => (&[Draft, Submitted, Replaced], "VERSION_NOT_REVIEWABLE"),
            Self::SetAside => (&[Draft, Submitted, Ratified], "VERSION_CLOSED"),
        }
    }
}

/// Checks that the version's state allows the transition.
pub(crate) fn check_transition(version: &Model, requested: Transition) -> Result<(), Refusal> {
    let (allowed_statuses, reason) = requested.allowed_statuses();
    if !allowed_statuses.contains(&version.status.0) {
        return Err(transition_error(version, requested, reason));
    }
    match requested {
        Transition::Activate if version.is_active => {
            Err(transition_error(version, requested, "VERSION_ALREADY_ACTIVE"))
        }
        Transition::SetAside if version.activated_at.is_some() => {
            Err(transition_error(version, requested, "VERSION_WAS_ACTIVE"))
        }
        _ => Ok(()),
    }
}

/// Returns the refusal of a transition with the version's current state.
pub(crate) fn transition_error(
    version: &Model,
    requested: Transition,
    reason: &'static str,
) -> Refusal {
    let is_about_activation =
        matches!(requested, Transition::Activate | Transition::SetAside) && version.is_active;
    let from = if is_about_activation { "active" } else { version.status.0.as_str() };
    invalid_transition(reason, from, requested.as_str())
}

/// The makers and the review verdict of a version, which ratification checks in addition to its state.
#[derive(Clone, Debug, Default)]
pub(crate) struct RatificationContext {
    /// The creator, all editors of this draft, submitters, sealers and issuers of its capabilities.
    pub(crate) makers: Vec<Uuid>,
    /// Whether a maker is not a known user.
    pub(crate) has_unknown_maker: bool,
    /// The verdict of the review of exactly this revision.
    pub(crate) verdict: Option<ReviewVerdict>,
}

impl RatificationContext {
    fn is_accepted(&self) -> bool {
        self.verdict == Some(ReviewVerdict::Accept)
    }
}

/// Checks that the version's reviews and the tenant's settings allow the ratification.
pub(crate) fn ratifiable(
    version: &Model,
    context: &RatificationContext,
    ratifier: UserId,
    settings: &Settings,
) -> Result<(), Refusal> {
    if context.verdict == Some(ReviewVerdict::Return) {
        return Err(transition_error(version, Transition::Ratify, "VERSION_RETURNED"));
    }
    let is_submitted = version.status.0 == VersionStatus::Submitted;
    if !is_submitted && !context.is_accepted() && !settings.review_required {
        return Err(transition_error(version, Transition::Ratify, "VERSION_NOT_SUBMITTED"));
    }
    if settings.maker_checker_enabled && context.has_unknown_maker {
        return Err(maker_unknown());
    }
    if !is_independent(&context.makers, ratifier, settings.maker_checker_enabled) {
        return Err(maker_checker());
    }
    if settings.review_required && !context.is_accepted() {
        return Err(transition_error(version, Transition::Ratify, "REVIEW_REQUIRED"));
    }
    Ok(())
}

/// Returns whether `person` may ratify or review the work of `participants`: the person is not one of
/// them, or maker-checker is off. Users are compared, never sessions or keys.
pub(crate) fn is_independent(
    participants: &[Uuid],
    person: UserId,
    is_maker_checked: bool,
) -> bool {
    !(is_maker_checked && participants.contains(&person.0))
}

/// Returns the makers with `person` added, unless already present.
pub(crate) fn with_maker(makers: &[Uuid], person: Option<UserId>) -> Vec<Uuid> {
    let mut makers = makers.to_vec();
    if let Some(person) = person
        && !makers.contains(&person.0)
    {
        makers.push(person.0);
    }
    makers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maker_is_listed_once() {
        let maker = UserId(Uuid::from_u128(1));
        assert_eq!(with_maker(&[maker.0], Some(maker)), [maker.0]);
        assert_eq!(with_maker(&[], Some(maker)), [maker.0]);
        assert!(with_maker(&[], None).is_empty());
    }
}
