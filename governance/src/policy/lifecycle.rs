//! The moves of a version, as pure functions: no store, no clock (contract, section 4).

use contract::{id::UserId, policy::VersionStatus, settings::Settings};
use entity::policy_version::Model;

use crate::error::{Refusal, invalid_transition, maker_checker};

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
        }
    }

    /// The state a version must be in, and why it cannot move when it is in another.
    const fn starts(self) -> (VersionStatus, &'static str) {
        match self {
            Self::Edit | Self::Submit | Self::Delete => (VersionStatus::Draft, "VERSION_NOT_DRAFT"),
            Self::Recall | Self::Reject | Self::Ratify => {
                (VersionStatus::Submitted, "VERSION_NOT_SUBMITTED")
            }
            Self::Activate => (VersionStatus::Ratified, "VERSION_NOT_RATIFIED"),
        }
    }
}

/// Refuses a move that the version's state does not allow.
pub(crate) fn allow(version: &Model, requested: Move) -> Result<(), Refusal> {
    let (start, reason) = requested.starts();
    let from = version.status.0;
    if from != start {
        return Err(invalid_transition(reason, from.as_str(), requested.word()));
    }
    if requested == Move::Activate && version.is_active {
        return Err(invalid_transition("VERSION_ALREADY_ACTIVE", "active", requested.word()));
    }
    if requested == Move::Delete && version.submitted_at.is_some() {
        let reason = "VERSION_WAS_SUBMITTED";
        return Err(invalid_transition(reason, from.as_str(), requested.word()));
    }
    Ok(())
}

/// Refuses a ratification that the tenant's settings do not allow.
pub(crate) fn ratifiable(
    version: &Model,
    ratifier: UserId,
    settings: &Settings,
) -> Result<(), Refusal> {
    independent(version, ratifier, settings)?;
    reviewed(settings)
}

/// Refuses a ratifier who had a part in making the version, while the setting asks for another
/// person. People are compared, never sessions or keys.
fn independent(version: &Model, ratifier: UserId, settings: &Settings) -> Result<(), Refusal> {
    let made_it = version.makers.contains(&ratifier.0);
    if settings.maker_checker_enabled && made_it { Err(maker_checker()) } else { Ok(()) }
}

/// Refuses ratification without an accepted review, where the setting asks for one.
fn reviewed(settings: &Settings) -> Result<(), Refusal> {
    if settings.review_required {
        return Err(invalid_transition(
            "REVIEW_REQUIRED",
            VersionStatus::Submitted.as_str(),
            Move::Ratify.word(),
        ));
    }
    Ok(())
}

/// The makers with one more person, if that person is new among them.
pub(crate) fn with_maker(makers: &[uuid::Uuid], person: Option<UserId>) -> Vec<uuid::Uuid> {
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
            lineage_previous: None,
        }
    }

    fn settings(maker_checker_enabled: bool) -> Settings {
        Settings {
            maker_checker_enabled,
            review_required: false,
            public_receipt_redaction: Redaction::None,
            bundle_include_context: true,
            alert_min_severity: Severity::Medium,
            updated_at: None,
            updated_by: None,
        }
    }

    #[test]
    fn each_move_starts_from_one_state() {
        use Move::{Activate, Delete, Edit, Ratify, Recall, Reject, Submit};
        for (status, allowed) in [
            (VersionStatus::Draft, &[Edit, Submit, Delete][..]),
            (VersionStatus::Submitted, &[Recall, Reject, Ratify]),
            (VersionStatus::Ratified, &[Activate]),
            (VersionStatus::Replaced, &[]),
            (VersionStatus::SetAside, &[]),
        ] {
            for requested in [Edit, Submit, Recall, Reject, Ratify, Activate, Delete] {
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
    fn a_draft_that_was_submitted_once_is_kept() {
        let sent = version(VersionStatus::Draft);
        let sent = Model { submitted_at: Some(sent.created_at), ..sent };
        assert!(allow(&sent, Move::Delete).is_err());
        assert!(allow(&sent, Move::Edit).is_ok());
    }

    #[test]
    fn a_maker_is_no_checker_unless_the_setting_is_off() {
        let maker = UserId(uuid::Uuid::from_u128(1));
        let other = UserId(uuid::Uuid::from_u128(2));
        let version = version(VersionStatus::Submitted);
        assert!(independent(&version, maker, &settings(true)).is_err());
        assert!(independent(&version, other, &settings(true)).is_ok());
        assert!(independent(&version, maker, &settings(false)).is_ok());
    }

    #[test]
    fn a_maker_is_named_once() {
        let maker = UserId(uuid::Uuid::from_u128(1));
        assert_eq!(with_maker(&[maker.0], Some(maker)), [maker.0]);
        assert_eq!(with_maker(&[], Some(maker)), [maker.0]);
        assert!(with_maker(&[], None).is_empty());
    }
}
