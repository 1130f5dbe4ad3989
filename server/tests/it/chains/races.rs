//! Many at one chain, at once.

use std::collections::BTreeMap;

use contract::scope::Role;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::{ready, sound, steps};
use crate::{
    client::{Client, TestResponse},
    service::{CHAIN, TestService, chained, request, rules},
};

/// How many callers ask at once.
const CALLERS: usize = 64;

/// The same caller at another process.
async fn elsewhere(world: &TestService) -> Client {
    let mut client = world.another_process().await;
    for name in ["x-service-tenant-id", "authorization"] {
        client = client.with(name, world.key.header(name).expect("a key is sent with it"));
    }
    client
}

async fn at_once(calls: impl IntoIterator<Item = (Client, Value)>) -> Vec<TestResponse> {
    let mut set = JoinSet::new();
    for (client, body) in calls {
        set.spawn(client.post("/v1/decisions/record", &body).into_future());
    }
    set.join_all().await
}

/// How often each answer was given.
fn counts(answers: &[TestResponse]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for answer in answers {
        *counts.entry(answer.to_string()).or_default() += 1;
    }
    counts
}

fn dense(count: usize) -> Vec<u64> {
    (1..).take(count).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn many_writers_make_one_line_without_gaps_beside_records_of_no_chain() {
    let world = ready().await;
    let calls = (0..CALLERS).map(|caller| {
        let key = format!("k-{caller}");
        let body = if caller % 4 == 3 { request(&key, 1) } else { chained(&key, json!({})) };
        (world.key.clone(), body)
    });
    let answers = at_once(calls).await;
    assert_eq!(counts(&answers), [("201".to_owned(), CALLERS)].into());
    let links = CALLERS / 4 * 3;
    assert_eq!(steps(&sound(&world, links).await), dense(links));
    let unlinked = "select seq::text from audit_events e where seq > 1 and prev is distinct from \
                    (select hash from audit_events p where p.seq = e.seq - 1)";
    assert_eq!(world.sql(unlinked).await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_processes_make_one_line() {
    let world = ready().await;
    let clients = [world.key.clone(), elsewhere(&world).await];
    let calls = (0..CALLERS)
        .map(|caller| (clients[caller % 2].clone(), chained(&format!("k-{caller}"), json!({}))));
    let answers = at_once(calls).await;
    assert_eq!(counts(&answers), [("201".to_owned(), CALLERS)].into());
    assert_eq!(steps(&sound(&world, CALLERS).await), dense(CALLERS));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_that_ask_for_one_step_one_gets_it() {
    let world = ready().await;
    let clients = [world.key.clone(), elsewhere(&world).await];
    let calls = (0..CALLERS).map(|caller| {
        let place = json!({"chain_step": 7});
        (clients[caller % 2].clone(), chained(&format!("k-{caller}"), place))
    });
    let answers = at_once(calls).await;
    let expected = [("201".to_owned(), 1), ("409 CONFLICT".to_owned(), CALLERS - 1)];
    assert_eq!(counts(&answers), expected.into());
    assert_eq!(steps(&sound(&world, 1).await), [7]);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_key_many_times_at_once_is_one_step() {
    let world = ready().await;
    let clients = [world.key.clone(), elsewhere(&world).await];
    let calls = (0..CALLERS).map(|caller| (clients[caller % 2].clone(), chained("k", json!({}))));
    let answers = at_once(calls).await;
    let expected = [("200".to_owned(), CALLERS - 1), ("201".to_owned(), 1)];
    assert_eq!(counts(&answers), expected.into());
    let texts =
        answers.iter().map(|answer| answer.text.replace("\"is_new\":true", "\"is_new\":false"));
    assert!(texts.clone().all(|text| text == texts.clone().next().unwrap()));
    sound(&world, 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seal_counts_exactly_what_was_recorded_before_it() {
    let world = ready().await;
    let other = elsewhere(&world).await;
    at_once([(world.key.clone(), chained("first", json!({})))]).await;
    let calls = (0..CALLERS).map(|caller| {
        let client = if caller % 2 == 0 { &world.key } else { &other };
        (client.clone(), chained(&format!("k-{caller}"), json!({})))
    });
    let path = format!("/v1/chains/{CHAIN}/seal");
    let none = json!({});
    let (answers, sealed, again) =
        tokio::join!(at_once(calls), other.post(&path, &none), world.key.post(&path, &none));
    let mut made = [sealed.status, again.status];
    made.sort_unstable();
    assert_eq!(made, [200, 201], "one of two seals is new");
    assert_eq!(sealed.text, again.text);
    let counts = counts(&answers);
    assert!(
        counts.keys().all(|answer| ["201", "409 CHAIN_SEALED"].contains(&&**answer)),
        "{counts:?}"
    );
    let links = 1 + counts.get("201").copied().unwrap_or_default();
    sound(&world, links).await;
    assert_eq!(sealed.json()["seal"]["step_count"], json!(links));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chained_decision_rests_on_what_is_in_force_when_it_is_recorded() {
    let world = ready().await;
    let first = world.active("PAY-02").await;
    let turns = [world.successor(&first, &rules(50_000)).await, first];
    let activator = world.person(Role::Ratifier).await;
    let recording = async {
        let mut answers = Vec::new();
        for round in 0..8 {
            let key = |caller| format!("k-{round}-{caller}");
            let calls = (0..8).map(|c| (world.key.clone(), chained(&key(c), json!({}))));
            answers.extend(at_once(calls).await);
        }
        answers
    };
    let activating = async {
        for turn in 0..12_usize {
            activator.post(turns[turn % 2].act("activate"), &json!({})).await.expect(200);
        }
    };
    let (answers, ()) = tokio::join!(recording, activating);
    assert_eq!(counts(&answers), [("201".to_owned(), 64)].into());
    sound(&world, 64).await;
    // In the order of the log: each decision looked at the version that was activated last before it.
    let log = "select case when action = 'decision.record' then 'd ' || \
               (select p.version::text from decisions d join snapshot_policies p \
                  on p.tenant_id = d.tenant_id and p.snapshot_id = d.snapshot_id \
                where d.id::text = e.object_id and p.policy_id = $POLICY) \
               else 'a ' || (event::jsonb -> 'details' ->> 'version') end \
               from audit_events e where action = 'decision.record' or \
               (action = 'policy_version.activate' and event like '%' || $POLICY || '%') order by seq";
    let policy = format!("'{}'", turns[0].policy);
    let log = log.replacen("$POLICY", &format!("{policy}::uuid"), 1).replace("$POLICY", &policy);
    let mut active = String::new();
    for line in world.sql(&log).await {
        match line.split_once(' ') {
            Some(("a", version)) => version.clone_into(&mut active),
            Some((_, version)) => assert_eq!(version, active),
            None => panic!("{line}"),
        }
    }
}
