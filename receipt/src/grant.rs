//! Authoring capability grants and their lineage (receipts, section 9.2).

use contract::{
    id::{ApiKeyId, CapabilityId, PolicyId, PolicyVersionId, TenantId, UserId},
    json::Value,
    time::Timestamp,
};

use crate::{
    canonical_json::{CanonicalJson, JsonPart, ObjectBuilder},
    digest::Digest,
    key::ALGORITHM,
    members::{Members as _, members},
    object_reader::{ParseFieldError, SignedObjectReader},
};

const SCHEMA: &str = "service-capability-grant/v1";

/// The maximum number of grants in a lineage.
pub const LINEAGE_MAX: usize = 64;

/// A signed statement that permits an API key to work on one policy version. Uses, revocation and
/// carry-over are stored separately.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CapabilityGrant {
    /// The ID of the grant.
    pub capability_id: CapabilityId,
    /// The ID of the first grant of the lineage; equal to `capability_id` in the first grant.
    pub root_capability_id: CapabilityId,
    /// The position in the lineage, starting at 1.
    pub depth: u32,
    /// The grant that this grant was carried over from; absent in the first grant.
    pub predecessor: Option<Predecessor>,
    /// The tenant of the policy.
    pub tenant_id: TenantId,
    /// The policy of the version.
    pub policy_id: PolicyId,
    /// The version that the key may work on.
    pub policy_version_id: PolicyVersionId,
    /// The number of the version.
    pub version: u32,
    /// The permitted actions, sorted, without duplicates.
    pub actions: Vec<String>,
    /// The API key that holds the capability.
    pub api_key_id: ApiKeyId,
    /// The user who issued the grant.
    pub issued_by: UserId,
    /// The time of issue.
    pub issued_at: Timestamp,
    /// The start of the validity period.
    pub not_before: Option<Timestamp>,
    /// The end of the validity period.
    pub expires_at: Option<Timestamp>,
    /// The maximum number of writes.
    pub max_uses: Option<u32>,
    /// The ID of the signing key.
    pub kid: String,
}

/// The previous grant of a lineage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Predecessor {
    /// The ID of the grant.
    pub capability_id: CapabilityId,
    /// The digest of the grant.
    pub grant_digest: Digest,
}

/// A lineage that is empty, too long or inconsistent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the grants are not a valid lineage")]
pub struct LineageError;

members! {
    CapabilityGrant {
        capability_id, root_capability_id, depth, predecessor, tenant_id, policy_id,
        policy_version_id, version, actions, api_key_id, issued_by, issued_at, not_before,
        expires_at, max_uses, kid,
    }
}
members! { Predecessor { capability_id, grant_digest } }

impl CapabilityGrant {
    /// Returns the statement with the grant digest. `actions` are written sorted and without
    /// duplicates.
    pub fn canonical(&self) -> CanonicalJson {
        let mut actions: Vec<&str> = self.actions.iter().map(String::as_str).collect();
        actions.sort_unstable();
        actions.dedup();
        let actions: Vec<_> = actions.into_iter().map(JsonPart::from).collect();
        let object = ObjectBuilder::with_schema(SCHEMA).member("actions", actions);
        self.write_members(object).member("alg", ALGORITHM).canonical()
    }

    /// Parses a statement.
    ///
    /// # Errors
    /// Returns the member that is missing or malformed.
    pub fn read(value: &Value) -> Result<Self, ParseFieldError> {
        let grant: Self = SignedObjectReader::with_schema(value, SCHEMA)?.read()?;
        let is_sorted = grant.actions.is_sorted_by(|a, b| a < b);
        if is_sorted { Ok(grant) } else { Err(ParseFieldError::Member("actions")) }
    }

    /// Returns whether this grant is the first of a lineage.
    pub fn is_root(&self) -> bool {
        let is_own_root = self.root_capability_id == self.capability_id;
        self.depth == 1 && is_own_root && self.predecessor.is_none()
    }

    /// Returns whether this grant may follow `previous`, whose digest is `digest`: same root,
    /// tenant, policy and key, next depth, no additional actions, and no later expiry.
    pub fn follows(&self, previous: &Self, digest: Digest) -> bool {
        let expected = Predecessor { capability_id: previous.capability_id, grant_digest: digest };
        self.predecessor == Some(expected)
            && Some(self.depth) == previous.depth.checked_add(1)
            && self.root_capability_id == previous.root_capability_id
            && self.tenant_id == previous.tenant_id
            && self.policy_id == previous.policy_id
            && self.api_key_id == previous.api_key_id
            && self.actions.iter().all(|action| previous.actions.contains(action))
            && previous
                .expires_at
                .is_none_or(|end| self.expires_at.is_some_and(|expiry| expiry <= end))
    }
}

/// Checks a lineage. The first grant comes first, and each grant has the digest of its signed text.
/// The caller checks the signatures.
///
/// # Errors
/// Returns an error if the lineage is empty, longer than [`LINEAGE_MAX`] or inconsistent.
pub fn check_lineage(grants: &[(Digest, CapabilityGrant)]) -> Result<(), LineageError> {
    let (_, first) = grants.first().ok_or(LineageError)?;
    let is_linked = grants
        .array_windows()
        .all(|[(digest, previous), (_, next)]| next.follows(previous, *digest));
    let is_valid = grants.len() <= LINEAGE_MAX && first.is_root() && is_linked;
    if is_valid { Ok(()) } else { Err(LineageError) }
}
