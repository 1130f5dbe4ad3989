//! What a person may do with a version now, and why not the rest.

use contract::{
    policy::VersionStatus,
    scope::{Right, Role},
};
use serde::{Deserialize, Serialize};

/// An act on a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Act {
    /// Seal a draft for review, and send it for ratification.
    Send,
    /// Take it back into the draft.
    Recall,
    /// Send it back to its author, with a reason.
    Reject,
    /// Approve it by signature.
    Ratify,
    /// Let it decide.
    Activate,
    /// Delete a draft that nobody else has seen.
    Delete,
    /// Close a version that was never in force.
    SetAside,
    /// Keep a draft as it is, and go on in a new one.
    Supersede,
}

impl Act {
    /// The path word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Send => "send",
            Self::Recall => "recall",
            Self::Reject => "reject",
            Self::Ratify => "ratify",
            Self::Activate => "activate",
            Self::Delete => "delete",
            Self::SetAside => "set-aside",
            Self::Supersede => "supersede",
        }
    }

    const fn right(self) -> Right {
        match self {
            Self::Send | Self::Recall | Self::Delete | Self::SetAside | Self::Supersede => {
                Right::Author
            }
            Self::Reject => Right::Review,
            Self::Ratify | Self::Activate => Right::Ratify,
        }
    }

    /// The acts that belong to a state, the next step last. A step that is not due yet is shown
    /// too, so that nobody looks for it in vain.
    const fn of(status: VersionStatus) -> &'static [Self] {
        match status {
            VersionStatus::Draft => {
                &[Self::Delete, Self::SetAside, Self::Supersede, Self::Ratify, Self::Send]
            }
            VersionStatus::Submitted => &[Self::SetAside, Self::Recall, Self::Reject, Self::Ratify],
            VersionStatus::Ratified => &[Self::SetAside, Self::Activate],
            VersionStatus::Replaced | VersionStatus::SetAside => &[],
        }
    }
}

/// An act that the person's role allows, and why it cannot be done now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// The act.
    pub act: Act,
    /// Why not now; absent when it can be done.
    pub refusal: Option<String>,
}

/// Where a version and a person stand to each other.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "facts that do not depend on each other")]
pub struct Standing {
    /// The person's role.
    pub role: Role,
    /// The version's state.
    pub status: VersionStatus,
    /// Whether the version decides.
    pub is_active: bool,
    /// Whether it was sealed for review, and so is retained.
    pub was_sealed: bool,
    /// Whether it was in force once, and so stays in the history.
    pub was_active: bool,
    /// Whether it must be sent before it can be ratified.
    pub is_unsent: bool,
    /// Whether a reviewer returned this very revision.
    pub was_returned: bool,
    /// Whether one of its makers is not a known person.
    pub has_unknown_maker: bool,
    /// Whether the person had a part in making it, and so may not ratify it.
    pub is_barred: bool,
    /// Whether a reviewer must accept first.
    pub review_required: bool,
}

/// The acts to show, in the order of their buttons.
pub fn offers(standing: Standing) -> Vec<Offer> {
    let acts = Act::of(standing.status).iter().copied();
    let is_history = |act| act == Act::SetAside && standing.was_active;
    acts.filter(|act| standing.role.may(act.right()) && !is_history(*act))
        .map(|act| Offer { act, refusal: refusal(act, standing).map(str::to_owned) })
        .collect()
}

fn refusal(act: Act, standing: Standing) -> Option<&'static str> {
    let ratifies = act == Act::Ratify;
    if ratifies && standing.was_returned {
        return Some("A reviewer returned this revision. Change it and send it for review again.");
    }
    if ratifies && standing.is_unsent {
        return Some("Send it for review first.");
    }
    if ratifies && standing.has_unknown_maker {
        return Some(
            "An API key without an owner had a part in making this version, so it cannot be ratified.",
        );
    }
    if ratifies && standing.is_barred {
        return Some("You had a part in making this version. Someone else must ratify it.");
    }
    if ratifies && standing.review_required {
        return Some("A reviewer must accept this revision first.");
    }
    if act == Act::Delete && standing.was_sealed {
        return Some("It was sealed for review, so it cannot be deleted.");
    }
    (act == Act::Activate && standing.is_active).then_some("This version decides already.")
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATIFIER: Standing = Standing {
        role: Role::Ratifier,
        status: VersionStatus::Submitted,
        is_active: false,
        was_sealed: false,
        was_returned: false,
        has_unknown_maker: false,
        was_active: false,
        is_unsent: false,
        is_barred: false,
        review_required: false,
    };

    fn shown(standing: Standing) -> Vec<(Act, bool)> {
        offers(standing).into_iter().map(|offer| (offer.act, offer.refusal.is_none())).collect()
    }

    #[test]
    fn what_a_role_can_never_do_is_absent() {
        use Act::{Recall, Reject, SetAside};
        assert_eq!(shown(Standing { role: Role::Viewer, ..RATIFIER }), []);
        let author = [(SetAside, true), (Recall, true)];
        assert_eq!(shown(Standing { role: Role::Author, ..RATIFIER }), author);
        let reviewer = [(SetAside, true), (Recall, true), (Reject, true)];
        assert_eq!(shown(Standing { role: Role::Reviewer, ..RATIFIER }), reviewer);
    }

    #[test]
    fn what_state_or_person_forbids_is_shown_with_its_reason() {
        use Act::{Activate, Delete, Ratify, Send, SetAside, Supersede};
        let own = Standing { is_barred: true, ..RATIFIER };
        assert_eq!(shown(own).last(), Some(&(Ratify, false)));
        assert_eq!(shown(RATIFIER).last(), Some(&(Ratify, true)));
        let draft = Standing { status: VersionStatus::Draft, is_unsent: true, ..RATIFIER };
        let closing = [(Delete, true), (SetAside, true), (Supersede, true)];
        assert_eq!(shown(draft), [&closing[..], &[(Ratify, false), (Send, true)]].concat());
        let accepted = Standing { is_unsent: false, ..draft };
        assert!(shown(accepted).contains(&(Ratify, true)));
        let sealed = Standing { was_sealed: true, ..draft };
        assert_eq!(shown(sealed).first(), Some(&(Delete, false)));
        let returned = Standing { was_returned: true, ..RATIFIER };
        assert_eq!(shown(returned).last(), Some(&(Ratify, false)));
        let unknown = Standing { has_unknown_maker: true, ..RATIFIER };
        assert_eq!(shown(unknown).last(), Some(&(Ratify, false)));
        let ratified = Standing { status: VersionStatus::Ratified, ..RATIFIER };
        assert_eq!(shown(ratified), [(SetAside, true), (Activate, true)]);
        let active = Standing { is_active: true, was_active: true, ..ratified };
        assert_eq!(shown(active), [(Activate, false)]);
    }

    #[test]
    fn history_offers_nothing() {
        for status in [VersionStatus::Replaced, VersionStatus::SetAside] {
            assert_eq!(shown(Standing { status, ..RATIFIER }), []);
        }
    }
}
