//! Chains, seals, approvals, grants and anchors against the oracle.

use contract::json::{Limits, Object, Value};
use receipt::{
    CanonicalJson, Digest,
    approval::PolicyApproval,
    chain::{self, ChainProof, ChainSeal, Link, SignedLink},
    grant::{CapabilityGrant, LINEAGE_MAX, Predecessor, check_lineage},
    merkle::leaf_hash,
    object_reader::ParseFieldError,
    transparency_log::{Anchor, EntryKind, ProofText, entry},
};
use uuid::Uuid;

use crate::{
    oracle::{oracle, signed_object},
    vectors::Known as _,
};

/// Returns `value` with one member replaced or removed.
fn with(value: &Value, name: &str, member: Option<Value>) -> Value {
    let mut members: Object = value.as_object().unwrap().clone();
    match member {
        Some(member) => members.insert(name, member),
        None => members.remove(name),
    };
    members.into()
}

#[test]
fn links_and_seal_match_the_oracle() {
    let oracle = oracle();
    let known = ["chain_link_1", "chain_link_2", "chain_link_3"].map(signed_object);
    let links = known.each_ref().map(|known| Link::read(known.at("object")).unwrap());
    let canonical_links = links.map(|link| link.canonical());
    for (link, known) in canonical_links.iter().zip(&known) {
        assert_eq!(link.text, known.text("canonical"));
        assert_eq!(link.digest.to_string(), known.text("sha256"));
    }
    let tree = chain::tree(canonical_links.iter().map(|link| link.digest));
    let known_chain = oracle.at("chain");
    let root = chain::merkle_root(&tree).unwrap();
    assert_eq!(root.to_string(), known_chain.text("merkle_root"));
    let proofs = known_chain.list("inclusion_proofs");
    for (index, (position, known)) in (0..).zip(proofs.iter().enumerate()) {
        let proof = ChainProof::new(&tree, index).unwrap();
        let hashes: Value = proof.hashes.iter().map(ToString::to_string).collect();
        assert_eq!(&hashes, known);
        let link = canonical_links[position].digest;
        assert_eq!(proof.verify(link, root), Ok(()));
        assert!(proof.verify(canonical_links[(position + 1) % 3].digest, root).is_err());
        let file = Value::parse(proof.canonical().text.as_bytes(), &Limits::REQUEST).unwrap();
        assert_eq!(ChainProof::read(&file), Ok(proof));
    }
    let known = signed_object("chain_seal");
    let seal = ChainSeal::read(known.at("object")).unwrap();
    assert_eq!(seal.canonical().text, known.text("canonical"));
    assert_eq!((seal.merkle_root, seal.head), (root, canonical_links[2].digest));

    let signature = known.text("signature");
    let entries = canonical_links.each_ref().map(|link| SignedLink {
        link,
        signature: Some(signature),
        kid: Some("k"),
    });
    let file = Value::parse(chain::links(&entries).text.as_bytes(), &Limits::REQUEST).unwrap();
    let parsed = chain::read_links(&file).unwrap();
    assert_eq!(parsed.iter().map(|entry| entry.link).collect::<Vec<_>>(), links);
    assert_eq!(parsed[0].canonical, canonical_links[0]);
}

#[test]
fn malformed_members_of_signed_objects_are_refused() {
    let approval = signed_object("policy_approval");
    let approval = approval.at("object");
    let assert_rejected = |name: &'static str, member: Option<Value>| {
        let result = PolicyApproval::read(&with(approval, name, member));
        assert_eq!(result, Err(ParseFieldError::Member(name)));
    };
    assert_rejected("tenant_id", Some("5F0C1F1E-7C1B-4A52-9D0E-3B6A3C1D2E01".into()));
    assert_rejected("ratified_at", Some("2026-06-01T09:00:00Z".into()));
    assert_rejected("ratified_at", Some("2026-06-01T09:00:00.000+00:00".into()));
    assert_rejected("rules_digest", Some(Digest::compute(b"").to_string().to_uppercase().into()));
    assert_rejected("version", Some("2".into()));
    assert_rejected("version", Some(Value::from(-1)));
    assert_rejected("previous_approval_digest", Some(Value::Null));
    assert_rejected("maker_checker", None);
    assert_rejected("makers", Some(Value::Array(vec![1.into()])));
    let with_schema =
        |member: &str| PolicyApproval::read(&with(approval, "schema", Some(member.into())));
    assert_eq!(with_schema("service-policy-approval/v2"), Err(ParseFieldError::Schema));
    assert_eq!(with_schema("Service-policy-approval/v1"), Err(ParseFieldError::Schema));
    assert!(PolicyApproval::read(&with(approval, "further", Some(1.into()))).is_ok());
}

