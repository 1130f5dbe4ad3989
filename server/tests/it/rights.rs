//! The role table of the contract over HTTP: the roles that each right accepts, for all its routes.
//!
//! The table is repeated here, so that a change of the code does not change the expected result.

use std::collections::BTreeSet;

use contract::scope::Role::{self, Admin, Auditor, Author, Operator, Ratifier, Reviewer, Viewer};

use crate::{
    routes::{self, Ids},
    service::test_service,
};

/// A row of the table: the right, its roles, and its routes as `METHOD path` without `/v1/`.
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
        "GET policies/{id}/versions/{version}/comments",
        "GET policies/{id}/versions/{version}/diff",
        "GET policies/{id}/versions/{version}/submissions",
        "GET policy-groups",
        "GET policy-groups/{id}",
        "GET policy-groups/{id}/policies",
        "GET settings",
        "GET snapshots/{id}",
        "POST decisions/{id}/replay",
        // Members who may read a version also comment on it (contract, section 4).
        "POST policies/{id}/versions/{version}/comments",
        "POST policies/{id}/versions/{version}/comments/{comment_id}/reopen",
        "POST policies/{id}/versions/{version}/comments/{comment_id}/resolve",
    ],
);

const OPERATE: Row = (
    "acknowledge alerts, webhooks, forms",
    &[Operator, Author, Reviewer, Ratifier, Admin],
    // The same roles make dry runs and record outcomes (console, part 10).
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
        "POST alerts/{id}/assign",
        "POST alerts/{id}/snooze",
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
    // The same roles export decisions (console, part 10).
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
        "GET admin/users/{user_id}",
        "GET api-keys",
        "GET api-keys/{id}",
        "DELETE admin/identity-providers/{id}",
        "GET admin/identity-providers",
        "GET admin/identity-providers/{id}",
        "PATCH admin/identity-providers/{id}",
        "POST admin/identity-providers",
        "POST admin/identity-providers/{id}/test",
        "PATCH admin/members/{user_id}",
        "PATCH settings",
        "POST admin/members/invite",
        "POST admin/members/{user_id}/reset-second-factors",
        "POST admin/users",
        "POST api-keys",
    ],
);

/// Routes for capability holders and operator keys only.
const NO_ROLE: Row = (
    "no role",
    &[],
    &[
        "GET admin/tenants",
        "GET authoring-capabilities/current",
        "GET authoring-capabilities/current/pending-work",
        "POST admin/tenants",
    ],
);

/// Calls each route of a row with each role. Only roles without the right receive `403 FORBIDDEN`.
async fn check_row((right, roles, expected): Row) {
    let service = test_service().await;
    for role in Role::ALL {
        let person = service.signed_in_member(role).await;
        for (route, _) in
            routes::guarded().filter(|(route, _)| expected.contains(&&*routes::name(route)))
        {
            let response = routes::call(&person, &route, &Ids::missing()).await.to_string();
            let is_authorized = !response.starts_with("403 ");
            let case = format!("{right}: {role} {}: {response}", routes::name(&route));
            assert_eq!(is_authorized, roles.contains(&role), "{case}");
            assert!(is_authorized || response == "403 FORBIDDEN", "{case}");
        }
    }
}

#[test]
fn every_guarded_route_is_in_exactly_one_row() {
    let rows = [READ, OPERATE, AUDIT, WRITE, REVIEW, RATIFY, ADMINISTER, NO_ROLE];
    let mut listed = BTreeSet::new();
    for route in rows.iter().flat_map(|(.., routes)| *routes) {
        assert!(listed.insert((*route).to_owned()), "{route} is in two rows");
    }
    let served: BTreeSet<String> =
        routes::guarded().map(|(route, _)| routes::name(&route)).collect();
    assert_eq!(listed, served);
}

#[tokio::test]
async fn every_role_reads_policies_decisions_alerts_and_forms() {
    check_row(READ).await;
}

#[tokio::test]
async fn operators_and_authors_manage_alerts_webhooks_and_forms() {
    check_row(OPERATE).await;
}

#[tokio::test]
async fn auditors_and_ratifiers_read_and_verify_the_audit_log() {
    check_row(AUDIT).await;
}

#[tokio::test]
async fn authors_and_higher_roles_write_drafts_decisions_and_capabilities() {
    check_row(WRITE).await;
}

#[tokio::test]
async fn reviewers_and_higher_roles_record_reviews_and_reject() {
    check_row(REVIEW).await;
}

#[tokio::test]
async fn ratifiers_and_admins_ratify_activate_and_deactivate() {
    check_row(RATIFY).await;
}

#[tokio::test]
async fn only_admins_manage_members_keys_and_settings() {
    check_row(ADMINISTER).await;
}

#[tokio::test]
async fn no_role_creates_tenants_or_uses_a_capability() {
    check_row(NO_ROLE).await;
}
