//! A stored chain: signed texts and the columns stored with them.

use contract::{
    id::{ChainId, DecisionId, TenantId},
    json::{Limits, Value},
};

use crate::{
    digest::Digest,
    statement::{ChainPosition, ReceiptStatement},
};

/// A stored link: its signed text and its columns.
#[derive(Clone, Copy, Debug)]
pub struct StoredLink<'a> {
    /// The position column.
    pub position: u32,
    /// The step column.
    pub step: u32,
    /// The decision column.
    pub decision_id: DecisionId,
    /// The hashed and signed text.
    pub link: &'a str,
    /// The digest column.
    pub hash: &'a str,
    /// The signature in base64url; absent when unsigned.
    pub signature: Option<&'a str>,
    /// The ID of the signing key; absent when unsigned.
    pub kid: Option<&'a str>,
    /// The receipt statement of the decision; absent when the decision is missing.
    pub statement: Option<StatementSummary>,
}

/// What a link is compared with in the receipt statement of its decision. A statement can have megabytes, and all links of
/// a chain are in memory at the same time.
#[derive(Clone, Copy, Debug)]
pub struct StatementSummary {
    pub(super) digest: Digest,
    pub(super) has_kid: bool,
    /// Absent when the text is not a statement.
    pub(super) names: Option<StatementNames>,
}

/// The IDs in a statement.
#[derive(Clone, Copy, Debug)]
pub(super) struct StatementNames {
    pub(super) tenant_id: TenantId,
    pub(super) decision_id: DecisionId,
    pub(super) chain: Option<ChainPosition>,
}

impl StatementSummary {
    /// Reads a statement.
    pub fn new(text: &str) -> Self {
        let value = Value::parse(text.as_bytes(), &Limits::BUNDLE_FILE).ok();
        let statement = value.as_ref().and_then(|value| ReceiptStatement::read(value).ok());
        Self {
            digest: Digest::compute(text.as_bytes()),
            has_kid: value.as_ref().is_some_and(|value| value.get("kid").is_some()),
            names: statement.map(|statement| StatementNames {
                tenant_id: statement.tenant_id,
                decision_id: statement.decision_id,
                chain: statement.chain,
            }),
        }
    }
}

/// A stored chain seal.
#[derive(Clone, Copy, Debug)]
pub struct StoredSeal<'a> {
    /// The hashed and signed text.
    pub seal: &'a str,
    /// The digest column.
    pub digest: &'a str,
    /// The signature in base64url; absent when unsigned.
    pub signature: Option<&'a str>,
    /// The ID of the signing key; absent when unsigned.
    pub kid: Option<&'a str>,
}

/// A stored chain.
#[derive(Clone, Copy, Debug)]
pub struct StoredChain<'a> {
    /// The tenant of the chain.
    pub tenant_id: TenantId,
    /// The ID of the chain.
    pub chain_id: ChainId,
    /// The links in order of position.
    pub links: &'a [StoredLink<'a>],
    /// The chain seal, if there is one.
    pub seal: Option<StoredSeal<'a>>,
    /// The number of links according to the chain row.
    pub length: u32,
    /// The digest of the last link according to the chain row.
    pub head: &'a str,
    /// Whether the chain row marks the chain as sealed.
    pub is_sealed: bool,
}
