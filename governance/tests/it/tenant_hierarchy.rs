//! Tenant hierarchy: inherited policies in child tenants, also while they change.

use contract::{
    audit::{AuditRange, AuditStatus},
    evaluation::{Narrowing, Verdict},
    id::TenantId,
};
use governance::{
    access::operator,
    authoring::{group, policy},
    deciding::decision,
    insight::rollup::{Span, overview},
};
use tokio::task::JoinSet;

use crate::prelude::*;

/// Creates a child tenant with an admin, an author and a key.
async fn create_child(env: &TestEnv, parent: &TestTenant, name: &str) -> TestTenant {
    let governance = env.governance.clone();
    let created = operator::create_tenant(&governance, name, Some(parent.tenant)).await.unwrap();
    let mut child = TestTenant { tenant: created.tenant_id, ..parent.clone() };
    child.admin_email = format!("admin@{name}.example");
    child.admin = child.create_member(&child.admin_email, Role::Admin).await;
    child.author = child.create_member(&format!("author@{name}.example"), Role::Author).await;
    let scopes: Vec<Scope> =
        Scope::ALL.iter().copied().filter(|scope| scope.is_grantable()).collect();
    child.key = child.create_key(&scopes).await;
    child
}

/// Creates an active policy that descendant tenants inherit.
async fn inheritable_policy(tenant: &TestTenant, code: &str) -> PolicyId {
    tenant.active_policy(&with(&spending(code, 100), "inheritable", true)).await
}

