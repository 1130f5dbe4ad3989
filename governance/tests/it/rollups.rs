//! Rollups: the stored aggregates equal a count over the stored decisions.

use std::collections::BTreeMap;

use contract::{evaluation::Verdict, outcome::OutcomeRequest, time::Timestamp};
use governance::{
    deciding::decision,
    insight::rollup::{
        Overview, PeriodTotals, PolicyFigures, PolicyTotals, RollupWorker, Span, overview,
        policy_figures,
    },
};
use receipt::digest::Digest;
use tokio::task::JoinSet;

use crate::{fixtures::NOW, prelude::*};

const HOUR: i64 = 3_600_000;

/// A day that starts at the initial time of the clock.
fn first_day() -> Span {
    let start: Timestamp = NOW.parse().unwrap();
    Span::new(start, start.plus_millis(23 * HOUR))
}

async fn overview_of_first_day(tenant: &TestTenant) -> Overview {
    overview(&tenant.key_cx().await, first_day(), None).await.unwrap()
}

async fn record_outcome(tenant: &TestTenant, id: &str, status: &str) {
    let outcome = body::<OutcomeRequest>(&object([("status", status.into())]));
    let cx = tenant.key_cx().await;
    decision::outcome::record(&cx, id.parse().unwrap(), outcome).await.unwrap();
}

/// Records twelve payments over three hours under two policies. The second policy is in shadow
/// mode, and its rule `GOLD` is never applicable.
async fn record_payments(env: &TestEnv, tenant: &TestTenant) -> PolicyId {
    let pay = tenant.active_policy(&spending("PAY", 100)).await;
    let shadow = value(
        r#"{"code":"SHADOW","name":"Shadow policy","shadow_mode":true,"rules":[
            {"code":"NAMED","rule_type":"presence","severity":"medium",
             "condition":{"required_fields":["name"]}},
            {"code":"GOLD","rule_type":"presence","severity":"low",
             "condition":{"required_fields":["purity"]},"when":{"field":"metal","exists":true}}]}"#,
    );
    tenant.active_policy(&shadow).await;
    for number in 0..12_u32 {
        let context = payment(if number % 3 == 0 { 200 } else { 1 });
        tenant.record(&request(&format!("k{number}"), context)).await.unwrap();
        env.governance.clock().advance(HOUR / 4);
    }
    pay
}

/// Counts the stored decisions by hour, verdict and shadow mode.
const DECISIONS_COUNTED: &str = "select concat_ws(' ', hour, decision, is_shadow, count(*)) \
     from (select date_trunc('hour', recorded_at) as hour, decision, \
         coalesce((decision_text(texts, 1)::jsonb #>> '{result,is_shadow}')::boolean, false) as is_shadow \
         from decisions) d \
     group by hour, decision, is_shadow order by hour, decision, is_shadow";

const DECISIONS_IN_ROLLUP: &str = "select concat_ws(' ', hour, decision, is_shadow, decisions) from decision_hours \
     order by hour, decision, is_shadow";

/// Counts the evaluated policies by policy and hour.
const POLICIES_COUNTED: &str = "select concat_ws(' ', policy ->> 'policy_id', hour, \
         policy ->> 'version', decision, (policy ->> 'shadow_mode')::boolean, count(*)) \
     from (select date_trunc('hour', recorded_at) as hour, decision, policy \
         from decisions, jsonb_array_elements(decision_text(texts, 1)::jsonb -> 'evaluated_policies') policy) d \
     group by policy ->> 'policy_id', hour, policy ->> 'version', decision, \
         policy ->> 'shadow_mode' order by 1";

const POLICIES_IN_ROLLUP: &str = "select concat_ws(' ', policy_id, hour, version, decision, \
     is_shadow, decisions) from policy_hours order by 1";

