//! What each use case asks of its caller: a scope of a key, a right of a person.

use contract::{
    capability::CapabilityAction,
    scope::{Right, Scope},
};

/// What a use case needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permission {
    /// What people call it, for refusals.
    pub name: &'static str,
    /// The scopes that a key must hold; `None` when only a person may act.
    pub scopes: Option<&'static [Scope]>,
    /// The right that a person's role must have.
    pub right: Right,
    /// Whether it signs, and so asks for a fresh sign-in.
    pub signs: bool,
    /// The actions of a grant that open it, on the version that the grant names, to a key without the
    /// scopes; `None` where no grant does.
    pub actions: Option<&'static [CapabilityAction]>,
}

impl Permission {
    /// Whether it is for keys that carry a capability, and for nobody else.
    pub fn is_for_carriers(&self) -> bool {
        self.right == Right::Carry
    }
}

/// Reading policies, versions and snapshots.
pub const READ_POLICIES: Permission = both("reading policies", &[Scope::PoliciesRead], Right::Read);
/// Drafting, submitting, recalling.
pub const WRITE_POLICIES: Permission =
    both("writing policies", &[Scope::PoliciesWrite], Right::Author);
/// Reading one version.
pub const READ_VERSION: Permission = granted(READ_POLICIES, &[CapabilityAction::PolicyRead]);
/// Reading what was sealed of a version, and what was found.
pub const READ_SUBMISSIONS: Permission =
    granted(READ_POLICIES, &[CapabilityAction::ReviewRetrieve]);
/// Editing a draft in place.
pub const EDIT_DRAFT: Permission = granted(WRITE_POLICIES, &[CapabilityAction::DraftEdit]);
/// Sending a draft to its ratifiers.
pub const SUBMIT: Permission = granted(WRITE_POLICIES, &[CapabilityAction::Submit]);
/// Sealing a version for review.
pub const SEAL: Permission = granted(WRITE_POLICIES, &[CapabilityAction::ReviewSeal]);
/// Granting a program some work on one version.
pub const ISSUE_CAPABILITIES: Permission =
    human("issuing authoring capabilities", Right::Author, true);
/// Letting a grant go on with a successor draft.
pub const CARRY_CAPABILITIES: Permission =
    human("carrying authoring capabilities", Right::Author, false);
/// Ending a grant.
pub const REVOKE_CAPABILITIES: Permission =
    human("revoking authoring capabilities", Right::Author, false);
/// Working under a capability.
pub const CARRY: Permission = carriers("working under an authoring capability", &[]);
/// Reading what waits for people within the reach of a capability.
pub const READ_PENDING_WORK: Permission = carriers(
    "reading pending work",
    &[CapabilityAction::PolicyRead, CapabilityAction::ReviewRetrieve],
);
/// Sending a submitted version back.
pub const REJECT: Permission = both("rejecting", &[Scope::PoliciesWrite], Right::Review);
/// Sealing a draft for review and submitting it, in one act of the console.
pub const SEND: Permission = human("sending for review", Right::Author, false);
/// Recording what a review found.
pub const REVIEW: Permission = human("reviewing", Right::Review, true);
/// Correcting a draft by another one.
pub const SUPERSEDE: Permission = human("superseding", Right::Author, false);
/// Closing a version that never decided: one's own, or as a reviewer.
pub const SET_ASIDE: Permission = human("setting aside", Right::Author, false);
/// Ratifying.
pub const RATIFY: Permission = human("ratifying", Right::Ratify, true);
/// Activating.
pub const ACTIVATE: Permission = human("activating", Right::Ratify, true);
/// Taking a policy out of force.
pub const DEACTIVATE: Permission =
    signed(both("deactivating", &[Scope::PoliciesWrite], Right::Ratify));
/// Changing what an active policy decides without a new version of it.
pub const CHANGE_VERDICTS: Permission =
    both("changing what an active policy decides", &[Scope::PoliciesWrite], Right::Ratify);
/// Dry runs.
pub const EVALUATE: Permission = both("evaluating", &[Scope::DecisionsEvaluate], Right::Operate);
/// Recording decisions.
pub const RECORD: Permission = both("recording decisions", &[Scope::DecisionsWrite], Right::Author);
/// Closing a chain of decisions.
pub const SEAL_CHAINS: Permission = both("sealing chains", &[Scope::DecisionsWrite], Right::Author);
/// Reading recorded decisions.
pub const READ_DECISIONS: Permission =
    both("reading decisions", &[Scope::DecisionsRead], Right::Read);
