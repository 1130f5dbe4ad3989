//! What keys may and may not do, and which registry says so.

use receipt::{
    bundle::{self, Files, path},
    log::VkeyKind,
    registry::{KeyStatus, SignedRegistry, TrustRegistry},
};
use verify::{Options, Overall, Status, Trust, TrustDocument, TrustUnusable, trust::Pin, verify};

use crate::{
    maker::{self, Plan, altered, edit, id, instant, key, set},
    outcome::{check, codes, lines},
};

/// The moment of the decision, and its neighbours.
const TIMES: [&str; 3] =
    ["2026-05-01T11:59:59.999Z", "2026-05-01T12:00:00.000Z", "2026-05-01T12:00:00.001Z"];
const SERVICE: usize = 1;
const APPROVER: usize = 2;

fn plan(registry: fn(&mut TrustRegistry)) -> Plan {
    Plan { registry, ..Plan::default() }
}

/// All that the service signs meets the same verdict.
fn of_the_service(code: &str) -> Vec<String> {
    ["receipt", "chain_proofs", "manifest"].map(|claim| format!("{claim} {code}")).into()
}

#[test]
fn a_key_has_purposes_tenants_and_windows() {
    let made =
        plan(|registry| registry.keys[SERVICE].purposes = vec!["policy_approval".into()]).make();
    assert_eq!(codes(&check(&made.decision, &made.trust)), of_the_service("KEY_PURPOSE"));
    let made = plan(|registry| registry.keys[SERVICE].tenant_ids = Some(vec![id(1)])).make();
    assert_eq!(codes(&check(&made.decision, &made.trust)), of_the_service("KEY_TENANT"));
    let made =
        plan(|registry| registry.keys[SERVICE].tenant_ids = Some(vec![id(maker::TENANT)])).make();
    assert_eq!(check(&made.decision, &made.trust).overall, Overall::Verified);

    // The manifest has no time of its own, so windows are not held against it. Both ends are included.
    let early: fn(&mut TrustRegistry) = |r| r.keys[SERVICE].valid_from = instant(TIMES[2]);
    let late: fn(&mut TrustRegistry) = |r| r.keys[SERVICE].valid_until = Some(instant(TIMES[0]));
    let unsealed = |registry| Plan { registry, is_sealed: false, ..Plan::default() };
    for (registry, code) in [(early, "KEY_NOT_YET_VALID"), (late, "KEY_EXPIRED")] {
        let made = unsealed(registry).make();
        let expected = [format!("receipt {code}"), format!("chain_proofs {code}")];
        assert_eq!(codes(&check(&made.decision, &made.trust)), expected);
    }
    for registry in
        [(|r| r.keys[SERVICE].valid_from = instant(TIMES[1])) as fn(&mut TrustRegistry), |r| {
            r.keys[SERVICE].valid_until = Some(instant(TIMES[1]));
        }]
    {
        let made = unsealed(registry).make();
        assert_eq!(check(&made.decision, &made.trust).overall, Overall::Verified);
    }
    let made = plan(|registry| registry.keys[APPROVER].valid_from = instant(TIMES[0])).make();
    assert_eq!(codes(&check(&made.decision, &made.trust)), ["approval_lineage KEY_NOT_YET_VALID"]);
}

fn revoked(since: &str) -> KeyStatus {
    KeyStatus::Revoked {
        revoked_at: instant("2026-06-01T00:00:00.000Z"),
        reason: None,
        compromised_since: Some(instant(since)),
    }
}

