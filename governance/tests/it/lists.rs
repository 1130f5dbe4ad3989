//! Lists hold what their filters name, all of it and nothing else.

use contract::{
    decision::DecisionFilter, evaluation::Verdict, id::PolicyId, policy::PolicyFilter,
    time::Timestamp,
};
use governance::{PageRequest, authoring::policy, deciding::decision};

use crate::fixtures::{TestEnv, TestTenant, request, spending, value, with, world};

/// An hour, in milliseconds.
const HOUR: i64 = 3_600_000;

/// Five decisions an hour apart, under two policies.
async fn recorded() -> (TestEnv, TestTenant, PolicyId, Timestamp) {
    let world = world().await;
    let house = world.tenant("house").await;
    let pay = house.active_policy(&spending("PAY", 100)).await;
    let everything = value(
        r#"{"code":"ALL","name":"For every type","rules":[
            {"code":"NAMED","rule_type":"presence","severity":"medium",
             "condition":{"required_fields":["name"]}}]}"#,
    );
    house.active_policy(&everything).await;
    let start = world.governance.clock().now();
    for (key, context) in [
        ("allow", r#"{"decision_type":"payment","fields":{"amount":1,"name":"n"}}"#),
        ("review", r#"{"decision_type":"payment","fields":{"amount":1}}"#),
        ("deny", r#"{"decision_type":"payment","fields":{"amount":101,"name":"n"}}"#),
        (
            "both",
            r#"{"decision_type":"payment","fields":{"amount":101},
                     "metadata":{"actor_id":"ann","correlation_id":"corr-1"}}"#,
        ),
        (
            "other",
            r#"{"decision_type":"other","fields":{"name":"n"},
                      "metadata":{"actor_id":"bob"}}"#,
        ),
    ] {
        house.record(&request(key, value(context))).await.unwrap();
        world.governance.clock().advance(HOUR);
    }
    (world, house, pay, start)
}

/// The idempotency keys of the decisions that a filter names.
async fn found(house: &TestTenant, filter: DecisionFilter) -> String {
    let page = PageRequest::default();
    let found = decision::list(&house.by_key().await, filter, &page).await.unwrap();
    let keys: Vec<_> = found.items.into_iter().map(|record| record.idempotency_key).collect();
    keys.join(" ")
}

#[tokio::test]
async fn decisions_are_found_by_each_of_their_facts() {
    let (_world, house, pay, start) = recorded().await;
    let all = DecisionFilter::default;
    let at = |hours: i64| Some(start.plus_millis(hours * HOUR));
    for (filter, keys) in [
        (all(), "other both deny review allow"),
        (DecisionFilter { decision_type: Some("other".into()), ..all() }, "other"),
        (DecisionFilter { decision_type: Some("Other".into()), ..all() }, ""),
        (DecisionFilter { decision: Some(Verdict::Deny), ..all() }, "both deny"),
        (DecisionFilter { decision: Some(Verdict::Allow), ..all() }, "other allow"),
        (DecisionFilter { decision: Some(Verdict::Alert), ..all() }, ""),
        (DecisionFilter { correlation_id: Some("corr-1".into()), ..all() }, "both"),
        (DecisionFilter { idempotency_key: Some("deny".into()), ..all() }, "deny"),
        (DecisionFilter { policy_id: Some(pay), ..all() }, "both deny review allow"),
        (DecisionFilter { rule_code: Some("LIMIT".into()), ..all() }, "both deny"),
        (DecisionFilter { rule_code: Some("NAMED".into()), ..all() }, "both review"),
        (DecisionFilter { actor_id: Some("ann".into()), ..all() }, "both"),
        (DecisionFilter { recorded_from: at(3), ..all() }, "other both"),
        (DecisionFilter { recorded_to: at(1), ..all() }, "review allow"),
        (DecisionFilter { recorded_from: at(1), recorded_to: at(2), ..all() }, "deny review"),
        (
            DecisionFilter {
                rule_code: Some("NAMED".into()),
                decision: Some(Verdict::Deny),
                policy_id: Some(pay),
                ..all()
            },
            "both",
        ),
    ] {
        assert_eq!(found(&house, filter.clone()).await, keys, "{filter:?}");
    }
}

#[tokio::test]
async fn policies_are_found_by_each_of_their_facts() {
    let (_world, house, ..) = recorded().await;
    house.drafted(&with(&spending("Draft_100", 1), "name", "Déjà vu")).await;
    let all = PolicyFilter::default;
    let of =
        |decision_type: &str| PolicyFilter { decision_type: Some(decision_type.into()), ..all() };
    let with_part = |part: &str| PolicyFilter { q: Some(part.into()), ..all() };
    for (filter, codes) in [
        (all(), "Draft_100 ALL PAY".into()),
        (of("payment"), "Draft_100 ALL PAY".into()),
        (of("other"), "ALL".into()),
        (PolicyFilter { is_active: Some(true), ..all() }, "ALL PAY".into()),
        (PolicyFilter { is_active: Some(false), ..all() }, "Draft_100".into()),
        (with_part("pa"), "PAY".into()),
        (with_part("for EVERY"), "ALL".into()),
        (with_part("DÉJÀ"), "Draft_100".into()),
        (with_part("%"), String::new()),
        (with_part("_"), "Draft_100".into()),
        (with_part("l"), "ALL PAY".into()),
        (PolicyFilter { q: Some("l".into()), ..of("other") }, "ALL".into()),
    ] {
        let page = PageRequest::default();
        let found = policy::list(&house.by_key().await, filter.clone(), &page).await.unwrap();
        let found: Vec<_> = found.items.into_iter().map(|policy| policy.code).collect();
        assert_eq!(found.join(" "), codes, "{filter:?}");
    }
}
