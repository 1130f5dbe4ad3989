//! Grants of authoring capabilities, and their lineage (receipts, section 9.2).

use crate::{
    canon::{Canonical, Members, Part},
    digest::Digest,
    fields::{Fields, Malformed},
    key::ALGORITHM,
};
use contract::{
    id::{ApiKeyId, CapabilityId, PolicyId, PolicyVersionId, TenantId, UserId},
    json::Value,
    time::Timestamp,
};

const SCHEMA: &str = "service-capability-grant/v1";

/// How many grants a lineage may have.
pub const LINEAGE_MAX: usize = 64;

/// What an API key may do to one policy version. Uses, revocation and carrying are not part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CapabilityGrant {
    /// The grant.
    pub capability_id: CapabilityId,
    /// The first of its lineage; of a first grant, itself.
    pub root_capability_id: CapabilityId,
    /// 1 for the first, then 2, 3, …
    pub depth: u32,
    /// The grant that it was carried from.
    pub predecessor: Option<Predecessor>,
    /// Whose policy it is.
    pub tenant_id: TenantId,
    /// The policy.
    pub policy_id: PolicyId,
    /// The version.
    pub policy_version_id: PolicyVersionId,
    /// The number of the version.
    pub version: u32,
    /// What may be done, sorted, each once.
    pub actions: Vec<String>,
    /// The key that may.
    pub api_key_id: ApiKeyId,
    /// Who granted it.
    pub issued_by: UserId,
    /// When.
    pub issued_at: Timestamp,
    /// From when it holds.
    pub not_before: Option<Timestamp>,
    /// Until when it holds.
    pub expires_at: Option<Timestamp>,
    /// How many writes it allows.
    pub max_uses: Option<u32>,
    /// The signing key.
    pub kid: String,
}

/// The grant before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Predecessor {
    /// The grant.
    pub capability_id: CapabilityId,
    /// Its digest.
    pub grant_digest: Digest,
}

/// A lineage that does not hold together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the grants are no lineage")]
pub struct LineageBroken;

impl CapabilityGrant {
    /// The statement, and the grant digest. `actions` are written sorted, each once.
    pub fn canonical(&self) -> Canonical {
        let mut actions: Vec<&str> = self.actions.iter().map(String::as_str).collect();
        actions.sort_unstable();
        actions.dedup();
        let predecessor = self.predecessor.map(|before| {
            Members::default()
                .with("capability_id", before.capability_id.to_string())
                .with("grant_digest", before.grant_digest)
        });
        Members::schema(SCHEMA)
            .with("capability_id", self.capability_id.to_string())
            .with("root_capability_id", self.root_capability_id.to_string())
            .with("depth", self.depth)
            .maybe("predecessor", predecessor)
            .with("tenant_id", self.tenant_id.to_string())
            .with("policy_id", self.policy_id.to_string())
            .with("policy_version_id", self.policy_version_id.to_string())
            .with("version", self.version)
            .with("actions", actions.into_iter().map(Part::from).collect::<Vec<_>>())
            .with("api_key_id", self.api_key_id.to_string())
            .with("issued_by", self.issued_by.to_string())
            .with("issued_at", self.issued_at.to_string())
            .maybe("not_before", self.not_before.map(|at| at.to_string()))
            .maybe("expires_at", self.expires_at.map(|at| at.to_string()))
            .maybe("max_uses", self.max_uses)
            .with("alg", ALGORITHM)
            .with("kid", self.kid.as_str())
            .canonical()
    }

    /// Reads a statement.
    ///
    /// # Errors
    /// Why it is none.
    pub fn read(value: &Value) -> Result<Self, Malformed> {
        let fields = Fields::of_schema(value, SCHEMA)?;
        let actions: Vec<String> = fields.exact_list("actions")?;
        if !actions.is_sorted_by(|a, b| a < b) {
            return Err(Malformed::Member("actions"));
        }
        let predecessor = fields.get("predecessor").map(Predecessor::read).transpose()?;
        Ok(Self {
            capability_id: fields.exact("capability_id")?,
            root_capability_id: fields.exact("root_capability_id")?,
            depth: fields.whole("depth")?,
            predecessor,
            tenant_id: fields.exact("tenant_id")?,
            policy_id: fields.exact("policy_id")?,
            policy_version_id: fields.exact("policy_version_id")?,
            version: fields.whole("version")?,
            actions,
            api_key_id: fields.exact("api_key_id")?,
            issued_by: fields.exact("issued_by")?,
            issued_at: fields.exact("issued_at")?,
            not_before: fields.maybe("not_before")?,
            expires_at: fields.maybe("expires_at")?,
            max_uses: fields.maybe_whole("max_uses")?,
            kid: fields.text("kid")?.to_owned(),
        })
    }

    /// Whether this grant begins a lineage.
    pub fn is_root(&self) -> bool {
        let own = self.root_capability_id == self.capability_id;
        self.depth == 1 && own && self.predecessor.is_none()
    }

    /// Whether this grant may follow `before`, whose digest is `digest`: the same root, tenant, policy
    /// and key, one deeper, no further actions, and no later end.
    pub fn follows(&self, before: &Self, digest: Digest) -> bool {
        let named = Predecessor { capability_id: before.capability_id, grant_digest: digest };
        self.predecessor == Some(named)
            && Some(self.depth) == before.depth.checked_add(1)
            && self.root_capability_id == before.root_capability_id
            && self.tenant_id == before.tenant_id
            && self.policy_id == before.policy_id
            && self.api_key_id == before.api_key_id
            && self.actions.iter().all(|action| before.actions.contains(action))
            && before.expires_at.is_none_or(|end| self.expires_at.is_some_and(|own| own <= end))
    }
}

/// Checks a lineage, first grant first, each with the digest of its signed text. The signatures are checked one by one, by the caller.
///
/// # Errors
/// It is empty, longer than [`LINEAGE_MAX`], or broken somewhere.
pub fn check_lineage(grants: &[(Digest, CapabilityGrant)]) -> Result<(), LineageBroken> {
    let (_, first) = grants.first().ok_or(LineageBroken)?;
    let follows = |pair: &[(Digest, CapabilityGrant)]| match pair {
        [(digest, before), (_, after)] => after.follows(before, *digest),
        _ => false,
    };
    let holds = grants.len() <= LINEAGE_MAX && first.is_root() && grants.windows(2).all(follows);
    if holds { Ok(()) } else { Err(LineageBroken) }
}

impl Predecessor {
    fn read(value: &Value) -> Result<Self, Malformed> {
        let fields = Fields::of(value, "predecessor")?;
        Ok(Self {
            capability_id: fields.exact("capability_id")?,
            grant_digest: fields.exact("grant_digest")?,
        })
    }
}