/// Counts by hour and rule: evaluated, violated, not applicable, with an outcome, overridden.
const RULES_COUNTED: &str = "select concat_ws(' ', hour, policy, rule, \
         count(*) filter (where not na), count(*) filter (where violated), \
         count(*) filter (where na), count(status) filter (where violated), \
         count(*) filter (where violated and status = 'overridden')) \
     from (select date_trunc('hour', d.recorded_at) as hour, policy ->> 'policy_id' as policy, \
         rule ->> 'code' as rule, status, \
         exists (select from jsonb_array_elements(decision_text(d.texts, 1)::jsonb #> '{result,na_rules}') n \
             where n ->> 'rule_code' = rule ->> 'code' \
                 and n ->> 'policy_id' = policy ->> 'policy_id') as na, \
         exists (select from jsonb_array_elements(decision_text(d.texts, 1)::jsonb #> '{result,violations}') n \
             where n ->> 'rule_code' = rule ->> 'code' \
                 and n ->> 'policy_id' = policy ->> 'policy_id') as violated \
         from decisions d left join outcomes o on o.decision_id = d.id, \
         jsonb_array_elements(decision_text(d.texts, 1)::jsonb -> 'evaluated_policies') policy, \
         jsonb_array_elements(policy -> 'rules') rule) results \
     group by hour, policy, rule order by 1";

const RULES_IN_ROLLUP: &str = "select concat_ws(' ', hour, policy_id, rule_code, evaluated, \
     violated, na, outcomes, overridden) from rule_hours order by 1";

async fn assert_rollup_matches_decisions(env: &TestEnv) {
    env.decompress_decisions().await;
    for (counted, rollup) in [
        (DECISIONS_COUNTED, DECISIONS_IN_ROLLUP),
        (POLICIES_COUNTED, POLICIES_IN_ROLLUP),
        (RULES_COUNTED, RULES_IN_ROLLUP),
    ] {
        let expected = env.texts(counted).await;
        assert!(!expected.is_empty());
        assert_eq!(env.texts(rollup).await, expected);
    }
    let measured = env.count("select coalesce(sum(decisions), 0) from latency_hours").await;
    assert_eq!(measured, env.count("select count(*) from decisions").await);
}

#[testkit::test]
async fn rollups_equal_a_count_over_the_stored_decisions(env: TestEnv) {
    let (tenant, other) = (env.tenant("acme").await, env.tenant("other").await);
    record_payments(&env, &tenant).await;
    let ids = env.texts("select id::text from decisions order by sequence").await;
    record_outcome(&tenant, &ids[0], "overridden").await;
    let mut worker = RollupWorker::default();
    assert_eq!(worker.run_once(&env.governance).await.unwrap(), 0);
    assert_rollup_matches_decisions(&env).await;

    // A later outcome counts in the hour of its decision. A new decision counts in its own hour.
    record_outcome(&tenant, &ids[3], "accepted").await;
    record_outcome(&tenant, &ids[6], "overridden").await;
    record_outcome(&tenant, &ids[1], "overridden").await;
    tenant.record(&request("late", payment(300))).await.unwrap();
    other.active_policy(&spending("PAY", 100)).await;
    other.record(&request("of another tenant", payment(1))).await.unwrap();
    worker.run_once(&env.governance).await.unwrap();
    assert_rollup_matches_decisions(&env).await;
}

#[tokio::test]
async fn concurrent_and_repeated_rollups_count_each_decision_once() {
    let (env, tenant) = test_tenant().await;
    record_payments(&env, &tenant).await;
    let events_before = count_audit_events(&env).await;
    let mut tasks = JoinSet::new();
    for seed in 2..6 {
        let process = env.another_process(seed).await;
        tasks.spawn(async move { RollupWorker::default().run_once(&process).await.unwrap() });
    }
    tasks.join_all().await;
    assert_rollup_matches_decisions(&env).await;
    let before_repeat = env.table_digests().await;
    RollupWorker::default().run_once(&env.governance).await.unwrap();
    overview_of_first_day(&tenant).await;
    assert_eq!(env.table_digests().await, before_repeat, "a repeated rollup changes nothing");
    assert_eq!(count_audit_events(&env).await, events_before, "a rollup writes no audit event");
}

