//! The check of a whole chain as it is stored: links, the receipts that they hold, the seal, and the
//! head that says how far they reach.

use std::collections::{BTreeMap, BTreeSet};

use contract::{
    id::DecisionId,
    json::{Limits, Value},
};

use super::{
    Link, Problem, Remark, Seal, line, merkle_root,
    stored::{StoredChain, StoredLink},
    tree,
};
use crate::{
    canon::Canonical,
    digest::Digest,
    key::{PayloadType, PublicKey},
    statement::{ChainPosition, ReceiptStatement},
};

/// What the check of one link found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkFound {
    /// Whether it is unchanged, follows the one before, and is of its receipt.
    pub link_valid: bool,
    /// Whether its signature is good; absent when there was no key.
    pub signature_valid: Option<bool>,
}

/// What the check of a chain found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChainFound {
    /// One for each link.
    pub links: Vec<LinkFound>,
    /// What is wrong.
    pub problems: BTreeSet<Problem>,
    /// What is worth a word.
    pub remarks: BTreeSet<Remark>,
}

/// The keys that links and seals may be signed with.
pub trait ChainKeys {
    /// The key `kid`, which signed something of this type.
    ///
    /// # Errors
    /// Why it is not believed.
    fn key(&self, kid: &str, payload_type: PayloadType) -> Result<&PublicKey, Problem>;
}

impl ChainKeys for [PublicKey] {
    fn key(&self, kid: &str, _: PayloadType) -> Result<&PublicKey, Problem> {
        self.iter().find(|key| key.kid() == kid).ok_or(Problem::KeyUnknown)
    }
}

/// Checks a chain against the keys that its links and its seal may be signed with.
pub fn check<K: ChainKeys + ?Sized>(chain: &StoredChain<'_>, keys: &K) -> ChainFound {
    let mut check = Check {
        chain,
        keys,
        places: BTreeMap::new(),
        before: None,
        line: Vec::new(),
        found: ChainFound::default(),
    };
    for stored in chain.links {
        let statement = stored.statement.map(Statement::of);
        let link_valid = check.link(stored, statement.as_ref());
        let signature_valid = check.signature(stored, statement.as_ref());
        check.found.links.push(LinkFound { link_valid, signature_valid });
    }
    check.found.problems.extend(line::out_of_line(&check.line));
    check.found.remarks.extend(line::remarks(chain.links.iter().map(|link| link.step).collect()));
    check.reaches_the_head();
    check.seal();
    check.found
}

struct Check<'a, K: ?Sized> {
    chain: &'a StoredChain<'a>,
    keys: &'a K,
    /// Where each decision so far stands.
    places: BTreeMap<DecisionId, u32>,
    /// Position and digest of the link before.
    before: Option<(u32, Digest)>,
    /// The links that can be read.
    line: Vec<(Link, Digest)>,
    found: ChainFound,
}

impl<'a, K: ChainKeys + ?Sized> Check<'a, K> {
    /// Notes a problem unless `holds`.
    fn require(&mut self, holds: bool, problem: Problem) -> bool {
        if !holds {
            self.found.problems.insert(problem);
        }
        holds
    }

    fn link(&mut self, stored: &StoredLink<'a>, statement: Option<&Statement<'_>>) -> bool {
        let digest = Digest::of(stored.link.as_bytes());
        let before = self.before.replace((stored.position, digest));
        let Some(link) = read(stored.link, Link::read) else {
            return self.require(false, Problem::LinkMismatch);
        };
        self.line.push((link, digest));
        let chain = self.chain;
        let same = stored.hash == digest.to_string()
            && (link.tenant_id, link.chain_id) == (chain.tenant_id, chain.chain_id)
            && (link.position, link.step) == (stored.position, stored.step)
            && link.decision_id == stored.decision_id;
        let same = self.require(same, Problem::LinkMismatch);
        let follows = match before {
            None => link.position == 1 && link.prev.is_none(),
            Some((position, digest)) => {
                position.checked_add(1) == Some(link.position) && link.prev == Some(digest)
            }
        };
        let holds = self.receipt(&link, statement);
        self.places.insert(link.decision_id, link.position);
        same && follows && holds
    }

