//! Concurrent records and seals of one chain.

use std::collections::BTreeMap;

use tokio::task::JoinSet;

use super::{assert_verified, steps, with_active_policy};
use crate::prelude::*;

/// The number of concurrent requests.
const CALLERS: usize = 64;

/// A client of a second process with the same API key.
async fn second_process_client(service: &TestService) -> Client {
    service.key.at_process_of(&service.start_process().await)
}

async fn record_concurrently(
    calls: impl IntoIterator<Item = (Client, Value)>,
) -> Vec<TestResponse> {
    let mut set = JoinSet::new();
    for (client, body) in calls {
        set.spawn(client.post("/v1/decisions/record", &body).into_future());
    }
    set.join_all().await
}

/// The number of responses by status and error code.
fn response_counts(responses: &[TestResponse]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for response in responses {
        *counts.entry(response.to_string()).or_default() += 1;
    }
    counts
}

fn steps_from_one(count: usize) -> Vec<u64> {
    (1..).take(count).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_records_form_one_chain_without_gaps_next_to_unchained_records() {
    let service = with_active_policy().await;
    let calls = (0..CALLERS).map(|caller| {
        let key = format!("k-{caller}");
        let body = if caller % 4 == 3 { request(&key, 1) } else { chain_request(&key, json!({})) };
        (service.key.clone(), body)
    });
    let responses = record_concurrently(calls).await;
    assert_eq!(response_counts(&responses), [("201".to_owned(), CALLERS)].into());
    let links = CALLERS / 4 * 3;
    assert_eq!(steps(&assert_verified(&service, links).await), steps_from_one(links));
    service.assert_audit_events_are_linked().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_many_concurrent_requests_for_the_same_step_succeeds() {
    let service = with_active_policy().await;
    let clients = [service.key.clone(), second_process_client(&service).await];
    let calls = (0..CALLERS).map(|caller| {
        let chain = json!({"chain_step": 7});
        (clients[caller % 2].clone(), chain_request(&format!("k-{caller}"), chain))
    });
    let responses = record_concurrently(calls).await;
    let expected = [("201".to_owned(), 1), ("409 CONFLICT".to_owned(), CALLERS - 1)];
    assert_eq!(response_counts(&responses), expected.into());
    assert_eq!(steps(&assert_verified(&service, 1).await), [7]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seal_counts_exactly_the_links_recorded_before_it() {
    let service = with_active_policy().await;
    let other = second_process_client(&service).await;
    record_concurrently([(service.key.clone(), chain_request("first", json!({})))]).await;
    let calls = (0..CALLERS).map(|caller| {
        let client = if caller % 2 == 0 { &service.key } else { &other };
        (client.clone(), chain_request(&format!("k-{caller}"), json!({})))
    });
    let path = format!("/v1/chains/{CHAIN}/seal");
    let body = json!({});
    let (responses, first, second) = tokio::join!(
        record_concurrently(calls),
        other.post(&path, &body),
        service.key.post(&path, &body)
    );
    let mut statuses = [first.status, second.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 201], "one of two seals is new");
    assert_eq!(first.text, second.text);
    let counts = response_counts(&responses);
    assert!(
        counts.keys().all(|response| ["201", "409 CHAIN_SEALED"].contains(&&**response)),
        "{counts:?}"
    );
    let links = 1 + counts.get("201").copied().unwrap_or_default();
    assert_verified(&service, links).await;
    assert_eq!(first.json()["seal"]["step_count"], json!(links));
}
