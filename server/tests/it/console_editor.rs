//! The policy editor of the console in a browser without JavaScript.

use crate::prelude::*;

/// Creates a policy with an empty draft in the console and returns its ID.
async fn create_policy(browser: &Browser<'_>) -> String {
    let body = form(&[
        ("form[code]", "PAY"),
        ("form[name]", "Payments"),
        ("form[description]", "What we pay"),
        ("form[types]", "payment\r\nrefund\r\n"),
        ("form[refs]", "Directive 2014/24/EU"),
    ]);
    let response = browser.post("/console/create-policy", &body).await;
    let page = response.header("location").expect("the page of the draft").to_owned();
    assert_eq!(response.status, 303, "{}", response.text);
    let id = page.split('/').nth(4).expect("the policy ID").to_owned();
    assert!(page.ends_with(&format!("policies/{id}/versions/1/edit")), "{page}");
    id
}

async fn version(service: &TestService, id: &str) -> Value {
    service.key.get(format!("/v1/policies/{id}/versions/1")).await.expect(200)
}

/// Submits the form of a rule for draft revision `revision`.
async fn save_rule(
    browser: &Browser<'_>,
    id: &str,
    revision: u32,
    fields: &[(&str, &str)],
) -> TestResponse {
    let revision = revision.to_string();
    let tenant = browser.tenant();
    let mut all = vec![
        ("place[tenant]", tenant.as_str()),
        ("place[policy]", id),
        ("place[version]", "1"),
        ("place[revision]", revision.as_str()),
    ];
    all.extend(fields);
    browser.post("/console/save-rule", &form(&all)).await
}

/// Returns the form fields of a threshold rule.
fn threshold_rule<'f>(code: &'f str, max: &'f str) -> Vec<(&'f str, &'f str)> {
    vec![
        ("rule[code]", code),
        ("rule[name]", "Limit"),
        ("rule[rule_type]", "threshold"),
        ("rule[severity]", "critical"),
        ("rule[active]", "yes"),
        ("rule[of][threshold][field]", "amount"),
        ("rule[of][threshold][max]", max),
        ("rule[of][evidence][verify_hash]", "yes"),
    ]
}

fn edit_page(id: &str) -> String {
    format!("policies/{id}/versions/1/edit")
}

#[tokio::test]
async fn an_edit_of_a_stale_draft_shows_both_versions_and_preserves_the_input() {
    let service = test_service().await;
    let browser = Browser::member(&service, Role::Author).await;
    let id = create_policy(&browser).await;
    save_rule(&browser, &id, 1, &threshold_rule("LIMIT", "500")).await;
    let other_edit = json!({"expected_revision": 2, "rules": [{
        "code": "LIMIT", "rule_type": "threshold", "severity": "low",
        "condition": {"field": "amount", "max": 900},
    }]});
    service.key.patch(format!("/v1/policies/{id}/versions/1"), &other_edit).await.expect(200);

    let mut edit = threshold_rule("LIMIT", "700");
    edit.push(("place[was]", "LIMIT"));
    save_rule(&browser, &id, 2, &edit).await;
    browser
        .shows(
            &format!("{}?rule=LIMIT", edit_page(&id)),
            [
                "The draft was updated from r2 to r3",
                "Apply mine to r3",
                "Show differences",
                "Use their version",
                "900",
                "700",
            ],
        )
        .await;
    assert_eq!(version(&service, &id).await["rules"][0]["condition"]["max"], 900);
    // The page has the current revision: its button applies the preserved input.
    save_rule(&browser, &id, 3, &edit).await;
    let stored = version(&service, &id).await;
    assert_eq!(
        (&stored["draft_revision"], &stored["rules"][0]["condition"]["max"]),
        (&json!(4), &json!(700))
    );
}