#[test]
fn a_revoked_key_needs_a_witness() {
    let made = plan(|r| r.keys[SERVICE].status = KeyStatus::Retired).make();
    let report = check(&made.decision, &made.trust);
    assert_eq!(report.overall, Overall::Verified);
    assert_eq!(lines(&report)[0], "receipt: verified KEY_RETIRED");

    // The witness saw the receipt on 2 May at midnight.
    let made = plan(|r| r.keys[SERVICE].status = revoked("2026-05-02T00:00:00.000Z")).make();
    assert_eq!(codes(&check(&made.decision, &made.trust)), of_the_service("KEY_REVOKED"));
    let later: fn(&mut TrustRegistry) =
        |r| r.keys[SERVICE].status = revoked("2026-05-02T00:00:00.001Z");
    let made = plan(later).make();
    let report = check(&made.chain, &made.trust);
    // Nothing witnesses the manifest: it has to be exported again under another key.
    assert_eq!(codes(&report), ["manifest KEY_REVOKED"]);
    assert_eq!(
        lines(&report)[..2],
        ["receipt: verified KEY_REVOKED_LATER", "chain_proofs: verified KEY_REVOKED_LATER",]
    );
    // Without the witness's time, none of it is believed.
    let unseen = maker::Log { cosigned: None, ..maker::Log::default() };
    let made = Plan {
        log: unseen,
        registry: |r| {
            r.keys[SERVICE].status = revoked("2026-05-02T00:00:00.001Z");
            r.witness_quorum = 0;
        },
        ..Plan::default()
    }
    .make();
    assert_eq!(codes(&check(&made.chain, &made.trust)), of_the_service("KEY_REVOKED"));
}

#[test]
fn a_foreign_key_convinces_nobody() {
    let made = Plan { signer: Some("foreign"), ..Plan::default() }.make();
    let report = check(&made.decision, &made.trust);
    assert_eq!(codes(&report), of_the_service("KEY_UNKNOWN"));
    assert_eq!(report.overall, Overall::Incomplete);
    // Not even when the bundle brings it along, in whatever place.
    let jwks = format!("{{\"keys\":[{}]}}", key("foreign").jwk());
    let mut brought = made.decision.clone();
    set(&mut brought, path::TRUSTED_KEYS, jwks);
    assert_eq!(check(&brought, &made.trust), report);
}

#[test]
fn what_is_unsigned_is_not_verified() {
    let made = Plan { signer: None, ..Plan::default() }.make();
    for files in [&made.decision, &made.chain] {
        let report = check(files, &made.trust);
        assert_eq!(codes(&report), of_the_service("UNSIGNED"));
        assert_eq!(report.overall, Overall::Incomplete);
    }
}

#[test]
fn stripped_signatures_do_not_pass() {
    let made = Plan::default().make();
    let mut files = made.decision.clone();
    files.remove(path::MANIFEST_ENVELOPE).unwrap();
    assert_eq!(codes(&check(&files, &made.trust)), ["manifest UNSIGNED"]);
    let mut files = made.decision.clone();
    edit(
        &mut files,
        path::MANIFEST_ENVELOPE,
        "/signatures",
        Some(contract::json::Value::Array(vec![])),
    );
    assert_eq!(codes(&check(&files, &made.trust)), ["manifest UNSIGNED"]);
    let stripped = altered(&made.decision, |files| {
        for name in ["signature", "signature_kid", "signature_algorithm"] {
            edit(files, "receipt/receipt.json", &format!("/{name}"), None);
            edit(files, "receipt/receipt.json", &format!("/result/{name}"), None);
        }
        edit(files, "receipt/receipt.json", "/payload_type", None);
        files.remove("receipt/receipt.dsse.json");
    });
    assert_eq!(codes(&check(&stripped, &made.trust)), ["receipt STATEMENT_VIEW_MISMATCH"]);
}

/// The second version, changed by `change`, signed by the root.
fn second(first: &SignedRegistry, change: fn(&mut TrustRegistry)) -> SignedRegistry {
    let mut next = first.registry.clone();
    (next.version, next.prev_digest) = (2, Some(first.digest()));
    change(&mut next);
    maker::signed(&next, "root")
}

/// The bundle with other registries: the newest, and those before it.
fn with(files: &Files, newest: &SignedRegistry, history: &[&SignedRegistry]) -> Files {
    altered(files, |files| {
        set(files, path::REGISTRY, bundle::file(&newest.envelope.to_value()));
        for earlier in history {
            let name = path::registry_version(earlier.registry.version);
            files.insert(name, bundle::file(&earlier.envelope.to_value())).unwrap();
        }
    })
}

