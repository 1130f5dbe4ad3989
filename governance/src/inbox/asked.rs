//! Which act a version waits for, and whose it is, as pure functions.

use contract::{
    id::UserId,
    policy::{ReviewVerdict, VersionStatus},
    scope::{Right, Role},
    time::Timestamp,
};
use uuid::Uuid;

use crate::policy::lifecycle;

/// The act that a version waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Judge what was sealed.
    Review,
    /// Approve it by signature.
    Ratify,
    /// Let it decide.
    Activate,
    /// Change what was sent back, and send it again.
    Answer,
}

/// Something that happened: when, and by whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Event {
    pub(super) at: Timestamp,
    pub(super) by: Option<String>,
}

/// What was sealed last.
#[derive(Clone, Debug)]
pub(super) struct Sealed {
    pub(super) revision: u32,
    pub(super) sealer: Option<Uuid>,
    pub(super) event: Event,
}

/// What is known of an open version.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    pub(super) status: VersionStatus,
    pub(super) revision: u32,
    /// As they count when it is ratified.
    pub(super) makers: Vec<Uuid>,
    pub(super) has_unknown_maker: bool,
    pub(super) submitted: Option<Event>,
    pub(super) rejected: Option<Event>,
    pub(super) ratified: Option<Event>,
    pub(super) sealed: Option<Sealed>,
    /// What was recorded about what was sealed last.
    pub(super) record: Option<(ReviewVerdict, Event)>,
}

/// An act that is due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Due {
    pub(super) asked: Asked,
    pub(super) since: Timestamp,
    pub(super) by: Option<String>,
}

/// Who asks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Person {
    pub(super) user_id: UserId,
    pub(super) role: Role,
    pub(super) is_maker_checked: bool,
}

impl Facts {
    /// The act that is due; none while a draft is simply being written.
    pub(super) fn due(&self, review_required: bool) -> Option<Due> {
        let due = |asked, event: &Event| Due { asked, since: event.at, by: event.by.clone() };
        if self.status == VersionStatus::Ratified {
            return self.ratified.as_ref().map(|event| due(Asked::Activate, event));
        }
        match (&self.sealed, &self.record) {
            (_, Some((ReviewVerdict::Return, event))) => Some(due(Asked::Answer, event)),
            (Some(sealed), Some((ReviewVerdict::Accept, event)))
                if sealed.revision == self.revision =>
            {
                Some(due(Asked::Ratify, event))
            }
            (Some(sealed), None) => Some(due(Asked::Review, &sealed.event)),
            _ if self.status == VersionStatus::Submitted => {
                let asked = if review_required { Asked::Answer } else { Asked::Ratify };
                self.submitted.as_ref().map(|event| due(asked, event))
            }
            _ => {
                let rejected = self.rejected.as_ref()?;
                let sent_again =
                    self.submitted.as_ref().is_some_and(|event| event.at > rejected.at);
                (!sent_again).then(|| due(Asked::Answer, rejected))
            }
        }
    }

    /// Whether `person` could do the act.
    pub(super) fn is_for(&self, asked: Asked, person: Person) -> bool {
        let is_independent = |involved: &[Uuid]| {
            lifecycle::is_independent(involved, person.user_id, person.is_maker_checked)
        };
        let sealer = self.sealed.as_ref().and_then(|sealed| sealed.sealer);
        match asked {
            Asked::Review => person.role.may(Right::Review) && is_independent(sealer.as_slice()),
            Asked::Ratify => {
                let is_known = !(person.is_maker_checked && self.has_unknown_maker);
                person.role.may(Right::Ratify) && is_known && is_independent(&self.makers)
            }
            Asked::Activate => person.role.may(Right::Ratify),
            Asked::Answer => {
                person.role.may(Right::Author) && self.makers.contains(&person.user_id.0)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(millis: i64) -> Event {
        let at = Timestamp::from_millis(millis).expect("within the calendar");
        Event { at, by: Some(millis.to_string()) }
    }

    fn person(number: u128, role: Role) -> Person {
        let user_id = UserId(Uuid::from_u128(number));
        Person { user_id, role, is_maker_checked: true }
    }

    /// A submitted version of person 1, sealed at its revision.
    fn sent() -> Facts {
        let one = Uuid::from_u128(1);
        Facts {
            status: VersionStatus::Submitted,
            revision: 3,
            makers: vec![one],
            has_unknown_maker: false,
            submitted: Some(event(20)),
            rejected: None,
            ratified: None,
            sealed: Some(Sealed { revision: 3, sealer: Some(one), event: event(10) }),
            record: None,
        }
    }

    fn due(facts: &Facts) -> Option<(Asked, String)> {
        let due = facts.due(false)?;
        Some((due.asked, due.by.unwrap_or_default()))
    }

    #[test]
    fn what_was_sealed_waits_for_a_reviewer_then_for_what_was_recorded() {
        assert_eq!(due(&sent()), Some((Asked::Review, "10".to_owned())));
        let record = |verdict| Some((verdict, event(30)));
        let accepted = Facts { record: record(ReviewVerdict::Accept), ..sent() };
        assert_eq!(due(&accepted), Some((Asked::Ratify, "30".to_owned())));
        let returned = Facts { record: record(ReviewVerdict::Return), ..sent() };
        assert_eq!(due(&returned), Some((Asked::Answer, "30".to_owned())));
        // What was accepted is not what the draft is now.
        let moved = Facts { revision: 4, status: VersionStatus::Draft, ..accepted };
        assert_eq!(due(&moved), None);
        let ratified = Some(event(40));
        let ratified = Facts { status: VersionStatus::Ratified, ratified, ..moved };
        assert_eq!(due(&ratified), Some((Asked::Activate, "40".to_owned())));
    }

    #[test]
    fn without_a_review_what_is_sent_waits_for_a_ratifier_unless_one_is_required() {
        let unsealed = Facts { sealed: None, ..sent() };
        assert_eq!(due(&unsealed), Some((Asked::Ratify, "20".to_owned())));
        assert_eq!(unsealed.due(true).map(|due| due.asked), Some(Asked::Answer));
        let draft = Facts { status: VersionStatus::Draft, submitted: None, ..unsealed };
        assert_eq!(due(&draft), None);
        let rejected = Facts { rejected: Some(event(25)), ..draft.clone() };
        assert_eq!(due(&rejected), Some((Asked::Answer, "25".to_owned())));
        let recalled = Facts { submitted: Some(event(30)), ..rejected };
        assert_eq!(due(&recalled), None);
    }

    #[test]
    fn an_act_is_for_whoever_may_do_it_and_had_no_part_in_what_it_judges() {
        let (maker, other) = (person(1, Role::Admin), person(2, Role::Admin));
        for (asked, is_for_maker, is_for_other) in [
            (Asked::Review, false, true),
            (Asked::Ratify, false, true),
            (Asked::Activate, true, true),
            (Asked::Answer, true, false),
        ] {
            assert_eq!(sent().is_for(asked, maker), is_for_maker, "{asked:?}");
            assert_eq!(sent().is_for(asked, other), is_for_other, "{asked:?}");
        }
        let unchecked = Person { is_maker_checked: false, ..maker };
        assert!(sent().is_for(Asked::Ratify, unchecked));
        assert!(!sent().is_for(Asked::Review, person(2, Role::Author)));
        assert!(!sent().is_for(Asked::Ratify, person(2, Role::Reviewer)));
    }
}
