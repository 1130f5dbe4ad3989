//! Chains of decisions, and their seals (receipts, section 7).

mod check;
mod line;
mod link;
mod problem;
mod proof;
mod seal;
mod stored;

use contract::json::Value;

pub use self::{
    check::{ChainFound, ChainKeys, LinkFound, check},
    line::{out_of_line, remarks},
    link::{Link, SignedLink},
    problem::{Problem, Remark},
    proof::ChainProof,
    seal::Seal,
    stored::{StoredChain, StoredLink, StoredSeal},
};
use crate::{
    canon::{Canonical, Members, Part},
    digest::Digest,
    fields::{Fields, Malformed},
    merkle::{self, NoProof, Tree},
};

const LINKS_SCHEMA: &str = "service-chain-links/v1";

/// The file `chain/links.json`: links in order of position.
pub fn links(links: &[SignedLink<'_>]) -> Canonical {
    let links: Vec<_> = links.iter().map(SignedLink::part).collect();
    Members::schema(LINKS_SCHEMA).with("links", links).canonical()
}

/// Reads the file `chain/links.json`. The links themselves stay as they are written.
///
/// # Errors
/// Why it is none.
pub fn read_links(value: &Value) -> Result<Vec<WrittenLink<'_>>, Malformed> {
    let entries = Fields::of_schema(value, LINKS_SCHEMA)?.list("links")?;
    entries.iter().map(WrittenLink::read).collect()
}

/// A link of the file `chain/links.json`, as it is written there.
#[derive(Clone, Debug, PartialEq)]
pub struct WrittenLink<'a> {
    /// The link.
    pub link: Link,
    /// Its canonical text, and `chain_integrity_hash`.
    pub canonical: Canonical,
    /// base64url; absent when unsigned.
    pub signature: Option<&'a str>,
    /// The signing key; absent when unsigned.
    pub kid: Option<&'a str>,
}

impl<'a> WrittenLink<'a> {
    fn read(value: &'a Value) -> Result<Self, Malformed> {
        let entry = Fields::of(value, "links")?;
        let link = entry.value("link")?;
        Ok(Self {
            link: Link::read(link)?,
            canonical: Canonical::of(link),
            signature: entry.maybe_text("signature")?,
            kid: entry.maybe_text("kid")?,
        })
    }
}

/// The tree over the links of a chain: its leaves are the raw link hashes in order of position.
pub fn tree(link_hashes: impl IntoIterator<Item = Digest>) -> Tree {
    link_hashes.into_iter().map(|hash| merkle::leaf_hash(hash.as_bytes())).collect()
}

/// `merkle_root` of a seal.
///
/// # Errors
/// None for a tree of [`tree`].
pub fn merkle_root(tree: &Tree) -> Result<Digest, NoProof> {
    merkle::root(tree, tree.size())
}

impl<'a> SignedLink<'a> {
    fn part(&self) -> Part<'a> {
        Members::default()
            .with("link", self.link)
            .maybe("signature", self.signature)
            .maybe("kid", self.kid)
            .into()
    }
}
