//! A chain as it is stored: what was written, and the columns that find it.

use contract::id::{ChainId, DecisionId, TenantId};

/// A stored link, by what it was written as and what it is found by.
#[derive(Clone, Copy, Debug)]
pub struct StoredLink<'a> {
    /// The place by which it is found.
    pub position: u32,
    /// The step by which it is found.
    pub step: u32,
    /// The decision by which it is found.
    pub decision_id: DecisionId,
    /// What was hashed and signed.
    pub link: &'a str,
    /// Its digest, as stored.
    pub hash: &'a str,
    /// base64url; absent when unsigned.
    pub signature: Option<&'a str>,
    /// The signing key; absent when unsigned.
    pub kid: Option<&'a str>,
    /// The statement of its decision; absent when that is gone.
    pub statement: Option<&'a str>,
}

/// A stored seal.
#[derive(Clone, Copy, Debug)]
pub struct StoredSeal<'a> {
    /// What was hashed and signed.
    pub seal: &'a str,
    /// Its digest, as stored.
    pub digest: &'a str,
    /// base64url; absent when unsigned.
    pub signature: Option<&'a str>,
    /// The signing key; absent when unsigned.
    pub kid: Option<&'a str>,
}

/// A chain as it is stored.
#[derive(Clone, Copy, Debug)]
pub struct StoredChain<'a> {
    /// Whose it is.
    pub tenant_id: TenantId,
    /// The chain.
    pub chain_id: ChainId,
    /// In order of position.
    pub links: &'a [StoredLink<'a>],
    /// Its seal, if there is one.
    pub seal: Option<StoredSeal<'a>>,
    /// How many links its head counts.
    pub length: u32,
    /// The digest of the last link, as the head has it.
    pub head: &'a str,
    /// Whether the head calls it sealed.
    pub is_sealed: bool,
}
