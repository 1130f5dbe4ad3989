//! The pages of the console, and the roles that can open them.

use std::collections::BTreeMap;

use crate::{forms::publish_form, prelude::*};

/// The addresses of the pages of a tenant. Words in capitals are placeholders for the objects of [`create_content`].
pub(crate) const PAGES: &str = "
    / inbox search?q=PAY policies policies/new policies/POLICY policies/POLICY/analytics policies/POLICY/details
    policies/POLICY/deactivate policies/POLICY/versions/1 DRAFT/edit DRAFT/review DRAFT/compare DRAFT/review/accept
    DRAFT/review/return groups groups/GROUP forms capabilities try
    decisions decisions/export decisions/DECISION decisions/DECISION/bundle decisions/DECISION/outcome
    chains chains/CHAIN alerts alerts/ALERT alerts/acknowledge alerts/assign alerts/snooze
    webhooks webhooks/new webhooks/deliveries webhooks/deliveries/DELIVERY audit settings
    settings/identity-providers settings/identity-providers/new settings/identity-providers/PROVIDER/edit
    members members/MEMBER/remove members/MEMBER/second-factors keys";

/// Creates what the pages show, and returns the function that writes the IDs into an address of a page.
pub(crate) async fn create_content(service: &TestService) -> impl Fn(&str) -> String + use<> {
    let version = service.active("PAY-01").await;
    let draft = service.draft("PAY-02").await;
    service.seal(&draft).await;
    publish_form(service, &version, json!({})).await;
    let decision = record(&service.key, &chain_request("b", json!({"chain_id": CHAIN}))).await;
    let create =
        async |client: &Client, path: &str, body: Value| client.post(path, &body).await.expect(201);
    let group = json!({"code": "G", "name": "Group"});
    let group = create(&service.key, "/v1/policy-groups", group).await;
    let webhook = json!({"url": "https://1.1.1.1/hook", "severity_min": "low"});
    let webhook = create(&service.key, "/v1/alerts/subscriptions", webhook).await;
    let test = format!("/v1/alerts/subscriptions/{}/test", text(&webhook["subscription"]["id"]));
    let delivery = create(&service.key, &test, json!({})).await;
    let provider = json!({
        "name": "Acme", "issuer": "https://login.example.com", "client_id": "govern",
    });
    let provider = create(&service.admin().await, "/v1/admin/identity-providers", provider).await;
    let id = async |table: &str| service.sql(&format!("select {table} limit 1")).await.concat();
    let ids = [
        ("POLICY", version.policy),
        ("DRAFT", format!("policies/{}/versions/1", draft.policy)),
        ("GROUP", text(&group["id"]).to_owned()),
        ("DECISION", text(&decision["id"]).to_owned()),
        ("CHAIN", CHAIN.to_owned()),
        ("ALERT", id("id::text from alerts").await),
        ("DELIVERY", text(&delivery["id"]).to_owned()),
        ("PROVIDER", text(&provider["id"]).to_owned()),
        ("MEMBER", id("user_id::text from members where role = 'author'").await),
    ];
    let tenant = service.tenant;
    move |page| {
        let page = ids.iter().fold(page.to_owned(), |page, (word, id)| page.replace(word, id));
        format!("/t/{tenant}/{page}").trim_end_matches('/').to_owned()
    }
}

#[testkit::test]
async fn each_page_is_accessible_to_the_roles_in_the_table(service: TestService) {
    let path = create_content(&service).await;
    let mut roles_by_page: BTreeMap<&str, String> = BTreeMap::new();
    for role in Role::ALL {
        let client = Browser::member(&service, role).await.client("theme=dark");
        for page in PAGES.split_whitespace() {
            let response = client.get(path(page)).await;
            match response.status {
                200 => roles_by_page.entry(page).or_default().extend([" ", role.as_str()]),
                status => assert_eq!(status, 403, "{page} for {role}: {}", response.text),
            }
        }
    }
    let mut table: BTreeMap<String, String> = BTreeMap::new();
    for (page, roles) in roles_by_page {
        table.entry(roles).or_default().extend(["\n  ", page]);
    }
    let table: Vec<String> =
        table.iter().map(|(roles, pages)| format!("{roles}:{pages}")).collect();
    assert_snapshot!(table.join("\n"), @"
    admin:
     keys
     members
     members/MEMBER/remove
     members/MEMBER/second-factors
     settings
     settings/identity-providers
     settings/identity-providers/PROVIDER/edit
     settings/identity-providers/new
    auditor author reviewer ratifier admin:
     capabilities
    auditor ratifier admin:
     audit
     decisions/export
    author reviewer ratifier admin:
     DRAFT/edit
     policies/POLICY/details
     policies/new
    operator author reviewer ratifier admin:
     alerts/acknowledge
     alerts/assign
     alerts/snooze
     decisions/DECISION/outcome
     inbox
     try
     webhooks
     webhooks/deliveries
     webhooks/deliveries/DELIVERY
     webhooks/new
    ratifier admin:
     policies/POLICY/deactivate
    reviewer ratifier admin:
     DRAFT/review/accept
     DRAFT/review/return
    viewer operator auditor author reviewer ratifier admin:
     /
     DRAFT/compare
     DRAFT/review
     alerts
     alerts/ALERT
     chains
     chains/CHAIN
     decisions
     decisions/DECISION
     decisions/DECISION/bundle
     forms
     groups
     groups/GROUP
     policies
     policies/POLICY
     policies/POLICY/analytics
     policies/POLICY/versions/1
     search?q=PAY
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
    let refused = viewer.post(draft.action_path("submit"), &json!({})).await;
    assert_eq!(refused.details()["required_role"], "author", "{}", refused.text);
}
