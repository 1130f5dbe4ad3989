//! One link of a chain.

use contract::{
    id::{ChainId, DecisionId, TenantId},
    json::Value,
};

use crate::{
    canonical_json::{CanonicalJson, ObjectBuilder},
    digest::Digest,
    members::{Members as _, members},
    object_reader::{ParseFieldError, SignedObjectReader},
};

const SCHEMA: &str = "service-chain-link/v1";

/// The position of a receipt in a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The tenant of the chain.
    pub tenant_id: TenantId,
    /// The ID of the chain.
    pub chain_id: ChainId,
    /// The index in recording order: 1, 2, 3, … without gaps.
    pub position: u32,
    /// The step in the statement. Callers choose steps and may leave gaps.
    pub step: u32,
    /// The decision at this position.
    pub decision_id: DecisionId,
    /// Digest of the receipt statement of the decision.
    pub receipt_digest: Digest,
    /// Hash of the previous link; absent at position 1.
    pub prev: Option<Digest>,
}

members! { Link { tenant_id, chain_id, position, step, decision_id, receipt_digest, prev } }

impl Link {
    /// Returns the canonical link. Its digest is `chain_integrity_hash`.
    pub fn canonical(&self) -> CanonicalJson {
        self.write_members(ObjectBuilder::with_schema(SCHEMA)).canonical()
    }

    /// Parses a link.
    ///
    /// # Errors
    /// Returns the member that is missing or malformed.
    pub fn read(value: &Value) -> Result<Self, ParseFieldError> {
        SignedObjectReader::with_schema(value, SCHEMA)?.read()
    }
}

/// A stored or bundled link with its signature.
#[derive(Clone, Copy, Debug)]
pub struct SignedLink<'a> {
    /// The canonical link.
    pub link: &'a CanonicalJson,
    /// The signature in base64url; absent when unsigned.
    pub signature: Option<&'a str>,
    /// The ID of the signing key; absent when unsigned.
    pub kid: Option<&'a str>,
}
