//! The demo fills a tenant, and goes on where it was cut off.

use governance::{
    authoring::policy::version,
    demo::{self, SAMPLES},
};

use crate::{
    connection_loss,
    fixtures::{TestEnv, TestTenant, list, said, spending, value, world},
    log,
};

/// What a filled tenant holds, without ids and times.
async fn contents(world: &TestEnv, house: &TestTenant) -> Vec<String> {
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
        contents.extend(world.texts(rows).await);
    }
    log::intact(world, house.tenant).await;
    contents
}

const NONE: [&String; 0] = [];

/// The lines that only one of two states has.
fn differences<'l>(one: &'l [String], other: &'l [String]) -> Vec<&'l String> {
    let missing = |from: &'l [String], lines: &'l [String]| {
        lines.iter().filter(|line| !from.contains(line)).collect::<Vec<_>>()
    };
    [missing(one, other), missing(other, one)].concat()
}

async fn fill(house: &TestTenant) -> governance::Result<()> {
    Box::pin(demo::fill(&house.governance, house.tenant, &house.key)).await
}

/// A tenant as the start of the service makes it.
async fn bootstrapped() -> (TestEnv, TestTenant) {
    let world = world().await;
    let house = world.tenant("demo").await;
    (world, house)
}

/// What an undisturbed demo leaves, and its acts by the numbers of their events.
async fn undisturbed() -> (Vec<String>, Vec<(u32, String)>) {
    let (world, house) = bootstrapped().await;
    let before = log::intact(&world, house.tenant).await.len();
    fill(&house).await.unwrap();
    let acts = log::intact(&world, house.tenant).await.into_iter().skip(before);
    let acts = acts.map(|entry| (entry.seq, entry.action)).collect();
    (contents(&world, &house).await, acts)
}

#[tokio::test]
async fn the_demo_records_every_worked_context_and_leaves_a_version_to_ratify() {
    let (world, house) = bootstrapped().await;
    fill(&house).await.unwrap();
    let cases: usize = SAMPLES.iter().map(|file| list(&value(file), "contexts").len()).sum();
    assert_eq!(world.count("select count(*) from decisions").await, cases);
    let codes = "select code from policies where active_version = 1 order by code";
    assert_eq!(world.texts(codes).await.len(), 3);
    let open = "select code || ' ' || version from policy_versions v join policies p \
                on p.id = v.policy_id where status = 'submitted'";
    assert_eq!(world.texts(open).await, ["PUBLIC-PROCUREMENT 2"]);
    // The admin, who did not write it, can ratify it.
    let id = world.texts("select id::text from policies where draft_version = 2").await.concat();
    let id = id.parse().unwrap();
    let waiting = version::read(&house.by_admin().await, id, 2).await.unwrap();
    let read = crate::fixtures::ratification(waiting.draft_revision);
    version::ratify(&house.by_admin().await, id, 2, read).await.unwrap();
}

#[tokio::test]
async fn filling_twice_is_filling_once() {
    let (world, house) = bootstrapped().await;
    fill(&house).await.unwrap();
    let once = world.table_digests().await;
    fill(&house).await.unwrap();
    assert_eq!(world.table_digests().await, once);
    // What people did since then stays as they left it.
    let id = world.texts("select id::text from policies where draft_version = 2").await.concat();
    let author = world.texts("select submitted_by from policy_versions where version = 2").await;
    let author = house.by(author.concat().parse().unwrap()).await;
    version::recall(&author, id.parse().unwrap(), 2).await.unwrap();
    let recalled = world.table_digests().await;
    fill(&house).await.unwrap();
    assert_eq!(world.table_digests().await, recalled);
}

#[tokio::test]
async fn a_filled_tenant_stays_filled_however_many_policies_it_has() {
    let (world, house) = bootstrapped().await;
    fill(&house).await.unwrap();
    for number in 0..60 {
        house.drafted(&spending(&format!("MORE-{number}"), 1)).await;
    }
    let before = world.table_digests().await;
    fill(&house).await.unwrap();
    assert_eq!(world.table_digests().await, before);
}

#[tokio::test]
async fn a_demo_that_is_dropped_again_and_again_ends_complete() {
    let (whole, _) = undisturbed().await;
    let (world, house) = bootstrapped().await;
    let mut drops = 0;
    let mut polls = 1;
    while connection_loss::after(polls, fill(&house)).await.is_none() {
        drops += 1;
        polls += polls / 2 + 1;
    }
    assert!(drops > 8, "it was dropped {drops} times");
    assert_eq!(differences(&contents(&world, &house).await, &whole), NONE);
}

#[tokio::test]
async fn a_demo_that_stops_before_any_act_ends_complete_when_it_is_called_again() {
    let (whole, acts) = undisturbed().await;
    let (world, house) = bootstrapped().await;
    let mut stops = 0;
    for (seq, action) in acts {
        // The records are all alike: a few are enough.
        if action == "decision.record" && seq % 67 != 0 {
            continue;
        }
        // Every act writes one event: without it there is no act.
        let stop =
            format!("alter table audit_events add constraint stop check (seq < {seq}) not valid");
        world.execute_as_superuser(&stop).await;
        assert_eq!(said(&fill(&house).await), "500 INTERNAL_ERROR", "before {seq} {action}");
        world.execute_as_superuser("alter table audit_events drop constraint stop").await;
        stops += 1;
    }
    assert!(stops > 12, "it stopped {stops} times");
    fill(&house).await.unwrap();
    assert_eq!(differences(&contents(&world, &house).await, &whole), NONE);
}
