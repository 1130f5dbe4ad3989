//! One link of a chain.

use contract::{
    id::{ChainId, DecisionId, TenantId},
    json::Value,
};

use crate::{
    canon::{Canonical, Members},
    digest::Digest,
    fields::{Fields, Malformed},
};

const SCHEMA: &str = "service-chain-link/v1";

/// The place of a receipt in a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// Whose chain it is.
    pub tenant_id: TenantId,
    /// The chain.
    pub chain_id: ChainId,
    /// 1, 2, 3, … in order of recording, without gaps.
    pub position: u32,
    /// The number of the step, as the statement has it; the caller may leave gaps.
    pub step: u32,
    /// The decision.
    pub decision_id: DecisionId,
    /// Digest of its statement.
    pub receipt_digest: Digest,
    /// Hash of the link before; absent at position 1.
    pub prev: Option<Digest>,
}

impl Link {
    /// The link, and `chain_integrity_hash`.
    pub fn canonical(&self) -> Canonical {
        Members::schema(SCHEMA)
            .with("tenant_id", self.tenant_id.to_string())
            .with("chain_id", self.chain_id.to_string())
            .with("position", self.position)
            .with("step", self.step)
            .with("decision_id", self.decision_id.to_string())
            .with("receipt_digest", self.receipt_digest)
            .maybe("prev", self.prev)
            .canonical()
    }

    /// Reads a link.
    ///
    /// # Errors
    /// Why it is none.
    pub fn read(value: &Value) -> Result<Self, Malformed> {
        let fields = Fields::of_schema(value, SCHEMA)?;
        Ok(Self {
            tenant_id: fields.exact("tenant_id")?,
            chain_id: fields.exact("chain_id")?,
            position: fields.whole("position")?,
            step: fields.whole("step")?,
            decision_id: fields.exact("decision_id")?,
            receipt_digest: fields.exact("receipt_digest")?,
            prev: fields.maybe("prev")?,
        })
    }
}

/// A link as it is stored and bundled.
#[derive(Clone, Copy, Debug)]
pub struct SignedLink<'a> {
    /// The link.
    pub link: &'a Canonical,
    /// base64url; absent when unsigned.
    pub signature: Option<&'a str>,
    /// The signing key; absent when unsigned.
    pub kid: Option<&'a str>,
}