/// Returns the policy codes and versions that each decision of a tenant evaluated, in the order of
/// recording.
async fn evaluated_versions(env: &TestEnv, tenant: TenantId) -> Vec<Vec<(String, u32)>> {
    let records = format!(
        "select decision_text(texts, 1) from decisions where tenant_id = '{tenant}' order by sequence"
    );
    env.decompress_decisions().await;
    let records = env.texts(&records).await;
    let policies = |record: &String| {
        let policies = decision_record(record).evaluated_policies;
        policies.iter().map(|policy| (policy.policy_code.clone(), policy.version)).collect()
    };
    records.iter().map(policies).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn decisions_of_a_child_use_consistent_inherited_versions_during_activations() {
    const VERSIONS: u32 = 6;
    let env = test_env().await;
    let parent = env.tenant("parent").await;
    let child = create_child(&env, &parent, "child").await;
    let child_in_other_process = child.in_process(&env.another_process(2).await);
    let policies = [inheritable_policy(&parent, "A").await, inheritable_policy(&parent, "B").await];
    for id in policies {
        for number in 2..=VERSIONS {
            assert_eq!(parent.next_draft(id, &limit("LIMIT", 100 + number)).await, number);
            parent.ratify(id, number).await;
        }
    }
    for number in 2..=VERSIONS {
        let mut records = JoinSet::new();
        for index in 0..12 {
            let child = if index % 2 == 0 { child.clone() } else { child_in_other_process.clone() };
            let request = request(&format!("{number} {index}"), payment(1));
            records.spawn(async move { child.record(&request).await.map(drop) });
        }
        for id in policies {
            parent.activate(id, number).await.unwrap();
            // A request after the response of the activation uses the new version.
            let response =
                child_in_other_process.evaluate(&evaluate_request(payment(1))).await.unwrap();
            let evaluated =
                response.evaluated_policies.iter().find(|policy| policy.policy_id == id);
            assert_eq!(evaluated.unwrap().version, number);
        }
        for result in records.join_all().await {
            result.unwrap();
        }
    }
    let decisions = evaluated_versions(&env, child.tenant).await;
    assert_eq!(decisions.len(), 12 * (VERSIONS as usize - 1));
    // B is activated after A, so its version is equal to the version of A or one lower. Versions
    // never decrease.
    let mut previous = (1, 1);
    for decision in decisions {
        let [(code_a, version_a), (code_b, version_b)] = &decision[..] else {
            panic!("{decision:?}")
        };
        assert_eq!((&**code_a, &**code_b), ("A", "B"));
        assert!(version_a - version_b <= 1, "{decision:?}");
        assert!(
            previous.0 <= *version_a && previous.1 <= *version_b,
            "{decision:?} after {previous:?}"
        );
        previous = (*version_a, *version_b);
    }
}

#[testkit::test(flavor = "multi_thread", worker_threads = 4)]
async fn tenant_created_during_an_activation_of_its_parent_inherits_the_new_version(env: TestEnv) {
    let parent = env.tenant("parent").await;
    let id = inheritable_policy(&parent, "A").await;
    for number in 2..=8 {
        parent.next_draft(id, &limit("LIMIT", 100 + number)).await;
        parent.ratify(id, number).await;
        let (activating, creating) = (parent.clone(), env.governance.clone());
        let parent_id = Some(parent.tenant);
        let activation = tokio::spawn(async move { activating.activate(id, number).await });
        let creation = tokio::spawn(async move {
            operator::create_tenant(&creating, "new", parent_id).await.unwrap().tenant_id
        });
        let mut child = TestTenant { tenant: creation.await.unwrap(), ..parent.clone() };
        child.admin_email = format!("admin{number}@new.example");
        child.admin = child.create_member(&child.admin_email, Role::Admin).await;
        child.key = child.create_key(&[Scope::DecisionsEvaluate]).await;
        // Fills the cache with the version that is active at this time.
        child.evaluate(&evaluate_request(payment(1))).await.unwrap();
        activation.await.unwrap().unwrap();
        let response = child.evaluate(&evaluate_request(payment(1))).await.unwrap();
        assert_eq!(response.evaluated_policies[0].version, number);
    }
}

#[testkit::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_activations_across_a_hierarchy_do_not_deadlock(env: TestEnv) {
    let parent = env.tenant("parent").await;
    let child = create_child(&env, &parent, "child").await;
    let grandchild = create_child(&env, &child, "grandchild").await;
    let mut ids = Vec::new();
    for (owner, code) in [(&parent, "A"), (&child, "B"), (&grandchild, "C")] {
        let id = inheritable_policy(owner, code).await;
        for number in 2..=6 {
            owner.next_draft(id, &limit("LIMIT", 100 + number)).await;
            owner.ratify(id, number).await;
        }
        ids.push((owner.clone(), id));
    }
    let mut tasks = JoinSet::new();
    for (owner, id) in ids {
        tasks.spawn(async move {
            for number in 2..=6 {
                owner.activate(id, number).await.unwrap();
            }
        });
    }
    for tenant in [&parent, &child, &grandchild] {
        let tenant = tenant.clone();
        tasks.spawn(async move {
            for number in 0..10 {
                tenant.record(&request(&format!("k{number}"), payment(1))).await.unwrap();
            }
        });
    }
    tasks.join_all().await;
    let response = grandchild.evaluate(&evaluate_request(payment(1))).await.unwrap();
    let versions: Vec<u32> =
        response.evaluated_policies.iter().map(|policy| policy.version).collect();
    assert_eq!(versions, [6, 6, 6]);
}

#[testkit::test]
async fn activation_in_a_parent_is_audited_only_there_and_all_audit_logs_are_intact(env: TestEnv) {
    let parent = env.tenant("parent").await;
    let child = create_child(&env, &parent, "child").await;
    let before = env.count(&event_count_query(child.tenant)).await;
    inheritable_policy(&parent, "A").await;
    assert_eq!(
        env.count(&event_count_query(child.tenant)).await,
        before,
        "the child has no new event"
    );
    child.record(&request("k", payment(1))).await.unwrap();
    for tenant in [&parent, &child] {
        let report =
            governance::proof::audit::verify(&tenant.admin_cx().await, AuditRange::default()).await;
        assert_eq!(report.unwrap().status, AuditStatus::Intact);
    }
}

