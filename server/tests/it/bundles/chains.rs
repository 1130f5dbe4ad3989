//! Bundles of chains, and of decisions in them: whole chains, long ones, and ones that are too large.

use contract::id::{ChainId, TenantId};
use receipt::{
    chain::{self, ChainSeal, Link},
    digest::Digest,
    key::{PayloadType, SigningKey},
};
use serde_json::json;
use verify::Overall;

use super::{PENDING, check, checked, files, generic, lines, ready};
use crate::{
    client::text,
    service::{CHAIN, TestService, chained},
    trust::trusted,
};

/// Records a decision in the chain, and gives the path of its bundle.
async fn step(world: &TestService, key: &str, place: serde_json::Value) -> String {
    super::recorded(&world.key, &chained(key, place)).await
}

fn path() -> String {
    format!("/v1/chains/{CHAIN}/bundle")
}

const NO_EVIDENCE: &str = "evidence: not_applicable NO_EVIDENCE";

#[tokio::test]
async fn the_bundle_of_a_chain_verifies_claim_by_claim_open_and_sealed() {
    let world = ready().await;
    let trust = trusted(&world).await;
    for (key, place) in
        [("a", json!({})), ("b", json!({"chain_step": 7})), ("c", json!({"chain_step": 3}))]
    {
        step(&world, key, place).await;
    }
    let remarks = "chain_proofs: verified CHAIN_OPEN STEP_GAP STEP_ORDER";
    let report = check(&files(&world.public, &path()).await, &trust);
    assert_eq!(lines(&report), [remarks, PENDING, NO_EVIDENCE]);

    world.key.post(format!("/v1/chains/{CHAIN}/seal"), &json!({})).await.expect(201);
    let bundle = files(&world.public, &path()).await;
    let report = check(&bundle, &trust);
    let sealed = "chain_proofs: verified STEP_GAP STEP_ORDER";
    assert_eq!(lines(&report), [sealed, &*format!("{PENDING} SEAL_ANCHOR_PENDING"), NO_EVIDENCE]);
    let own = bundle.names().map(generic).filter(|name| name.contains("/000007/"));
    assert_eq!(
        own.collect::<Vec<_>>(),
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

    let elsewhere = world.another_process().await;
    for form in ["", "?format=json"] {
        let form = format!("{}{form}", path());
        let [one, two] = [world.public.get(&form).await, elsewhere.get(&form).await];
        assert_eq!((one.status, &one.text), (200, &two.text));
        assert_eq!(checked(one.text.as_bytes(), &trust).to_value(), report.to_value());
        let etag = one.header("etag").expect("a public read has one");
        assert_eq!(elsewhere.get(&form).header("if-none-match", etag).await.status, 304);
    }
}

#[tokio::test]
async fn a_decision_in_a_chain_brings_the_links_of_the_others() {
    let world = ready().await;
    let trust = trusted(&world).await;
    let first = step(&world, "a", json!({})).await;
    let alone = world.public.get(&first).await.text;
    step(&world, "b", json!({})).await;
    let open = "chain_proofs: verified CHAIN_OPEN";
    let bundle = files(&world.public, &first).await;
    assert_eq!(lines(&check(&bundle, &trust)), [open, PENDING, NO_EVIDENCE]);
    assert_ne!(world.public.get(&first).await.text, alone, "the chain has gone on");
    world.key.post(format!("/v1/chains/{CHAIN}/seal"), &json!({})).await.expect(201);
    let report = check(&files(&world.public, &first).await, &trust);
    let pending = format!("{PENDING} SEAL_ANCHOR_PENDING");
    assert_eq!(lines(&report), [&*pending, NO_EVIDENCE]);
}

/// Continues the chain with links up to `size` that are made here, and seals it: what a service would
/// have made of so many decisions.
async fn lengthened(world: &TestService, size: u32) {
    let key = SigningKey::from_seed([9; 32]);
    let chain_id: ChainId = CHAIN.parse().expect("an id");
    let first = world.sql("select hash from chain_links").await.concat();
    let mut hashes: Vec<Digest> = vec![first.parse().expect("a digest")];
    let mut rows = Vec::new();
    for position in 2..=size {
        let prev = hashes.last().copied();
        let decision = uuid::Uuid::from_u128(u128::from(position));
        let link = Link {
            tenant_id: world.tenant,
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
            world.tenant, link.text, link.digest, prev.expect("a link before"), key.kid(),
        ));
        hashes.push(link.digest);
    }
    let rows = rows.join(",");
    world.sql(&format!("insert into chain_links values {rows}")).await;
    sealed(world, &key, chain_id, world.tenant, &hashes).await;
}

async fn sealed(
    world: &TestService,
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
        sealed_at: world.clock.now(),
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
    world.sql(&insert).await;
    let close =
        format!("update chains set links = {}, head = '{head}', is_sealed = true", hashes.len());
    world.sql(&close).await;
}

#[tokio::test]
async fn a_decision_of_a_long_sealed_chain_is_shown_by_a_proof() {
    let world = ready().await;
    let trust = trusted(&world).await;
    let first = step(&world, "a", json!({})).await;
    lengthened(&world, 1_001).await;
    let bundle = files(&world.public, &first).await;
    let links = bundle.get("chain/links.json").expect("it is there");
    let links: serde_json::Value = serde_json::from_slice(links).expect("JSON");
    assert_eq!(links["links"].as_array().map(Vec::len), Some(1));
    let proof = bundle.get("chain/proof.json").expect("it is there");
    let proof: serde_json::Value = serde_json::from_slice(proof).expect("JSON");
    assert_eq!((&proof["index"], &proof["size"]), (&json!(0), &json!(1_001)));
    let pending = format!("{PENDING} SEAL_ANCHOR_PENDING");
    assert_eq!(lines(&check(&bundle, &trust)), [&*pending, NO_EVIDENCE]);
}

#[tokio::test]
async fn a_bundle_beyond_the_limits_is_refused() {
    let world = ready().await;
    let first = step(&world, "a", json!({})).await;
    lengthened(&world, 1_400).await;
    for form in ["", "?format=json"] {
        let refused = world.public.get(format!("{}{form}", path())).await;
        assert_eq!(refused.to_string(), "422 BUNDLE_TOO_LARGE");
    }
    assert_eq!(world.public.get(&first).await.status, 200, "its decisions have theirs");
}

#[tokio::test]
async fn a_chain_whose_receipts_are_gone_has_a_bundle_that_fails() {
    let world = ready().await;
    let trust = trusted(&world).await;
    step(&world, "a", json!({})).await;
    lengthened(&world, 3).await;
    let report = check(&files(&world.public, &path()).await, &trust);
    assert_eq!(report.overall, Overall::Failed);
    assert_eq!(lines(&report)[0], "chain_proofs: failed RECEIPT_MISSING");
    let told = world.public.get(format!("/v1/chains/{CHAIN}/verify")).await.expect(200);
    assert_eq!(text(&told["problems"][0]), "RECEIPT_MISSING");
}
