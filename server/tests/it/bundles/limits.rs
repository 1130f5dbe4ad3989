//! How many bundles are made at a time, and which are cached.

use std::sync::Arc;

use governance::proof::{
    transparency_log::{InMemoryGuard, Sequencer},
    trust_registry::{self, Rotation},
};
use serde_json::json;
use testkit::database::{connect, texts};
use tokio::task::JoinSet;

use super::{full, recorded};
use crate::{
    console_bundle::says,
    service::{CHAIN, TestService, chained, world},
    transparency::log_all,
    trust::{begin, root},
};

/// How many requests make bundles or wait for it: 4 and 16.
const PLACES: usize = 20;

async fn ready() -> (TestService, Sequencer) {
    let world = world().await;
    world.governance.set_log_origin("govern.example/log/1");
    let sequencer = Sequencer::new(&world.governance, Arc::new(InMemoryGuard::default()));
    log_all(&world, &sequencer).await;
    begin(&world).await;
    world.active("PAY-01").await;
    (world, sequencer)
}

#[tokio::test]
async fn beyond_the_places_for_bundles_requests_are_refused_and_others_go_on() {
    let (world, _) = ready().await;
    let bundle = recorded(&world.key, &full("k")).await;
    recorded(&world.key, &chained("step", json!({}))).await;
    let id = bundle.trim_end_matches("/bundle").rsplit('/').next().expect("an id").to_owned();
    // Every bundle reads the approvals of its policies, which are locked while another connection has an
    // advisory lock.
    let holder = connect(&world.database.superuser_url).await;
    texts(&holder, "select pg_advisory_lock(4711)::text").await;
    let superuser = world.database.superuser_url.clone();
    let locking = tokio::spawn(async move {
        let lock = "do $$ begin lock table policy_approvals in access exclusive mode; \
                    perform pg_advisory_lock(4711); end $$";
        texts(&connect(&superuser).await, lock).await
    });
    let locks =
        "select mode from pg_locks where relation = 'policy_approvals'::regclass and granted";
    while world.sql(locks).await != ["AccessExclusiveLock"] {
        tokio::task::yield_now().await;
    }
    let mut answers = JoinSet::new();
    for _ in 0..PLACES + 10 {
        answers.spawn(world.public.get(&bundle).into_future());
    }
    for _ in 0..10 {
        let refused = answers.join_next().await.expect("an answer").expect("it does not panic");
        assert_eq!(refused.to_string(), "503 SERVICE_UNAVAILABLE");
        assert_eq!(refused.header("retry-after"), Some("1"));
        assert_eq!(refused.json()["retry_after"], json!(1));
    }
    // The check of a bundle and the check of a chain take such a place too.
    let page = world.public.get(format!("/verify?id={id}")).header("accept", "text/html");
    let page = page.header("sec-fetch-site", "same-origin").await;
    assert!(!says(&page.text, "Checked by this service, not by you"), "{}", page.text);
    let chain = world.public.get(format!("/v1/chains/{CHAIN}/verify")).await;
    assert_eq!(chain.to_string(), "503 SERVICE_UNAVAILABLE");
    assert_eq!(world.public.get("/v1/health").await.status, 200);
    holder.close().await.expect("the connection can be closed");
    locking.await.expect("it is unlocked");
    let mut made = Vec::new();
    while let Some(answer) = answers.join_next().await {
        made.push(answer.expect("it does not panic"));
    }
    let again = world.public.get(&bundle).await;
    assert_eq!(again.status, 200, "the places are free again");
    for answer in made {
        assert_eq!((answer.status, &answer.text), (200, &again.text));
    }
}

/// Changes the store past its triggers in a way that every new bundle shows.
async fn changed(world: &TestService) {
    let change = "do $$ begin alter table policy_snapshots disable trigger prevent_row_changes; \
         update policy_snapshots set body = replace(body, '\"Payments', '\"Payments!'); \
         alter table policy_snapshots enable always trigger prevent_row_changes; end $$";
    world.sql(change).await;
}

/// Writes the rows of decisions again, as an erasure does.
async fn rewritten(world: &TestService) {
    let change = "do $$ begin alter table decisions disable trigger prevent_row_changes; \
         update decisions set record = record; \
         alter table decisions enable always trigger prevent_row_changes; end $$";
    world.sql(change).await;
}

#[tokio::test]
async fn a_bundle_is_cached_once_it_cannot_change_and_never_beyond_a_change() {
    let (world, sequencer) = ready().await;
    let alone = recorded(&world.key, &full("alone")).await;
    let step = recorded(&world.key, &chained("step", json!({}))).await;
    let chain = format!("/v1/chains/{CHAIN}/bundle");
    let read = async |path: &str| {
        let answer = world.public.get(path).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        let etag = answer.header("etag").expect("a public read has one").to_owned();
        let known = world.public.get(path).header("if-none-match", &etag).await;
        assert_eq!((known.status, known.header("etag")), (304, Some(&*etag)));
        answer.text
    };
    // What waits to be logged or sealed is made anew for each request.
    log_all(&world, &sequencer).await;
    let open = read(&step).await;
    changed(&world).await;
    assert_ne!(read(&step).await, open);

    world.key.post(format!("/v1/chains/{CHAIN}/seal"), &json!({})).await.expect(201);
    log_all(&world, &sequencer).await;
    let json = format!("{alone}?format=json");
    let paths = [&alone, &json, &step, &chain];
    let admin = world.admin().await;
    let mut number = 0;
    let mut cached = Vec::new();
    for path in paths {
        cached.push(read(path).await);
    }
    loop {
        changed(&world).await;
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
                trust_registry::rotate(&world.governance, &[root()], rotation)
                    .await
                    .expect("version 2");
            }
            3 => rewritten(&world).await,
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
