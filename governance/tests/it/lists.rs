//! Lists return exactly the items that match their filters.

use contract::{
    decision::{DecisionFilter, OutcomeFilter},
    policy::PolicyFilter,
    rule::Severity,
    time::Timestamp,
};
use governance::{PageRequest, authoring::policy, deciding::decision};

use crate::prelude::*;

const HOUR_MS: i64 = 3_600_000;

/// Records five decisions, one hour apart, under two policies.
async fn record_decisions() -> (TestEnv, TestTenant, PolicyId, Timestamp) {
    let (env, tenant) = test_tenant().await;
    let pay = tenant.active_policy(&spending("PAY", 100)).await;
    let for_every_type = value(
        r#"{"code":"ALL","name":"For every type","rules":[
            {"code":"NAMED","rule_type":"presence","severity":"medium",
             "condition":{"required_fields":["name"]}}]}"#,
    );
    tenant.active_policy(&for_every_type).await;
    let start = env.governance.clock().now();
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
        tenant.record(&request(key, value(context))).await.unwrap();
        env.governance.clock().advance(HOUR_MS);
    }
    (env, tenant, pay, start)
}

/// Returns the idempotency keys of the decisions that match a filter.
async fn list_keys(tenant: &TestTenant, filter: DecisionFilter) -> String {
    let page = PageRequest::default();
    let decisions = decision::list(&tenant.key_cx().await, filter, &page).await.unwrap();
    let keys: Vec<_> = decisions.items.into_iter().map(|record| record.idempotency_key).collect();
    keys.join(" ")
}

#[tokio::test]
async fn a_version_filter_applies_to_its_policy() {
    let (_env, tenant, pay, _) = record_decisions().await;
    for (version, keys) in [(1, "both deny review allow"), (2, ""), (u32::MAX, "")] {
        let filter = DecisionFilter {
            policy_id: Some(pay),
            version: Some(version),
            ..DecisionFilter::default()
        };
        assert_eq!(list_keys(&tenant, filter).await, keys, "version {version}");
    }
}

/// Adds 20,000 copies of the newest decision. Every thousandth has a severity and was changed by shadow mode, and
/// it expired. The others were accepted.
async fn add_many_decisions(env: &TestEnv) {
    env.decompress_decisions().await;
    env.execute_as_superuser(
        "alter table decisions disable trigger all;
         alter table outcomes disable trigger all;
         insert into decisions (tenant_id, id, sequence, idempotency_key, request_digest,
             decision_type, decision, correlation_id, policy_id, policy_version, snapshot_id,
             policy_ids, rule_codes, severity, shadow_converted, recorded_at, texts, receipt_digest)
         select tenant_id, gen_random_uuid(), sequence + n, 'copy ' || n, request_digest,
             decision_type, decision, correlation_id, policy_id, policy_version, snapshot_id,
             policy_ids, rule_codes, case when n % 1000 = 0 then 'high' end, n % 1000 = 0,
             recorded_at, change_text(texts, 1, '\"idempotency_key\":\"other\"',
                 '\"idempotency_key\":\"' || n || '\"'),
             receipt_digest
         from (select * from decisions order by sequence desc limit 1) d, generate_series(1, 20000) n;
         insert into outcomes (tenant_id, decision_id, sequence, status, recorded_at, record)
         select tenant_id, id, sequence, case when shadow_converted then 'expired' else 'accepted' end,
             recorded_at, '{}' from decisions where idempotency_key like 'copy %';
         analyze decisions, outcomes",
    )
    .await;
}

