//! Transitions of a version, as pure functions without database or clock (contract, section 4).

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
    use contract::{receipt::Redaction, rule::Severity, settings::SignInPolicy};
    use entity::column::TextEnum;

    fn version(status: VersionStatus) -> Model {
        let created_at = to_column(contract::time::Timestamp::from_millis(0).unwrap());
        Model {
            tenant_id: Uuid::nil(),
            policy_id: Uuid::nil(),
            version: 1,
            id: Uuid::nil(),
            draft_revision: 1,
            rules: "[]".to_owned(),
            rules_digest: String::new(),
            rule_texts_folded: None,
            is_active: false,
            status: TextEnum(status),
            created_at,
            created_by: None,
            change_reason: None,
            based_on_version: None,
            submitted_at: None,
            submitted_by: None,
            rejected_at: None,
            rejected_by: None,
            rejection_reason: None,
            ratified_at: None,
            ratified_by: None,
            ratification_note: None,
            activated_at: None,
            activated_by: None,
            closed_at: None,
            closed_by: None,
            closed_reason: None,
            makers: vec![Uuid::from_u128(1)],
            has_unknown_maker: false,
            lineage_previous: None,
            lineage_set_aside: false,
        }
    }

    fn settings(maker_checker_enabled: bool) -> Settings {
        Settings {
            maker_checker_enabled,
            review_required: false,
            public_receipt_redaction: Redaction::None,
            bundle_include_context: true,
            alert_min_severity: Severity::Medium,
            human_changes_only: false,
            sign_in: SignInPolicy::Any,
            second_factor_required: false,
            updated_at: None,
            updated_by: None,
        }
    }

    #[test]
    fn transition_is_allowed_only_from_its_statuses() {
        use Transition::{
            Activate, Delete, Edit, EditWithRecall, Ratify, Recall, Record, Reject, Seal, SetAside,
            Submit, Supersede,
        };
        for (status, allowed) in [
            (
                VersionStatus::Draft,
                &[Edit, EditWithRecall, Submit, Delete, Supersede, Seal, Record, Ratify, SetAside]
                    [..],
            ),
            (
                VersionStatus::Submitted,
                &[EditWithRecall, Recall, Reject, Seal, Record, Ratify, SetAside],
            ),
            (VersionStatus::Ratified, &[Activate, SetAside]),
            (VersionStatus::Replaced, &[Record]),
            (VersionStatus::SetAside, &[]),
        ] {
            for requested in [
                Edit,
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
            ] {
                let is_allowed = check_transition(&version(status), requested).is_ok();
                assert_eq!(is_allowed, allowed.contains(&requested), "{status} {requested:?}");
            }
        }
    }

    #[test]
    fn active_version_cannot_be_activated_again() {
        let active = Model { is_active: true, ..version(VersionStatus::Ratified) };
        assert!(check_transition(&active, Transition::Activate).is_err());
    }

    #[test]
    fn recalled_draft_can_be_deleted() {
        let recalled = version(VersionStatus::Draft);
        let recalled = Model { submitted_at: Some(recalled.created_at), ..recalled };
        assert!(check_transition(&recalled, Transition::Delete).is_ok());
    }

    #[test]
    fn previously_active_version_cannot_be_set_aside() {
        let ratified = version(VersionStatus::Ratified);
        let was_active = Model { activated_at: Some(ratified.created_at), ..ratified };
        assert!(check_transition(&was_active, Transition::SetAside).is_err());
        assert!(check_transition(&was_active, Transition::Activate).is_ok());
    }

    /// Returns the reason why a user cannot ratify a version in this state.
    fn ratify(
        status: VersionStatus,
        is_accepted: bool,
        settings: &Settings,
        ratifier: u128,
    ) -> Option<&'static str> {
        let verdict = is_accepted.then_some(ReviewVerdict::Accept);
        refusal_reason(status, verdict, false, settings, ratifier)
    }

    fn refusal_reason(
        status: VersionStatus,
        verdict: Option<ReviewVerdict>,
        has_unknown_maker: bool,
        settings: &Settings,
        ratifier: u128,
    ) -> Option<&'static str> {
        let makers = vec![Uuid::from_u128(1)];
        let context = RatificationContext { makers, has_unknown_maker, verdict };
        let ratifier = UserId(Uuid::from_u128(ratifier));
        let refusal = ratifiable(&version(status), &context, ratifier, settings).err()?;
        Some(refusal.reason().unwrap_or_else(|| refusal.code.as_str()))
    }

    #[test]
    fn maker_cannot_ratify_unless_maker_checker_is_off() {
        use VersionStatus::Submitted;
        let violation = Some("MAKER_CHECKER_VIOLATION");
        assert_eq!(ratify(Submitted, false, &settings(true), 1), violation);
        assert_eq!(ratify(Submitted, true, &settings(true), 1), violation);
        assert_eq!(ratify(Submitted, false, &settings(true), 2), None);
        assert_eq!(ratify(Submitted, false, &settings(false), 1), None);
    }

    #[test]
    fn returned_revision_cannot_be_ratified() {
        let returned = Some(ReviewVerdict::Return);
        for status in [VersionStatus::Draft, VersionStatus::Submitted] {
            for maker_checker in [true, false] {
                for review_required in [true, false] {
                    let settings = Settings { review_required, ..settings(maker_checker) };
                    for person in [1, 2] {
                        let reason = refusal_reason(status, returned, false, &settings, person);
                        assert_eq!(reason, Some("VERSION_RETURNED"));
                    }
                }
            }
        }
    }

    #[test]
    fn maker_checker_blocks_versions_with_an_unknown_maker() {
        let ratify = |settings, person| {
            refusal_reason(VersionStatus::Submitted, None, true, &settings, person)
        };
        for person in [1, 2] {
            assert_eq!(ratify(settings(true), person), Some("MAKER_UNKNOWN"));
            assert_eq!(ratify(settings(false), person), None);
        }
    }

    #[test]
    fn required_review_prevents_ratification_without_acceptance() {
        use VersionStatus::{Draft, Submitted};
        let default_settings = settings(true);
        assert_eq!(ratify(Draft, false, &default_settings, 2), Some("VERSION_NOT_SUBMITTED"));
        assert_eq!(ratify(Draft, true, &default_settings, 2), None);
        assert_eq!(ratify(Submitted, false, &default_settings, 2), None);
        let review_settings = Settings { review_required: true, ..default_settings };
        for status in [Draft, Submitted] {
            let reason = Some("REVIEW_REQUIRED");
            assert_eq!(ratify(status, false, &review_settings, 2), reason);
            assert_eq!(ratify(status, true, &review_settings, 2), None);
        }
    }

    #[test]
    fn maker_is_listed_once() {
        let maker = UserId(Uuid::from_u128(1));
        assert_eq!(with_maker(&[maker.0], Some(maker)), [maker.0]);
        assert_eq!(with_maker(&[], Some(maker)), [maker.0]);
        assert!(with_maker(&[], None).is_empty());
    }
}
