//! Verification of a stored chain: links, receipts, seal, and the length and last hash in the chain
//! row.

use std::collections::{BTreeMap, BTreeSet};

use contract::{id::DecisionId, json::Value};

use super::{
    ChainProblem, ChainSeal, ChainWarning, Link, continuity, merkle_root,
    stored::{StatementSummary, StoredChain, StoredLink},
    tree,
};
use crate::{
    canonical_json::CanonicalJson,
    digest::Digest,
    key::{PayloadType, PublicKey},
    statement::ChainPosition,
};

/// The result of checking one link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkCheck {
    /// Whether the link is unchanged, follows its predecessor and matches its receipt.
    pub link_valid: bool,
    /// Whether the signature is valid; absent when the link is unsigned.
    pub signature_valid: Option<bool>,
}

/// The result of checking a chain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChainCheckResult {
    /// One result for each link, in order.
    pub links: Vec<LinkCheck>,
    /// The problems found.
    pub problems: BTreeSet<ChainProblem>,
    /// Observations that do not indicate tampering.
    pub remarks: BTreeSet<ChainWarning>,
}

/// The keys that are trusted to sign links and seals.
pub trait ChainKeys {
    /// Returns the key `kid` if it may sign `payload_type`.
    ///
    /// # Errors
    /// Returns the reason why the key is not trusted.
    fn key(&self, kid: &str, payload_type: PayloadType) -> Result<&PublicKey, ChainProblem>;
}

impl ChainKeys for [PublicKey] {
    fn key(&self, kid: &str, _: PayloadType) -> Result<&PublicKey, ChainProblem> {
        self.iter().find(|key| key.kid() == kid).ok_or(ChainProblem::KeyUnknown)
    }
}

/// Checks a stored chain. `keys` are the keys that may have signed its links and its seal.
pub fn check<K: ChainKeys + ?Sized>(chain: &StoredChain<'_>, keys: &K) -> ChainCheckResult {
    let mut checker = ChainChecker {
        chain,
        keys,
        positions: BTreeMap::new(),
        previous: None,
        links: Vec::new(),
        result: ChainCheckResult::default(),
    };
    for stored in chain.links {
        let link_valid = checker.check_link(stored);
        let signature_valid = checker.check_signature(stored);
        checker.result.links.push(LinkCheck { link_valid, signature_valid });
    }
    checker.result.problems.extend(continuity::continuity_problems(&checker.links));
    checker
        .result
        .remarks
        .extend(continuity::step_warnings(chain.links.iter().map(|link| link.step).collect()));
    checker.check_head();
    checker.check_seal();
    checker.result
}

struct ChainChecker<'a, K: ?Sized> {
    chain: &'a StoredChain<'a>,
    keys: &'a K,
    /// The position of each decision checked so far.
    positions: BTreeMap<DecisionId, u32>,
    /// Position and digest of the previous link.
    previous: Option<(u32, Digest)>,
    /// The links that were parsed so far.
    links: Vec<(Link, Digest)>,
    result: ChainCheckResult,
}

impl<'a, K: ChainKeys + ?Sized> ChainChecker<'a, K> {
    /// Adds `problem` unless `condition` is true, and returns `condition`.
    fn require(&mut self, condition: bool, problem: ChainProblem) -> bool {
        if !condition {
            self.result.problems.insert(problem);
        }
        condition
    }

    fn check_link(&mut self, stored: &StoredLink<'a>) -> bool {
        let digest = Digest::compute(stored.link.as_bytes());
        let previous = self.previous.replace((stored.position, digest));
        let Some(link) = parse_canonical(stored.link, Link::read) else {
            return self.require(false, ChainProblem::LinkMismatch);
        };
        self.links.push((link, digest));
        let chain = self.chain;
        let matches = stored.hash == digest.to_string()
            && (link.tenant_id, link.chain_id) == (chain.tenant_id, chain.chain_id)
            && (link.position, link.step) == (stored.position, stored.step)
            && link.decision_id == stored.decision_id;
        let matches = self.require(matches, ChainProblem::LinkMismatch);
        let follows = match previous {
            None => link.position == 1 && link.prev.is_none(),
            Some((position, digest)) => {
                position.checked_add(1) == Some(link.position) && link.prev == Some(digest)
            }
        };
        let receipt_matches = self.check_receipt(&link, stored.statement);
        self.positions.insert(link.decision_id, link.position);
        matches && follows && receipt_matches
    }

