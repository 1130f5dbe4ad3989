//! The list of decisions: every filter, every page.

use serde_json::json;

use super::{keys, recorded, recorded_as};
use crate::{
    client::text,
    service::{MINUTE_MS, TestService, policy, request, world},
};

/// A chain that somebody made.
const CHAIN: &str = "c0000000-0000-4000-8000-000000000001";

/// The idempotency keys of the decisions that `query` finds.
async fn found(world: &TestService, query: &str) -> Vec<String> {
    keys(&world.key.get(format!("/v1/decisions?{query}")).await.expect(200))
}

/// Gives recorded decisions their place in a chain, as a later release will record them.
async fn chained(world: &TestService, key: &str, step: u32) {
    let place = format!(
        "do $$ begin alter table decisions disable trigger prevent_row_changes; \
         update decisions set chain_id = '{CHAIN}', chain_step = {step} \
         where idempotency_key = '{key}'; \
         alter table decisions enable always trigger prevent_row_changes; end $$"
    );
    world.sql(&place).await;
}

#[tokio::test]
async fn every_filter_finds_what_it_names_and_nothing_else() {
    let world = world().await;
    let first = world.active("PAY-01").await;
    recorded(&world, "review", 1).await;
    world.clock.advance(MINUTE_MS);
    recorded(&world, "deny", 20_000).await;
    world.clock.advance(MINUTE_MS);
    let mut other = policy("ALL-01");
    other["decision_types"] = json!([]);
    other["rules"] = json!([{"code": "NAMED", "severity": "critical", "rule_type": "presence",
                             "condition": {"required_fields": ["name"]}}]);
    let made = world.author().await.post("/v1/policies", &other).await.expect(201);
    let second =
        crate::service::Version { policy: text(&made["policy"]["id"]).to_owned(), number: 1 };
    let author = world.author().await;
    author.post(second.act("submit"), &json!({})).await.expect(200);
    world.ratify(&second).await;
    world.activate(&second).await;
    let mut both = request("both", 20_000);
    both["actor"] = json!({"id": "ann"});
    both["context"]["metadata"] = json!({"correlation_id": "corr-1"});
    recorded_as(&world.key, &both).await;
    let loan = json!({"decision_type": "loan", "fields": {"name": "n"}});
    recorded_as(&world.key, &json!({"idempotency_key": "loan", "context": loan})).await;
    chained(&world, "deny", 2).await;
    chained(&world, "both", 1).await;

    let (pay, all) = (&first.policy, &second.policy);
    for (query, expected) in [
        (String::new(), "loan both deny review"),
        ("decision_type=payment".into(), "both deny review"),
        ("decision_type=Payment".into(), ""),
        ("decision=DENY".into(), "both deny"),
        ("decision=ALLOW".into(), "loan"),
        ("correlation_id=corr-1".into(), "both"),
        ("idempotency_key=deny".into(), "deny"),
        (format!("policy_id={pay}"), "both deny review"),
        (format!("policy_id={all}"), "loan both"),
        ("policy_id=00000000-0000-4000-8000-000000000000".into(), ""),
        ("rule_code=AMOUNT".into(), "both deny"),
        ("rule_code=NAMED".into(), "both"),
        ("rule_code=amount".into(), ""),
        ("actor_id=ann".into(), "both"),
        (format!("chain_id={CHAIN}"), "both deny"),
        (format!("chain_id={CHAIN}&rule_code=AMOUNT"), "both deny"),
        (format!("chain_id={CHAIN}&policy_id={all}"), "both"),
        (format!("policy_id={pay}&rule_code=NAMED"), "both"),
        (format!("policy_id={all}&decision=DENY"), "both"),
        ("recorded_from=2026-09-01T10:02:00Z".into(), "loan both"),
        ("recorded_to=2026-09-01T10:01:00Z".into(), "deny review"),
        (
            "recorded_from=2026-09-01T12:01:00%2B02:00&recorded_to=2026-09-01T10:01:00Z".into(),
            "deny",
        ),
        ("decision_type=payment&decision=DENY&rule_code=AMOUNT&actor_id=ann".into(), "both"),
    ] {
        assert_eq!(found(&world, &query).await.join(" "), expected, "{query}");
    }
    let neighbour = world.neighbour().await;
    for query in [format!("policy_id={pay}"), "rule_code=AMOUNT".into(), String::new()] {
        let page = neighbour.key.get(format!("/v1/decisions?{query}")).await.expect(200);
        assert_eq!(page["items"], json!([]), "{query}");
    }
}

