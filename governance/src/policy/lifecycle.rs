//! The moves of a version, as pure functions: no store, no clock (contract, section 4).

use contract::{
    id::UserId,
    policy::{ReviewVerdict, VersionStatus},
    settings::Settings,
};
use entity::policy_version::Model;
use uuid::Uuid;

use crate::error::{Refusal, invalid_transition, maker_checker, maker_unknown};

/// A move of a version, by its path word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Move {
    Edit,
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

impl Move {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Edit => "edit",
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

    /// The states a version may be in, and why it cannot move when it is in another.
    const fn starts(self) -> (&'static [VersionStatus], &'static str) {
        use VersionStatus::{Draft, Ratified, Replaced, Submitted};
        match self {
            Self::Edit | Self::Submit | Self::Delete | Self::Supersede => {
                (&[Draft], "VERSION_NOT_DRAFT")
            }
            Self::Recall | Self::Reject => (&[Submitted], "VERSION_NOT_SUBMITTED"),
            // A draft whose revision was accepted may be ratified as it is: see `ratifiable`.
            Self::Ratify => (&[Draft, Submitted], "VERSION_NOT_SUBMITTED"),
            Self::Activate => (&[Ratified], "VERSION_NOT_RATIFIED"),
            Self::Seal => (&[Draft, Submitted], "VERSION_NOT_SEALABLE"),
            // What was sealed of a replaced draft is still answered by its successor.
            Self::Record => (&[Draft, Submitted, Replaced], "VERSION_NOT_REVIEWABLE"),
            Self::SetAside => (&[Draft, Submitted, Ratified], "VERSION_CLOSED"),
        }
    }
}

/// Refuses a move that the version's state does not allow.
pub(crate) fn allow(version: &Model, requested: Move) -> Result<(), Refusal> {
    let (starts, reason) = requested.starts();
    if !starts.contains(&version.status.0) {
        return Err(refused(version, requested, reason));
    }
    match requested {
        Move::Activate if version.is_active => {
            Err(refused(version, requested, "VERSION_ALREADY_ACTIVE"))
        }
        Move::SetAside if version.activated_at.is_some() => {
            Err(refused(version, requested, "VERSION_WAS_ACTIVE"))
        }
        _ => Ok(()),
    }
}

/// The refusal of a move, with the state that the version is in.
pub(crate) fn refused(version: &Model, requested: Move, reason: &str) -> Refusal {
    let is_about_force = matches!(requested, Move::Activate | Move::SetAside) && version.is_active;
    let from = if is_about_force { "active" } else { version.status.0.as_str() };
    invalid_transition(reason, from, requested.word())
}

/// Who made a version, and what its reviewers found: what ratification looks at beside its state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Standing {
    /// The creator, every editor of this draft, submitters, sealers, issuers of its capabilities.
    pub(crate) makers: Vec<Uuid>,
    /// Whether a maker is not a known person.
    pub(crate) has_unknown_maker: bool,
    /// The verdict of the review of exactly this revision.
    pub(crate) verdict: Option<ReviewVerdict>,
}

impl Standing {
    fn is_accepted(&self) -> bool {
        self.verdict == Some(ReviewVerdict::Accept)
    }
}

/// Refuses a ratification that the version's reviews or the tenant's settings do not allow.
pub(crate) fn ratifiable(
    version: &Model,
    standing: &Standing,
    ratifier: UserId,
    settings: &Settings,
) -> Result<(), Refusal> {
    if standing.verdict == Some(ReviewVerdict::Return) {
        return Err(refused(version, Move::Ratify, "VERSION_RETURNED"));
    }
    let is_submitted = version.status.0 == VersionStatus::Submitted;
    if !is_submitted && !standing.is_accepted() && !settings.review_required {
        return Err(refused(version, Move::Ratify, "VERSION_NOT_SUBMITTED"));
    }
    if settings.maker_checker_enabled && standing.has_unknown_maker {
        return Err(maker_unknown());
    }
    if !is_independent(&standing.makers, ratifier, settings.maker_checker_enabled) {
        return Err(maker_checker());
    }
    if settings.review_required && !standing.is_accepted() {
        return Err(refused(version, Move::Ratify, "REVIEW_REQUIRED"));
    }
    Ok(())
}

/// Whether `person` may judge what `involved` made or sealed: had no part in it, or the setting asks
/// for no other person. People are compared, never sessions or keys.
pub(crate) fn is_independent(involved: &[Uuid], person: UserId, is_maker_checked: bool) -> bool {
    !(is_maker_checked && involved.contains(&person.0))
}

