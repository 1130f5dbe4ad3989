//! The signed seal that closes a chain.

use contract::{
    id::{ChainId, TenantId},
    json::Value,
    time::Timestamp,
};

use crate::{
    canonical_json::{CanonicalJson, ObjectBuilder},
    digest::Digest,
    key::ALGORITHM,
    object_reader::{ParseFieldError, SignedObjectReader},
};

const SCHEMA: &str = "service-chain-seal/v1";

/// The content of a sealed chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainSeal {
    /// The tenant of the chain.
    pub tenant_id: TenantId,
    /// The ID of the chain.
    pub chain_id: ChainId,
    /// The number of links, at least 1.
    pub step_count: u32,
    /// Hash of the last link.
    pub head: Digest,
    /// Merkle root over all links.
    pub merkle_root: Digest,
    /// The time of sealing.
    pub sealed_at: Timestamp,
    /// The ID of the signing key; absent when unsigned.
    pub kid: Option<String>,
}

impl ChainSeal {
    /// Returns the canonical seal with its digest.
    pub fn canonical(&self) -> CanonicalJson {
        ObjectBuilder::with_schema(SCHEMA)
            .member("tenant_id", self.tenant_id.to_string())
            .member("chain_id", self.chain_id.to_string())
            .member("step_count", self.step_count)
            .member("head", self.head)
            .member("merkle_root", self.merkle_root)
            .member("sealed_at", self.sealed_at.to_string())
            .optional("alg", self.kid.as_ref().map(|_| ALGORITHM))
            .optional("kid", self.kid.as_deref())
            .canonical()
    }

    /// Parses a seal.
    ///
    /// # Errors
    /// Returns the member that is missing or malformed.
    pub fn read(value: &Value) -> Result<Self, ParseFieldError> {
        let fields = SignedObjectReader::with_schema(value, SCHEMA)?;
        Ok(Self {
            tenant_id: fields.parsed("tenant_id")?,
            chain_id: fields.parsed("chain_id")?,
            step_count: fields.integer("step_count")?,
            head: fields.parsed("head")?,
            merkle_root: fields.parsed("merkle_root")?,
            sealed_at: fields.parsed("sealed_at")?,
            kid: fields.optional_text("kid")?.map(str::to_owned),
        })
    }
}
