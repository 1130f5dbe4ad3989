//! Purposes, tenants, validity periods and revocation of keys, and the registry versions that state
//! them.

use contract::verification::Claim;
use receipt::{
    bundle::{self, Files, path},
    transparency_log::VkeyKind,
    trust_registry::{KeyStatus, SignedRegistry, TrustRegistry},
};
use verify::{
    Options, Overall, Report, Status, Trust, TrustDocument, TrustError, trust::Pin, verify,
};

use crate::{
    fixtures::{self, Plan, altered, id, key, set, timestamp},
    outcome::{check, codes, lines},
};

/// The time of the decision, and one millisecond before and after.
const TIMES: [&str; 3] =
    ["2026-05-01T11:59:59.999Z", "2026-05-01T12:00:00.000Z", "2026-05-01T12:00:00.001Z"];
const SERVICE: usize = 1;
const APPROVER: usize = 2;

type Change = fn(&mut TrustRegistry);

/// Returns the report for the bundle of a decision under a registry with this change.
fn report(registry: Change) -> Report {
    let bundles = Plan { registry, ..Plan::default() }.build();
    check(&bundles.decision, &bundles.trust)
}

/// Returns the codes of all claims with a service signature.
fn service_claims(code: &str) -> Vec<String> {
    ["receipt", "chain_proofs", "manifest"].map(|claim| format!("{claim} {code}")).into()
}

#[test]
fn key_is_limited_to_its_purposes_tenants_and_validity_period() {
    let purpose = report(|r| r.keys[SERVICE].purposes = vec!["policy_approval".into()]);
    assert_eq!(codes(&purpose), service_claims("KEY_PURPOSE"));
    let tenant = report(|r| r.keys[SERVICE].tenant_ids = Some(vec![id(1)]));
    assert_eq!(codes(&tenant), service_claims("KEY_TENANT"));
    let own = report(|r| r.keys[SERVICE].tenant_ids = Some(vec![id(fixtures::TENANT)]));
    assert_eq!(own.overall, Overall::Verified);

    // The manifest has no timestamp, so validity periods do not apply to it. Both ends of a period
    // are included.
    let periods: [(Change, &str); 4] = [
        (|r| r.keys[SERVICE].valid_from = timestamp(TIMES[2]), "KEY_NOT_YET_VALID"),
        (|r| r.keys[SERVICE].valid_until = Some(timestamp(TIMES[0])), "KEY_EXPIRED"),
        (|r| r.keys[SERVICE].valid_from = timestamp(TIMES[1]), ""),
        (|r| r.keys[SERVICE].valid_until = Some(timestamp(TIMES[1])), ""),
    ];
    for (registry, code) in periods {
        let bundles = Plan { registry, is_sealed: false, ..Plan::default() }.build();
        let claims = ["receipt", "chain_proofs"].map(|claim| format!("{claim} {code}"));
        let expected = if code.is_empty() { vec![] } else { claims.into() };
        assert_eq!(codes(&check(&bundles.decision, &bundles.trust)), expected);
    }
    let approver = report(|r| r.keys[APPROVER].valid_from = timestamp(TIMES[0]));
    assert_eq!(codes(&approver), ["approval_lineage KEY_NOT_YET_VALID"]);
}

fn revoked_since(since: &str) -> KeyStatus {
    KeyStatus::Revoked {
        revoked_at: timestamp("2026-06-01T00:00:00.000Z"),
        reason: None,
        compromised_since: Some(timestamp(since)),
    }
}

#[test]
fn revoked_key_is_accepted_only_with_an_earlier_witness_time() {
    let retired = report(|r| r.keys[SERVICE].status = KeyStatus::Retired);
    assert_eq!(retired.overall, Overall::Verified);
    assert_eq!(lines(&retired)[0], "receipt: verified KEY_RETIRED");

    // The witness cosigned on 2 May at midnight.
    let earlier = report(|r| r.keys[SERVICE].status = revoked_since("2026-05-02T00:00:00.000Z"));
    assert_eq!(codes(&earlier), service_claims("KEY_REVOKED"));
    let later: Change = |r| r.keys[SERVICE].status = revoked_since("2026-05-02T00:00:00.001Z");
    let bundles = Plan { registry: later, ..Plan::default() }.build();
    let report = check(&bundles.chain, &bundles.trust);
    // No witness covers the manifest; the bundle must be exported again with another key.
    assert_eq!(codes(&report), ["manifest KEY_REVOKED"]);
    assert_eq!(
        lines(&report)[..2],
        ["receipt: verified KEY_REVOKED_LATER", "chain_proofs: verified KEY_REVOKED_LATER"]
    );
    // Without a witness time, no signature of the revoked key is accepted.
    let without_cosignature = fixtures::Log { cosigned_at: None, ..fixtures::Log::default() };
    let bundles = Plan {
        log: without_cosignature,
        registry: |r| {
            r.keys[SERVICE].status = revoked_since("2026-05-02T00:00:00.001Z");
            r.witness_quorum = 0;
        },
        ..Plan::default()
    }
    .build();
    assert_eq!(codes(&check(&bundles.chain, &bundles.trust)), service_claims("KEY_REVOKED"));
}

