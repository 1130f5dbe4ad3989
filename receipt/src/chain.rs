//! Decision chains and their seals (receipts, section 7).

mod check;
mod continuity;
mod link;
mod problem;
mod proof;
mod seal;
mod stored;

use contract::json::Value;

pub use self::{
    check::{ChainCheckResult, ChainKeys, LinkCheck, check},
    continuity::{continuity_problems, step_warnings},
    link::{Link, SignedLink},
    problem::{ChainProblem, ChainWarning},
    proof::ChainProof,
    seal::ChainSeal,
    stored::{StatementSummary, StoredChain, StoredLink, StoredSeal},
};
use crate::{
    canonical_json::{CanonicalJson, JsonPart, ObjectBuilder},
    digest::Digest,
    merkle::{self, ProofUnavailable, Tree},
    object_reader::{ParseFieldError, SignedObjectReader},
};

const LINKS_SCHEMA: &str = "service-chain-links/v1";

/// Returns the file `chain/links.json` with the links in order of position.
pub fn links(links: &[SignedLink<'_>]) -> CanonicalJson {
    let links: Vec<_> = links.iter().map(SignedLink::part).collect();
    ObjectBuilder::with_schema(LINKS_SCHEMA).member("links", links).canonical()
}

/// Parses the file `chain/links.json`.
///
/// # Errors
/// Returns the member that is missing or malformed.
pub fn read_links(value: &Value) -> Result<Vec<ParsedLink<'_>>, ParseFieldError> {
    let entries = SignedObjectReader::with_schema(value, LINKS_SCHEMA)?.list("links")?;
    entries.iter().map(ParsedLink::read).collect()
}

/// A link parsed from the file `chain/links.json`.
#[derive(Clone, Debug, PartialEq)]
pub struct ParsedLink<'a> {
    /// The parsed link.
    pub link: Link,
    /// The canonical text of the link, whose digest is `chain_integrity_hash`.
    pub canonical: CanonicalJson,
    /// The signature in base64url; absent when unsigned.
    pub signature: Option<&'a str>,
    /// The ID of the signing key; absent when unsigned.
    pub kid: Option<&'a str>,
}

impl<'a> ParsedLink<'a> {
    fn read(value: &'a Value) -> Result<Self, ParseFieldError> {
        let entry = SignedObjectReader::new(value, "links")?;
        let link = entry.value("link")?;
        Ok(Self {
            link: Link::read(link)?,
            canonical: CanonicalJson::from_value(link),
            signature: entry.member("signature")?,
            kid: entry.member("kid")?,
        })
    }
}

/// Returns the Merkle tree over the links of a chain. Its leaves are the raw link hashes in order
/// of position.
pub fn tree(link_hashes: impl IntoIterator<Item = Digest>) -> Tree {
    link_hashes.into_iter().map(|hash| merkle::leaf_hash(hash.as_bytes())).collect()
}

/// Returns the `merkle_root` of a chain seal.
///
/// # Errors
/// Returns an error if the tree lacks nodes; a tree from [`tree`] has all.
pub fn merkle_root(tree: &Tree) -> Result<Digest, ProofUnavailable> {
    merkle::root(tree, tree.size())
}

impl<'a> SignedLink<'a> {
    fn part(&self) -> JsonPart<'a> {
        ObjectBuilder::default()
            .member("link", self.link)
            .optional("signature", self.signature)
            .optional("kid", self.kid)
            .into()
    }
}