#[testkit::test]
async fn rules_can_be_moved_and_removed(service: TestService) {
    let browser = Browser::member(&service, Role::Author).await;
    let id = create_policy(&browser).await;
    for (revision, code) in [(1, "A"), (2, "B"), (3, "C")] {
        save_rule(&browser, &id, revision, &threshold_rule(code, "5")).await;
    }
    for (revision, code, act, to, expected) in [
        (4, "C", "up", "", &["A", "C", "B"][..]),
        (5, "A", "down", "", &["C", "A", "B"]),
        (6, "B", "move", "1", &["B", "C", "A"]),
        (7, "C", "remove", "", &["B", "A"]),
    ] {
        let mut fields = threshold_rule(code, "5");
        fields.extend([("place[was]", code), ("place[act]", act), ("place[to]", to)]);
        save_rule(&browser, &id, revision, &fields).await;
        let stored = version(&service, &id).await;
        let rules = stored["rules"].as_array().expect("rules");
        let codes: Vec<_> = rules.iter().map(|rule| text(&rule["code"])).collect();
        assert_eq!(codes, expected, "{act} {code}");
    }
}

#[tokio::test]
async fn the_editor_marks_the_results_of_the_sample_and_links_to_the_comparison() {
    let service = test_service().await;
    let browser = Browser::member(&service, Role::Author).await;
    let id = create_policy(&browser).await;
    let mut fields = threshold_rule("LIMIT", "500");
    save_rule(&browser, &id, 1, &fields).await;
    // The group matches because its second member does.
    fields.extend([
        ("place[was]", "LIMIT"),
        ("rule[gate][0][depth]", "0"),
        ("rule[gate][0][test]", "any"),
        ("rule[gate][1][depth]", "1"),
        ("rule[gate][1][test]", "equals"),
        ("rule[gate][1][field]", "currency"),
        ("rule[gate][1][kind]", "text"),
        ("rule[gate][1][value]", "GBP"),
        ("rule[gate][1][exact]", "yes"),
        ("rule[gate][2][depth]", "1"),
        ("rule[gate][2][test]", "missing"),
        ("rule[gate][2][field]", "currency"),
        ("sample", r#"{"decision_type":"payment","fields":{"amount":501}}"#),
        ("place[act]", "run"),
    ]);
    save_rule(&browser, &id, 2, &fields).await;
    let html = browser.page(&format!("{}?rule=LIMIT", edit_page(&id))).await.html();
    let marks = html.split("class=\"gate-mark ").skip(1);
    let marks: Vec<_> = marks.filter_map(|mark| mark.split('"').next()).collect();
    assert_eq!(marks, ["allow", "na", "allow"], "{html}");
    let (_, outcome) = html.split_once("class=\"outcome ").expect("the result of the rule");
    assert!(outcome.starts_with("deny"), "{html}");
    let compare = format!("policies/{id}/versions/1/compare\"");
    assert_contains(&html, [&*browser.at(&compare), "Draft", ">Compare<", "Undo"]);
}

#[testkit::test]
async fn a_sample_is_made_from_the_fields_of_the_rules(service: TestService) {
    let browser = Browser::member(&service, Role::Author).await;
    let id = create_policy(&browser).await;
    let mut fields = threshold_rule("LIMIT", "500");
    fields.extend([("sample", "{}"), ("place[from]", "fields"), ("place[act]", "sample")]);
    save_rule(&browser, &id, 1, &fields).await;
    let page = browser
        .shows(&format!("{}?rule=-new", edit_page(&id)), ["the fields of the rules", "with r1"])
        .await;
    assert!(page.contains("ALLOW"), "{page}");
    assert_eq!(version(&service, &id).await["draft_revision"], 1);
}

#[testkit::test]
async fn all_rules_can_be_edited_as_json(service: TestService) {
    let browser = Browser::member(&service, Role::Author).await;
    let id = create_policy(&browser).await;
    let tenant = browser.tenant();
    let rules_form = |revision: &'static str, text| {
        form(&[
            ("place[tenant]", &tenant),
            ("place[policy]", &id),
            ("place[version]", "1"),
            ("place[revision]", revision),
            ("text", text),
        ])
    };
    let broken = "[\n {\"code\":\"A\",\n  \"sevrity\":\"low\"}\n]";
    browser.post("/console/save-rules", &rules_form("1", broken)).await;
    browser
        .shows(&format!("{}?look=json", edit_page(&id)), ["Line 3", "did you mean", "sevrity"])
        .await;
    let rules = r#"[{"code":"A","rule_type":"distinct","severity":"low","is_active":true,"condition":{"fields":["a","b"],"include_actor":false}}]"#;
    browser.post("/console/save-rules", &rules_form("1", rules)).await;
    let stored = version(&service, &id).await;
    assert_eq!(stored["rules"], serde_json::from_str::<Value>(rules).unwrap());
    browser.post("/console/save-rules", &rules_form("1", "[]")).await;
    browser
        .shows(&format!("{}?look=json", edit_page(&id)), ["The draft was updated from r1 to r2"])
        .await;
    assert_eq!(version(&service, &id).await["draft_revision"], 2);
}

