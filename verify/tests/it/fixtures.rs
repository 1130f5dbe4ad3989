//! Valid bundles, created with keys of fixed seeds and the constructors that the service uses. A
//! test changes the plan or the files and closes the bundle again with the right key.

mod change;
mod links;
mod log;
mod policies;
mod receipt;
mod record;
mod registry;

use ::receipt::{
    Digest,
    approval::PolicyApproval,
    bundle::{self, Files, Subject, path, path::BundleScope},
    chain::{self, ChainSeal, Link},
    dsse::Envelope,
    key::{PayloadType, SigningKey},
    statement::SnapshotPolicy,
    transparency_log::EntryKind,
    trust_registry::TrustRegistry,
};
use contract::{
    evaluation::Verdict,
    id::DecisionId,
    json::{Limits, Value},
    time::Timestamp,
};
use uuid::Uuid;
use verify::Trust;

use self::links::SignedText;
pub(crate) use self::{
    change::{altered, edit, set},
    log::{Log, ORIGIN, log_key},
    policies::approval,
    registry::{registry, signed, trust, trust_document},
};

pub(crate) fn value(text: &str) -> Value {
    Value::parse(text.as_bytes(), &Limits::BUNDLE_FILE).unwrap()
}

pub(crate) fn timestamp(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// Returns the key derived from `name`.
pub(crate) fn key(name: &str) -> SigningKey {
    SigningKey::from_seed(*Digest::compute(name.as_bytes()).as_bytes())
}

pub(crate) fn id<T: From<Uuid>>(number: u128) -> T {
    Uuid::from_u128(number).into()
}

pub(crate) const TENANT: u128 = 0x7e;
const CHAIN: u128 = 0xc4;
const POLICY: u128 = 0x90;

/// Returns the ID of the decision with this number, from 1.
pub(crate) fn decision_id(number: u32) -> DecisionId {
    id(0xd0 + u128::from(number))
}

/// The content of a test bundle. Each function can change one kind of object before it is signed.
pub(crate) struct Plan {
    /// The steps of the chain in recording order; empty for a decision without a chain.
    pub(crate) steps: Vec<u32>,
    /// The key of receipts, links, seals and manifests; absent for unsigned objects.
    pub(crate) signer: Option<&'static str>,
    /// The key of links, seals and manifests, if it differs from `signer`.
    pub(crate) binder: Option<&'static str>,
    /// The key of the approval.
    pub(crate) approver: &'static str,
    pub(crate) registry: fn(&mut TrustRegistry),
    pub(crate) policies: fn(&mut Vec<SnapshotPolicy>),
    pub(crate) approval: fn(&mut PolicyApproval),
    pub(crate) link: fn(&mut Link),
    pub(crate) seal: fn(&mut ChainSeal),
    pub(crate) is_sealed: bool,
    pub(crate) log: Log,
    pub(crate) recorded_at: &'static str,
    pub(crate) has_evidence: bool,
    pub(crate) amount: u32,
    /// Whether a chain bundle is created.
    pub(crate) has_chain_bundle: bool,
    /// The signed verdict, if it differs from the evaluated one.
    pub(crate) verdict: Option<Verdict>,
    /// The parent of the decision with this number.
    pub(crate) parent: fn(u32) -> Option<DecisionId>,
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            steps: vec![1, 2, 3],
            signer: Some("service"),
            binder: None,
            approver: "approver",
            registry: |_| (),
            policies: |_| (),
            approval: |_| (),
            link: |_| (),
            seal: |_| (),
            is_sealed: true,
            log: Log::default(),
            recorded_at: "2026-05-01T12:00:00.000Z",
            has_evidence: true,
            amount: 900,
            has_chain_bundle: true,
            verdict: None,
            parent: |number| (number > 1).then(|| decision_id(number - 1)),
        }
    }
}

/// The bundles of a plan, and trust in its registry.
pub(crate) struct TestBundles {
    pub(crate) trust: Trust,
    /// The bundle of the last decision.
    pub(crate) decision: Files,
    pub(crate) chain: Files,
}