#[tokio::test]
async fn pages_neither_repeat_nor_skip_while_decisions_arrive() {
    let world = world().await;
    let version = world.active("PAY-01").await;
    for number in 0..7 {
        recorded(&world, &format!("k-{number}"), 20_000).await;
    }
    for (round, filter) in
        ["decision=DENY", "rule_code=AMOUNT", &format!("policy_id={}", version.policy)]
            .into_iter()
            .enumerate()
    {
        let mut seen = Vec::new();
        let mut path = format!("/v1/decisions?{filter}&limit=3");
        loop {
            let page = world.key.get(&path).await.expect(200);
            seen.extend(keys(&page));
            recorded(&world, &format!("late-{round}-{}", seen.len()), 20_000).await;
            let Some(cursor) = page["next_cursor"].as_str() else { break };
            path = format!("/v1/decisions?{filter}&limit=3&cursor={cursor}");
        }
        // What arrived in the rounds before comes first; nothing of this round is in between.
        let old: Vec<String> = seen.iter().filter(|key| key.starts_with("k-")).cloned().collect();
        assert_eq!(old, (0..7).rev().map(|number| format!("k-{number}")).collect::<Vec<_>>());
        assert!(!seen.iter().any(|key| key.starts_with(&format!("late-{round}"))), "{seen:?}");
        let mut once = seen.clone();
        once.sort_unstable();
        once.dedup();
        assert_eq!(once.len(), seen.len(), "{filter}");
    }
}

#[tokio::test]
async fn a_chain_is_listed_step_by_step_over_pages() {
    let world = world().await;
    world.active("PAY-01").await;
    for (key, step) in [("c", 30), ("a", 1), ("d", 31), ("b", 2)] {
        recorded(&world, key, 1).await;
        chained(&world, key, step).await;
    }
    recorded(&world, "loose", 1).await;
    let first = world.key.get(format!("/v1/decisions?chain_id={CHAIN}&limit=3")).await.expect(200);
    assert_eq!(keys(&first), ["a", "b", "c"]);
    let cursor = text(&first["next_cursor"]);
    let path = format!("/v1/decisions?chain_id={CHAIN}&limit=3&cursor={cursor}");
    let second = world.key.get(path).await.expect(200);
    assert_eq!(keys(&second), ["d"]);
    assert!(second["next_cursor"].is_null());
    let foreign = world.key.get(format!("/v1/decisions?cursor={cursor}")).await;
    assert_eq!(foreign.faults(), "/cursor cursor\n");
}

#[tokio::test]
async fn a_filter_of_the_list_is_well_formed() {
    let world = world().await;
    for (query, faults) in [
        ("chain_id=x", "/chain_id format\n"),
        ("chain_id=", "/chain_id format\n"),
        ("actor_id=", "/actor_id length\n"),
        ("decision=MAYBE&policy_id=7", "/decision format\n/policy_id format\n"),
        ("chain_id=c&chain_id=d", "/chain_id repeated\n/chain_id format\n"),
        ("recorded_form=2026-09-01T10:00:00Z", "/recorded_form unknown\n"),
    ] {
        let refused = world.key.get(format!("/v1/decisions?{query}")).await;
        assert_eq!(refused.to_string(), "422 VALIDATION_ERROR", "{query}");
        assert_eq!(refused.faults(), faults, "{query}");
    }
}