async fn count_audit_events(env: &TestEnv) -> usize {
    env.count("select count(*) from audit_events").await
}

#[tokio::test]
async fn overview_has_the_totals_of_the_span_and_of_the_one_before_without_shadow_mode() {
    let (env, tenant) = test_tenant().await;
    record_payments(&env, &tenant).await;
    let report = overview_of_first_day(&tenant).await;
    let denied = |totals: PeriodTotals| (totals.decisions, totals.denied, totals.p95.is_some());
    assert_eq!(denied(report.period), (12, 4, true));
    assert_eq!(report.previous_period, PeriodTotals::default());
    let day = first_day();
    let next = Span::new(day.to, day.to.plus_millis(day.to.millis() - day.from.millis()));
    let report = overview(&tenant.key_cx().await, next, None).await.unwrap();
    assert_eq!(report.period, PeriodTotals::default());
    assert_eq!(denied(report.previous_period), (12, 4, true));
    assert!(report.verdicts.is_empty() && report.latency.is_empty());
}

#[tokio::test]
async fn totals_of_a_policy_cover_the_last_thirty_days() {
    let (env, tenant) = test_tenant().await;
    let pay = record_payments(&env, &tenant).await;
    RollupWorker::default().run_once(&env.governance).await.unwrap();
    let cx = tenant.key_cx().await;
    let (counts, figures) = policy_figures(&cx, [pay]).await.unwrap();
    assert_eq!((counts.policies, counts.active, counts.open), (2, 2, 0));
    let PolicyFigures { active_since, last_change, totals } = figures[&pay].clone();
    assert_eq!((totals.decisions, totals.denied), (12, 4));
    assert_eq!(totals.buckets, [0, 0, 0, 0, 0, 0, 0, 0, 0, 12]);
    assert_eq!(
        last_change.map(|change| change.at),
        active_since,
        "the activation is the last change"
    );
    env.governance.clock().advance(31 * 24 * HOUR);
    let (_, figures) = policy_figures(&tenant.key_cx().await, [pay]).await.unwrap();
    assert_eq!(figures[&pay].totals, PolicyTotals::default());
}

#[tokio::test]
async fn overview_includes_decisions_since_the_last_rollup() {
    let (env, tenant) = test_tenant().await;
    assert!(overview_of_first_day(&tenant).await.is_new);
    let pay = record_payments(&env, &tenant).await;
    let ids = env.texts("select id::text from decisions order by sequence").await;
    for (id, status) in [(0, "overridden"), (3, "accepted"), (6, "overridden")] {
        record_outcome(&tenant, &ids[id], status).await;
    }
    let report = overview_of_first_day(&tenant).await;
    assert!(!report.is_new && !report.is_behind);
    let mut verdicts = BTreeMap::new();
    for count in &report.verdicts {
        *verdicts.entry((count.verdict, count.is_shadow)).or_default() += count.decisions;
    }
    assert_eq!(verdicts[&(Verdict::Deny, false)], 4);
    assert_eq!(verdicts.values().sum::<i64>(), 12);
    assert_eq!(report.latency.iter().map(|bucket| bucket.decisions).sum::<i64>(), 12);

    let codes = |rules: &[governance::insight::rollup::RuleCounts]| -> Vec<String> {
        rules.iter().map(|rule| rule.rule_code.clone()).collect()
    };
    assert_eq!(codes(&report.violated), ["NAMED", "LIMIT"]);
    assert_eq!(codes(&report.never_applied), ["GOLD"]);
    let limit = &report.violated[1];
    assert_eq!((limit.policy_id, limit.version, limit.is_shadow), (pay, 1, false));
    assert_eq!((limit.evaluated, limit.violated, limit.na), (12, 4, 0));
    assert_eq!((limit.outcomes, limit.overridden), (3, 2));
    let totals = report.totals;
    assert_eq!((totals.violations, totals.outcomes), (16, 6));
    assert_eq!(report.current_totals.shadow_policies, 1);
    assert_eq!(report.policies.len(), 2);
    assert!(report.new_alerts.is_some());
}

