//! The actions that a user can take on a version, and why others are not possible.

use page_kit::prelude::*;

/// Why a returned revision cannot be submitted.
pub(crate) const UNCHANGED: &str =
    "Changes to this revision were requested. Change a rule or the reason first.";

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum VersionAction {
    /// Seal a draft and submit it for ratification.
    Send,
    /// Return a submitted version to draft.
    Recall,
    /// Reject it, with a reason.
    Reject,
    Ratify,
    Activate,
    /// Delete a draft that was never sealed.
    Delete,
    /// Set aside a version that was never active.
    SetAside,
    /// Supersede a draft by a new one.
    Supersede,
}

impl VersionAction {
    /// Returns its name in addresses.
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

    /// Returns the actions of a status, the next step last. It includes actions that are not possible yet, so
    /// that users can find them.
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

    /// Returns the heading of the dialog and of its page.
    pub(crate) fn heading(self, policy: &str, version: u32) -> String {
        let verb = match self {
            Self::Send => "Submit",
            Self::Recall => "Recall",
            Self::Reject => "Reject",
            Self::Ratify => "Ratify",
            Self::Activate => "Activate",
            Self::Delete => "Delete",
            Self::SetAside => "Set aside",
            Self::Supersede => "Revise",
        };
        format!("{verb} {} v{version}", isolated(policy))
    }

    /// Returns the label of the button on the page of the version.
    pub(crate) fn button(self, version: u32) -> String {
        match self {
            Self::Send => format!("Submit v{version} for review"),
            Self::Recall => "Recall".to_owned(),
            Self::Reject => "Reject".to_owned(),
            Self::Ratify => format!("Ratify v{version}"),
            Self::Activate => format!("Activate v{version}"),
            Self::Delete => "Delete draft".to_owned(),
            Self::SetAside => "Set aside".to_owned(),
            Self::Supersede => "Revise in a new draft".to_owned(),
        }
    }

    /// Returns the label of the button that performs the action.
    pub(crate) fn sign_button(self, version: u32) -> String {
        match self {
            Self::Ratify => format!("Sign and ratify v{version}"),
            Self::Reject => format!("Reject v{version}"),
            Self::SetAside => format!("Set v{version} aside"),
            Self::Supersede => "Close and create new draft".to_owned(),
            _ => self.button(version),
        }
    }

    pub(crate) fn effect(self) -> &'static str {
        match self {
            Self::Send => {
                "Reviewers see exactly these rules. The version is locked until you recall it."
            }
            Self::Recall => "Returns the version to draft.",
            Self::Reject => "Returns the version to draft. The author sees your reason.",
            Self::Ratify => {
                "You approve exactly these rules. They take effect when the version is activated. This cannot be undone."
            }
            Self::Activate => "Every decision from now on uses these rules.",
            Self::Delete => "The draft is permanently deleted. Its version number is not reused.",
            Self::SetAside => "Closes the version without using it. It stays in the history.",
            Self::Supersede => {
                "Closes this draft unchanged and opens a new one with the same rules."
            }
        }
    }
}

/// An action that the user's role permits, and why it is not possible now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AvailableAction {
    pub(crate) act: VersionAction,
    /// Why it is not possible now; absent if it is possible.
    pub(crate) refusal: Option<&'static str>,
}

/// The state of a version in relation to a user.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "facts that do not depend on each other")]
pub(crate) struct ActionContext {
    pub(crate) role: Role,
    pub(crate) status: VersionStatus,
    pub(crate) is_active: bool,
    /// Whether it was sealed for review, and therefore cannot be deleted.
    pub(crate) was_sealed: bool,
    /// Whether it was active before, and therefore stays in the history.
    pub(crate) was_active: bool,
    /// Whether it must be submitted before it can be ratified.
    pub(crate) is_unsent: bool,
    /// Whether a reviewer requested changes to exactly this revision.
    pub(crate) was_returned: bool,
    /// Whether one of its makers is unknown.
    pub(crate) has_unknown_maker: bool,
    /// Whether the user is one of its makers and therefore cannot ratify it.
    pub(crate) is_blocked: bool,
    /// Whether a reviewer must accept it first.
    pub(crate) review_required: bool,
}

/// Returns the actions to show, in the order of their buttons.
pub(crate) fn available_actions(cx: ActionContext) -> Vec<AvailableAction> {
    let acts = VersionAction::of(cx.status).iter().copied();
    let is_history = |act| act == VersionAction::SetAside && cx.was_active;
    acts.filter(|act| cx.role.has(act.right()) && !is_history(*act))
        .map(|act| AvailableAction { act, refusal: unavailable_reason(act, cx) })
        .collect()
}

