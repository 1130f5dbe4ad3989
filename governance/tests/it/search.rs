//! Search: what each caller finds by a name, a code or an ID.

use contract::scope::Role;
use governance::{
    Cx,
    insight::search::{self, SearchResults},
};

use crate::fixtures::{
    decision_record, payment, record, request, result_summary, spending, test_tenant,
};

async fn find(cx: &Cx, text: &str) -> SearchResults {
    search::search(cx, text).await.unwrap()
}

#[tokio::test]
async fn policies_rules_and_members_are_found_by_a_part_of_their_names() {
    let (_env, tenant) = test_tenant().await;
    let id = tenant.active_policy(&spending("PAY.100", 5)).await;
    let admin = tenant.admin_cx().await;
    let policy = find(&admin, "  pay.1").await;
    assert_eq!(policy.policies.iter().map(|policy| policy.id).collect::<Vec<_>>(), [id]);
    assert_eq!(policy.policies[0].code, "PAY.100");
    assert_eq!(find(&admin, &id.to_string()).await.policies.len(), 1, "by id");
    assert_eq!(find(&admin, "pay_100").await.policies, [], "_ is not a wildcard");
    assert_eq!(find(&admin, "pay%0").await.policies, [], "% is not a wildcard");

    let rules = find(&admin, "limit").await.rules;
    let rules: Vec<_> = rules.iter().map(|rule| (rule.policy_id, rule.version)).collect();
    assert_eq!(rules, [(id, 1)], "rules of the active version");

    let viewer = tenant.create_member("vera@acme.example", Role::Viewer).await;
    let members = find(&admin, "VERA@acme").await.members;
    assert_eq!(members.iter().map(|member| member.user_id).collect::<Vec<_>>(), [viewer]);
    let by_viewer = find(&tenant.user_cx(viewer).await, "vera@acme").await;
    assert_eq!(by_viewer.members, [], "only admins list members");

    assert_eq!(find(&admin, " \t").await, SearchResults::default());
    assert_eq!(find(&admin, &"x".repeat(10_000)).await, SearchResults::default());
}

#[tokio::test]
async fn a_decision_is_found_by_its_id_and_by_its_correlation_id() {
    let (_env, tenant) = test_tenant().await;
    tenant.active_policy(&spending("PAY", 5)).await;
    let recorded = record(&tenant.key_cx().await, &request("one", payment(1))).await.unwrap();
    let decision = decision_record(&recorded.record);
    let (id, correlation_id) = (decision.id.to_string(), decision.correlation_id);
    let admin = tenant.admin_cx().await;
    for text in [&id, &id.to_uppercase(), &correlation_id] {
        let found = find(&admin, text).await.decisions;
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!(found[0].id.to_string(), id, "{text}");
    }
    assert_eq!(find(&admin, &id[..8]).await.decisions, [], "a part of an id finds nothing");
}

#[tokio::test]
async fn search_is_for_members_of_the_tenant_only() {
    let (env, tenant) = test_tenant().await;
    let id = tenant.active_policy(&spending("PAY", 5)).await;
    let other = env.tenant("other").await;
    let by_other = other.admin_cx().await;
    assert_eq!(find(&by_other, "PAY").await, SearchResults::default());
    assert_eq!(find(&by_other, &id.to_string()).await, SearchResults::default());
    let by_key = search::search(&tenant.key_cx().await, "PAY").await;
    assert_eq!(result_summary(&by_key), "403 HUMAN_REQUIRED");
}
