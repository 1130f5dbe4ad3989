//! The action that a version needs and the users who can perform it, as pure functions.

use contract::policy::ReviewVerdict;

use crate::{authoring::policy::lifecycle, base::prelude::*};

/// The action that a version needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestedAction {
    Review,
    Ratify,
    Activate,
    /// Address the requested changes and submit again.
    Answer,
    /// Reply to a comment that mentions the user, or resolve its thread.
    Reply,
}

/// The event after which an action is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    Submitted,
    Accepted,
    ChangesRequested,
    Rejected,
    Ratified,
    Mentioned,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Event {
    pub(super) at: Timestamp,
    pub(super) by: Option<String>,
}

/// The last review submission.
#[derive(Clone, Debug)]
pub(super) struct LastSeal {
    pub(super) revision: u32,
    pub(super) sealer: Option<Uuid>,
    pub(super) event: Event,
}

/// The facts about an open version that determine the requested action.
#[derive(Clone, Debug)]
pub(super) struct VersionFacts {
    pub(super) status: VersionStatus,
    pub(super) revision: u32,
    /// The makers, as counted at ratification.
    pub(super) makers: Vec<Uuid>,
    pub(super) has_unknown_maker: bool,
    pub(super) submitted: Option<Event>,
    pub(super) rejected: Option<Event>,
    pub(super) ratified: Option<Event>,
    pub(super) sealed: Option<LastSeal>,
    /// The review record of the last submission.
    pub(super) record: Option<(ReviewVerdict, Event)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PendingAction {
    pub(super) action: RequestedAction,
    pub(super) cause: Cause,
    pub(super) since: Timestamp,
    pub(super) by: Option<String>,
}

/// The signed-in user.
#[derive(Clone, Copy, Debug)]
pub(super) struct InboxUser {
    pub(super) user_id: UserId,
    pub(super) role: Role,
    pub(super) is_maker_checked: bool,
}

impl VersionFacts {
    /// Returns the pending action; `None` while a draft is being edited.
    pub(super) fn pending_action(&self, review_required: bool) -> Option<PendingAction> {
        let pending = |action, cause, event: &Event| {
            let by = event.by.clone();
            PendingAction { action, cause, since: event.at, by }
        };
        if self.status == VersionStatus::Ratified {
            let ratified = self.ratified.as_ref();
            return ratified
                .map(|event| pending(RequestedAction::Activate, Cause::Ratified, event));
        }
        let sealed = self.sealed.as_ref().filter(|sealed| !self.was_closed(sealed));
        match (sealed, &self.record) {
            (_, Some((ReviewVerdict::Return, event))) => {
                Some(pending(RequestedAction::Answer, Cause::ChangesRequested, event))
            }
            (Some(sealed), Some((ReviewVerdict::Accept, event)))
                if sealed.revision == self.revision =>
            {
                Some(pending(RequestedAction::Ratify, Cause::Accepted, event))
            }
            (Some(sealed), None) => {
                Some(pending(RequestedAction::Review, Cause::Submitted, &sealed.event))
            }
            _ if self.status == VersionStatus::Submitted => {
                let action =
                    if review_required { RequestedAction::Answer } else { RequestedAction::Ratify };
                self.submitted.as_ref().map(|event| pending(action, Cause::Submitted, event))
            }
            _ => {
                let rejected = self.rejected.as_ref()?;
                let was_resubmitted =
                    self.submitted.as_ref().is_some_and(|event| event.at > rejected.at);
                (!was_resubmitted)
                    .then(|| pending(RequestedAction::Answer, Cause::Rejected, rejected))
            }
        }
    }

    /// Returns whether the submission was recalled or rejected: the version is a draft that was submitted
    /// after its last seal.
    fn was_closed(&self, sealed: &LastSeal) -> bool {
        self.status == VersionStatus::Draft
            && self.submitted.as_ref().is_some_and(|event| event.at >= sealed.event.at)
    }

