//! Bundles that the service makes, checked as anybody checks them: with the verifier, and with trust
//! from elsewhere.

mod attacks;
mod chains;
mod changes;
mod demo;
mod frozen;
mod limits;
mod redaction;
mod rotation;
mod stolen_keys;

use receipt::bundle::{Files, read_archive, write_archive};
use serde_json::{Value, json};
use verify::{Options, Overall, Report, Trust, verify};

use crate::{
    client::{Client, TestResponse, text},
    service::{TestService, world},
    trust::{begin, trusted},
};

/// A world with a registry, and a policy in force.
async fn ready() -> TestService {
    let world = world().await;
    begin(&world).await;
    world.active("PAY-01").await;
    world
}

/// A request that leaves something in every claim but the chain.
pub(crate) fn full(key: &str) -> Value {
    json!({
        "idempotency_key": key,
        "context": {
            "decision_type": "payment",
            "fields": {"amount": 777_777, "region": "US"},
            "metadata": {"actor_id": "agent-7", "ip_address": "203.0.113.7"},
            "evidence": [
                {"kind": "invoice", "ref": "urn:invoice:42", "data": {"secret": ["of the house", 1.50]}},
                {"kind": "note", "ref": "urn:note:7"},
            ],
            "source_artifact": {"type": "PDF", "hash": "ab"},
        },
        "action": {"type": "pay", "reference_id": "r-1"},
    })
}

/// Records a request, and gives the path of the decision's bundle.
pub(crate) async fn recorded(client: &Client, body: &Value) -> String {
    let made = client.post("/v1/decisions/record", body).await.expect(201);
    format!("/v1/receipts/{}/bundle", text(&made["decision"]["id"]))
}

async fn files(client: &Client, path: &str) -> Files {
    let answer = client.get(path).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    read_archive(answer.text.as_bytes()).expect("it is an archive in its one form")
}

pub(crate) fn checked(bytes: &[u8], trust: &Trust) -> Report {
    verify(bytes, trust, &Options::default())
}

fn check(files: &Files, trust: &Trust) -> Report {
    checked(&write_archive(files).expect("it is not too large"), trust)
}

/// One line for each claim that is not plainly verified: name, status, code, notes.
pub(crate) fn lines(report: &Report) -> Vec<String> {
    assert_eq!(report.claims.len(), 10);
    let line = |claim: &verify::ClaimReport| {
        let mut words = vec![claim.status.as_str()];
        words.extend(claim.code.map(verify::Code::as_str));
        words.extend(claim.notes.iter().map(|note| note.as_str()));
        (words != ["verified"]).then(|| format!("{}: {}", claim.name, words.join(" ")))
    };
    report.claims.iter().filter_map(line).collect()
}

/// Nothing of ours is in a log yet.
const PENDING: &str = "transparency_proof: indeterminate ANCHOR_PENDING";
const NO_CHAIN: &str = "chain_proofs: not_applicable NO_CHAIN";

#[tokio::test]
async fn the_bundle_of_a_decision_verifies_claim_by_claim_in_either_form() {
    let world = ready().await;
    let path = recorded(&world.key, &full("k")).await;
    let trust = trusted(&world).await;
    let archive = world.public.get(&path).await;
    let json = world.public.get(format!("{path}?format=json")).await;
    for answer in [&archive, &json, &world.public.get(format!("{path}?format=tar")).await] {
        let report = checked(answer.text.as_bytes(), &trust);
        assert_eq!(lines(&report), [NO_CHAIN, PENDING]);
        assert_eq!(report.overall, Overall::Incomplete);
        assert_eq!(report.registry_version, Some(1));
    }
    let report = |bytes: &str| checked(bytes.as_bytes(), &trust).to_value();
    assert_eq!(report(&archive.text), report(&json.text));
    let names = files(&world.public, &path).await;
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
    assert!(!archive.text.contains("203.0.113.7"), "facts of the transport are nobody's");
}

#[tokio::test]
async fn a_context_may_name_an_instant_before_its_rules_were_approved() {
    let world = ready().await;
    let mut dated = full("k");
    dated["context"]["metadata"]["timestamp"] = json!("2020-01-01T00:00:00Z");
    let path = recorded(&world.key, &dated).await;
    let trust = trusted(&world).await;
    let report = checked(world.public.get(&path).await.text.as_bytes(), &trust);
    assert_eq!(lines(&report), [NO_CHAIN, PENDING]);
}

/// A name without the digest in it.
fn generic(name: &str) -> String {
    let segment = |segment: &str| match segment.split_once('.') {
        Some((stem, rest)) if stem.len() == 64 => format!("*.{rest}"),
        None if segment.len() == 64 => "*".to_owned(),
        _ => segment.to_owned(),
    };
    name.split('/').map(segment).collect::<Vec<_>>().join("/")
}