#[testkit::test]
async fn inherited_policies_apply_to_narrowed_requests(env: TestEnv) {
    let parent = env.tenant("parent").await;
    let child = create_child(&env, &parent, "child").await;
    let inherited = inheritable_policy(&parent, "INHERITED").await;
    let own = child.active_policy(&spending("OWN-A", 10)).await;
    let other = child.active_policy(&spending("OWN-B", 5)).await;
    let codes = async |members: &[(&str, Value)]| {
        let request =
            members.iter().fold(evaluate_request(payment(1)), |request, (name, member)| {
                with(&request, name, member.clone())
            });
        let response = child.evaluate(&request).await.unwrap();
        let codes = response.evaluated_policies.iter().map(|policy| policy.policy_code.as_str());
        (codes.collect::<Vec<_>>().join(" "), response.result.narrowing)
    };
    let ids = |ids: &[PolicyId]| -> Value { ids.iter().map(ToString::to_string).collect() };
    assert_eq!(codes(&[]).await, ("INHERITED OWN-A OWN-B".to_owned(), None));
    let mut both = [own, other];
    both.sort();
    for (narrowed, expected) in [
        (vec![own], "INHERITED OWN-A"),
        (vec![both[1], both[0], both[1]], "INHERITED OWN-A OWN-B"),
        (vec![inherited], "INHERITED"),
        (vec![], "INHERITED"),
    ] {
        let (actual, narrowing) = codes(&[("policy_ids", ids(&narrowed))]).await;
        assert_eq!(actual, expected, "{narrowed:?}");
        assert_eq!(narrowing, Narrowing::new(None, Some(&narrowed)));
    }
    let group = body(&object([("code", "GROUP".into()), ("name", "Group".into())]));
    let group = group::create(&child.author_cx().await, group).await.unwrap();
    let patch = value(&format!(r#"{{"policy_group_id":"{}"}}"#, group.id));
    policy::edit(&child.admin_cx().await, own, body(&patch), None).await.unwrap();
    let (actual, narrowing) = codes(&[("policy_group_code", "group".into())]).await;
    assert_eq!((&*actual, narrowing), ("INHERITED OWN-A", Narrowing::new(Some("group"), None)));
    let members = [("policy_group_code", "GROUP".into()), ("policy_ids", ids(&[other]))];
    let (actual, narrowing) = codes(&members).await;
    assert_eq!((&*actual, narrowing), ("INHERITED", Narrowing::new(Some("GROUP"), Some(&[other]))));

    // Recording a narrowed request also evaluates the inherited policies.
    let narrowed = with(&request("k", payment(101)), "policy_ids", ids(&[]));
    let recorded = child.record(&narrowed).await.unwrap();
    let decision = decision_record(&recorded.record);
    assert_eq!(decision.decision, Verdict::Deny);
    assert_eq!(decision.policy.code, "INHERITED");
    let repeated = child.record(&narrowed).await.unwrap();
    assert_eq!((repeated.is_new, repeated.record), (false, recorded.record));
    let replayed = decision::replay(&child.key_cx().await, decision.id).await.unwrap();
    assert!(replayed.matches, "{:?}", replayed.differences);
}

#[testkit::test]
async fn overview_of_a_child_names_inherited_policies(env: TestEnv) {
    let parent = env.tenant("parent").await;
    let child = create_child(&env, &parent, "child").await;
    inheritable_policy(&parent, "A").await;
    child.record(&request("k", payment(101))).await.unwrap();
    let now = env.governance.clock().now();
    let hour = Span::new(now, now.plus_millis(1));
    let report = overview(&child.admin_cx().await, hour, None).await.unwrap();
    let policy = spending("A", 100);
    assert_eq!(report.violated[0].policy_name, text(&policy, "name"));
}

fn event_count_query(tenant: TenantId) -> String {
    format!("select count(*) from audit_events where tenant_id = '{tenant}'")
}
