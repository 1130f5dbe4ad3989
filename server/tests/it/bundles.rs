//! Verification bundles of the service, checked with the public verifier and independently obtained
//! trust.

mod attacks;
mod chains;
mod changes;
mod demo;
mod frozen;
mod large_policies;
mod large_results;
mod limits;
mod redaction;

use receipt::bundle::{Files, read_archive, write_archive};
use verify::{Options, Overall, Report, Trust, verify};

use crate::prelude::*;

/// A service with a trust registry and an active policy.
async fn with_trust_registry() -> TestService {
    let service = test_service().await;
    create_registry(&service).await;
    service.active("PAY-01").await;
    service
}

/// A request whose bundle has content for every claim except the chain.
pub(crate) fn full_request(key: &str) -> Value {
    json!({
        "idempotency_key": key,
        "context": {
            "decision_type": "payment",
            "fields": {"amount": 777_777, "region": "US"},
            "metadata": {"actor_id": "agent-7", "ip_address": "203.0.113.7"},
            "evidence": [
                {"kind": "invoice", "ref": "urn:invoice:42", "data": {"secret": ["confidential", 1.50]}},
                {"kind": "note", "ref": "urn:note:7"},
            ],
            "source_artifact": {"type": "PDF", "hash": "ab"},
        },
        "action": {"type": "pay", "reference_id": "r-1"},
    })
}

/// Records a request and returns the path of the decision's bundle.
pub(crate) async fn record_bundle_path(client: &Client, body: &Value) -> String {
    let created = client.post("/v1/decisions/record", body).await.expect(201);
    format!("/v1/receipts/{}/bundle", text(&created["decision"]["id"]))
}

async fn files(client: &Client, path: &str) -> Files {
    let response = client.get(path).await;
    assert_eq!(response.status, 200, "{}", response.text);
    read_archive(response.text.as_bytes()).expect("a canonical archive")
}

pub(crate) fn verify_bundle(bytes: &[u8], trust: &Trust) -> Report {
    verify(bytes, trust, &Options::default())
}

fn check(files: &Files, trust: &Trust) -> Report {
    verify_bundle(&write_archive(files).expect("the archive is within the limits"), trust)
}

/// One line for each claim that is not verified without notes: name, status, code, notes.
pub(crate) fn claim_lines(report: &Report) -> Vec<String> {
    assert_eq!(report.claims.len(), 10);
    let line = |claim: &verify::ClaimReport| {
        let mut words = vec![claim.status.as_str()];
        words.extend(claim.code.map(verify::Code::as_str));
        words.extend(claim.notes.iter().map(|note| note.as_str()));
        (words != ["verified"]).then(|| format!("{}: {}", claim.name, words.join(" ")))
    };
    report.claims.iter().filter_map(line).collect()
}

/// The line of a decision that is not in a transparency log yet.
const PENDING: &str = "transparency_proof: indeterminate ANCHOR_PENDING";
const NO_CHAIN: &str = "chain_proofs: not_applicable NO_CHAIN";
const NO_EVIDENCE: &str = "evidence: not_applicable NO_EVIDENCE";

#[tokio::test]
async fn the_bundle_of_a_decision_verifies_claim_by_claim_in_both_formats() {
    let service = with_trust_registry().await;
    let path = record_bundle_path(&service.key, &full_request("k")).await;
    let trust = current_trust(&service).await;
    let archive = service.public.get(&path).await;
    let json = service.public.get(format!("{path}?format=json")).await;
    for response in [&archive, &json, &service.public.get(format!("{path}?format=tar")).await] {
        let report = verify_bundle(response.text.as_bytes(), &trust);
        assert_eq!(claim_lines(&report), [NO_CHAIN, PENDING]);
        assert_eq!(report.overall, Overall::Incomplete);
        assert_eq!(report.registry_version, Some(1));
    }
    let report = |bytes: &str| verify_bundle(bytes.as_bytes(), &trust).to_value();
    assert_eq!(report(&archive.text), report(&json.text));
    let names = files(&service.public, &path).await;
    let names: Vec<String> = names.names().map(generic).collect();
    assert_eq!(
        names,
        [
            "approval/*.dsse.json",
            "canonicalisation/profile.json",
            "evaluation/context.json",
            "evidence/data/0.json",
            "evidence/manifest.json",
            "manifest.dsse.json",
            "manifest.json",
            "policy/evaluated_rules.json",
            "policy/snapshot.json",
            "receipt/integrity.json",
            "receipt/receipt.dsse.json",
            "receipt/receipt.json",
            "receipt/statement.json",
            "transparency/entry.json",
            "trust/registry.dsse.json",
            "trusted_keys.json",
        ]
    );
    assert!(!archive.text.contains("203.0.113.7"), "a bundle contains no network address");
}