/// Returns a valid lineage of `length` grants.
fn lineage(length: u32) -> Vec<(Digest, CapabilityGrant)> {
    let first = signed_object("capability_grant_1");
    let mut grant = CapabilityGrant::read(first.at("object")).unwrap();
    let mut lineage = Vec::new();
    for depth in 1..=length {
        let digest = grant.canonical().digest;
        lineage.push((digest, grant.clone()));
        let capability_id = grant.capability_id;
        grant = CapabilityGrant {
            capability_id: Uuid::from_u128(u128::from(depth)).into(),
            depth: depth + 1,
            predecessor: Some(Predecessor { capability_id, grant_digest: digest }),
            ..grant
        };
    }
    lineage
}

#[test]
fn grants_and_lineage_match_the_oracle() {
    let known = ["capability_grant_1", "capability_grant_2"].map(signed_object);
    let grants = known.each_ref().map(|known| {
        let grant = CapabilityGrant::read(known.at("object")).unwrap();
        assert_eq!(grant.canonical().text, known.text("canonical"));
        (grant.canonical().digest, grant)
    });
    assert_eq!(check_lineage(&grants), Ok(()));
    assert!(check_lineage(&grants[1..]).is_err() && check_lineage(&[]).is_err());
    assert_eq!(check_lineage(&lineage(64)), Ok(()));
    assert_eq!(LINEAGE_MAX, 64);
    assert!(check_lineage(&lineage(65)).is_err());
}

#[test]
fn changed_grant_breaks_the_lineage() {
    let changes: [fn(&mut CapabilityGrant); 9] = [
        |grant| grant.depth += 1,
        |grant| grant.root_capability_id = Uuid::nil().into(),
        |grant| grant.tenant_id = Uuid::nil().into(),
        |grant| grant.policy_id = Uuid::nil().into(),
        |grant| grant.api_key_id = Uuid::nil().into(),
        |grant| grant.actions.push("policy.submit".into()),
        |grant| grant.expires_at = None,
        |grant| grant.predecessor = None,
        |grant| grant.predecessor.as_mut().unwrap().grant_digest = Digest::compute(b""),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let mut grants = lineage(3);
        change(&mut grants[2].1);
        assert!(check_lineage(&grants).is_err(), "{number}");
    }
    let mut grants = lineage(2);
    grants[1].1.expires_at = grants[0].1.issued_at.into();
    grants[1].1.actions.clear();
    assert_eq!(check_lineage(&grants), Ok(()), "fewer actions are allowed");
}

#[test]
fn entries_and_anchors_match_the_oracle() {
    let oracle = oracle();
    let log = oracle.at("log");
    let statement: Digest = signed_object("receipt_statement").text("sha256").parse().unwrap();
    let leaf = entry(EntryKind::Receipt, statement);
    assert_eq!(leaf.text, log.list("entries")[3].as_str().unwrap());
    let hash = leaf_hash(leaf.text.as_bytes());
    assert_eq!(hash.to_string(), log.list("leaf_hashes")[3].as_str().unwrap());
    for kind in EntryKind::ALL {
        assert!(entry(kind, statement).text.contains(kind.as_str()));
    }

    let known = log.at("anchor_receipt_3");
    let anchor = Anchor::read(known).unwrap();
    assert_eq!(anchor.canonical(), CanonicalJson::from_value(known));
    assert_eq!(anchor.entry(), (log.text("tree_id"), hash.to_string().as_str()));
    let proof = ProofText::read(log.text("tlog_proof_receipt_3")).unwrap();
    assert_eq!(proof.to_string(), log.text("tlog_proof_receipt_3"));
    assert_eq!((proof.index, &proof.hashes), (3, &anchor.inclusion_proof.hashes));
    assert_eq!(Some(proof.checkpoint), anchor.inclusion_proof.checkpoint.as_deref());
    for (from, to) in [
        ("c2sp.org/tlog-proof@v1", "c2sp.org/tlog-proof@v2"),
        ("index 3", "index 03"),
        ("index 3", "index -3"),
        ("index 3\n", ""),
        ("\n\n", "\n"),
        ("=\n", "\n"),
    ] {
        let changed = log.text("tlog_proof_receipt_3").replace(from, to);
        assert!(ProofText::read(&changed).is_err(), "{from} {to}");
    }
    for (name, member) in [
        ("provider", Some("rekor".into())),
        ("entry_uuid", Some("23".into())),
        ("log_index", Some(Value::from(-1))),
        ("anchored_at", None),
    ] {
        assert!(Anchor::read(&with(known, name, member)).is_err(), "{name}");
    }
}
