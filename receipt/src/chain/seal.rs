//! The seal that closes a chain.

use contract::{
    id::{ChainId, TenantId},
    json::Value,
    time::Timestamp,
};

use crate::{
    canon::{Canonical, Members},
    digest::Digest,
    fields::{Fields, Malformed},
    key::ALGORITHM,
};

const SCHEMA: &str = "service-chain-seal/v1";

/// What a sealed chain consists of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seal {
    /// Whose chain it is.
    pub tenant_id: TenantId,
    /// The chain.
    pub chain_id: ChainId,
    /// How many links it has, 1 or more.
    pub step_count: u32,
    /// Hash of the last link.
    pub head: Digest,
    /// Root over all links.
    pub merkle_root: Digest,
    /// When it was sealed.
    pub sealed_at: Timestamp,
    /// The signing key; absent when unsigned.
    pub kid: Option<String>,
}

impl Seal {
    /// The seal, and its digest.
    pub fn canonical(&self) -> Canonical {
        Members::schema(SCHEMA)
            .with("tenant_id", self.tenant_id.to_string())
            .with("chain_id", self.chain_id.to_string())
            .with("step_count", self.step_count)
            .with("head", self.head)
            .with("merkle_root", self.merkle_root)
            .with("sealed_at", self.sealed_at.to_string())
            .maybe("alg", self.kid.as_ref().map(|_| ALGORITHM))
            .maybe("kid", self.kid.as_deref())
            .canonical()
    }

    /// Reads a seal.
    ///
    /// # Errors
    /// Why it is none.
    pub fn read(value: &Value) -> Result<Self, Malformed> {
        let fields = Fields::of_schema(value, SCHEMA)?;
        Ok(Self {
            tenant_id: fields.exact("tenant_id")?,
            chain_id: fields.exact("chain_id")?,
            step_count: fields.whole("step_count")?,
            head: fields.exact("head")?,
            merkle_root: fields.exact("merkle_root")?,
            sealed_at: fields.exact("sealed_at")?,
            kid: fields.maybe_text("kid")?.map(str::to_owned),
        })
    }
}