    /// Checks that the link refers to this statement, and that the statement names the chain, the
    /// step and an earlier parent.
    fn check_receipt(&mut self, link: &Link, statement: Option<StatementSummary>) -> bool {
        let Some(StatementSummary { digest, names, .. }) = statement else {
            return self.require(false, ChainProblem::ReceiptMissing);
        };
        let Some(statement) = names else {
            return self.require(false, ChainProblem::LinkMismatch);
        };
        let parent = statement.chain.and_then(|chain| chain.parent_decision_id);
        let position =
            ChainPosition { chain_id: link.chain_id, step: link.step, parent_decision_id: parent };
        let matches = digest == link.receipt_digest
            && statement.chain == Some(position)
            && (statement.tenant_id, statement.decision_id) == (link.tenant_id, link.decision_id);
        let matches = self.require(matches, ChainProblem::LinkMismatch);
        let earlier = parent.is_none_or(|parent| self.positions.contains_key(&parent));
        self.require(earlier, ChainProblem::ParentNotInChain) && matches
    }

    fn check_signature(&mut self, stored: &StoredLink<'a>) -> Option<bool> {
        // A signed statement requires a signed link; otherwise the link's signature was removed.
        let requires_signature = stored.statement.is_some_and(|statement| statement.has_kid);
        let result = self.verify_signature(
            PayloadType::ChainLink,
            stored.link,
            (stored.kid, stored.signature),
            requires_signature,
        );
        match result {
            Ok(()) => Some(true),
            Err(None) => None,
            Err(Some(problem)) => Some(self.require(false, problem)),
        }
    }

    /// Verifies the signature over `text`. Returns `Err(None)` if it is unsigned and
    /// `requires_signature` is false.
    fn verify_signature(
        &mut self,
        payload_type: PayloadType,
        text: &str,
        (kid, signature): (Option<&str>, Option<&str>),
        requires_signature: bool,
    ) -> Result<(), Option<ChainProblem>> {
        let invalid = match payload_type {
            PayloadType::ChainSeal => ChainProblem::SealSignatureInvalid,
            _ => ChainProblem::LinkSignatureInvalid,
        };
        let (kid, signature) = match (kid, signature) {
            (Some(kid), Some(signature)) => (kid, signature),
            (None, None) if !requires_signature => {
                self.result.remarks.insert(ChainWarning::Unsigned);
                return Err(None);
            }
            _ => return Err(Some(invalid)),
        };
        let key = self.keys.key(kid, payload_type).map_err(Some)?;
        key.verify(payload_type, text, signature).map_err(|_| Some(invalid))
    }

    /// Checks that the links end at the length and last hash in the chain row, so that no tail is
    /// missing.
    fn check_head(&mut self) {
        let is_complete = usize::try_from(self.chain.length) == Ok(self.chain.links.len());
        self.require(is_complete, ChainProblem::LinkGap);
        let last = self.chain.links.last().map_or("", |link| link.hash);
        self.require(!is_complete || last == self.chain.head, ChainProblem::LinkMismatch);
    }

    fn check_seal(&mut self) {
        let has_seal = self.chain.seal.is_some();
        self.require(has_seal == self.chain.is_sealed, ChainProblem::SealMismatch);
        let Some(stored) = self.chain.seal else { return };
        let Some(seal) = parse_canonical(stored.seal, ChainSeal::read) else {
            self.require(false, ChainProblem::SealMismatch);
            return;
        };
        let tree = tree(self.links.iter().map(|(_, digest)| *digest));
        let matches = stored.digest == Digest::compute(stored.seal.as_bytes()).to_string()
            && (seal.tenant_id, seal.chain_id) == (self.chain.tenant_id, self.chain.chain_id)
            && usize::try_from(seal.step_count) == Ok(self.links.len())
            && self.links.last().is_some_and(|(_, digest)| *digest == seal.head)
            && merkle_root(&tree) == Ok(seal.merkle_root);
        self.require(matches, ChainProblem::SealMismatch);
        let kid_and_signature = (stored.kid, stored.signature);
        let result = self.verify_signature(
            PayloadType::ChainSeal,
            stored.seal,
            kid_and_signature,
            seal.kid.is_some(),
        );
        let kid_matches = seal.kid.as_deref() == stored.kid;
        let problem =
            result.err().flatten().or((!kid_matches).then_some(ChainProblem::SealSignatureInvalid));
        self.result.problems.extend(problem);
    }
}

/// Parses `text` with `parse` if it is canonical JSON.
fn parse_canonical<T, E>(text: &str, parse: impl Fn(&Value) -> Result<T, E>) -> Option<T> {
    parse(&CanonicalJson::value(text.as_bytes()).ok()?).ok()
}
