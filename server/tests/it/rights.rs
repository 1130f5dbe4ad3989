//! The contract's table of rights, row by row: who is let in to the routes of each, over HTTP.
//!
//! The table stands here once more, in its own words, so that no change of the code changes both.

use std::collections::BTreeSet;

use contract::scope::Role::{self, Admin, Auditor, Author, Operator, Ratifier, Reviewer, Viewer};

use crate::{
    routes::{self, Ids},
    service::world,
};

/// One row: what it is called, who has the right, and its routes as `METHOD path` without `/v1/`.
type Row = (&'static str, &'static [Role], &'static [&'static str]);

const READ: Row = (
    "read policies, decisions, alerts, forms",
    &[Viewer, Operator, Auditor, Author, Reviewer, Ratifier, Admin],
    &[
        "GET alerts",
        "GET alerts/{id}",
        "GET authoring-capabilities",
        "GET authoring-capabilities/{id}",
        "GET chains",
        "GET decisions",
        "GET decisions/stream",
        "GET decisions/{id}",
        "GET forms",
        "GET forms/{form_id}",
        "GET policies",
        "GET policies/{id}",
        "GET policies/{id}/analytics",
        "GET policies/{id}/decisions",
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
        "POST decisions/{id}/replay",
    ],
);

const OPERATE: Row = (
    "acknowledge alerts, webhooks, forms",
    &[Operator, Author, Reviewer, Ratifier, Admin],
    // Dry runs and outcomes are for the same people (console, part 10).
    &[
        "DELETE alerts/subscriptions/{id}",
        "GET alerts/deliveries",
        "GET alerts/deliveries/stats",
        "GET alerts/deliveries/{id}",
        "GET alerts/subscriptions",
        "GET alerts/subscriptions/{id}",
        "POST alerts/acknowledge",
        "POST alerts/deliveries/redrive",
        "POST alerts/deliveries/{id}/retry",
        "POST alerts/subscriptions",
        "POST alerts/subscriptions/{id}/test",
        "POST alerts/{id}/acknowledge",
        "DELETE forms/{form_id}",
        "DELETE forms/{form_id}/tokens/{token_id}",
        "PATCH forms/{form_id}",
        "POST forms",
        "POST forms/{form_id}/tokens",
        "POST decisions/dry-run",
        "POST decisions/dryRun",
        "POST decisions/evaluate",
        "POST decisions/evaluate-batch",
        "POST decisions/{id}/outcome",
    ],
);

const AUDIT: Row = (
    "audit read + verify",
    &[Auditor, Ratifier, Admin],
    // An export takes decisions out of the house, and is for the same people (console, part 10).
    &["GET audit-log", "POST audit-log/verify", "GET decisions/export"],
);

const WRITE: Row = (
    "draft, submit, recall, seal, supersede, own set-aside; record decisions; capabilities",
    &[Author, Reviewer, Ratifier, Admin],
    &[
        "DELETE authoring-capabilities/{id}",
        "DELETE policies/{id}",
        "DELETE policies/{id}/versions/{version}",
        "DELETE policy-groups/{id}",
        "PATCH policies/{id}",
        "PATCH policies/{id}/versions/{version}",
        "PATCH policy-groups/{id}",
        "POST authoring-capabilities",
        "POST authoring-capabilities/{id}/carry",
        "POST chains/{chain_id}/seal",
        "POST decisions/record",
        "POST policies",
        "POST policies/{id}/versions",
        "POST policies/{id}/versions/{version}/recall",
        "POST policies/{id}/versions/{version}/seal",
        "POST policies/{id}/versions/{version}/set-aside",
        "POST policies/{id}/versions/{version}/submit",
        "POST policies/{id}/versions/{version}/supersede",
        "POST policy-groups",
    ],
);

const REVIEW: Row = (
    "review records, reject",
    &[Reviewer, Ratifier, Admin],
    &[
        "POST policies/{id}/versions/{version}/reject",
        "POST policies/{id}/versions/{version}/submissions/{submission_id}/records",
    ],
);

const RATIFY: Row = (
    "ratify, activate, deactivate",
    &[Ratifier, Admin],
    &[
        "POST policies/{id}/deactivate",
        "POST policies/{id}/versions/{version}/activate",
        "POST policies/{id}/versions/{version}/ratify",
    ],
);

const ADMINISTER: Row = (
    "members, keys, settings",
    &[Admin],
    &[
        "DELETE admin/members/{user_id}",
        "DELETE api-keys/{id}",
        "GET admin/members",
        "GET admin/members/{user_id}",
        "GET api-keys",
        "PATCH admin/members/{user_id}",
        "PATCH settings",
        "POST admin/members/invite",
        "POST admin/users",
        "POST api-keys",
    ],
);

/// What no role of a tenant may: for programs under a capability, and for whoever operates the service.
const NOBODY: Row = (
    "no role",
    &[],
    &[
        "GET admin/tenants",
        "GET authoring-capabilities/current",
        "GET authoring-capabilities/current/pending-work",
        "POST admin/tenants",
    ],
);

fn name(route: &server::router::Route) -> String {
    format!("{} {}", route.method, route.path.trim_start_matches("/v1/"))
}

/// Somebody in each role calls each route of the row: whoever has the right is answered about the thing,
/// and everybody else that it is not for them.
async fn holds((right, roles, expected): Row) {
    let world = world().await;
    for role in Role::ALL {
        let person = world.person(role).await;
        for (route, _) in routes::guarded().filter(|(route, _)| expected.contains(&&*name(route))) {
            let answer = routes::call(&person, &route, &Ids::missing()).await.to_string();
            let is_let_in = !answer.starts_with("403 ");
            assert_eq!(
                is_let_in,
                roles.contains(&role),
                "{right}: {role} {}: {answer}",
                name(&route)
            );
            assert!(is_let_in || answer == "403 FORBIDDEN", "{role} {}: {answer}", name(&route));
        }
    }
}

#[test]
fn every_guarded_route_stands_in_one_row() {
    let rows = [READ, OPERATE, AUDIT, WRITE, REVIEW, RATIFY, ADMINISTER, NOBODY];
    let mut listed = BTreeSet::new();
    for route in rows.iter().flat_map(|(.., routes)| *routes) {
        assert!(listed.insert((*route).to_owned()), "{route} stands in two rows");
    }
    let served: BTreeSet<String> = routes::guarded().map(|(route, _)| name(&route)).collect();
    assert_eq!(listed, served);
}

#[tokio::test]
async fn every_role_reads_policies_decisions_alerts_and_forms() {
    holds(READ).await;
}

#[tokio::test]
async fn operators_and_whoever_writes_acknowledge_alerts_and_keep_webhooks_and_forms() {
    holds(OPERATE).await;
}

#[tokio::test]
async fn auditors_and_ratifiers_read_and_verify_the_audit_log() {
    holds(AUDIT).await;
}

#[tokio::test]
async fn authors_and_those_above_draft_submit_recall_seal_supersede_record_and_grant() {
    holds(WRITE).await;
}

#[tokio::test]
async fn reviewers_and_those_above_record_reviews_and_reject() {
    holds(REVIEW).await;
}

#[tokio::test]
async fn ratifiers_and_admins_ratify_activate_and_deactivate() {
    holds(RATIFY).await;
}

#[tokio::test]
async fn admins_alone_look_after_members_keys_and_settings() {
    holds(ADMINISTER).await;
}

#[tokio::test]
async fn no_role_makes_tenants_or_works_under_a_capability() {
    holds(NOBODY).await;
}
