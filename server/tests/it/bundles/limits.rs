//! Bundles: the limit of concurrent requests, and the cache.

use governance::proof::trust_registry::{self, Rotation};
use testkit::database::{connect, texts};
use tokio::task::JoinSet;

use super::{full_request, record_bundle_path};
use crate::{prelude::*, transparency::service_with_log, trust::root};

/// The maximum number of requests that build a bundle (4) or wait to build one (16).
const BUNDLE_REQUESTS_MAX: usize = 20;

#[tokio::test]
async fn bundle_requests_over_the_limit_are_rejected_and_other_requests_succeed() {
    let (service, _) = service_with_log().await;
    let bundle = record_bundle_path(&service.key, &full_request("k")).await;
    record_bundle_path(&service.key, &chain_request("step", json!({}))).await;
    let id = bundle.trim_end_matches("/bundle").rsplit('/').next().expect("an id").to_owned();
    // Every bundle reads the approvals of its policies. The table is locked until `holder` releases
    // its advisory lock.
    let holder = connect(&service.database.superuser_url).await;
    texts(&holder, "select pg_advisory_lock(4711)::text").await;
    let superuser = service.database.superuser_url.clone();
    let locking = tokio::spawn(async move {
        let lock = "do $$ begin lock table policy_approvals in access exclusive mode; \
                    perform pg_advisory_lock(4711); end $$";
        texts(&connect(&superuser).await, lock).await
    });
    let locks =
        "select mode from pg_locks where relation = 'policy_approvals'::regclass and granted";
    while service.sql(locks).await != ["AccessExclusiveLock"] {
        tokio::task::yield_now().await;
    }
    let mut responses = JoinSet::new();
    for _ in 0..BUNDLE_REQUESTS_MAX + 10 {
        responses.spawn(service.public.get(&bundle).into_future());
    }
    for _ in 0..10 {
        let refusal = responses.join_next().await.expect("a response").expect("no client panics");
        assert_eq!(refusal.to_string(), "503 SERVICE_UNAVAILABLE");
        assert_eq!(refusal.header("retry-after"), Some("1"));
        assert_eq!(refusal.json()["retry_after"], json!(1));
    }
    // The verification page and the verification of a chain count towards the same limit.
    let page = service.public.get(format!("/verify?id={id}")).header("accept", "text/html");
    let page = page.header("sec-fetch-site", "same-origin").await;
    assert!(!contains_text(&page.text, "Checked by this service, not by you"), "{}", page.text);
    let chain = service.public.get(format!("/v1/chains/{CHAIN}/verify")).await;
    assert_eq!(chain.to_string(), "503 SERVICE_UNAVAILABLE");
    assert_eq!(service.public.get("/v1/health").await.status, 200);
    holder.close().await.expect("the connection closes");
    locking.await.expect("the lock is released");
    let mut delayed = Vec::new();
    while let Some(response) = responses.join_next().await {
        delayed.push(response.expect("no client panics"));
    }
    let later = service.public.get(&bundle).await;
    assert_eq!(later.status, 200, "requests are accepted again");
    for response in delayed {
        assert_eq!((response.status, &response.text), (200, &later.text));
    }
}

/// Changes the snapshots with disabled triggers, so that every newly built bundle differs.
async fn change_snapshots(service: &TestService) {
    let change = "update policy_snapshots set body = replace(body, '\"Payments', '\"Payments!')";
    service.change_rows("policy_snapshots", change).await;
}

#[tokio::test]
async fn a_final_bundle_is_cached_until_one_of_its_inputs_changes() {
    let (service, sequencer) = service_with_log().await;
    let unchained = record_bundle_path(&service.key, &full_request("unchained")).await;
    let step = record_bundle_path(&service.key, &chain_request("step", json!({}))).await;
    let chain = format!("/v1/chains/{CHAIN}/bundle");
    let read = async |path: &str| {
        let response = service.public.get(path).await;
        assert_eq!(response.status, 200, "{}", response.text);
        let etag = response.header("etag").expect("a public read has one").to_owned();
        let unchanged = service.public.get(path).header("if-none-match", &etag).await;
        assert_eq!((unchanged.status, unchanged.header("etag")), (304, Some(&*etag)));
        response.text
    };
    // Bundles of entries that are not logged and of open chains are built for each request.
    append_pending(&service, &sequencer).await;
    let open = read(&step).await;
    change_snapshots(&service).await;
    assert_ne!(read(&step).await, open);

    service.seal_chain().await;
    append_pending(&service, &sequencer).await;
    let json = format!("{unchained}?format=json");
    let paths = [&unchained, &json, &step, &chain];
    let admin = service.admin().await;
    let mut number = 0;
    let mut cached = Vec::new();
    for path in paths {
        cached.push(read(path).await);
    }
    loop {
        change_snapshots(&service).await;
        for (path, cached) in paths.iter().zip(&cached) {
            assert_eq!(read(path).await, *cached, "{path} {number}");
        }
        match number {
            0 => {
                let hide = json!({"bundle_include_context": false});
                admin.patch("/v1/settings", &hide).await.expect(200);
            }
            1 => {
                let redact = json!({"public_receipt_redaction": "values"});
                admin.patch("/v1/settings", &redact).await.expect(200);
            }
            2 => {
                let rotation = Rotation { to: None, retires: false };
                trust_registry::rotate(&service.governance, &[root()], rotation)
                    .await
                    .expect("version 2");
            }
            // An erasure writes the rows of decisions again.
            3 => service.change_rows("decisions", "update decisions set texts = texts").await,
            _ => break,
        }
        for (path, cached) in paths.iter().zip(&mut cached) {
            let next = read(path).await;
            assert_ne!(next, *cached, "{path} {number}");
            *cached = next;
        }
        number += 1;
    }
}
