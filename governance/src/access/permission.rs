//! The permissions of all use cases: the scopes for API keys and the right for users.

use contract::capability::CapabilityAction;

use crate::base::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permission {
    /// Describes the operation in refusals.
    pub name: &'static str,
    /// The scopes that a key needs; `None` when only a user may call the operation.
    pub scopes: Option<&'static [Scope]>,
    pub right: Right,
    /// Whether the operation signs and therefore requires a recent sign-in.
    pub signs: bool,
    /// The capability actions that permit the operation on the version of the grant, for a key without
    /// the scopes; `None` when no grant permits it.
    pub actions: Option<&'static [CapabilityAction]>,
}

impl Permission {
    /// Returns whether only capability holders have the permission.
    pub fn requires_capability(&self) -> bool {
        self.right == Right::UseCapability
    }
}

/// Reading policies, versions and snapshots.
pub const READ_POLICIES: Permission =
    key_or_user("reading policies", &[Scope::PoliciesRead], Right::Read);
/// Drafting, submitting and recalling versions.
pub const WRITE_POLICIES: Permission =
    key_or_user("writing policies", &[Scope::PoliciesWrite], Right::Author);
pub const READ_VERSION: Permission = or_grant(READ_POLICIES, &[CapabilityAction::PolicyRead]);
/// Reading review submissions and review records of a version.
pub const READ_SUBMISSIONS: Permission =
    or_grant(READ_POLICIES, &[CapabilityAction::ReviewRetrieve]);
pub const EDIT_DRAFT: Permission = or_grant(WRITE_POLICIES, &[CapabilityAction::DraftEdit]);
pub const SUBMIT: Permission = or_grant(WRITE_POLICIES, &[CapabilityAction::Submit]);
pub const SEAL_VERSION: Permission = or_grant(WRITE_POLICIES, &[CapabilityAction::ReviewSeal]);
pub const ISSUE_CAPABILITIES: Permission =
    user_only("issuing authoring capabilities", Right::Author, true);
pub const CARRY_OVER_CAPABILITIES: Permission =
    user_only("carrying over authoring capabilities", Right::Author, false);
pub const REVOKE_CAPABILITIES: Permission =
    user_only("revoking authoring capabilities", Right::Author, false);
pub const USE_CAPABILITY: Permission =
    capability_only("working under an authoring capability", &[]);
pub const READ_PENDING_WORK: Permission = capability_only(
    "reading pending work",
    &[CapabilityAction::PolicyRead, CapabilityAction::ReviewRetrieve],
);
pub const REJECT: Permission = key_or_user("rejecting", &[Scope::PoliciesWrite], Right::Review);
/// Sealing a draft for review and submitting it, in one action of the console.
pub const SEND: Permission = user_only("sending for review", Right::Author, false);
pub const REVIEW: Permission = user_only("reviewing", Right::Review, true);
/// Reading and saving the own review drafts.
pub const DRAFT_REVIEW: Permission = user_only("drafting a review", Right::Review, false);
/// Reading, writing and resolving comments on versions.
pub const COMMENT: Permission = user_only("commenting", Right::Read, false);
pub const SUPERSEDE: Permission = user_only("superseding", Right::Author, false);
/// Setting aside a version that was never active. Users other than its makers need the right to review.
pub const SET_ASIDE: Permission = user_only("setting aside", Right::Author, false);
pub const RATIFY: Permission = user_only("ratifying", Right::Ratify, true);
pub const ACTIVATE: Permission = user_only("activating", Right::Ratify, true);
pub const DEACTIVATE: Permission =
    with_recent_sign_in(key_or_user("deactivating", &[Scope::PoliciesWrite], Right::Ratify));
/// Changing the verdicts of an active policy without a new version.
pub const CHANGE_VERDICTS: Permission = key_or_user(
    "changing the verdicts of an active policy",
    &[Scope::PoliciesWrite],
    Right::Ratify,
);
/// Dry runs.
pub const EVALUATE: Permission =
    key_or_user("evaluating", &[Scope::DecisionsEvaluate], Right::Operate);
pub const RECORD: Permission =
    key_or_user("recording decisions", &[Scope::DecisionsWrite], Right::Author);
pub const SEAL_CHAINS: Permission =
    key_or_user("sealing chains", &[Scope::DecisionsWrite], Right::Author);
pub const READ_DECISIONS: Permission =
    key_or_user("reading decisions", &[Scope::DecisionsRead], Right::Read);
pub const SAVE_FILTERS: Permission = user_only("saving filters", Right::Read, false);
pub const READ_AUDIT: Permission =
    key_or_user("reading the audit log", &[Scope::AuditRead], Right::Audit);
