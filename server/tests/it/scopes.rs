//! The specification's table of scopes, row by row: what a key with one scope opens, and nothing else.

use std::collections::BTreeSet;

use contract::scope::Scope;
use serde_json::json;

use crate::{
    routes::{self, Ids},
    service::world,
};

/// What a key with this scope alone is let in to, as `METHOD path` without `/v1/`.
async fn opens(scope: Scope, expected: &[&str]) {
    let world = world().await;
    let key = world.key_with(&[scope]).await;
    let mut opened = BTreeSet::new();
    for (route, permission) in routes::guarded() {
        let is_for_others = permission.requires_capability() && scope != Scope::AuthoringCapability;
        let mut call = routes::call(&key, &route, &Ids::missing());
        if route.path == "/v1/api-keys" && route.method == "POST" {
            // A key makes no key that can do more than itself.
            call = call.json(&json!({"name": "another", "scopes": [scope.as_str()]}));
        }
        let answer = call.await;
        let name = format!("{} {}", route.method, route.path.trim_start_matches("/v1/"));
        match &*answer.to_string() {
            "403 HUMAN_REQUIRED" => {}
            refused if is_for_others => assert_eq!(refused, "403 FORBIDDEN", "{name}"),
            refused if refused.starts_with("403 INSUFFICIENT_SCOPE (") => {
                assert_ne!(refused, format!("403 INSUFFICIENT_SCOPE ({scope})"), "{name}");
            }
            _ => assert!(opened.insert(name.clone()), "{name} stands in the list twice"),
        }
    }
    let expected: BTreeSet<String> = expected.iter().map(|&name| name.to_owned()).collect();
    assert_eq!(opened, expected, "{scope}");
}

#[tokio::test]
async fn policies_read_lists_and_reads_policies_versions_and_groups() {
    let opened = [
        "GET authoring-capabilities",
        "GET authoring-capabilities/{id}",
        "GET forms",
        "GET forms/{form_id}",
        "GET policies",
        "GET policies/{id}",
        "GET policies/{id}/versions",
        "GET policies/{id}/versions/{version}",
        "GET policies/{id}/versions/{version}/approval",
        "GET policies/{id}/versions/{version}/diff",
        "GET policies/{id}/versions/{version}/submissions",
        "GET policy-groups",
        "GET policy-groups/{id}",
        "GET policy-groups/{id}/policies",
        "GET settings",
        "GET snapshots/{id}",
    ];
    opens(Scope::PoliciesRead, &opened).await;
}

#[tokio::test]
async fn policies_write_creates_and_updates_policies_and_groups() {
    let opened = [
        "DELETE forms/{form_id}",
        "DELETE forms/{form_id}/tokens/{token_id}",
        "PATCH forms/{form_id}",
        "POST forms",
        "POST forms/{form_id}/tokens",
        "DELETE policies/{id}",
        "DELETE policies/{id}/versions/{version}",
        "DELETE policy-groups/{id}",
        "PATCH policies/{id}",
        "PATCH policies/{id}/versions/{version}",
        "PATCH policy-groups/{id}",
        "PATCH settings",
        "POST policies",
        "POST policies/{id}/deactivate",
        "POST policies/{id}/versions",
        "POST policies/{id}/versions/{version}/recall",
        "POST policies/{id}/versions/{version}/reject",
        "POST policies/{id}/versions/{version}/seal",
        "POST policies/{id}/versions/{version}/submit",
        "POST policy-groups",
    ];
    opens(Scope::PoliciesWrite, &opened).await;
}

#[tokio::test]
async fn decisions_evaluate_evaluates_without_recording() {
    let opened = ["dry-run", "dryRun", "evaluate", "evaluate-batch"]
        .map(|act| format!("POST decisions/{act}"));
    let opened = opened.each_ref().map(String::as_str);
    opens(Scope::DecisionsEvaluate, &opened).await;
}