    /// Whether the link is of this statement, which names the chain, the step and an earlier parent.
    fn receipt(&mut self, link: &Link, statement: Option<&Statement<'_>>) -> bool {
        let Some(&Statement { text, ref value }) = statement else {
            return self.require(false, Problem::ReceiptMissing);
        };
        let Some(Ok(statement)) = value.as_ref().map(ReceiptStatement::read) else {
            return self.require(false, Problem::LinkMismatch);
        };
        let parent = statement.chain.and_then(|chain| chain.parent_decision_id);
        let place =
            ChainPosition { chain_id: link.chain_id, step: link.step, parent_decision_id: parent };
        let same = Digest::of(text.as_bytes()) == link.receipt_digest
            && statement.chain == Some(place)
            && (statement.tenant_id, statement.decision_id) == (link.tenant_id, link.decision_id);
        let same = self.require(same, Problem::LinkMismatch);
        let earlier = parent.is_none_or(|parent| self.places.contains_key(&parent));
        self.require(earlier, Problem::ParentNotInChain) && same
    }

    fn signature(
        &mut self,
        stored: &StoredLink<'a>,
        statement: Option<&Statement<'_>>,
    ) -> Option<bool> {
        // Who signs a link has signed its statement: one without the other was taken off.
        let is_signed = statement.is_some_and(Statement::names_a_key);
        let signed = self.signed(
            PayloadType::ChainLink,
            stored.link,
            (stored.kid, stored.signature),
            is_signed,
        );
        match signed {
            Ok(()) => Some(true),
            Err(None) => None,
            Err(Some(problem)) => Some(self.require(false, problem)),
        }
    }

    /// Whether `text` was signed. `Err(None)`: there was no key.
    fn signed(
        &mut self,
        payload_type: PayloadType,
        text: &str,
        (kid, signature): (Option<&str>, Option<&str>),
        must_be: bool,
    ) -> Result<(), Option<Problem>> {
        let invalid = match payload_type {
            PayloadType::ChainSeal => Problem::SealSignatureInvalid,
            _ => Problem::LinkSignatureInvalid,
        };
        let (kid, signature) = match (kid, signature) {
            (Some(kid), Some(signature)) => (kid, signature),
            (None, None) if !must_be => {
                self.found.remarks.insert(Remark::Unsigned);
                return Err(None);
            }
            _ => return Err(Some(invalid)),
        };
        let key = self.keys.key(kid, payload_type).map_err(Some)?;
        key.verify(payload_type, text, signature).map_err(|_| Some(invalid))
    }

    /// Whether the links reach as far as the head says: no tail was cut.
    fn reaches_the_head(&mut self) {
        let whole = usize::try_from(self.chain.length) == Ok(self.chain.links.len());
        self.require(whole, Problem::LinkGap);
        let last = self.chain.links.last().map_or("", |link| link.hash);
        self.require(!whole || last == self.chain.head, Problem::LinkMismatch);
    }

    fn seal(&mut self) {
        let there = self.chain.seal.is_some();
        self.require(there == self.chain.is_sealed, Problem::SealMismatch);
        let Some(stored) = self.chain.seal else { return };
        let Some(seal) = read(stored.seal, Seal::read) else {
            self.require(false, Problem::SealMismatch);
            return;
        };
        let tree = tree(self.line.iter().map(|(_, digest)| *digest));
        let same = stored.digest == Digest::of(stored.seal.as_bytes()).to_string()
            && (seal.tenant_id, seal.chain_id) == (self.chain.tenant_id, self.chain.chain_id)
            && usize::try_from(seal.step_count) == Ok(self.line.len())
            && self.line.last().is_some_and(|(_, digest)| *digest == seal.head)
            && merkle_root(&tree) == Ok(seal.merkle_root);
        self.require(same, Problem::SealMismatch);
        let kid = (stored.kid, stored.signature);
        let signed = self.signed(PayloadType::ChainSeal, stored.seal, kid, seal.kid.is_some());
        let own = seal.kid.as_deref() == stored.kid;
        let problem = signed.err().flatten().or((!own).then_some(Problem::SealSignatureInvalid));
        self.found.problems.extend(problem);
    }
}

/// The statement of a link's decision.
struct Statement<'a> {
    text: &'a str,
    /// Absent when the text is no JSON.
    value: Option<Value>,
}

impl<'a> Statement<'a> {
    fn of(text: &'a str) -> Self {
        let value = Value::parse(text.as_bytes(), &Limits::BUNDLE_MEMBER);
        Self { text, value: value.ok() }
    }

    /// Whether it names the key that signed it.
    fn names_a_key(&self) -> bool {
        self.value.as_ref().is_some_and(|value| value.get("kid").is_some())
    }
}

/// What `text` holds, when it is canonical.
fn read<T, E>(text: &str, of: impl Fn(&Value) -> Result<T, E>) -> Option<T> {
    of(&Canonical::value(text.as_bytes()).ok()?).ok()
}
