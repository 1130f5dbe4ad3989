//! Bundles forged with one stolen key: at most the claims of that key are verified.

use contract::verification::Claim;
use receipt::{
    key::PayloadType,
    trust_registry::{KeyStatus, RegistryKey, TrustRegistry},
};
use verify::{Options, Overall, Report, Status, verify};

use crate::{
    fixtures::{Log, Plan, altered, edit, key, timestamp},
    outcome::{check, codes},
};

const SERVICE: usize = 1;

/// The claims with signatures.
const SIGNED_CLAIMS: [Claim; 5] = [
    Claim::Receipt,
    Claim::ChainProofs,
    Claim::TransparencyProof,
    Claim::ApprovalLineage,
    Claim::Manifest,
];

/// Returns the verified claims among them.
fn verified_claims(report: &Report) -> Vec<&'static str> {
    let is_verified = |claim: &Claim| report.claim(*claim).unwrap().status == Status::Verified;
    SIGNED_CLAIMS.into_iter().filter(is_verified).map(Claim::as_str).collect()
}

/// Changes a registry: a separate key for each purpose, and no witness quorum.
fn registry(registry: &mut TrustRegistry) {
    let entry = |name: &str, purposes: &[PayloadType]| RegistryKey {
        key: key(name).public().clone(),
        purposes: purposes.iter().map(|purpose| purpose.purpose().to_owned()).collect(),
        ..registry.keys[SERVICE].clone()
    };
    let binder_purposes =
        [PayloadType::ChainLink, PayloadType::ChainSeal, PayloadType::BundleManifest];
    let (binder, granter) =
        (entry("binder", &binder_purposes), entry("granter", &[PayloadType::CapabilityGrant]));
    registry.keys[SERVICE].purposes = vec![PayloadType::Receipt.purpose().to_owned()];
    registry.keys.extend([binder, granter]);
    registry.witness_quorum = 0;
}

/// Returns the plan of an attacker without any service key.
fn forgery() -> Plan {
    let log = Log { signer: "thief", cosigned_at: None, ..Log::default() };
    Plan { signer: Some("thief"), approver: "thief", log, registry, ..Plan::default() }
}

#[test]
fn stolen_key_verifies_at_most_its_own_claims() {
    let log_signed_by = |signer| Log { signer, cosigned_at: None, ..Log::default() };
    let stolen: [(&str, Plan, &[&str]); 7] = [
        ("none", forgery(), &[]),
        (
            "receipt",
            Plan { signer: Some("service"), binder: Some("thief"), ..forgery() },
            &["receipt"],
        ),
        ("links", Plan { binder: Some("binder"), ..forgery() }, &["chain_proofs", "manifest"]),
        ("approval", Plan { approver: "approver", ..forgery() }, &["approval_lineage"]),
        ("log", Plan { log: log_signed_by("log"), ..forgery() }, &["transparency_proof"]),
        (
            "grant",
            Plan {
                signer: Some("granter"),
                approver: "granter",
                log: log_signed_by("granter"),
                ..forgery()
            },
            &[],
        ),
        (
            "approval key used for every object",
            Plan {
                signer: Some("approver"),
                approver: "approver",
                log: log_signed_by("approver"),
                ..forgery()
            },
            &["approval_lineage"],
        ),
    ];
    for (name, plan, verified) in stolen {
        let bundles = plan.build();
        for files in [&bundles.decision, &bundles.chain] {
            let report = check(files, &bundles.trust);
            assert_eq!(verified_claims(&report), verified, "{name}");
            assert_ne!(report.overall, Overall::Verified, "{name}");
        }
    }
}

#[test]
fn stolen_log_key_is_not_sufficient_without_witnesses() {
    let log = Log { cosigned_at: None, ..Log::default() };
    let with_quorum: fn(&mut TrustRegistry) = |listed| {
        registry(listed);
        listed.witness_quorum = 1;
    };
    let bundles = Plan { log, registry: with_quorum, ..forgery() }.build();
    assert_eq!(verified_claims(&check(&bundles.decision, &bundles.trust)), [""; 0]);
}

/// Retires the service key; its holder then signs backdated receipts.
pub(crate) fn retire_service_key(listed: &mut TrustRegistry) {
    listed.keys[SERVICE].status = KeyStatus::Retired;
    listed.keys[SERVICE].valid_until = Some(timestamp("2026-06-01T00:00:00.000Z"));
}

const UNANCHORED: &str = "receipt KEY_RETIRED_UNANCHORED";

#[test]
fn holder_of_a_retired_receipt_key_cannot_backdate_receipts() {
    let forged =
        |log| Plan { registry: retire_service_key, approver: "thief", log, ..Plan::default() };
    let thief = Log { signer: "service", cosigned_at: None, ..Log::default() };
    for (log, code) in [
        (Log { is_running: false, ..Log::default() }, "ANCHOR_PENDING"),
        (thief, "CHECKPOINT_SIGNATURE_INVALID"),
        (Log { origin: "thief.example/1", signer: "thief", ..Log::default() }, "LOG_UNTRUSTED"),
        (Log { cosigned_at: None, ..Log::default() }, "QUORUM_NOT_MET"),
    ] {
        let bundles = forged(log).build();
        for files in [&bundles.decision, &bundles.chain] {
            let report = check(files, &bundles.trust);
            let log = format!("transparency_proof {code}");
            assert_eq!(codes(&report), [UNANCHORED, &log, "approval_lineage KEY_UNKNOWN"]);
            let archive = receipt::bundle::write_archive(files).unwrap();
            let options = Options { allow_withheld: true, ..Options::default() };
            assert_ne!(verify(&archive, &bundles.trust, &options).overall.exit_code(), 0);
        }
    }
}

#[test]
fn receipt_of_a_retired_key_is_accepted_if_anchored() {
    let bundles = Plan { registry: retire_service_key, ..Plan::default() }.build();
    for files in [&bundles.decision, &bundles.chain] {
        let report = check(files, &bundles.trust);
        assert_eq!(report.overall, Overall::Verified);
        assert!(report.claim(Claim::Receipt).unwrap().notes.contains(&verify::Note::KeyRetired));
    }
    // Each receipt needs its own anchor; the anchor of another receipt of the chain is not
    // sufficient.
    let without_anchor = altered(&bundles.chain, |files| {
        let name = "receipt/000002/receipt.json";
        edit(files, name, "/transparency_anchor", Some(contract::json::Value::Null));
        edit(files, name, "/result/transparency_anchor", None);
        files.remove("transparency/000002/anchor.json").unwrap();
    });
    let expected = [UNANCHORED, "transparency_proof ANCHOR_PENDING"];
    assert_eq!(codes(&check(&without_anchor, &bundles.trust)), expected);
    // Without the anchor of the seal, the receipts still verify.
    let seal = altered(&bundles.chain, |files| drop(files.remove("transparency/seal/anchor.json")));
    assert_eq!(check(&seal, &bundles.trust).overall, Overall::Verified);
}