#[tokio::test]
async fn a_bundle_is_the_same_bytes_each_time_and_from_every_process() {
    let world = ready().await;
    let path = recorded(&world.key, &full("k")).await;
    let elsewhere = world.another_process().await;
    for form in [path.clone(), format!("{path}?format=json")] {
        let first = world.public.get(&form).await;
        world.clock.advance(86_400_000);
        let again = world.public.get(&form).await;
        let other = elsewhere.get(&form).await;
        assert_eq!((&again.text, &other.text), (&first.text, &first.text));
        let etag = first.header("etag").expect("a public read has one").to_owned();
        assert_eq!(other.header("etag"), Some(&*etag));
        assert_eq!(first.header("cache-control"), Some("no-cache"));
        assert_eq!(first.header("access-control-allow-origin"), Some("*"));
        let unchanged = elsewhere.get(&form).header("if-none-match", &etag).await;
        assert_eq!((unchanged.status, &*unchanged.text), (304, ""));
        let changed = world.public.get(&form).header("if-none-match", "\"other\"").await;
        assert_eq!(changed.status, 200);
    }
    let kind = async |form: &str| {
        let answer: TestResponse = world.public.get(format!("{path}{form}")).await;
        answer.header("content-type").map(str::to_owned)
    };
    assert_eq!(kind("").await.as_deref(), Some("application/x-tar"));
    let json = "application/vnd.service.bundle.v1+json";
    assert_eq!(kind("?format=json").await.as_deref(), Some(json));
    for query in ["format=zip", "format=", "format=json&format=tar", "from=json"] {
        let refused = world.public.get(format!("{path}?{query}")).await;
        assert_eq!(refused.to_string(), "422 VALIDATION_ERROR", "{query}");
    }
}

#[tokio::test]
async fn without_a_pin_nothing_is_verified_that_rests_on_a_key() {
    let world = ready().await;
    let path = recorded(&world.key, &full("k")).await;
    let files = files(&world.public, &path).await;
    let report = check(&files, &Trust::default());
    assert_eq!(report.overall, Overall::Incomplete);
    assert_eq!(
        lines(&report),
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
async fn what_the_tenant_holds_back_is_in_no_bundle() {
    let world = ready().await;
    let path = recorded(&world.key, &full("k")).await;
    let trust = trusted(&world).await;
    let admin = world.admin().await;
    let told = async |setting: &Value| {
        admin.patch("/v1/settings", setting).await.expect(200);
        let answer = world.public.get(&path).await;
        let report = checked(answer.text.as_bytes(), &trust);
        (answer.text, lines(&report), report.overall)
    };
    let withheld =
        ["evidence: indeterminate EVIDENCE_WITHHELD", "evaluation: indeterminate CONTEXT_WITHHELD"];

    let (text, lines, _) = told(&json!({"bundle_include_context": false})).await;
    assert_eq!(lines, [NO_CHAIN, PENDING, withheld[0], withheld[1]]);
    assert!(!text.contains("of the house") && text.contains("777777"));

    let values = json!({"public_receipt_redaction": "values", "bundle_include_context": true});
    let (text, lines, overall) = told(&values).await;
    let redacted = "receipt: verified VALUES_REDACTED";
    assert_eq!(lines, [redacted, NO_CHAIN, PENDING, withheld[0], withheld[1]]);
    assert_eq!(overall, Overall::Incomplete);
    assert!(!text.contains("of the house") && !text.contains("777777"), "{text}");

    let open = json!({"public_receipt_redaction": "none"});
    let (text, lines, _) = told(&open).await;
    assert_eq!(lines, [NO_CHAIN, PENDING]);
    assert!(text.contains("of the house") && text.contains("777777"));
}

#[tokio::test]
async fn a_bundle_is_found_by_its_id_alone_and_by_no_other() {
    let world = ready().await;
    let path = recorded(&world.key, &full("k")).await;
    let neighbour = world.neighbour().await;
    // No key is asked for, and another tenant's opens nothing more.
    let own = world.public.get(&path).await;
    assert_eq!(neighbour.key.get(&path).await.text, own.text);
    let nothing = "00000000-0000-4000-8000-000000000000";
    for path in [
        format!("/v1/receipts/{nothing}/bundle"),
        format!("/v1/receipts/{}/bundle", world.tenant),
        "/v1/receipts/none/bundle".to_owned(),
        format!("/v1/chains/{nothing}/bundle"),
        path.replace("receipts", "chains"),
    ] {
        assert_eq!(world.public.get(&path).await.to_string(), "404 NOT_FOUND", "{path}");
    }
    let foreign = Options { tenant: Some(neighbour.tenant), ..Options::default() };
    let trust = trusted(&world).await;
    let report = verify(own.text.as_bytes(), &trust, &foreign);
    assert_eq!(lines(&report)[0], "receipt: failed TENANT_MISMATCH");
}