impl Plan {
    pub(crate) fn build(&self) -> TestBundles {
        let policies = self.snapshot();
        let recorded: Vec<_> = match self.steps.as_slice() {
            [] => vec![self.record(&policies.0, 1, None)],
            steps => {
                (1..).zip(steps).map(|(n, step)| self.record(&policies.0, n, Some(*step))).collect()
            }
        };
        let binder = self.binder.or(self.signer).map(key);
        let links = self.links(&recorded, binder.as_ref());
        let seal = self.sealed(&links, binder.as_ref());
        let mut entries: Vec<(EntryKind, Digest)> =
            recorded.iter().map(|r| (EntryKind::Receipt, r.statement.digest)).collect();
        entries.extend(seal.as_ref().map(|seal| (EntryKind::ChainSeal, seal.1.digest)));
        let anchors = self.log.anchors(&entries);

        let registry = registry(self.registry);
        let mut shared = Files::default();
        let insert =
            |files: &mut Files, name: &str, bytes: Vec<u8>| files.insert(name, bytes).unwrap();
        insert(&mut shared, path::PROFILE, bundle::profile().text.into_bytes());
        insert(&mut shared, path::REGISTRY, bundle::file(&registry.envelope.to_value()));
        insert(&mut shared, path::TRUSTED_KEYS, b"{}".to_vec());
        let approval =
            Envelope::sign(PayloadType::PolicyApproval, policies.1.clone(), [&key(self.approver)]);
        let name = path::approval(policies.1.digest);
        insert(&mut shared, &name, bundle::file(&approval.unwrap().to_value()));
        if !links.is_empty() {
            let links: Vec<_> = links.iter().map(SignedText::link).collect();
            insert(&mut shared, path::LINKS, chain::links(&links).text.into_bytes());
        }
        if let Some((_, canonical, envelope)) = &seal {
            match envelope {
                Some(envelope) => {
                    insert(&mut shared, path::SEAL_ENVELOPE, bundle::file(&envelope.to_value()));
                }
                None => insert(&mut shared, path::SEAL, canonical.text.clone().into_bytes()),
            }
        }
        let receipt = |files: &mut Files, scope: BundleScope, number: usize| {
            let link = links.get(number);
            self.receipt(files, scope, &recorded[number], link, &policies, anchors.get(number));
        };
        let last = recorded.len() - 1;
        let mut decision = shared.clone();
        receipt(&mut decision, BundleScope::Decision, last);
        let subject = Subject::Decision {
            decision_id: recorded[last].decision_id,
            tenant_id: id(TENANT),
            receipt_digest: recorded[last].statement.digest,
        };
        bundle::close(&mut decision, &subject, binder.as_ref()).unwrap();
        let mut chain = shared;
        if let Some(head) = links.last().filter(|_| self.has_chain_bundle) {
            for (number, step) in self.steps.iter().enumerate() {
                receipt(&mut chain, BundleScope::Step(*step), number);
            }
            if let (Some(seal), Some(anchor)) = (&seal, anchors.get(recorded.len())) {
                let entry = ::receipt::transparency_log::entry(EntryKind::ChainSeal, seal.1.digest);
                insert(&mut chain, path::SEAL_ENTRY, entry.text.into_bytes());
                insert(&mut chain, path::SEAL_ANCHOR, anchor.canonical().text.into_bytes());
            }
            let subject = Subject::Chain {
                chain_id: id(CHAIN),
                tenant_id: id(TENANT),
                step_count: u32::try_from(links.len()).unwrap(),
                head: head.link.digest,
            };
            bundle::close(&mut chain, &subject, binder.as_ref()).unwrap();
        }
        TestBundles { trust: trust(&registry), decision, chain }
    }
}

pub(crate) fn witness_vkey() -> ::receipt::transparency_log::Vkey {
    log::witness().vkey().clone()
}

/// Returns a signature over bytes without a payload type, in API form.
pub(crate) fn raw_signature(seed: [u8; 32], bytes: &[u8]) -> String {
    use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
    use ed25519_dalek::Signer as _;
    let key = ed25519_dalek::SigningKey::from_bytes(&seed);
    URL_SAFE_NO_PAD.encode(key.sign(bytes).to_bytes())
}

#[test]
fn default_plan_gives_valid_bundles() {
    use crate::outcome::{check, lines};
    let bundles = Plan::default().build();
    let expected = ["transparency_proof: verified SEAL_ANCHOR_PENDING WITNESSED"];
    assert_eq!(lines(&check(&bundles.decision, &bundles.trust)), expected);
    assert_eq!(
        lines(&check(&bundles.chain, &bundles.trust)),
        ["transparency_proof: verified WITNESSED"]
    );
    let bundles = Plan { steps: vec![], has_evidence: false, amount: 1, ..Plan::default() }.build();
    let report = check(&bundles.decision, &bundles.trust);
    assert_eq!(report.overall, verify::Overall::Verified);
    assert_eq!(
        lines(&report),
        [
            "chain_proofs: not_applicable NO_CHAIN",
            "transparency_proof: verified WITNESSED",
            "evidence: not_applicable NO_EVIDENCE",
        ]
    );
}
