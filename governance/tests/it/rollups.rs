//! The counts behind the charts say what a plain count over the log says.

use std::collections::BTreeMap;

use contract::{
    evaluation::Verdict, id::PolicyId, outcome::OutcomeRequest, scope::Scope, time::Timestamp,
};
use governance::{
    deciding::decision,
    insight::rollup::{Overview, RollupWorker, Span, overview},
};
use tokio::task::JoinSet;

use crate::fixtures::{
    NOW, TestEnv, TestTenant, body, object, payment, request, said, spending, value, world,
};

const HOUR: i64 = 3_600_000;

/// From the first clock on, long enough for every test.
fn day() -> Span {
    let start: Timestamp = NOW.parse().unwrap();
    Span::of(start, start.plus_millis(23 * HOUR))
}

async fn read(house: &TestTenant) -> Overview {
    overview(&house.by_key().await, day()).await.unwrap()
}

async fn tell(house: &TestTenant, id: &str, status: &str) {
    let told = body::<OutcomeRequest>(&object([("status", status.into())]));
    let cx = house.by_key().await;
    decision::outcome::record(&cx, id.parse().unwrap(), told).await.unwrap();
}

/// An hour of payments after another, under two policies: the second only watches, and its rule for
/// gold applies to nothing.
async fn payments(world: &TestEnv, house: &TestTenant) -> PolicyId {
    let pay = house.active_policy(&spending("PAY", 100)).await;
    let watching = value(
        r#"{"code":"WATCH","name":"Only watching","shadow_mode":true,"rules":[
            {"code":"NAMED","rule_type":"presence","severity":"medium",
             "condition":{"required_fields":["name"]}},
            {"code":"GOLD","rule_type":"presence","severity":"low",
             "condition":{"required_fields":["purity"]},"when":{"field":"metal","exists":true}}]}"#,
    );
    house.active_policy(&watching).await;
    for number in 0..12_u32 {
        let context = payment(if number % 3 == 0 { 200 } else { 1 });
        house.record(&request(&format!("k{number}"), context)).await.unwrap();
        world.governance.clock().advance(HOUR / 4);
    }
    pay
}

/// What the log says, counted row by row: by the hour, verdict and shadow.
const DECISIONS_OF_THE_LOG: &str = "select concat_ws(' ', hour, decision, is_shadow, count(*)) \
     from (select date_trunc('hour', recorded_at) as hour, decision, \
         coalesce((record::jsonb #>> '{result,is_shadow}')::boolean, false) as is_shadow \
         from decisions) d \
     group by hour, decision, is_shadow order by hour, decision, is_shadow";

const DECISIONS_OF_THE_COUNTS: &str = "select concat_ws(' ', hour, decision, is_shadow, decisions) from decision_hours \
     order by hour, decision, is_shadow";

/// By the policy and the hour.
const POLICIES_OF_THE_LOG: &str = "select concat_ws(' ', policy ->> 'policy_id', hour, \
         policy ->> 'version', decision, (policy ->> 'shadow_mode')::boolean, count(*)) \
     from (select date_trunc('hour', recorded_at) as hour, decision, policy \
         from decisions, jsonb_array_elements(record::jsonb -> 'evaluated_policies') policy) d \
     group by policy ->> 'policy_id', hour, policy ->> 'version', decision, \
         policy ->> 'shadow_mode' order by 1";

const POLICIES_OF_THE_COUNTS: &str = "select concat_ws(' ', policy_id, hour, version, decision, \
     is_shadow, decisions) from policy_hours order by 1";

/// By the hour and the rule: evaluated, violated, not applicable, with an outcome, overridden.
const RULES_OF_THE_LOG: &str = "select concat_ws(' ', hour, policy, rule, \
         count(*) filter (where not na), count(*) filter (where violated), \
         count(*) filter (where na), count(status) filter (where violated), \
         count(*) filter (where violated and status = 'overridden')) \
     from (select date_trunc('hour', d.recorded_at) as hour, policy ->> 'policy_id' as policy, \
         rule ->> 'code' as rule, status, \
         exists (select from jsonb_array_elements(d.record::jsonb #> '{result,na_rules}') n \
             where n ->> 'rule_code' = rule ->> 'code' \
                 and n ->> 'policy_id' = policy ->> 'policy_id') as na, \
         exists (select from jsonb_array_elements(d.record::jsonb #> '{result,violations}') n \
             where n ->> 'rule_code' = rule ->> 'code' \
                 and n ->> 'policy_id' = policy ->> 'policy_id') as violated \
         from decisions d left join outcomes o on o.decision_id = d.id, \
         jsonb_array_elements(d.record::jsonb -> 'evaluated_policies') policy, \
         jsonb_array_elements(policy -> 'rules') rule) fared \
     group by hour, policy, rule order by 1";

const RULES_OF_THE_COUNTS: &str = "select concat_ws(' ', hour, policy_id, rule_code, evaluated, \
     violated, na, outcomes, overridden) from rule_hours order by 1";

async fn assert_the_counts_are_those_of_the_log(world: &TestEnv) {
    for (log, counts) in [
        (DECISIONS_OF_THE_LOG, DECISIONS_OF_THE_COUNTS),
        (POLICIES_OF_THE_LOG, POLICIES_OF_THE_COUNTS),
        (RULES_OF_THE_LOG, RULES_OF_THE_COUNTS),
    ] {
        let expected = world.texts(log).await;
        assert!(!expected.is_empty());
        assert_eq!(world.texts(counts).await, expected);
    }
    let timed = world.count("select coalesce(sum(decisions), 0) from latency_hours").await;
    assert_eq!(timed, world.count("select count(*) from decisions").await);
}

