//! Bundles of chains and of decisions in chains: complete, long and oversized chains.

use super::{
    NO_EVIDENCE, PENDING, check, claim_lines, files, generic, verify_bundle, with_trust_registry,
};
use crate::prelude::*;
use contract::id::{ChainId, TenantId};
use receipt::{
    chain::{self, ChainSeal, Link},
    digest::Digest,
    key::{PayloadType, SigningKey},
};

/// Records a decision in the chain and returns the path of its bundle.
async fn record_step(service: &TestService, key: &str, chain: serde_json::Value) -> String {
    super::record_bundle_path(&service.key, &chain_request(key, chain)).await
}

fn path() -> String {
    format!("/v1/chains/{CHAIN}/bundle")
}

#[tokio::test]
async fn the_bundle_of_an_open_or_sealed_chain_verifies_claim_by_claim() {
    let service = with_trust_registry().await;
    let trust = current_trust(&service).await;
    for (key, chain) in
        [("a", json!({})), ("b", json!({"chain_step": 7})), ("c", json!({"chain_step": 3}))]
    {
        record_step(&service, key, chain).await;
    }
    let remarks = "chain_proofs: verified CHAIN_OPEN STEP_GAP STEP_ORDER";
    let report = check(&files(&service.public, &path()).await, &trust);
    assert_eq!(claim_lines(&report), [remarks, PENDING, NO_EVIDENCE]);

    service.seal_chain().await;
    let bundle = files(&service.public, &path()).await;
    let report = check(&bundle, &trust);
    let sealed = "chain_proofs: verified STEP_GAP STEP_ORDER";
    assert_eq!(
        claim_lines(&report),
        [sealed, &*format!("{PENDING} SEAL_ANCHOR_PENDING"), NO_EVIDENCE]
    );
    let names = bundle.names().map(generic).filter(|name| name.contains("/000007/"));
    assert_eq!(
        names.collect::<Vec<_>>(),
        [
            "evaluation/000007/context.json",
            "receipt/000007/integrity.json",
            "receipt/000007/receipt.dsse.json",
            "receipt/000007/receipt.json",
            "receipt/000007/statement.json",
            "transparency/000007/entry.json",
        ]
    );
    let shared = bundle.names().filter(|name| name.starts_with("policy/")).count();
    assert_eq!(shared, 2, "receipts of one snapshot share it");

    let other_process = service.start_process().await;
    for query in ["", "?format=json"] {
        let target = format!("{}{query}", path());
        let [first, second] = [service.public.get(&target).await, other_process.get(&target).await];
        assert_eq!((first.status, &first.text), (200, &second.text));
        assert_eq!(verify_bundle(first.text.as_bytes(), &trust).to_value(), report.to_value());
        let etag = first.header("etag").expect("a public read has one");
        assert_eq!(other_process.get(&target).header("if-none-match", etag).await.status, 304);
    }
}

#[tokio::test]
async fn the_bundle_of_a_decision_in_a_chain_contains_the_other_links() {
    let service = with_trust_registry().await;
    let trust = current_trust(&service).await;
    let first = record_step(&service, "a", json!({})).await;
    let earlier = service.public.get(&first).await.text;
    record_step(&service, "b", json!({})).await;
    let open = "chain_proofs: verified CHAIN_OPEN";
    let bundle = files(&service.public, &first).await;
    assert_eq!(claim_lines(&check(&bundle, &trust)), [open, PENDING, NO_EVIDENCE]);
    assert_ne!(service.public.get(&first).await.text, earlier, "the bundle contains the new link");
    service.seal_chain().await;
    let report = check(&files(&service.public, &first).await, &trust);
    let pending = format!("{PENDING} SEAL_ANCHOR_PENDING");
    assert_eq!(claim_lines(&report), [&*pending, NO_EVIDENCE]);
}

