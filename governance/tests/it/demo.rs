//! Demo data: filling a tenant is idempotent and resumes after an interruption.

use governance::{
    authoring::policy::version,
    demo::{self, SAMPLES},
};

use crate::{connection_loss, log, prelude::*};

/// Returns the content of a tenant, without IDs and times.
async fn contents(env: &TestEnv, tenant: &TestTenant) -> Vec<String> {
    let mut contents = Vec::new();
    for rows in [
        "select code || ' ' || latest_version || ' active ' || coalesce(active_version, 0) \
         || ' open ' || coalesce(draft_version, 0) from policies order by 1",
        "select p.code || ' ' || v.version || ' ' || v.status || ' ' || v.draft_revision || ' ' \
         || v.is_active || ' ' || v.rules_digest || ' ' || cardinality(v.makers) \
         from policy_versions v join policies p on p.id = v.policy_id order by 1",
        "select idempotency_key || ' ' || decision || ' ' || rule_codes::text \
         from decisions order by 1",
        "select role from members order by 1",
        "select action || ' ' || count(*) from audit_events group by action order by 1",
    ] {
        contents.extend(env.texts(rows).await);
    }
    log::verified_entries(env, tenant.tenant).await;
    contents
}

const NO_LINES: [&String; 0] = [];

/// Returns the lines that only one of two states has.
fn differences<'l>(one: &'l [String], other: &'l [String]) -> Vec<&'l String> {
    let missing = |from: &'l [String], lines: &'l [String]| {
        lines.iter().filter(|line| !from.contains(line)).collect::<Vec<_>>()
    };
    [missing(one, other), missing(other, one)].concat()
}

async fn fill(tenant: &TestTenant) -> governance::Result<()> {
    Box::pin(demo::fill(&tenant.governance, tenant.tenant, &tenant.key)).await
}

async fn demo_tenant() -> (TestEnv, TestTenant) {
    let env = test_env().await;
    let tenant = env.tenant("demo").await;
    (env, tenant)
}

/// Fills a tenant without an interruption. Returns its content, and the actions by event number.
async fn fill_without_interruption() -> (Vec<String>, Vec<(u32, String)>) {
    let (env, tenant) = demo_tenant().await;
    let before = log::verified_entries(&env, tenant.tenant).await.len();
    fill(&tenant).await.unwrap();
    let actions = log::verified_entries(&env, tenant.tenant).await.into_iter().skip(before);
    let actions = actions.map(|entry| (entry.seq, entry.action)).collect();
    (contents(&env, &tenant).await, actions)
}

#[tokio::test]
async fn the_demo_records_every_sample_context_and_leaves_a_submitted_version() {
    let (env, tenant) = demo_tenant().await;
    fill(&tenant).await.unwrap();
    let cases: usize = SAMPLES.iter().map(|file| list(&value(file), "contexts").len()).sum();
    assert_eq!(env.count("select count(*) from decisions").await, cases);
    let codes = "select code from policies where active_version = 1 order by code";
    assert_eq!(env.texts(codes).await.len(), 3);
    let open = "select code || ' ' || version from policy_versions v join policies p \
                on p.id = v.policy_id where status = 'submitted'";
    assert_eq!(env.texts(open).await, ["PUBLIC-PROCUREMENT 2"]);
    // The admin is not a maker of the version and can ratify it.
    let id = env.texts("select id::text from policies where draft_version = 2").await.concat();
    let id = id.parse().unwrap();
    let submitted = version::read(&tenant.admin_cx().await, id, 2).await.unwrap();
    let ratification = crate::fixtures::ratification(submitted.draft_revision);
    version::ratify(&tenant.admin_cx().await, id, 2, ratification).await.unwrap();
}

#[tokio::test]
async fn filling_a_tenant_twice_changes_nothing() {
    let (env, tenant) = demo_tenant().await;
    fill(&tenant).await.unwrap();
    let filled = env.table_digests().await;
    fill(&tenant).await.unwrap();
    assert_eq!(env.table_digests().await, filled);
    // Later changes of users are preserved.
    let id = env.texts("select id::text from policies where draft_version = 2").await.concat();
    let author = env.texts("select submitted_by from policy_versions where version = 2").await;
    let author = tenant.user_cx(author.concat().parse().unwrap()).await;
    version::recall(&author, id.parse().unwrap(), 2).await.unwrap();
    let before = env.table_digests().await;
    fill(&tenant).await.unwrap();
    assert_eq!(env.table_digests().await, before);
}

#[tokio::test]
async fn filling_a_tenant_with_many_policies_again_changes_nothing() {
    let (env, tenant) = demo_tenant().await;
    fill(&tenant).await.unwrap();
    for number in 0..60 {
        tenant.create_policy(&spending(&format!("MORE-{number}"), 1)).await;
    }
    let before = env.table_digests().await;
    fill(&tenant).await.unwrap();
    assert_eq!(env.table_digests().await, before);
}

#[tokio::test]
async fn a_repeatedly_dropped_demo_completes() {
    let (expected, _) = fill_without_interruption().await;
    let (env, tenant) = demo_tenant().await;
    let mut drops = 0;
    let mut polls = 1;
    while connection_loss::cancel_after_polls(polls, fill(&tenant)).await.is_none() {
        drops += 1;
        polls += polls / 2 + 1;
    }
    assert!(drops > 8, "the demo was dropped {drops} times");
    assert_eq!(differences(&contents(&env, &tenant).await, &expected), NO_LINES);
}

#[tokio::test]
async fn a_demo_that_fails_before_an_action_completes_when_repeated() {
    let (expected, actions) = fill_without_interruption().await;
    let (env, tenant) = demo_tenant().await;
    let mut stops = 0;
    for (seq, action) in actions {
        // The records are similar, so a few of them are enough.
        if action == "decision.record" && seq % 67 != 0 {
            continue;
        }
        // Each action writes one event, so the constraint makes the action fail.
        let stop =
            format!("alter table audit_events add constraint stop check (seq < {seq}) not valid");
        env.execute_as_superuser(&stop).await;
        assert_eq!(
            result_summary(&fill(&tenant).await),
            "500 INTERNAL_ERROR",
            "before {seq} {action}"
        );
        env.execute_as_superuser("alter table audit_events drop constraint stop").await;
        stops += 1;
    }
    assert!(stops > 12, "the demo stopped {stops} times");
    fill(&tenant).await.unwrap();
    assert_eq!(differences(&contents(&env, &tenant).await, &expected), NO_LINES);
}
