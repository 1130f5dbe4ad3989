//! Tenants below a tenant, while what is handed down to them changes.

use contract::{
    audit::{AuditRange, AuditStatus},
    evaluation::{Narrowing, Verdict},
    id::{PolicyId, TenantId},
    json::Value,
    scope::{Role, Scope},
};
use governance::{
    access::operator,
    authoring::{group, policy},
    deciding::decision,
    insight::rollup::{Span, overview},
};
use tokio::task::JoinSet;

use crate::fixtures::{
    TestEnv, TestTenant, body, decision_record, limit, object, payment, question, request,
    spending, value, with, world,
};

/// A tenant below a house, with an admin, an author and a key.
async fn below(world: &TestEnv, house: &TestTenant, name: &str) -> TestTenant {
    let governance = world.governance.clone();
    let made = operator::create_tenant(&governance, name, Some(house.tenant)).await.unwrap();
    let mut heir = TestTenant { tenant: made.tenant_id, ..house.clone() };
    heir.admin_email = format!("admin@{name}.example");
    heir.admin = heir.person(&heir.admin_email, Role::Admin).await;
    heir.author = heir.person(&format!("author@{name}.example"), Role::Author).await;
    let scopes: Vec<Scope> = Scope::ALL.iter().copied().filter(|scope| scope.grantable()).collect();
    heir.key = heir.key_with(&scopes).await;
    heir
}

/// A policy in force that is handed down.
async fn handed_down(house: &TestTenant, code: &str) -> PolicyId {
    house.active_policy(&with(&spending(code, 100), "inheritable", true)).await
}