/// Keeping filters of the log for oneself.
pub const SAVE_FILTERS: Permission = human("saving filters", Right::Read, false);
/// Reading the audit log.
pub const READ_AUDIT: Permission = both("reading the audit log", &[Scope::AuditRead], Right::Audit);
/// Checking the audit log.
pub const VERIFY_AUDIT: Permission =
    both("verifying the audit log", &[Scope::AuditAdmin], Right::Audit);
/// Telling what happened after a decision.
pub const RECORD_OUTCOME: Permission =
    both("recording outcomes", &[Scope::DecisionsWrite], Right::Operate);
/// Reading the decisions of a policy.
pub const READ_POLICY_DECISIONS: Permission = both(
    "reading the decisions of a policy",
    &[Scope::PoliciesRead, Scope::DecisionsRead],
    Right::Read,
);
/// Taking decisions out of the house in bulk.
pub const EXPORT_DECISIONS: Permission =
    both("exporting decisions", &[Scope::DecisionsRead], Right::Audit);
/// Reading alerts.
pub const READ_ALERTS: Permission = both("reading alerts", &[Scope::AlertsRead], Right::Read);
/// Saying that one has looked at alerts.
pub const ACKNOWLEDGE_ALERTS: Permission =
    both("acknowledging alerts", &[Scope::AlertsWrite], Right::Operate);
/// Looking after the webhooks that alerts are sent to.
pub const KEEP_WEBHOOKS: Permission =
    both("keeping webhooks", &[Scope::AlertsWrite], Right::Operate);
/// Reading what became of deliveries to webhooks.
pub const READ_DELIVERIES: Permission =
    both("reading deliveries", &[Scope::AlertsRead], Right::Operate);
/// Reading the tenant's settings.
pub const READ_SETTINGS: Permission = both("reading settings", &[Scope::PoliciesRead], Right::Read);
/// Changing the tenant's settings.
pub const CHANGE_SETTINGS: Permission =
    both("changing settings", &[Scope::PoliciesWrite], Right::Administer);
/// Reading forms.
pub const READ_FORMS: Permission = both("reading forms", &[Scope::PoliciesRead], Right::Read);
/// Making, changing, publishing and deleting forms; making and revoking tokens for them.
pub const WRITE_FORMS: Permission =
    both("looking after forms", &[Scope::PoliciesWrite], Right::Operate);
/// Making, listing and revoking API keys.
pub const ADMINISTER_KEYS: Permission =
    both("administering API keys", &[Scope::ApiKeysAdmin], Right::Administer);
/// Making and listing tenants.
pub const PROVISION: Permission =
    both("making tenants", &[Scope::TenantsProvision], Right::Provision);
/// Listing who belongs to the tenant, with their roles.
pub const LIST_MEMBERS: Permission =
    both("listing members", &[Scope::MembersRead], Right::Administer);
/// Inviting members; a key invites viewers only.
pub const INVITE_MEMBERS: Permission =
    both("inviting members", &[Scope::MembersWrite], Right::Administer);
/// Changing the roles of members.
pub const CHANGE_ROLES: Permission = human("changing roles", Right::Administer, false);
/// Removing members; a key removes viewers only.
pub const REMOVE_MEMBERS: Permission =
    both("removing members", &[Scope::MembersWrite], Right::Administer);
/// Making accounts, whose set-up links open them.
pub const CREATE_ACCOUNTS: Permission = human("creating accounts", Right::Administer, false);
/// Reading the names of whoever belongs to the tenant.
pub const READ_MEMBERS: Permission = both("reading members", &[Scope::MembersRead], Right::Read);

const fn both(name: &'static str, scopes: &'static [Scope], right: Right) -> Permission {
    Permission { name, scopes: Some(scopes), right, signs: false, actions: None }
}

const fn human(name: &'static str, right: Right, signs: bool) -> Permission {
    Permission { name, scopes: None, right, signs, actions: None }
}

/// The same, for which a person needs a fresh sign-in.
const fn signed(permission: Permission) -> Permission {
    Permission { signs: true, ..permission }
}

/// The same, open to a grant with these actions too.
const fn granted(permission: Permission, actions: &'static [CapabilityAction]) -> Permission {
    Permission { actions: Some(actions), ..permission }
}

const fn carriers(name: &'static str, actions: &'static [CapabilityAction]) -> Permission {
    Permission {
        name,
        scopes: Some(&[Scope::AuthoringCapability]),
        right: Right::Carry,
        signs: false,
        actions: Some(actions),
    }
}
