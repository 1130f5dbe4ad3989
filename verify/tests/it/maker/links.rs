//! Links and seal.

use receipt::{
    Canonical,
    chain::{self, Link, Seal, SignedLink},
    dsse::Envelope,
    key::{PayloadType, SigningKey},
};

use super::{CHAIN, Plan, TENANT, id, instant, record::Recorded};

impl Plan {
    pub(super) fn links(&self, recorded: &[Recorded], signer: Option<&SigningKey>) -> Vec<Signed> {
        let mut links: Vec<Signed> = Vec::new();
        for (position, recorded) in (1..).zip(recorded) {
            let Some(chain) = recorded.chain else { break };
            let mut link = Link {
                tenant_id: id(TENANT),
                chain_id: chain.chain_id,
                position,
                step: chain.step,
                decision_id: recorded.decision_id,
                receipt_digest: recorded.statement.digest,
                prev: links.last().map(|link| link.link.digest),
            };
            (self.link)(&mut link);
            links.push(Signed::new(PayloadType::ChainLink, link.canonical(), signer));
        }
        links
    }

    pub(super) fn sealed(
        &self,
        links: &[Signed],
        signer: Option<&SigningKey>,
    ) -> Option<(Seal, Canonical, Option<Envelope>)> {
        let head = links.last().filter(|_| self.is_sealed)?;
        let tree = chain::tree(links.iter().map(|link| link.link.digest));
        let mut seal = Seal {
            tenant_id: id(TENANT),
            chain_id: id(CHAIN),
            step_count: u32::try_from(links.len()).unwrap(),
            head: head.link.digest,
            merkle_root: chain::merkle_root(&tree).unwrap(),
            sealed_at: instant("2026-05-02T00:00:00.000Z"),
            kid: signer.map(|key| key.kid().to_owned()),
        };
        (self.seal)(&mut seal);
        let canonical = seal.canonical();
        let envelope = signer
            .map(|key| Envelope::sign(PayloadType::ChainSeal, canonical.clone(), [key]).unwrap());
        Some((seal, canonical, envelope))
    }
}

/// A text with its signature, if there is a key.
pub(super) struct Signed {
    pub(super) link: Canonical,
    pub(super) signature: Option<String>,
    pub(super) kid: Option<String>,
}

impl Signed {
    pub(super) fn new(
        payload_type: PayloadType,
        link: Canonical,
        signer: Option<&SigningKey>,
    ) -> Self {
        let signature = signer.map(|key| key.sign(payload_type, &link).unwrap());
        Self { link, signature, kid: signer.map(|key| key.kid().to_owned()) }
    }

    pub(super) fn link(&self) -> SignedLink<'_> {
        SignedLink {
            link: &self.link,
            signature: self.signature.as_deref(),
            kid: self.kid.as_deref(),
        }
    }
}