    /// Returns whether `user` can perform the action.
    pub(super) fn is_for(&self, action: RequestedAction, user: InboxUser) -> bool {
        let is_independent = |involved: &[Uuid]| {
            lifecycle::is_independent(involved, user.user_id, user.is_maker_checked)
        };
        let sealer = self.sealed.as_ref().and_then(|sealed| sealed.sealer);
        match action {
            RequestedAction::Review => {
                user.role.has(Right::Review) && is_independent(sealer.as_slice())
            }
            RequestedAction::Ratify => {
                let makers_known = !(user.is_maker_checked && self.has_unknown_maker);
                user.role.has(Right::Ratify) && makers_known && is_independent(&self.makers)
            }
            RequestedAction::Activate => user.role.has(Right::Ratify),
            RequestedAction::Answer => {
                user.role.has(Right::Author) && self.makers.contains(&user.user_id.0)
            }
            // Only the inbox of the mentioned user contains it.
            RequestedAction::Reply => true,
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

    fn user(number: u128, role: Role) -> InboxUser {
        let user_id = UserId(Uuid::from_u128(number));
        InboxUser { user_id, role, is_maker_checked: true }
    }

    /// A submitted version made by user 1, sealed at its current revision.
    fn submitted_version() -> VersionFacts {
        let one = Uuid::from_u128(1);
        VersionFacts {
            status: VersionStatus::Submitted,
            revision: 3,
            makers: vec![one],
            has_unknown_maker: false,
            submitted: Some(event(20)),
            rejected: None,
            ratified: None,
            sealed: Some(LastSeal { revision: 3, sealer: Some(one), event: event(10) }),
            record: None,
        }
    }

    #[test]
    fn version_needs_the_action_of_its_state() {
        use RequestedAction::{Activate, Answer, Ratify, Review};
        let submitted = submitted_version();
        let record = |verdict| Some((verdict, event(30)));
        let accepted = VersionFacts { record: record(ReviewVerdict::Accept), ..submitted.clone() };
        let returned = VersionFacts { record: record(ReviewVerdict::Return), ..submitted.clone() };
        let edited = VersionFacts { revision: 4, status: VersionStatus::Draft, ..accepted.clone() };
        let ratified = Some(event(40));
        let ratified = VersionFacts { status: VersionStatus::Ratified, ratified, ..edited.clone() };
        let recalled = VersionFacts { status: VersionStatus::Draft, ..submitted.clone() };
        let accepted_draft =
            VersionFacts { record: record(ReviewVerdict::Accept), ..recalled.clone() };
        let rejected = VersionFacts { rejected: Some(event(25)), ..recalled.clone() };
        let sealed = Some(LastSeal { revision: 3, sealer: None, event: event(21) });
        let sealed_again = VersionFacts { sealed, ..recalled.clone() };
        let unsealed = VersionFacts { sealed: None, ..submitted.clone() };
        let draft = VersionFacts { submitted: None, sealed: None, ..recalled.clone() };
        let rejected_draft = VersionFacts { rejected: Some(event(25)), ..draft.clone() };
        let recalled_again = VersionFacts { submitted: Some(event(30)), ..rejected_draft.clone() };
        for (name, facts, expected) in [
            ("submitted", submitted, Some((Review, "10"))),
            ("accepted", accepted, Some((Ratify, "30"))),
            ("returned", returned, Some((Answer, "30"))),
            ("accepted in an earlier revision", edited, None),
            ("ratified", ratified, Some((Activate, "40"))),
            ("recalled without an edit", recalled, None),
            ("accepted and recalled", accepted_draft, None),
            ("rejected", rejected, Some((Answer, "25"))),
            ("sealed again", sealed_again, Some((Review, "21"))),
            ("not sealed", unsealed.clone(), Some((Ratify, "20"))),
            ("never submitted", draft, None),
            ("rejected without a seal", rejected_draft, Some((Answer, "25"))),
            ("submitted and recalled after its rejection", recalled_again, None),
        ] {
            let due = facts.pending_action(false).map(|due| (due.action, due.by));
            assert_eq!(due, expected.map(|(action, by)| (action, Some(by.to_owned()))), "{name}");
        }
        let due = unsealed.pending_action(true).map(|due| due.action);
        assert_eq!(due, Some(Answer), "a review is required");
    }

    #[test]
    fn action_requires_permission_and_independence() {
        let (maker, other) = (user(1, Role::Admin), user(2, Role::Admin));
        for (action, is_for_maker, is_for_other) in [
            (RequestedAction::Review, false, true),
            (RequestedAction::Ratify, false, true),
            (RequestedAction::Activate, true, true),
            (RequestedAction::Answer, true, false),
        ] {
            assert_eq!(submitted_version().is_for(action, maker), is_for_maker, "{action:?}");
            assert_eq!(submitted_version().is_for(action, other), is_for_other, "{action:?}");
        }
        let unchecked = InboxUser { is_maker_checked: false, ..maker };
        assert!(submitted_version().is_for(RequestedAction::Ratify, unchecked));
        assert!(!submitted_version().is_for(RequestedAction::Review, user(2, Role::Author)));
        assert!(!submitted_version().is_for(RequestedAction::Ratify, user(2, Role::Reviewer)));
    }
}