#[test]
fn the_walk_from_the_pinned_registry() {
    let made = Plan::default().make();
    let first = maker::registry(|_| ());
    let next = second(&first, |_| ());
    let third = {
        let mut third = next.registry.clone();
        (third.version, third.prev_digest) = (3, Some(next.digest()));
        maker::signed(&third, "root")
    };
    let report = |newest: &SignedRegistry, history: &[&SignedRegistry]| {
        check(&with(&made.decision, newest, history), &made.trust)
    };
    let walked = report(&next, &[&first]);
    assert_eq!((walked.overall, walked.registry_version), (Overall::Verified, Some(2)));
    let walked = report(&third, &[&first, &next]);
    assert_eq!((walked.overall, walked.registry_version), (Overall::Verified, Some(3)));
    let gap = report(&third, &[&first]);
    assert_eq!(codes(&gap), ["trust_roots REGISTRY_HISTORY_MISSING"]);
    assert_eq!(gap.registry_version, Some(1));

    let revokes: fn(&mut TrustRegistry) =
        |r| r.keys[SERVICE].status = revoked("2026-01-01T00:00:00.000Z");
    let revoking = report(&second(&first, revokes), &[&first]);
    assert_eq!(codes(&revoking), of_the_service("KEY_REVOKED"));
    for (newest, code) in [
        (second(&first, |r| r.prev_digest = Some(receipt::Digest::of(b""))), "REGISTRY_ROLLBACK"),
        (second(&first, |r| r.registry_id = id(1)), "REGISTRY_ROLLBACK"),
        (maker::signed(&next.registry, "foreign"), "REGISTRY_SIGNATURE_INVALID"),
        (maker::registry(|r| r.witness_quorum = 0), "REGISTRY_ROLLBACK"),
    ] {
        assert_eq!(codes(&report(&newest, &[])), [format!("trust_roots {code}")]);
    }
    let broken = altered(&made.decision, |files| set(files, path::REGISTRY, "{}"));
    assert_eq!(codes(&check(&broken, &made.trust)), ["trust_roots REGISTRY_MALFORMED"]);
    let none = altered(&made.decision, |files| drop(files.remove(path::REGISTRY)));
    assert_eq!(codes(&check(&none, &made.trust)), ["trust_roots FILE_MISSING"]);
}

#[test]
fn an_older_registry_is_no_step_back() {
    let made = Plan::default().make();
    let revokes: fn(&mut TrustRegistry) =
        |r| r.keys[SERVICE].status = revoked("2026-01-01T00:00:00.000Z");
    let newer = second(&maker::registry(|_| ()), revokes);
    let report = check(&made.decision, &maker::trust(&newer));
    assert_eq!(codes(&report), of_the_service("KEY_REVOKED"), "the pinned version decides");
    let roots = report.claim("trust_roots").unwrap();
    assert!(roots.notes.contains(&verify::Note::RegistryOlder));

    let now = |text: &str| Options { now: Some(instant(text)), ..Options::default() };
    let archive = bundle::write_archive(&made.decision).unwrap();
    let stale = verify(&archive, &made.trust, &now("2027-01-01T00:00:00.001Z"));
    assert_eq!(stale.overall, Overall::Verified);
    assert_eq!(lines(&stale)[1], "trust_roots: verified REGISTRY_STALE");
    let fresh = verify(&archive, &made.trust, &now("2027-01-01T00:00:00.000Z"));
    assert_eq!(lines(&fresh).len(), 1);
}