/// The makers with one more person, if that person is new among them.
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
    use contract::{receipt::Redaction, rule::Severity};
    use entity::column::Word;

    fn version(status: VersionStatus) -> Model {
        let at = entity::column::at(contract::time::Timestamp::from_millis(0).unwrap());
        Model {
            tenant_id: uuid::Uuid::nil(),
            policy_id: uuid::Uuid::nil(),
            version: 1,
            id: uuid::Uuid::nil(),
            draft_revision: 1,
            rules: "[]".to_owned(),
            rules_digest: String::new(),
            is_active: false,
            status: Word(status),
            created_at: at,
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
            makers: vec![uuid::Uuid::from_u128(1)],
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
            updated_at: None,
            updated_by: None,
        }
    }

    #[test]
    fn each_move_starts_from_its_states() {
        use Move::{
            Activate, Delete, Edit, Ratify, Recall, Record, Reject, Seal, SetAside, Submit,
            Supersede,
        };
        for (status, allowed) in [
            (
                VersionStatus::Draft,
                &[Edit, Submit, Delete, Supersede, Seal, Record, Ratify, SetAside][..],
            ),
            (VersionStatus::Submitted, &[Recall, Reject, Seal, Record, Ratify, SetAside]),
            (VersionStatus::Ratified, &[Activate, SetAside]),
            (VersionStatus::Replaced, &[Record]),
            (VersionStatus::SetAside, &[]),
        ] {
            for requested in [
                Edit, Submit, Recall, Reject, Ratify, Activate, Delete, Seal, Record, SetAside,
                Supersede,
            ] {
                let good = allow(&version(status), requested).is_ok();
                assert_eq!(good, allowed.contains(&requested), "{status} {requested:?}");
            }
        }
    }

    #[test]
    fn an_active_version_is_not_activated_again() {
        let active = Model { is_active: true, ..version(VersionStatus::Ratified) };
        assert!(allow(&active, Move::Activate).is_err());
    }

    #[test]
    fn a_recalled_draft_can_be_deleted() {
        let recalled = version(VersionStatus::Draft);
        let recalled = Model { submitted_at: Some(recalled.created_at), ..recalled };
        assert!(allow(&recalled, Move::Delete).is_ok());
    }

    #[test]
    fn what_decided_once_is_not_set_aside() {
        let ratified = version(VersionStatus::Ratified);
        let was_active = Model { activated_at: Some(ratified.created_at), ..ratified };
        assert!(allow(&was_active, Move::SetAside).is_err());
        assert!(allow(&was_active, Move::Activate).is_ok());
    }

    /// Why a person cannot ratify a version in this state.
    fn ratify(
        status: VersionStatus,
        is_accepted: bool,
        settings: &Settings,
        ratifier: u128,
    ) -> Option<String> {
        let verdict = is_accepted.then_some(ReviewVerdict::Accept);
        why_not(status, verdict, false, settings, ratifier)
    }

    fn why_not(
        status: VersionStatus,
        verdict: Option<ReviewVerdict>,
        has_unknown_maker: bool,
        settings: &Settings,
        ratifier: u128,
    ) -> Option<String> {
        let makers = vec![Uuid::from_u128(1)];
        let standing = Standing { makers, has_unknown_maker, verdict };
        let ratifier = UserId(Uuid::from_u128(ratifier));
        let refusal = ratifiable(&version(status), &standing, ratifier, settings).err()?;
        let reason = refusal.details.as_ref().and_then(|details| details.get("reason"));
        let reason = reason.and_then(contract::json::Value::as_str).map(str::to_owned);
        Some(reason.unwrap_or_else(|| refusal.code.as_str().to_owned()))
    }

    #[test]
    fn a_maker_is_no_checker_unless_the_setting_is_off() {
        use VersionStatus::Submitted;
        let refused = Some("MAKER_CHECKER_VIOLATION".to_owned());
        assert_eq!(ratify(Submitted, false, &settings(true), 1), refused);
        assert_eq!(ratify(Submitted, true, &settings(true), 1), refused);
        assert_eq!(ratify(Submitted, false, &settings(true), 2), None);
        assert_eq!(ratify(Submitted, false, &settings(false), 1), None);
    }

    #[test]
    fn a_returned_revision_cannot_be_ratified_in_any_status_under_any_settings() {
        let returned = Some(ReviewVerdict::Return);
        for status in [VersionStatus::Draft, VersionStatus::Submitted] {
            for maker_checker in [true, false] {
                for review_required in [true, false] {
                    let settings = Settings { review_required, ..settings(maker_checker) };
                    for person in [1, 2] {
                        let refused = why_not(status, returned, false, &settings, person);
                        assert_eq!(refused, Some("VERSION_RETURNED".to_owned()));
                    }
                }
            }
        }
    }

    #[test]
    fn with_maker_checker_on_nobody_ratifies_what_an_unknown_maker_made() {
        let ratify =
            |settings, person| why_not(VersionStatus::Submitted, None, true, &settings, person);
        for person in [1, 2] {
            assert_eq!(ratify(settings(true), person), Some("MAKER_UNKNOWN".to_owned()));
            assert_eq!(ratify(settings(false), person), None);
        }
    }

    #[test]
    fn both_ways_lead_to_ratification_and_one_where_reviews_are_asked_for() {
        use VersionStatus::{Draft, Submitted};
        let either = settings(true);
        assert_eq!(ratify(Draft, false, &either, 2), Some("VERSION_NOT_SUBMITTED".to_owned()));
        assert_eq!(ratify(Draft, true, &either, 2), None);
        assert_eq!(ratify(Submitted, false, &either, 2), None);
        let reviewed = Settings { review_required: true, ..either };
        for status in [Draft, Submitted] {
            let refused = Some("REVIEW_REQUIRED".to_owned());
            assert_eq!(ratify(status, false, &reviewed, 2), refused);
            assert_eq!(ratify(status, true, &reviewed, 2), None);
        }
    }

    #[test]
    fn a_maker_is_named_once() {
        let maker = UserId(uuid::Uuid::from_u128(1));
        assert_eq!(with_maker(&[maker.0], Some(maker)), [maker.0]);
        assert_eq!(with_maker(&[], Some(maker)), [maker.0]);
        assert!(with_maker(&[], None).is_empty());
    }
}