#[tokio::test]
async fn overview_of_one_policy_counts_the_decisions_that_evaluated_it() {
    let (env, tenant) = test_tenant().await;
    let pay = record_payments(&env, &tenant).await;
    let cx = tenant.key_cx().await;
    let report = overview(&cx, first_day(), Some(pay)).await.unwrap();
    assert_eq!((report.period.decisions, report.period.denied, report.period.p95), (12, 4, None));
    assert!(report.latency.is_empty(), "evaluation times belong to decisions");
    assert!(report.verdicts.iter().all(|count| !count.is_shadow));
    let codes: Vec<_> = report.violated.iter().map(|rule| &*rule.rule_code).collect();
    assert_eq!((codes, report.totals.violations), (vec!["LIMIT"], 4));
    assert!(report.never_applied.is_empty());

    let (shadow, _) = report.policies.iter().find(|(id, _)| *id != pay).unwrap();
    let report = overview(&cx, first_day(), Some(*shadow)).await.unwrap();
    assert_eq!(report.period.decisions, 0, "shadow mode is not counted");
    assert_eq!(report.verdicts.iter().map(|count| count.decisions).sum::<i64>(), 12);
    assert_eq!(report.never_applied[0].rule_code, "GOLD");
}

#[testkit::test]
async fn overview_contains_only_its_time_span_and_tenant(env: TestEnv) {
    let (tenant, other) = (env.tenant("acme").await, env.tenant("other").await);
    record_payments(&env, &tenant).await;
    let cx = tenant.key_cx().await;
    let start: Timestamp = NOW.parse().unwrap();
    let second_hour = Span::new(start.plus_millis(HOUR / 2), start.plus_millis(HOUR));
    let report = overview(&cx, second_hour, None).await.unwrap();
    // The clock starts at half past nine, so the third decision is the first one of the next hour.
    assert_eq!(report.verdicts.iter().map(|count| count.decisions).sum::<i64>(), 4);
    assert!(report.verdicts.iter().all(|count| count.bucket.from > start));
    let other_report = overview_of_first_day(&other).await;
    assert!(
        other_report.is_new && other_report.verdicts.is_empty() && other_report.violated.is_empty()
    );
    let unauthorized = other.cx_with_key(&other.create_key(&[Scope::PoliciesRead]).await).await;
    assert_eq!(
        result_summary(&overview(&unauthorized, first_day(), None).await),
        "403 INSUFFICIENT_SCOPE"
    );
}

#[tokio::test]
async fn records_larger_than_one_batch_are_counted_in_several_batches() {
    let (env, tenant) = test_tenant_with_policy().await;
    // Texts that cannot be compressed below half of their size.
    let filler = |number: u32| {
        (0..900).map(move |part| Digest::compute(format!("{number} {part}").as_bytes()).to_string())
    };
    for number in 0..20_u32 {
        let fields: Vec<_> = (0..15)
            .map(|field| {
                format!("\"f{field}\":\"{}\"", filler(number * 15 + field).collect::<String>())
            })
            .collect();
        let context = format!(
            r#"{{"decision_type":"payment","fields":{{"amount":1,{}}}}}"#,
            fields.join(",")
        );
        tenant.record(&request(&format!("k{number}"), value(&context))).await.unwrap();
    }
    let mut worker = RollupWorker::default();
    let mut rounds = 1;
    while worker.run_once(&env.governance).await.unwrap() > 0 {
        rounds += 1;
    }
    assert_eq!(rounds, 2, "the compressed texts are more than one batch and less than two");
    assert_rollup_matches_decisions(&env).await;
}