#[test]
fn keys_may_be_pinned_one_by_one() {
    let made = Plan::default().make();
    let pins = |pins: Vec<Pin>| {
        Trust::new(TrustDocument {
            pins,
            logs: vec![maker::Log::vkey()],
            ..TrustDocument::default()
        })
        .unwrap()
    };
    let (service, approver) = (key("service"), key("approver"));
    let approving = Pin::for_purpose(approver.kid(), "policy_approval").unwrap();
    // The registry in the bundle gives the bytes; the pins alone say whom to believe.
    let report = check(&made.decision, &pins(vec![Pin::new(service.kid()), approving.clone()]));
    assert_eq!(report.overall, Overall::Verified);
    assert_eq!(lines(&report)[1], "trust_roots: verified PINNED_KEYS_ONLY");
    assert_eq!(report.registry_version, None);
    assert_eq!(report.pins.len(), 2);

    let report = check(&made.decision, &pins(vec![Pin::new(service.kid())]));
    assert_eq!(codes(&report), ["approval_lineage KEY_UNKNOWN"]);
    let one = Pin::for_purpose(service.kid(), "receipt").unwrap();
    let report = check(&made.decision, &pins(vec![one, approving]));
    assert_eq!(codes(&report), ["chain_proofs KEY_UNKNOWN", "manifest KEY_UNKNOWN"]);
    let report = check(&made.decision, &Trust::default());
    assert_eq!(report.overall, Overall::Incomplete);
    assert!(report.claims.iter().all(|claim| claim.status != Status::Failed), "{report:#?}");
    assert_eq!(report.claim("trust_roots").unwrap().code, Some(verify::Code::Unpinned));
}

#[test]
fn trust_that_cannot_be_used() {
    let registry = maker::registry(|_| ());
    let document = |root_keys: &[&str], root_threshold| TrustDocument {
        registry: Some(registry.clone()),
        root_keys: root_keys.iter().map(|name| key(name).kid().to_owned()).collect(),
        root_threshold,
        ..TrustDocument::default()
    };
    let refused = |document| Trust::new(document).unwrap_err();
    assert!(Trust::new(document(&["root"], None)).is_ok());
    assert!(Trust::new(document(&["root", "foreign"], Some(1))).is_ok());
    assert_eq!(refused(document(&[], None)), TrustUnusable::NoRootKey);
    assert_eq!(refused(document(&["foreign"], None)), TrustUnusable::RootKeys);
    assert_eq!(refused(document(&["root", "foreign"], None)), TrustUnusable::RootKeys);
    assert_eq!(refused(document(&["root"], Some(2))), TrustUnusable::RootKeys);
    assert_eq!(refused(document(&["root"], Some(0))), TrustUnusable::Member("root_threshold"));
    let unsigned = maker::signed(&registry.registry, "foreign");
    let unsigned = TrustDocument { registry: Some(unsigned), ..document(&["root"], None) };
    assert_eq!(refused(unsigned), TrustUnusable::Threshold);
    let nothing = TrustDocument { registry: None, ..document(&["root"], None) };
    assert_eq!(refused(nothing), TrustUnusable::NoRegistry);
    let witness = TrustDocument { logs: vec![maker::witness_vkey()], ..TrustDocument::default() };
    assert_eq!(witness.logs[0].kind(), VkeyKind::Cosignature);
    assert_eq!(refused(witness), TrustUnusable::Member("logs"));

    let read = |text: &str| TrustDocument::read(text.as_bytes());
    assert!(read(r#"{"schema":"service-verifier-trust/v1"}"#).is_ok());
    for (text, refusal) in [
        ("", TrustUnusable::Neither),
        ("{}", TrustUnusable::Neither),
        (r#"{"payload":"e30"}"#, TrustUnusable::Neither),
        (r#"{"schema":"service-verifier-trust/v2"}"#, TrustUnusable::Neither),
        (
            r#"{"schema":"service-verifier-trust/v1","registry":{}}"#,
            TrustUnusable::Member("registry"),
        ),
        (r#"{"schema":"service-verifier-trust/v1","pins":[{}]}"#, TrustUnusable::Member("kid")),
        (
            r#"{"schema":"service-verifier-trust/v1","pins":[{"kid":"x","purposes":["y"]}]}"#,
            TrustUnusable::Member("purposes"),
        ),
        (
            r#"{"schema":"service-verifier-trust/v1","keys":[{"kty":"RSA"}]}"#,
            TrustUnusable::Member("keys"),
        ),
        (r#"{"schema":"service-verifier-trust/v1","logs":["x"]}"#, TrustUnusable::Member("logs")),
        (
            r#"{"schema":"service-verifier-trust/v1","witness_quorum":-1}"#,
            TrustUnusable::Member("witness_quorum"),
        ),
    ] {
        assert_eq!(read(text).unwrap_err(), refusal, "{text}");
    }
}
