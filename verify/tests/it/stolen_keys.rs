//! Forged bundles, each made with one stolen key: at most the claims of that key are verified.

use receipt::{
    key::PayloadType,
    registry::{KeyStatus, RegistryKey, TrustRegistry},
};
use verify::{Options, Overall, Report, Status, verify};

use crate::{
    maker::{Log, Plan, altered, edit, instant, key},
    outcome::{check, codes},
};

const SERVICE: usize = 1;

/// The claims that rest on a signature.
const SIGNED: [&str; 5] =
    ["receipt", "chain_proofs", "transparency_proof", "approval_lineage", "manifest"];

/// Those of them that are verified.
fn signed(report: &Report) -> Vec<&'static str> {
    let verified = |name: &&str| report.claim(name).unwrap().status == Status::Verified;
    SIGNED.into_iter().filter(verified).collect()
}

/// A registry that lists a key for each purpose, and asks for no witnesses.
fn registry(registry: &mut TrustRegistry) {
    let entry = |name: &str, purposes: &[PayloadType]| RegistryKey {
        key: key(name).public().clone(),
        purposes: purposes.iter().map(|purpose| purpose.purpose().to_owned()).collect(),
        ..registry.keys[SERVICE].clone()
    };
    let bound = [PayloadType::ChainLink, PayloadType::ChainSeal, PayloadType::BundleManifest];
    let (binder, granter) =
        (entry("binder", &bound), entry("granter", &[PayloadType::CapabilityGrant]));
    registry.keys[SERVICE].purposes = vec![PayloadType::Receipt.purpose().to_owned()];
    registry.keys.extend([binder, granter]);
    registry.witness_quorum = 0;
}

/// What a thief makes without any key of the service.
fn forged() -> Plan {
    let log = Log { signer: "thief", cosigned: None, ..Log::default() };
    Plan { signer: Some("thief"), approver: "thief", log, registry, ..Plan::default() }
}

#[test]
fn one_stolen_key_gives_at_most_its_own_claims() {
    let own = |signer| Log { signer, cosigned: None, ..Log::default() };
    let stolen: [(&str, Plan, &[&str]); 7] = [
        ("none", forged(), &[]),
        (
            "receipt",
            Plan { signer: Some("service"), binder: Some("thief"), ..forged() },
            &["receipt"],
        ),
        ("links", Plan { binder: Some("binder"), ..forged() }, &["chain_proofs", "manifest"]),
        ("approval", Plan { approver: "approver", ..forged() }, &["approval_lineage"]),
        ("log", Plan { log: own("log"), ..forged() }, &["transparency_proof"]),
        (
            "grant",
            Plan { signer: Some("granter"), approver: "granter", log: own("granter"), ..forged() },
            &[],
        ),
        (
            "approval, used for everything",
            Plan {
                signer: Some("approver"),
                approver: "approver",
                log: own("approver"),
                ..forged()
            },
            &["approval_lineage"],
        ),
    ];
    for (name, plan, verified) in stolen {
        let made = plan.make();
        for files in [&made.decision, &made.chain] {
            let report = check(files, &made.trust);
            assert_eq!(signed(&report), verified, "{name}");
            assert_ne!(report.overall, Overall::Verified, "{name}");
        }
    }
}

#[test]
fn a_thief_of_the_log_key_needs_the_witnesses_too() {
    let log = Log { cosigned: None, ..Log::default() };
    let asks: fn(&mut TrustRegistry) = |listed| {
        registry(listed);
        listed.witness_quorum = 1;
    };
    let made = Plan { log, registry: asks, ..forged() }.make();
    assert_eq!(signed(&check(&made.decision, &made.trust)), [""; 0]);
}

/// The service key is retired, and from then on its holder signs what is backdated.
fn retired(listed: &mut TrustRegistry) {
    listed.keys[SERVICE].status = KeyStatus::Retired;
    listed.keys[SERVICE].valid_until = Some(instant("2026-06-01T00:00:00.000Z"));
}

const UNANCHORED: &str = "receipt KEY_RETIRED_UNANCHORED";

#[test]
fn the_holder_of_a_retired_receipt_key_cannot_backdate_a_receipt() {
    let forged = |log| Plan { registry: retired, approver: "thief", log, ..Plan::default() };
    let thief = Log { signer: "service", cosigned: None, ..Log::default() };
    for (log, code) in [
        (Log { is_running: false, ..Log::default() }, "ANCHOR_PENDING"),
        (thief, "CHECKPOINT_SIGNATURE_INVALID"),
        (Log { origin: "thief.example/1", signer: "thief", ..Log::default() }, "LOG_UNTRUSTED"),
        (Log { cosigned: None, ..Log::default() }, "QUORUM_NOT_MET"),
    ] {
        let made = forged(log).make();
        for files in [&made.decision, &made.chain] {
            let report = check(files, &made.trust);
            let log = format!("transparency_proof {code}");
            assert_eq!(codes(&report), [UNANCHORED, &log, "approval_lineage KEY_UNKNOWN"]);
            let archive = receipt::bundle::write_archive(files).unwrap();
            let options = Options { allow_withheld: true, ..Options::default() };
            assert_ne!(verify(&archive, &made.trust, &options).overall.exit_code(), 0);
        }
    }
}

#[test]
fn a_receipt_of_a_retired_key_is_accepted_once_the_log_shows_it() {
    let made = Plan { registry: retired, ..Plan::default() }.make();
    for files in [&made.decision, &made.chain] {
        let report = check(files, &made.trust);
        assert_eq!(report.overall, Overall::Verified);
        assert!(report.claim("receipt").unwrap().notes.contains(&verify::Note::KeyRetired));
    }
    // Each receipt needs its own proof: that of another receipt of the chain does not help.
    let one = altered(&made.chain, |files| {
        let name = "receipt/000002/receipt.json";
        edit(files, name, "/transparency_anchor", Some(contract::json::Value::Null));
        edit(files, name, "/result/transparency_anchor", None);
        files.remove("transparency/000002/anchor.json").unwrap();
    });
    let expected = [UNANCHORED, "transparency_proof ANCHOR_PENDING"];
    assert_eq!(codes(&check(&one, &made.trust)), expected);
    // Without the seal's proof the receipts are still shown.
    let seal = altered(&made.chain, |files| drop(files.remove("transparency/seal/anchor.json")));
    assert_eq!(check(&seal, &made.trust).overall, Overall::Verified);
}
