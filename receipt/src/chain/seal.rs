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
    members::{Members as _, members},
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

members! { ChainSeal { tenant_id, chain_id, step_count, head, merkle_root, sealed_at, kid } }

impl ChainSeal {
    /// Returns the canonical seal with its digest.
    pub fn canonical(&self) -> CanonicalJson {
        self.write_members(ObjectBuilder::with_schema(SCHEMA))
            .optional("alg", self.kid.as_ref().map(|_| ALGORITHM))
            .canonical()
    }

    /// Parses a seal.
    ///
    /// # Errors
    /// Returns the member that is missing or malformed.
    pub fn read(value: &Value) -> Result<Self, ParseFieldError> {
        SignedObjectReader::with_schema(value, SCHEMA)?.read()
    }
}