#[tokio::test]
async fn counts_equal_a_plain_count_over_the_log() {
    let world = world().await;
    let (house, other) = (world.tenant("house").await, world.tenant("other").await);
    payments(&world, &house).await;
    let ids = world.texts("select id::text from decisions order by sequence").await;
    tell(&house, &ids[0], "overridden").await;
    let mut worker = RollupWorker::default();
    assert_eq!(worker.fold(&world.governance).await.unwrap(), 0);
    assert_the_counts_are_those_of_the_log(&world).await;

    // Outcomes that come later count in the hour of their decision, new decisions in theirs.
    tell(&house, &ids[3], "accepted").await;
    tell(&house, &ids[6], "overridden").await;
    tell(&house, &ids[1], "overridden").await;
    house.record(&request("late", payment(300))).await.unwrap();
    other.active_policy(&spending("PAY", 100)).await;
    other.record(&request("of another tenant", payment(1))).await.unwrap();
    worker.fold(&world.governance).await.unwrap();
    assert_the_counts_are_those_of_the_log(&world).await;
}

#[tokio::test]
async fn nothing_is_counted_twice_however_often_and_by_whomever() {
    let world = world().await;
    let house = world.tenant("house").await;
    payments(&world, &house).await;
    let before = log_size(&world).await;
    let mut folds = JoinSet::new();
    for seed in 2..6 {
        let process = world.another_process(seed).await;
        folds.spawn(async move { RollupWorker::default().fold(&process).await.unwrap() });
    }
    folds.join_all().await;
    assert_the_counts_are_those_of_the_log(&world).await;
    let counted = world.table_digests().await;
    RollupWorker::default().fold(&world.governance).await.unwrap();
    read(&house).await;
    assert_eq!(world.table_digests().await, counted, "what is counted stays as it is");
    assert_eq!(log_size(&world).await, before, "counting is no act of anybody");
}

async fn log_size(world: &TestEnv) -> usize {
    world.count("select count(*) from audit_events").await
}

#[tokio::test]
async fn an_overview_counts_first_what_came_since() {
    let world = world().await;
    let house = world.tenant("house").await;
    assert!(read(&house).await.is_new);
    let pay = payments(&world, &house).await;
    let ids = world.texts("select id::text from decisions order by sequence").await;
    for (id, status) in [(0, "overridden"), (3, "accepted"), (6, "overridden")] {
        tell(&house, &ids[id], status).await;
    }
    let shown = read(&house).await;
    assert!(!shown.is_new && !shown.is_behind);
    let mut verdicts = BTreeMap::new();
    for count in &shown.verdicts {
        *verdicts.entry((count.verdict, count.is_shadow)).or_default() += count.decisions;
    }
    assert_eq!(verdicts[&(Verdict::Deny, false)], 4);
    assert_eq!(verdicts.values().sum::<i64>(), 12);
    assert_eq!(shown.latency.iter().map(|bucket| bucket.decisions).sum::<i64>(), 12);

    let codes = |rules: &[governance::insight::rollup::RuleCounts]| -> Vec<String> {
        rules.iter().map(|rule| rule.rule_code.clone()).collect()
    };
    assert_eq!(codes(&shown.violated), ["NAMED", "LIMIT"]);
    assert_eq!(codes(&shown.never_applied), ["GOLD"]);
    let limit = &shown.violated[1];
    assert_eq!((limit.policy_id, limit.version, limit.is_shadow), (pay, 1, false));
    assert_eq!((limit.evaluated, limit.violated, limit.na), (12, 4, 0));
    assert_eq!((limit.outcomes, limit.overridden), (3, 2));
    assert_eq!(shown.totals, (16, 6));
    assert_eq!((shown.standing.waiting_versions, shown.standing.shadow_policies), (0, 1));
}

#[tokio::test]
async fn an_overview_is_of_its_span_and_its_tenant() {
    let world = world().await;
    let (house, other) = (world.tenant("house").await, world.tenant("other").await);
    payments(&world, &house).await;
    let cx = house.by_key().await;
    let start: Timestamp = NOW.parse().unwrap();
    let second_hour = Span::of(start.plus_millis(HOUR / 2), start.plus_millis(HOUR));
    let shown = overview(&cx, second_hour).await.unwrap();
    // The clock starts at half past: the third decision is the first of the next hour.
    assert_eq!(shown.verdicts.iter().map(|count| count.decisions).sum::<i64>(), 4);
    assert!(shown.verdicts.iter().all(|count| count.bucket.from > start));
    let unseen = read(&other).await;
    assert!(unseen.is_new && unseen.verdicts.is_empty() && unseen.violated.is_empty());
    let blind = other.with_key(&other.key_with(&[Scope::PoliciesRead]).await).await;
    assert_eq!(said(&overview(&blind, day()).await), "403 INSUFFICIENT_SCOPE");
}

#[tokio::test]
async fn records_too_long_for_one_batch_are_counted_in_several() {
    let world = world().await;
    let house = world.tenant("house").await;
    house.active_policy(&spending("PAY", 100)).await;
    let filler = "x".repeat(60_000);
    let fields: Vec<_> = (0..15).map(|number| format!("\"f{number}\":\"{filler}\"")).collect();
    let context =
        format!(r#"{{"decision_type":"payment","fields":{{"amount":1,{}}}}}"#, fields.join(","));
    for number in 0..20_u32 {
        house.record(&request(&format!("k{number}"), value(&context))).await.unwrap();
    }
    let mut worker = RollupWorker::default();
    let mut rounds = 1;
    while worker.fold(&world.governance).await.unwrap() > 0 {
        rounds += 1;
    }
    assert_eq!(rounds, 2, "18 MB of records are more than one batch and less than two");
    assert_the_counts_are_those_of_the_log(&world).await;
}