pub const VERIFY_AUDIT: Permission =
    key_or_user("verifying the audit log", &[Scope::AuditAdmin], Right::Audit);
pub const RECORD_OUTCOME: Permission =
    key_or_user("recording outcomes", &[Scope::DecisionsWrite], Right::Operate);
pub const READ_POLICY_DECISIONS: Permission = key_or_user(
    "reading the decisions of a policy",
    &[Scope::PoliciesRead, Scope::DecisionsRead],
    Right::Read,
);
pub const EXPORT_DECISIONS: Permission =
    key_or_user("exporting decisions", &[Scope::DecisionsRead], Right::Audit);
pub const READ_ALERTS: Permission =
    key_or_user("reading alerts", &[Scope::AlertsRead], Right::Read);
/// Acknowledging, assigning and snoozing alerts.
pub const ACKNOWLEDGE_ALERTS: Permission =
    key_or_user("acknowledging alerts", &[Scope::AlertsWrite], Right::Operate);
pub const MANAGE_WEBHOOKS: Permission =
    key_or_user("managing webhooks", &[Scope::AlertsWrite], Right::Operate);
pub const READ_DELIVERIES: Permission =
    key_or_user("reading deliveries", &[Scope::AlertsRead], Right::Operate);
pub const READ_SETTINGS: Permission =
    key_or_user("reading settings", &[Scope::PoliciesRead], Right::Read);
pub const CHANGE_SETTINGS: Permission =
    key_or_user("changing settings", &[Scope::PoliciesWrite], Right::Administer);
pub const READ_FORMS: Permission =
    key_or_user("reading forms", &[Scope::PoliciesRead], Right::Read);
/// Creating, changing, publishing and deleting forms; creating and revoking their tokens.
pub const WRITE_FORMS: Permission =
    key_or_user("managing forms", &[Scope::PoliciesWrite], Right::Operate);
/// Creating, listing and revoking API keys.
pub const ADMINISTER_KEYS: Permission =
    key_or_user("administering API keys", &[Scope::ApiKeysAdmin], Right::Administer);
/// Creating and listing tenants.
pub const PROVISION: Permission =
    key_or_user("creating tenants", &[Scope::TenantsProvision], Right::Provision);
/// Listing the members of the tenant with their roles.
pub const LIST_MEMBERS: Permission =
    key_or_user("listing members", &[Scope::MembersRead], Right::Administer);
/// Inviting members. A key can invite viewers only.
pub const INVITE_MEMBERS: Permission =
    key_or_user("inviting members", &[Scope::MembersWrite], Right::Administer);
pub const CHANGE_ROLES: Permission = user_only("changing roles", Right::Administer, false);
/// Resetting the second factors of members.
pub const RESET_SECOND_FACTORS: Permission =
    user_only("resetting second factors", Right::Administer, true);
/// Removing members. A key can remove viewers only.
pub const REMOVE_MEMBERS: Permission =
    key_or_user("removing members", &[Scope::MembersWrite], Right::Administer);
/// Reading and testing identity providers.
pub const READ_IDENTITY_PROVIDERS: Permission =
    user_only("reading identity providers", Right::Administer, false);
/// Creating, changing and deleting identity providers.
pub const MANAGE_IDENTITY_PROVIDERS: Permission =
    user_only("managing identity providers", Right::Administer, true);
/// Creating accounts and their setup links.
pub const CREATE_ACCOUNTS: Permission = user_only("creating accounts", Right::Administer, false);
/// Reading the names of the tenant's members and keys.
pub const READ_MEMBERS: Permission =
    key_or_user("reading members", &[Scope::MembersRead], Right::Read);

const fn key_or_user(name: &'static str, scopes: &'static [Scope], right: Right) -> Permission {
    Permission { name, scopes: Some(scopes), right, signs: false, actions: None }
}

const fn user_only(name: &'static str, right: Right, signs: bool) -> Permission {
    Permission { name, scopes: None, right, signs, actions: None }
}

/// Adds the requirement of a recent sign-in for users.
const fn with_recent_sign_in(permission: Permission) -> Permission {
    Permission { signs: true, ..permission }
}

/// Also permits the operation to a grant with these actions.
const fn or_grant(permission: Permission, actions: &'static [CapabilityAction]) -> Permission {
    Permission { actions: Some(actions), ..permission }
}

const fn capability_only(name: &'static str, actions: &'static [CapabilityAction]) -> Permission {
    Permission {
        name,
        scopes: Some(&[Scope::AuthoringCapability]),
        right: Right::UseCapability,
        signs: false,
        actions: Some(actions),
    }
}