#[test]
fn signatures_of_a_foreign_key_are_not_trusted() {
    let bundles = Plan { signer: Some("foreign"), ..Plan::default() }.build();
    let report = check(&bundles.decision, &bundles.trust);
    assert_eq!(codes(&report), service_claims("KEY_UNKNOWN"));
    assert_eq!(report.overall, Overall::Incomplete);
    // The key is not trusted either if the bundle contains it.
    let jwks = format!("{{\"keys\":[{}]}}", key("foreign").jwk());
    let mut with_key = bundles.decision.clone();
    set(&mut with_key, path::TRUSTED_KEYS, jwks);
    assert_eq!(check(&with_key, &bundles.trust), report);
}

#[test]
fn unsigned_objects_are_not_verified() {
    let bundles = Plan { signer: None, ..Plan::default() }.build();
    for files in [&bundles.decision, &bundles.chain] {
        let report = check(files, &bundles.trust);
        assert_eq!(codes(&report), service_claims("UNSIGNED"));
        assert_eq!(report.overall, Overall::Incomplete);
    }
}

/// Returns the second version, changed by `change` and signed by the root key.
fn second_version(first: &SignedRegistry, change: Change) -> SignedRegistry {
    let mut next = first.registry.clone();
    (next.version, next.prev_digest) = (2, Some(first.digest()));
    change(&mut next);
    fixtures::signed(&next, "root")
}

/// Returns the bundle with other registries: the newest version and the earlier ones.
fn with_registries(files: &Files, newest: &SignedRegistry, history: &[&SignedRegistry]) -> Files {
    altered(files, |files| {
        set(files, path::REGISTRY, bundle::file(&newest.envelope.to_value()));
        for earlier in history {
            let name = path::registry_version(earlier.registry.version);
            files.insert(name, bundle::file(&earlier.envelope.to_value())).unwrap();
        }
    })
}

#[test]
fn registry_succession_from_the_pinned_version_is_verified() {
    let bundles = Plan::default().build();
    let first = fixtures::registry(|_| ());
    let next = second_version(&first, |_| ());
    let third = {
        let mut third = next.registry.clone();
        (third.version, third.prev_digest) = (3, Some(next.digest()));
        fixtures::signed(&third, "root")
    };
    let report = |newest: &SignedRegistry, history: &[&SignedRegistry]| {
        check(&with_registries(&bundles.decision, newest, history), &bundles.trust)
    };
    let result = report(&next, &[&first]);
    assert_eq!((result.overall, result.registry_version), (Overall::Verified, Some(2)));
    let result = report(&third, &[&first, &next]);
    assert_eq!((result.overall, result.registry_version), (Overall::Verified, Some(3)));
    let gap = report(&third, &[&first]);
    assert_eq!(codes(&gap), ["trust_roots REGISTRY_HISTORY_MISSING"]);
    assert_eq!(gap.registry_version, Some(1));

    let revokes: Change = |r| r.keys[SERVICE].status = revoked_since("2026-01-01T00:00:00.000Z");
    let revoking = report(&second_version(&first, revokes), &[&first]);
    assert_eq!(codes(&revoking), service_claims("KEY_REVOKED"));
    for (newest, code) in [
        (
            second_version(&first, |r| r.prev_digest = Some(receipt::Digest::compute(b""))),
            "REGISTRY_ROLLBACK",
        ),
        (second_version(&first, |r| r.registry_id = id(1)), "REGISTRY_ROLLBACK"),
        (fixtures::signed(&next.registry, "foreign"), "REGISTRY_SIGNATURE_INVALID"),
        (fixtures::registry(|r| r.witness_quorum = 0), "REGISTRY_ROLLBACK"),
    ] {
        assert_eq!(codes(&report(&newest, &[])), [format!("trust_roots {code}")]);
    }
}

#[test]
fn older_registry_in_the_bundle_is_not_a_rollback() {
    let bundles = Plan::default().build();
    let revokes: Change = |r| r.keys[SERVICE].status = revoked_since("2026-01-01T00:00:00.000Z");
    let newer = second_version(&fixtures::registry(|_| ()), revokes);
    let report = check(&bundles.decision, &fixtures::trust(&newer));
    assert_eq!(codes(&report), service_claims("KEY_REVOKED"), "the pinned version is used");
    let roots = report.claim(Claim::TrustRoots).unwrap();
    assert!(roots.notes.contains(&verify::Note::RegistryOlder));

    let now = |text: &str| Options { now: Some(timestamp(text)), ..Options::default() };
    let archive = bundle::write_archive(&bundles.decision).unwrap();
    let stale = verify(&archive, &bundles.trust, &now("2027-01-01T00:00:00.001Z"));
    assert_eq!(stale.overall, Overall::Verified);
    assert_eq!(lines(&stale)[1], "trust_roots: verified REGISTRY_STALE");
    let fresh = verify(&archive, &bundles.trust, &now("2027-01-01T00:00:00.000Z"));
    assert_eq!(lines(&fresh).len(), 1);
}