fn unavailable_reason(act: VersionAction, cx: ActionContext) -> Option<&'static str> {
    let is_ratify = act == VersionAction::Ratify;
    if is_ratify && cx.was_returned {
        return Some(
            "A reviewer requested changes. Edit the draft and submit it for review again.",
        );
    }
    if act == VersionAction::Send && cx.was_returned {
        return Some(UNCHANGED);
    }
    if is_ratify && cx.is_unsent {
        return Some("Submit it for review first.");
    }
    if is_ratify && cx.has_unknown_maker {
        return Some(
            "An API key without an owner contributed to this version, so it cannot be ratified.",
        );
    }
    if is_ratify && cx.is_blocked {
        return Some("You helped create this version. Another person must ratify it.");
    }
    if is_ratify && cx.review_required {
        return Some("A reviewer must accept this revision first.");
    }
    if act == VersionAction::Delete && cx.was_sealed {
        return Some("It was submitted for review, so it cannot be deleted.");
    }
    (act == VersionAction::Activate && cx.is_active).then_some("This version is already active.")
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATIFIER: ActionContext = ActionContext {
        role: Role::Ratifier,
        status: VersionStatus::Submitted,
        is_active: false,
        was_sealed: false,
        was_returned: false,
        has_unknown_maker: false,
        was_active: false,
        is_unsent: false,
        is_blocked: false,
        review_required: false,
    };

    fn availability(cx: ActionContext) -> Vec<(VersionAction, bool)> {
        available_actions(cx)
            .into_iter()
            .map(|offer| (offer.act, offer.refusal.is_none()))
            .collect()
    }

    #[test]
    fn actions_outside_the_role_are_absent() {
        use VersionAction::{Recall, Reject, SetAside};
        assert_eq!(availability(ActionContext { role: Role::Viewer, ..RATIFIER }), []);
        let author = [(SetAside, true), (Recall, true)];
        assert_eq!(availability(ActionContext { role: Role::Author, ..RATIFIER }), author);
        let reviewer = [(SetAside, true), (Recall, true), (Reject, true)];
        assert_eq!(availability(ActionContext { role: Role::Reviewer, ..RATIFIER }), reviewer);
    }

    #[test]
    fn actions_blocked_by_state_or_user_are_shown_with_their_reason() {
        use VersionAction::{Activate, Delete, Ratify, Send, SetAside, Supersede};
        let own = ActionContext { is_blocked: true, ..RATIFIER };
        assert_eq!(availability(own).last(), Some(&(Ratify, false)));
        assert_eq!(availability(RATIFIER).last(), Some(&(Ratify, true)));
        let draft = ActionContext { status: VersionStatus::Draft, is_unsent: true, ..RATIFIER };
        let closing = [(Delete, true), (SetAside, true), (Supersede, true)];
        assert_eq!(availability(draft), [&closing[..], &[(Ratify, false), (Send, true)]].concat());
        let accepted = ActionContext { is_unsent: false, ..draft };
        assert!(availability(accepted).contains(&(Ratify, true)));
        let sealed = ActionContext { was_sealed: true, ..draft };
        assert_eq!(availability(sealed).first(), Some(&(Delete, false)));
        let returned = ActionContext { was_returned: true, ..RATIFIER };
        assert_eq!(availability(returned).last(), Some(&(Ratify, false)));
        let returned_draft = ActionContext { status: VersionStatus::Draft, ..returned };
        assert_eq!(availability(returned_draft).last(), Some(&(Send, false)));
        let unknown = ActionContext { has_unknown_maker: true, ..RATIFIER };
        assert_eq!(availability(unknown).last(), Some(&(Ratify, false)));
        let ratified = ActionContext { status: VersionStatus::Ratified, ..RATIFIER };
        assert_eq!(availability(ratified), [(SetAside, true), (Activate, true)]);
        let active = ActionContext { is_active: true, was_active: true, ..ratified };
        assert_eq!(availability(active), [(Activate, false)]);
    }

    #[test]
    fn replaced_and_set_aside_versions_have_no_actions() {
        for status in [VersionStatus::Replaced, VersionStatus::SetAside] {
            assert_eq!(availability(ActionContext { status, ..RATIFIER }), []);
        }
    }
}