#[testkit::test]
async fn a_submitted_version_cannot_be_edited_and_the_input_is_shown(service: TestService) {
    let browser = Browser::member(&service, Role::Author).await;
    let id = create_policy(&browser).await;
    save_rule(&browser, &id, 1, &threshold_rule("LIMIT", "500")).await;
    service.key.post(format!("/v1/policies/{id}/versions/1/submit"), &json!({})).await.expect(200);
    let mut edit = threshold_rule("LIMIT", "777");
    edit.push(("place[was]", "LIMIT"));
    save_rule(&browser, &id, 2, &edit).await;
    browser.shows(&edit_page(&id), ["It can no longer be edited.", "777"]).await;
}

#[testkit::test]
async fn a_new_draft_copies_the_rules_of_a_version(service: TestService) {
    let active = service.active("SPEND").await;
    let browser = Browser::member(&service, Role::Author).await;
    let body = form(&[("policy", &active.policy), ("based_on", "1")]);
    let response = browser.post("/console/open-draft", &body).await;
    let page = browser.at(&format!("policies/{}/versions/2/edit", active.policy));
    response.assert_redirects_to(&page);
    let path = |number: u32| format!("/v1/policies/{}/versions/{number}", active.policy);
    let (first, second) =
        (service.key.get(path(1)).await.json(), service.key.get(path(2)).await.json());
    assert_eq!(first["rules"], second["rules"]);
    // A second request redirects to the same draft.
    let repeated = browser.post("/console/open-draft", &body).await;
    assert_eq!(repeated.header("location"), Some(&*page));
}

#[testkit::test]
async fn a_refused_policy_form_preserves_the_input_and_details_can_be_edited(service: TestService) {
    let browser = Browser::member(&service, Role::Author).await;
    let id = create_policy(&browser).await;
    let duplicate = form(&[("form[code]", "pay"), ("form[name]", "Second of its kind")]);
    let refusal = browser.post("/console/create-policy", &duplicate).await;
    assert_eq!(refusal.header("location"), Some(&*browser.at("policies/new")));
    browser.shows("policies/new", ["Second of its kind", "DUPLICATE_CODE"]).await;
    let invalid = form(&[("form[code]", "no code"), ("form[name]", "")]);
    browser.post("/console/create-policy", &invalid).await;
    browser.shows("policies/new", ["2 fields need attention."]).await;

    let details = browser.page(&format!("policies/{id}/details")).await.text;
    let seen = crate::console_pages::hidden(&details, "form[seen]");
    let edit = form(&[
        ("policy", &id),
        ("form[name]", "All payments"),
        ("form[types]", "payment"),
        ("form[seen]", &seen),
    ]);
    let response = browser.post("/console/edit-policy", &edit).await;
    assert_eq!(response.header("location"), Some(&*browser.at(&format!("policies/{id}"))));
    let policy = service.key.get(format!("/v1/policies/{id}")).await.expect(200);
    assert_eq!((&policy["name"], &policy["description"]), (&json!("All payments"), &Value::Null));
}
