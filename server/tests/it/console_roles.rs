//! Console page access by role: requests each page as each role.

use std::fmt::Write as _;

use crate::prelude::*;

#[testkit::test]
async fn each_page_is_accessible_to_the_roles_in_the_table(service: TestService) {
    let version = service.active("PAY-01").await;
    let draft = service.draft("PAY-02").await;
    let decision = service.record("a", 1).await;
    let group = serde_json::json!({"code": "G", "name": "Group"});
    let group = service.key.post("/v1/policy-groups", &group).await.expect(201);
    let (policy, decision) = (&version.policy, text(&decision["id"]));
    let group = text(&group["id"]);
    let member = service.sql("select user_id::text from members where role = 'author'").await;
    let alert = service.sql("select id::text from alerts limit 1").await;
    let webhook = serde_json::json!({"url": "https://1.1.1.1/hook", "severity_min": "low"});
    let webhook = service.key.post("/v1/alerts/subscriptions", &webhook).await.expect(201);
    let test = format!("/v1/alerts/subscriptions/{}/test", text(&webhook["subscription"]["id"]));
    let sample = service.key.post(test, &serde_json::json!({})).await.expect(201);
    let provider = serde_json::json!({
        "name": "Acme", "issuer": "https://login.example.com", "client_id": "govern",
    });
    let admin = service.admin().await;
    let provider = admin.post("/v1/admin/identity-providers", &provider).await.expect(201);
    let provider = text(&provider["id"]);
    let own = format!("policies/{}/versions/1", draft.policy);
    let pages = [
        ("overview", String::new()),
        ("policies", "policies".to_owned()),
        ("policy", format!("policies/{policy}")),
        ("analytics", format!("policies/{policy}/analytics")),
        ("version", format!("policies/{policy}/versions/1")),
        ("review", format!("{own}/review")),
        ("compare", format!("{own}/compare")),
        ("accept", format!("{own}/review/accept")),
        ("return", format!("{own}/review/return")),
        ("groups", "groups".to_owned()),
        ("group", format!("groups/{group}")),
        ("forms", "forms".to_owned()),
        ("decisions", "decisions".to_owned()),
        ("export", "decisions/export".to_owned()),
        ("chains", "chains".to_owned()),
        ("decision", format!("decisions/{decision}")),
        ("bundle", format!("decisions/{decision}/bundle")),
        ("alerts", "alerts".to_owned()),
        ("alert", format!("alerts/{}", alert.concat())),
        ("webhooks", "webhooks".to_owned()),
        ("new webhook", "webhooks/new".to_owned()),
        ("deliveries", "webhooks/deliveries".to_owned()),
        ("delivery", format!("webhooks/deliveries/{}", text(&sample["id"]))),
        ("acknowledge", "alerts/acknowledge".to_owned()),
        ("assign", "alerts/assign".to_owned()),
        ("snooze", "alerts/snooze".to_owned()),
        ("try", "try".to_owned()),
        ("inbox", "inbox".to_owned()),
        ("outcome", format!("decisions/{decision}/outcome")),
        ("new policy", "policies/new".to_owned()),
        ("details", format!("policies/{policy}/details")),
        ("edit", format!("{own}/edit")),
        ("capabilities", "capabilities".to_owned()),
        ("deactivate", format!("policies/{policy}/deactivate")),
        ("audit", "audit".to_owned()),
        ("settings", "settings".to_owned()),
        ("identity providers", "settings/identity-providers".to_owned()),
        ("new identity provider", "settings/identity-providers/new".to_owned()),
        ("edit identity provider", format!("settings/identity-providers/{provider}/edit")),
        ("members", "members".to_owned()),
        ("remove member", format!("members/{}/remove", member.concat())),
        ("reset second factors", format!("members/{}/second-factors", member.concat())),
        ("keys", "keys".to_owned()),
    ];
    let mut roles_by_page = vec![String::new(); pages.len()];
    for role in Role::ALL {
        let browser = Browser::member(&service, role).await;
        for ((name, path), roles) in pages.iter().zip(&mut roles_by_page) {
            let page = browser.at(path);
            let response = browser.client("theme=dark").get(page.trim_end_matches('/')).await;
            match response.status {
                200 => write!(roles, " {role}").expect("writing to a string succeeds"),
                status => assert_eq!(status, 403, "{name} for {role}: {}", response.text),
            }
        }
    }
    let mut table = String::new();
    for ((name, _), roles) in pages.iter().zip(roles_by_page) {
        writeln!(table, "{name}:{roles}").expect("writing to a string succeeds");
    }
    assert_snapshot!(table, @r"
    overview: viewer operator auditor author reviewer ratifier admin
    policies: viewer operator auditor author reviewer ratifier admin
    policy: viewer operator auditor author reviewer ratifier admin
    analytics: viewer operator auditor author reviewer ratifier admin
    version: viewer operator auditor author reviewer ratifier admin
    review: viewer operator auditor author reviewer ratifier admin
    compare: viewer operator auditor author reviewer ratifier admin
    accept: reviewer ratifier admin
    return: reviewer ratifier admin
    groups: viewer operator auditor author reviewer ratifier admin
    group: viewer operator auditor author reviewer ratifier admin
    forms: viewer operator auditor author reviewer ratifier admin
    decisions: viewer operator auditor author reviewer ratifier admin
    export: auditor ratifier admin
    chains: viewer operator auditor author reviewer ratifier admin
    decision: viewer operator auditor author reviewer ratifier admin
    bundle: viewer operator auditor author reviewer ratifier admin
    alerts: viewer operator auditor author reviewer ratifier admin
    alert: viewer operator auditor author reviewer ratifier admin
    webhooks: operator author reviewer ratifier admin
    new webhook: operator author reviewer ratifier admin
    deliveries: operator author reviewer ratifier admin
    delivery: operator author reviewer ratifier admin
    acknowledge: operator author reviewer ratifier admin
    assign: operator author reviewer ratifier admin
    snooze: operator author reviewer ratifier admin
    try: operator author reviewer ratifier admin
    inbox: operator author reviewer ratifier admin
    outcome: operator author reviewer ratifier admin
    new policy: author reviewer ratifier admin
    details: author reviewer ratifier admin
    edit: author reviewer ratifier admin
    capabilities: auditor author reviewer ratifier admin
    deactivate: ratifier admin
    audit: auditor ratifier admin
    settings: admin
    identity providers: admin
    new identity provider: admin
    edit identity provider: admin
    members: admin
    remove member: admin
    reset second factors: admin
    keys: admin
    ");
}

#[testkit::test]
async fn a_page_that_a_role_does_not_permit_names_the_role_that_it_requires(service: TestService) {
    for (role, path, expected) in [
        (Role::Viewer, "inbox", "The inbox requires the operator role."),
        (Role::Viewer, "audit", "Reading the audit log requires the auditor role."),
        (Role::Author, "keys", "Administering API keys requires the admin role."),
    ] {
        let page = Browser::member(&service, role).await.page(path).await;
        assert_eq!(page.status, 403, "{path}");
        assert_shows(&page.text, ["You don't have permission", expected, "Ask an admin."]);
    }
    let draft = service.draft("SPEND").await;
    let viewer = service.signed_in_member(Role::Viewer).await;
    let refused = viewer.post(draft.action_path("submit"), &serde_json::json!({})).await;
    assert_eq!(refused.details()["required_role"], "author", "{}", refused.text);
}