/// Versions by policy that a tenant's decisions looked at, in the order in which they were recorded.
async fn looked_at(world: &TestEnv, tenant: TenantId) -> Vec<Vec<(String, u32)>> {
    let records =
        format!("select record from decisions where tenant_id = '{tenant}' order by sequence");
    let records = world.texts(&records).await;
    let policies = |record: &String| {
        let policies = decision_record(record).evaluated_policies;
        policies.iter().map(|policy| (policy.policy_code.clone(), policy.version)).collect()
    };
    records.iter().map(policies).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_decision_below_mixes_what_was_handed_down_before_with_what_is_after() {
    const VERSIONS: u32 = 6;
    let world = world().await;
    let house = world.tenant("house").await;
    let heir = below(&world, &house, "heir").await;
    let heir_elsewhere = heir.in_process(&world.another_process(2).await);
    let policies = [handed_down(&house, "A").await, handed_down(&house, "B").await];
    for id in policies {
        for number in 2..=VERSIONS {
            assert_eq!(house.next_draft(id, &limit("LIMIT", 100 + number)).await, number);
            house.ratified(id, number).await;
        }
    }
    for number in 2..=VERSIONS {
        let mut records = JoinSet::new();
        for place in 0..12 {
            let heir = if place % 2 == 0 { heir.clone() } else { heir_elsewhere.clone() };
            let request = request(&format!("{number} {place}"), payment(1));
            records.spawn(async move { heir.record(&request).await.map(drop) });
        }
        for id in policies {
            house.activated(id, number).await.unwrap();
            // What is asked for after an activation has returned is decided by it.
            let said = heir_elsewhere.evaluate(&question(payment(1))).await.unwrap();
            let found = said.evaluated_policies.iter().find(|policy| policy.policy_id == id);
            assert_eq!(found.unwrap().version, number);
        }
        for recorded in records.join_all().await {
            recorded.unwrap();
        }
    }
    let seen = looked_at(&world, heir.tenant).await;
    assert_eq!(seen.len(), 12 * (VERSIONS as usize - 1));
    // B follows A: so B is never ahead of A, at most one behind, and neither ever goes back.
    let mut last = (1, 1);
    for decision in seen {
        let [(a, in_a), (b, in_b)] = &decision[..] else { panic!("{decision:?}") };
        assert_eq!((&**a, &**b), ("A", "B"));
        assert!(in_a - in_b <= 1, "{decision:?}");
        assert!(last.0 <= *in_a && last.1 <= *in_b, "{decision:?} after {last:?}");
        last = (*in_a, *in_b);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_tenant_that_is_made_during_a_change_above_is_not_left_behind() {
    let world = world().await;
    let house = world.tenant("house").await;
    let id = handed_down(&house, "A").await;
    for number in 2..=8 {
        house.next_draft(id, &limit("LIMIT", 100 + number)).await;
        house.ratified(id, number).await;
        let (activating, making) = (house.clone(), world.governance.clone());
        let parent = Some(house.tenant);
        let activated = tokio::spawn(async move { activating.activated(id, number).await });
        let made = tokio::spawn(async move {
            operator::create_tenant(&making, "new", parent).await.unwrap().tenant_id
        });
        let mut heir = TestTenant { tenant: made.await.unwrap(), ..house.clone() };
        heir.admin_email = format!("admin{number}@new.example");
        heir.admin = heir.person(&heir.admin_email, Role::Admin).await;
        heir.key = heir.key_with(&[Scope::DecisionsEvaluate]).await;
        // Whatever is in force by now is kept at hand.
        heir.evaluate(&question(payment(1))).await.unwrap();
        activated.await.unwrap().unwrap();
        let said = heir.evaluate(&question(payment(1))).await.unwrap();
        assert_eq!(said.evaluated_policies[0].version, number);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn changes_along_a_line_at_once_do_not_wait_in_a_circle() {
    let world = world().await;
    let house = world.tenant("house").await;
    let heir = below(&world, &house, "heir").await;
    let last = below(&world, &heir, "last").await;
    let mut ids = Vec::new();
    for (owner, code) in [(&house, "A"), (&heir, "B"), (&last, "C")] {
        let id = handed_down(owner, code).await;
        for number in 2..=6 {
            owner.next_draft(id, &limit("LIMIT", 100 + number)).await;
            owner.ratified(id, number).await;
        }
        ids.push((owner.clone(), id));
    }
    let mut acts = JoinSet::new();
    for (owner, id) in ids {
        acts.spawn(async move {
            for number in 2..=6 {
                owner.activated(id, number).await.unwrap();
            }
        });
    }
    for house in [&house, &heir, &last] {
        let house = house.clone();
        acts.spawn(async move {
            for number in 0..10 {
                house.record(&request(&format!("k{number}"), payment(1))).await.unwrap();
            }
        });
    }
    acts.join_all().await;
    let said = last.evaluate(&question(payment(1))).await.unwrap();
    let versions: Vec<u32> = said.evaluated_policies.iter().map(|policy| policy.version).collect();
    assert_eq!(versions, [6, 6, 6]);
}

#[tokio::test]
async fn the_log_of_the_tenant_above_tells_of_the_change_and_each_log_is_whole() {
    let world = world().await;
    let house = world.tenant("house").await;
    let heir = below(&world, &house, "heir").await;
    let before = world.count(&events(heir.tenant)).await;
    handed_down(&house, "A").await;
    assert_eq!(world.count(&events(heir.tenant)).await, before, "nobody below did anything");
    heir.record(&request("k", payment(1))).await.unwrap();
    for house in [&house, &heir] {
        let report =
            governance::proof::audit::verify(&house.by_admin().await, AuditRange::default()).await;
        assert_eq!(report.unwrap().status, AuditStatus::Intact);
    }
}

#[tokio::test]
async fn inherited_policies_apply_whatever_a_request_narrows_to() {
    let world = world().await;
    let house = world.tenant("house").await;
    let heir = below(&world, &house, "heir").await;
    let inherited = handed_down(&house, "HOUSE").await;
    let own = heir.active_policy(&spending("OWN-A", 10)).await;
    let other = heir.active_policy(&spending("OWN-B", 5)).await;
    let codes = async |members: &[(&str, Value)]| {
        let asked = members
            .iter()
            .fold(question(payment(1)), |asked, (name, member)| with(&asked, name, member.clone()));
        let seen = heir.evaluate(&asked).await.unwrap();
        let codes = seen.evaluated_policies.iter().map(|policy| policy.policy_code.as_str());
        (codes.collect::<Vec<_>>().join(" "), seen.result.narrowing)
    };
    let ids = |ids: &[PolicyId]| -> Value { ids.iter().map(ToString::to_string).collect() };
    assert_eq!(codes(&[]).await, ("HOUSE OWN-A OWN-B".to_owned(), None));
    let mut both = [own, other];
    both.sort();
    for (asked, expected) in [
        (vec![own], "HOUSE OWN-A"),
        (vec![both[1], both[0], both[1]], "HOUSE OWN-A OWN-B"),
        (vec![inherited], "HOUSE"),
        (vec![], "HOUSE"),
    ] {
        let (seen, narrowing) = codes(&[("policy_ids", ids(&asked))]).await;
        assert_eq!(seen, expected, "{asked:?}");
        assert_eq!(narrowing, Narrowing::of(None, Some(&asked)));
    }
    let group = body(&object([("code", "GROUP".into()), ("name", "Group".into())]));
    let group = group::create(&heir.by_author().await, group).await.unwrap();
    let asked = value(&format!(r#"{{"policy_group_id":"{}"}}"#, group.id));
    policy::edit(&heir.by_admin().await, own, body(&asked), None).await.unwrap();
    let (seen, narrowing) = codes(&[("policy_group_code", "group".into())]).await;
    assert_eq!((&*seen, narrowing), ("HOUSE OWN-A", Narrowing::of(Some("group"), None)));
    let asked = [("policy_group_code", "GROUP".into()), ("policy_ids", ids(&[other]))];
    let (seen, narrowing) = codes(&asked).await;
    assert_eq!((&*seen, narrowing), ("HOUSE", Narrowing::of(Some("GROUP"), Some(&[other]))));

    // A record of a narrowed request cannot leave out what is inherited either.
    let asked = with(&request("k", payment(101)), "policy_ids", ids(&[]));
    let recorded = heir.record(&asked).await.unwrap();
    let decision = decision_record(&recorded.record);
    assert_eq!(decision.decision, Verdict::Deny);
    assert_eq!(decision.policy.code, "HOUSE");
    let again = heir.record(&asked).await.unwrap();
    assert_eq!((again.is_new, again.record), (false, recorded.record));
    let replayed = decision::replay(&heir.by_key().await, decision.id).await.unwrap();
    assert!(replayed.matches, "{:?}", replayed.differences);
}

#[tokio::test]
async fn charts_below_name_what_is_handed_down() {
    let world = world().await;
    let house = world.tenant("house").await;
    let heir = below(&world, &house, "heir").await;
    handed_down(&house, "A").await;
    heir.record(&request("k", payment(101))).await.unwrap();
    let now = world.governance.clock().now();
    let hour = Span::of(now, now.plus_millis(1));
    let shown = overview(&heir.by_admin().await, hour).await.unwrap();
    assert_eq!(shown.violated[0].policy_name, "Spending limits of the house");
}

fn events(tenant: TenantId) -> String {
    format!("select count(*) from audit_events where tenant_id = '{tenant}'")
}