#[tokio::test]
async fn rare_decisions_are_found_through_an_index() {
    let (env, tenant, pay, _) = record_decisions().await;
    add_many_decisions(&env).await;
    let all = DecisionFilter::default;
    for filter in [
        DecisionFilter { severity: Some(Severity::High), ..all() },
        DecisionFilter { shadow_converted: Some(true), ..all() },
        DecisionFilter { outcome: Some(OutcomeFilter::Expired), ..all() },
        DecisionFilter {
            severity: Some(Severity::High),
            shadow_converted: Some(true),
            outcome: Some(OutcomeFilter::Expired),
            ..all()
        },
    ] {
        let page = PageRequest { limit: 3, cursor: None };
        let found = decision::list(&tenant.key_cx().await, filter.clone(), &page).await.unwrap();
        let keys: Vec<_> = found.items.into_iter().map(|record| record.idempotency_key).collect();
        assert_eq!(keys.join(" "), "20000 19000 18000", "{filter:?}");
        // No copy evaluated this policy.
        let of_policy = DecisionFilter { policy_id: Some(pay), ..filter };
        assert_eq!(list_keys(&tenant, of_policy.clone()).await, "", "{of_policy:?}");
    }
    let none = DecisionFilter { outcome: Some(OutcomeFilter::None), ..all() };
    assert_eq!(list_keys(&tenant, none).await, "other both deny review allow");
    for (from, condition, sequence, index) in [
        ("decisions d", "d.severity = 'high'", "d.sequence", "decisions_by_severity"),
        ("decisions d", "d.shadow_converted", "d.sequence", "decisions_shadow_converted"),
        (
            "decisions d join outcomes o on o.tenant_id = d.tenant_id and o.sequence = d.sequence",
            "o.status = 'expired'",
            "o.sequence",
            "outcomes_by_status",
        ),
    ] {
        let query = format!(
            "select d.texts from {from} where d.tenant_id = '{}' and {condition} \
             and {sequence} < 9000000 order by {sequence} desc limit 51",
            tenant.tenant
        );
        let plan = env.plan(tenant.tenant, &query).await;
        assert!(plan.contains(index), "{condition}\n{plan}");
        assert!(!plan.contains("Seq Scan"), "{condition}\n{plan}");
    }
}

#[tokio::test]
async fn a_list_is_read_in_both_directions() {
    let (_env, tenant, pay, _) = record_decisions().await;
    let cx = tenant.key_cx().await;
    let of_policy = DecisionFilter { policy_id: Some(pay), ..DecisionFilter::default() };
    for (filter, pages) in [
        (DecisionFilter::default(), ["other both", "deny review", "allow"].as_slice()),
        (of_policy, ["both deny", "review allow"].as_slice()),
    ] {
        let read = async |cursor: Option<String>| {
            let page = PageRequest { limit: 2, cursor };
            let window = decision::window(&cx, filter.clone(), &page).await.unwrap();
            let keys = window.items.into_iter().map(|record| record.idempotency_key);
            (keys.collect::<Vec<_>>().join(" "), window.previous, window.next)
        };
        let (mut keys, mut previous, mut next) = read(None).await;
        assert_eq!((keys.as_str(), previous.is_none()), (pages[0], true));
        for expected in &pages[1..] {
            (keys, previous, next) = read(next).await;
            assert_eq!(keys, *expected);
        }
        assert_eq!(next, None, "the last page");
        for expected in pages.iter().rev().skip(1) {
            (keys, previous, _) = read(previous).await;
            assert_eq!(keys, *expected);
        }
        assert_eq!(previous, None, "the first page");
    }
}

#[tokio::test]
async fn each_filter_returns_exactly_its_policies() {
    let (_env, tenant, ..) = record_decisions().await;
    tenant.create_policy(&with(&spending("Draft_100", 1), "name", "Déjà vu")).await;
    let all = PolicyFilter::default;
    let for_type =
        |decision_type: &str| PolicyFilter { decision_type: Some(decision_type.into()), ..all() };
    let containing = |part: &str| PolicyFilter { q: Some(part.into()), ..all() };
    for (filter, codes) in [
        (all(), "Draft_100 ALL PAY".into()),
        (for_type("payment"), "Draft_100 ALL PAY".into()),
        (for_type("other"), "ALL".into()),
        (PolicyFilter { is_active: Some(true), ..all() }, "ALL PAY".into()),
        (PolicyFilter { is_active: Some(false), ..all() }, "Draft_100".into()),
        (containing("pa"), "PAY".into()),
        (containing("for EVERY"), "ALL".into()),
        (containing("DÉJÀ"), "Draft_100".into()),
        (containing("%"), String::new()),
        (containing("_"), "Draft_100".into()),
        (containing("l"), "ALL PAY".into()),
        (PolicyFilter { q: Some("l".into()), ..for_type("other") }, "ALL".into()),
    ] {
        let page = PageRequest::default();
        let policies = policy::list(&tenant.key_cx().await, filter.clone(), &page).await.unwrap();
        let found_codes: Vec<_> = policies.items.into_iter().map(|policy| policy.code).collect();
        assert_eq!(found_codes.join(" "), codes, "{filter:?}");
    }
}