/// Extends the chain to `size` links and seals it, with the rows that the service writes for as
/// many decisions.
async fn extend_and_seal(service: &TestService, size: u32) {
    let key = SigningKey::from_seed([9; 32]);
    let chain_id: ChainId = CHAIN.parse().expect("an id");
    let first = service.sql("select hash from chain_links").await.concat();
    let mut hashes: Vec<Digest> = vec![first.parse().expect("a digest")];
    let mut rows = Vec::new();
    for position in 2..=size {
        let prev = hashes.last().copied();
        let decision = uuid::Uuid::from_u128(u128::from(position));
        let link = Link {
            tenant_id: service.tenant,
            chain_id,
            position,
            step: position,
            decision_id: decision.into(),
            receipt_digest: Digest::compute(&position.to_be_bytes()),
            prev,
        };
        let link = link.canonical();
        let signature = key.sign(PayloadType::ChainLink, &link).expect("a signature");
        rows.push(format!(
            "('{}','{CHAIN}',{position},{position},'{decision}',{position},'{}','{}','{}','{signature}','{}')",
            service.tenant, link.text, link.digest, prev.expect("a link before"), key.kid(),
        ));
        hashes.push(link.digest);
    }
    let rows = rows.join(",");
    service.sql(&format!("insert into chain_links values {rows}")).await;
    insert_seal(service, &key, chain_id, service.tenant, &hashes).await;
}

async fn insert_seal(
    service: &TestService,
    key: &SigningKey,
    chain_id: ChainId,
    tenant_id: TenantId,
    hashes: &[Digest],
) {
    let head = *hashes.last().expect("a link");
    let seal = ChainSeal {
        tenant_id,
        chain_id,
        step_count: u32::try_from(hashes.len()).expect("a count"),
        head,
        merkle_root: chain::merkle_root(&chain::tree(hashes.iter().copied())).expect("a root"),
        sealed_at: service.clock.now(),
        kid: Some(key.kid().to_owned()),
    }
    .canonical();
    let signature = key.sign(PayloadType::ChainSeal, &seal).expect("a signature");
    let insert = format!(
        "insert into chain_seals values ('{tenant_id}','{CHAIN}','{}','{}','{signature}','{}',now())",
        seal.text,
        seal.digest,
        key.kid()
    );
    service.sql(&insert).await;
    let close =
        format!("update chains set links = {}, head = '{head}', is_sealed = true", hashes.len());
    service.sql(&close).await;
}

#[tokio::test]
async fn a_decision_of_a_long_sealed_chain_has_an_inclusion_proof() {
    let service = with_trust_registry().await;
    let trust = current_trust(&service).await;
    let first = record_step(&service, "a", json!({})).await;
    extend_and_seal(&service, 1_001).await;
    let bundle = files(&service.public, &first).await;
    let links = bundle.get("chain/links.json").expect("the file exists");
    let links: serde_json::Value = serde_json::from_slice(links).expect("JSON");
    assert_eq!(links["links"].as_array().map(Vec::len), Some(1));
    let proof = bundle.get("chain/proof.json").expect("the file exists");
    let proof: serde_json::Value = serde_json::from_slice(proof).expect("JSON");
    assert_eq!((&proof["index"], &proof["size"]), (&json!(0), &json!(1_001)));
    let pending = format!("{PENDING} SEAL_ANCHOR_PENDING");
    assert_eq!(claim_lines(&check(&bundle, &trust)), [&*pending, NO_EVIDENCE]);
}

#[tokio::test]
async fn a_bundle_over_the_size_limit_is_rejected() {
    let service = with_trust_registry().await;
    let first = record_step(&service, "a", json!({})).await;
    extend_and_seal(&service, 1_400).await;
    for query in ["", "?format=json"] {
        let refusal = service.public.get(format!("{}{query}", path())).await;
        assert_eq!(refusal.to_string(), "422 BUNDLE_TOO_LARGE");
    }
    assert_eq!(
        service.public.get(&first).await.status,
        200,
        "the bundle of one decision is within the limit"
    );
}