#[test]
fn single_keys_can_be_pinned() {
    let bundles = Plan::default().build();
    let pins = |pins: Vec<Pin>| {
        Trust::new(TrustDocument {
            pins,
            logs: vec![fixtures::Log::vkey()],
            ..TrustDocument::default()
        })
        .unwrap()
    };
    let (service, approver) = (key("service"), key("approver"));
    let approving = Pin::for_purpose(approver.kid(), "policy_approval").unwrap();
    // The registry in the bundle provides the key bytes; only the pins determine trust.
    let report = check(&bundles.decision, &pins(vec![Pin::new(service.kid()), approving.clone()]));
    assert_eq!(report.overall, Overall::Verified);
    assert_eq!(lines(&report)[1], "trust_roots: verified PINNED_KEYS_ONLY");
    assert_eq!(report.registry_version, None);
    assert_eq!(report.pins.len(), 2);

    let report = check(&bundles.decision, &pins(vec![Pin::new(service.kid())]));
    assert_eq!(codes(&report), ["approval_lineage KEY_UNKNOWN"]);
    let one = Pin::for_purpose(service.kid(), "receipt").unwrap();
    let report = check(&bundles.decision, &pins(vec![one, approving]));
    assert_eq!(codes(&report), ["chain_proofs KEY_UNKNOWN", "manifest KEY_UNKNOWN"]);
    let report = check(&bundles.decision, &Trust::default());
    assert_eq!(report.overall, Overall::Incomplete);
    assert!(report.claims.iter().all(|claim| claim.status != Status::Failed), "{report:#?}");
    assert_eq!(report.claim(Claim::TrustRoots).unwrap().code, Some(verify::Code::Unpinned));
}

#[test]
fn unusable_trust_is_refused() {
    let registry = fixtures::registry(|_| ());
    let document = |root_keys: &[&str], root_threshold| TrustDocument {
        registry: Some(registry.clone()),
        root_keys: root_keys.iter().map(|name| key(name).kid().to_owned()).collect(),
        root_threshold,
        ..TrustDocument::default()
    };
    let error_of = |document| Trust::new(document).unwrap_err();
    assert!(Trust::new(document(&["root"], None)).is_ok());
    assert!(Trust::new(document(&["root", "foreign"], Some(1))).is_ok());
    assert_eq!(error_of(document(&[], None)), TrustError::NoRootKey);
    assert_eq!(error_of(document(&["foreign"], None)), TrustError::RootKeys);
    assert_eq!(error_of(document(&["root", "foreign"], None)), TrustError::RootKeys);
    assert_eq!(error_of(document(&["root"], Some(2))), TrustError::RootKeys);
    assert_eq!(error_of(document(&["root"], Some(0))), TrustError::Member("root_threshold"));
    let unsigned = fixtures::signed(&registry.registry, "foreign");
    let unsigned = TrustDocument { registry: Some(unsigned), ..document(&["root"], None) };
    assert_eq!(error_of(unsigned), TrustError::Threshold);
    let without_registry = TrustDocument { registry: None, ..document(&["root"], None) };
    assert_eq!(error_of(without_registry), TrustError::NoRegistry);
    let witness =
        TrustDocument { logs: vec![fixtures::witness_vkey()], ..TrustDocument::default() };
    assert_eq!(witness.logs[0].kind(), VkeyKind::Cosignature);
    assert_eq!(error_of(witness), TrustError::Member("logs"));

    let parse = |text: &str| TrustDocument::read(text.as_bytes());
    assert!(parse(r#"{"schema":"service-verifier-trust/v1"}"#).is_ok());
    for (text, expected) in [
        ("", TrustError::Neither),
        ("{}", TrustError::Neither),
        (r#"{"payload":"e30"}"#, TrustError::Neither),
        (r#"{"schema":"service-verifier-trust/v2"}"#, TrustError::Neither),
        (r#"{"schema":"service-verifier-trust/v1","registry":{}}"#, TrustError::Member("registry")),
        (r#"{"schema":"service-verifier-trust/v1","pins":[{}]}"#, TrustError::Member("kid")),
        (
            r#"{"schema":"service-verifier-trust/v1","pins":[{"kid":"x","purposes":["y"]}]}"#,
            TrustError::Member("purposes"),
        ),
        (
            r#"{"schema":"service-verifier-trust/v1","keys":[{"kty":"RSA"}]}"#,
            TrustError::Member("keys"),
        ),
        (r#"{"schema":"service-verifier-trust/v1","logs":["x"]}"#, TrustError::Member("logs")),
        (
            r#"{"schema":"service-verifier-trust/v1","witness_quorum":-1}"#,
            TrustError::Member("witness_quorum"),
        ),
    ] {
        assert_eq!(parse(text).unwrap_err(), expected, "{text}");
    }
}