#[tokio::test]
async fn a_context_may_have_a_timestamp_before_the_approval_of_its_rules() {
    let service = with_trust_registry().await;
    let mut dated = full_request("k");
    dated["context"]["metadata"]["timestamp"] = json!("2020-01-01T00:00:00Z");
    let path = record_bundle_path(&service.key, &dated).await;
    let trust = current_trust(&service).await;
    let report = verify_bundle(service.public.get(&path).await.text.as_bytes(), &trust);
    assert_eq!(claim_lines(&report), [NO_CHAIN, PENDING]);
}

/// Returns a file name with its digests replaced by `*`.
fn generic(name: &str) -> String {
    let segment = |segment: &str| match segment.split_once('.') {
        Some((stem, rest)) if stem.len() == 64 => format!("*.{rest}"),
        None if segment.len() == 64 => "*".to_owned(),
        _ => segment.to_owned(),
    };
    name.split('/').map(segment).collect::<Vec<_>>().join("/")
}

#[tokio::test]
async fn a_bundle_has_the_same_bytes_on_every_read_and_from_every_process() {
    let service = with_trust_registry().await;
    let path = record_bundle_path(&service.key, &full_request("k")).await;
    let other_process = service.start_process().await;
    for target in [path.clone(), format!("{path}?format=json")] {
        let first = service.public.get(&target).await;
        service.clock.advance(86_400_000);
        let second = service.public.get(&target).await;
        let other = other_process.get(&target).await;
        assert_eq!((&second.text, &other.text), (&first.text, &first.text));
        let etag = first.header("etag").expect("a public read has one").to_owned();
        assert_eq!(other.header("etag"), Some(&*etag));
        assert_eq!(first.header("cache-control"), Some("no-cache"));
        assert_eq!(first.header("access-control-allow-origin"), Some("*"));
        let unchanged = other_process.get(&target).header("if-none-match", &etag).await;
        assert_eq!((unchanged.status, &*unchanged.text), (304, ""));
        let changed = service.public.get(&target).header("if-none-match", "\"other\"").await;
        assert_eq!(changed.status, 200);
    }
    let content_type = async |query: &str| {
        let response: TestResponse = service.public.get(format!("{path}{query}")).await;
        response.header("content-type").map(str::to_owned)
    };
    assert_eq!(content_type("").await.as_deref(), Some("application/x-tar"));
    let json = "application/vnd.service.bundle.v1+json";
    assert_eq!(content_type("?format=json").await.as_deref(), Some(json));
    for query in ["format=zip", "format=", "format=json&format=tar", "from=json"] {
        let refusal = service.public.get(format!("{path}?{query}")).await;
        assert_eq!(refusal.to_string(), "422 VALIDATION_ERROR", "{query}");
    }
}

#[tokio::test]
async fn without_a_pin_claims_that_depend_on_a_key_are_not_verified() {
    let service = with_trust_registry().await;
    let path = record_bundle_path(&service.key, &full_request("k")).await;
    let files = files(&service.public, &path).await;
    let report = check(&files, &Trust::default());
    assert_eq!(report.overall, Overall::Incomplete);
    assert_eq!(
        claim_lines(&report),
        [
            "receipt: indeterminate KEY_UNKNOWN",
            NO_CHAIN,
            PENDING,
            "trust_roots: indeterminate UNPINNED",
            "approval_lineage: indeterminate KEY_UNKNOWN",
            "manifest: indeterminate KEY_UNKNOWN",
        ]
    );
}

#[tokio::test]
async fn a_bundle_omits_the_values_that_the_tenant_withholds() {
    let service = with_trust_registry().await;
    let path = record_bundle_path(&service.key, &full_request("k")).await;
    let trust = current_trust(&service).await;
    let admin = service.admin().await;
    let read_with = async |setting: &Value| {
        admin.patch("/v1/settings", setting).await.expect(200);
        let response = service.public.get(&path).await;
        let report = verify_bundle(response.text.as_bytes(), &trust);
        (response.text, claim_lines(&report), report.overall)
    };
    let withheld =
        ["evidence: indeterminate EVIDENCE_WITHHELD", "evaluation: indeterminate CONTEXT_WITHHELD"];

    let (text, lines, _) = read_with(&json!({"bundle_include_context": false})).await;
    assert_eq!(lines, [NO_CHAIN, PENDING, withheld[0], withheld[1]]);
    assert!(!text.contains("confidential") && text.contains("777777"));

    let values = json!({"public_receipt_redaction": "values", "bundle_include_context": true});
    let (text, lines, overall) = read_with(&values).await;
    let redacted = "receipt: verified VALUES_REDACTED";
    assert_eq!(lines, [redacted, NO_CHAIN, PENDING, withheld[0], withheld[1]]);
    assert_eq!(overall, Overall::Incomplete);
    assert!(!text.contains("confidential") && !text.contains("777777"), "{text}");

    let unredacted = json!({"public_receipt_redaction": "none"});
    let (text, lines, _) = read_with(&unredacted).await;
    assert_eq!(lines, [NO_CHAIN, PENDING]);
    assert!(text.contains("confidential") && text.contains("777777"));
}
