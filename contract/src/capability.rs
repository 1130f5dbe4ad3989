//! Authoring capabilities: permissions of API keys to work on one version of one policy.

pub mod pending_work;

use crate::{
    api_key::ApiKey,
    id::{ApiKeyId, CapabilityId, PolicyId, PolicyVersionId, TenantId, UserId},
    json::Value,
    read::{FieldErrors, FromJson, JsonPath, ObjectReader, integer, name, unique_list},
    time::Timestamp,
};

string_enum! {
    /// An action that a capability can permit.
    pub enum CapabilityAction {
        /// Edit the draft.
        DraftEdit = "policy.draft.edit",
        /// Read the version.
        PolicyRead = "policy.read",
        /// Submit the draft for ratification.
        Submit = "policy.submit",
        /// Read review submissions and review records.
        ReviewRetrieve = "review.retrieve",
        /// Create a review submission of the draft.
        ReviewSeal = "review.seal",
    }
}

impl CapabilityAction {
    /// The actions that write. A draft cannot be superseded while a valid capability permits one of them.
    pub const WRITING: [Self; 3] = [Self::DraftEdit, Self::Submit, Self::ReviewSeal];

    /// Returns the wire names of [`Self::WRITING`].
    pub fn writing_names() -> Vec<String> {
        Self::WRITING.iter().map(|action| action.as_str().to_owned()).collect()
    }
}

/// An authoring capability: the permission of an API key to work on one version of one policy.
#[wire]
pub struct Capability {
    /// The ID of the grant.
    pub id: CapabilityId,
    /// The ID of the first grant of the lineage; the grant's own ID if it was not carried over.
    pub root_capability_id: CapabilityId,
    /// The ID of the grant that was carried over to this one.
    pub parent_capability_id: Option<CapabilityId>,
    /// The tenant of the capability.
    pub tenant_id: TenantId,
    /// The ID of the policy.
    pub policy_id: PolicyId,
    /// The ID of the version.
    pub policy_version_id: PolicyVersionId,
    /// The version number.
    pub version: u32,
    /// The permitted actions, sorted by wire name.
    pub actions: Vec<CapabilityAction>,
    /// The time from which the capability is valid.
    pub not_before: Option<Timestamp>,
    /// The time at which the capability expires.
    pub expires_at: Option<Timestamp>,
    /// The maximum number of writes; reads are not counted. Absent means unlimited.
    pub max_uses: Option<u32>,
    /// The number of writes so far, including those under earlier grants of the lineage.
    pub uses: u32,
    /// The ID of the API key that holds the capability.
    pub api_key_id: ApiKeyId,
    /// The ID of the user who issued the grant.
    pub issued_by: UserId,
    /// The time at which the grant was issued.
    pub issued_at: Timestamp,
    /// The time at which the grant was revoked.
    pub revoked_at: Option<Timestamp>,
    /// The ID of the user or API key that revoked the grant.
    pub revoked_by: Option<String>,
    /// The ID of the grant that this one was carried over to.
    pub carried_to: Option<CapabilityId>,
    /// The digest of the signed statement (receipts, section 9.2).
    pub grant_digest: String,
    /// The DSSE envelope of the signed statement. Present in `chain`.
    pub envelope: Option<Value>,
    /// The grant lineage, oldest first, including this grant. Present when a single capability is read.
    #[cfg_attr(feature = "openapi", schema(no_recursion))]
    pub chain: Option<Vec<Capability>>,
}

/// The largest value of an integer column of the database.
const NUMBER_MAX: u32 = 2_147_483_647;

/// The body of `POST /v1/authoring-capabilities`.
#[body(Eq)]
#[json(check = check_period(not_before, expires_at))]
pub struct CapabilityDraft {
    /// The ID of the policy.
    pub policy_id: PolicyId,
    /// The version number.
    #[json(with = integer(1, NUMBER_MAX))]
    pub version: u32,
    /// The permitted actions: at least one, each once.
    #[json(with = actions)]
    pub actions: Vec<CapabilityAction>,
    /// The expiry time, in the future. Absent means that the capability does not expire.
    pub expires_at: Option<Timestamp>,
    /// The time from which the capability is valid. Absent means immediately.
    pub not_before: Option<Timestamp>,
    /// The maximum number of writes. Absent means unlimited.
    #[cfg_attr(feature = "openapi", schema(minimum = 1))]
    #[json(with = integer(1, NUMBER_MAX))]
    pub max_uses: Option<u32>,
    /// The name of the API key that is created: 1 to 200 characters.
    #[json(with = name)]
    pub name: String,
}

/// Requires that a capability does not expire before it is valid.
fn check_period(
    members: &mut ObjectReader<'_, '_>,
    start: Option<Timestamp>,
    end: Option<Timestamp>,
) {
    if start.zip(end).is_some_and(|(start, end)| end <= start) {
        members.add_error("expires_at", "order", "must be after `not_before`");
    }
}

/// Reads a list of at least one action without duplicates, and sorts it by wire name.
fn actions(
    value: &Value,
    at: &JsonPath<'_>,
    errors: &mut FieldErrors,
) -> Option<Vec<CapabilityAction>> {
    let mut actions =
        unique_list(CapabilityAction::ALL.len(), CapabilityAction::from_json)(value, at, errors)?;
    actions.sort_unstable();
    Some(actions)
}

/// The body of a request that carries a capability over to a successor draft.
#[body(Copy, Eq)]
pub struct CapabilityCarry {
    /// The version number of the successor draft.
    #[json(with = integer(1, NUMBER_MAX))]
    pub version: u32,
}

/// A created capability with its API key. The plaintext of the key is shown only once.
#[wire(derive_more::Debug)]
#[debug("CapabilityCreated {{ capability: {capability:?}, key: {key:?}, .. }}")]
pub struct CapabilityCreated {
    /// The created capability.
    pub capability: Capability,
    /// The created API key. Its only scope is `authoring:capability`.
    pub key: ApiKey,
    /// The bearer token: `svc_` and a base64url token. Only its digest is stored.
    pub plaintext_key: String,
}