#[tokio::test]
async fn decisions_read_lists_and_reads_recorded_decisions() {
    let opened = [
        "GET chains",
        "GET decisions",
        "GET decisions/export",
        "GET decisions/stream",
        "GET decisions/{id}",
        "POST decisions/{id}/replay",
    ];
    opens(Scope::DecisionsRead, &opened).await;
}

#[tokio::test]
async fn decisions_write_records_decisions() {
    let opened =
        ["POST chains/{chain_id}/seal", "POST decisions/record", "POST decisions/{id}/outcome"];
    opens(Scope::DecisionsWrite, &opened).await;
}

#[tokio::test]
async fn alerts_read_lists_and_reads_alerts() {
    let opened = [
        "GET alerts",
        "GET alerts/deliveries",
        "GET alerts/deliveries/stats",
        "GET alerts/deliveries/{id}",
        "GET alerts/{id}",
    ];
    opens(Scope::AlertsRead, &opened).await;
}

#[tokio::test]
async fn alerts_write_acknowledges_alerts_and_manages_subscriptions() {
    let opened = [
        "DELETE alerts/subscriptions/{id}",
        "GET alerts/subscriptions",
        "GET alerts/subscriptions/{id}",
        "POST alerts/acknowledge",
        "POST alerts/deliveries/redrive",
        "POST alerts/deliveries/{id}/retry",
        "POST alerts/subscriptions",
        "POST alerts/subscriptions/{id}/test",
        "POST alerts/{id}/acknowledge",
    ];
    opens(Scope::AlertsWrite, &opened).await;
}

#[tokio::test]
async fn audit_read_reads_audit_events() {
    opens(Scope::AuditRead, &["GET audit-log"]).await;
}

#[tokio::test]
async fn audit_admin_verifies_the_log() {
    opens(Scope::AuditAdmin, &["POST audit-log/verify"]).await;
}

#[tokio::test]
async fn members_read_lists_members() {
    opens(Scope::MembersRead, &["GET admin/members", "GET admin/members/{user_id}"]).await;
}

#[tokio::test]
async fn members_write_invites_and_removes_members() {
    // Changing a role and making an account are acts of a signed-in admin.
    let opened = ["DELETE admin/members/{user_id}", "POST admin/members/invite"];
    opens(Scope::MembersWrite, &opened).await;
}

#[tokio::test]
async fn api_keys_admin_creates_lists_and_revokes_keys() {
    opens(Scope::ApiKeysAdmin, &["DELETE api-keys/{id}", "GET api-keys", "POST api-keys"]).await;
}

#[tokio::test]
async fn authoring_capability_alone_opens_only_what_a_grant_narrows() {
    let opened = [
        "GET authoring-capabilities/current",
        "GET authoring-capabilities/current/pending-work",
        "GET policies/{id}/versions/{version}",
        "GET policies/{id}/versions/{version}/submissions",
        "PATCH policies/{id}/versions/{version}",
        "POST policies/{id}/versions/{version}/seal",
        "POST policies/{id}/versions/{version}/submit",
    ];
    opens(Scope::AuthoringCapability, &opened).await;
    // Without a grant nothing of it opens.
    let world = world().await;
    let key = world.key_with(&[Scope::AuthoringCapability]).await;
    for (route, permission) in routes::guarded() {
        let answer = routes::call(&key, &route, &Ids::missing()).await;
        assert_eq!(answer.status, 403, "{} {}", route.method, route.path);
        let is_grants = answer.to_string() == "403 AUTHORING_CAPABILITY_MISSING";
        assert_eq!(is_grants, permission.actions.is_some(), "{} {}", route.method, route.path);
    }
}

#[tokio::test]
async fn tenants_provision_is_for_operators_alone() {
    // No key of a tenant holds it, whatever else it holds.
    let world = world().await;
    let every = world.key.get("/v1/admin/tenants").await;
    assert_eq!(every.to_string(), "403 INSUFFICIENT_SCOPE (tenants:provision)");
    world.operator().await.get("/v1/admin/tenants").await.expect(200);
}
