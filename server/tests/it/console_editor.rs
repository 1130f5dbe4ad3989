//! Writing a policy at a browser without scripts: every form is a plain post.

use std::fmt::Write as _;

use contract::scope::Role;
use serde_json::{Value, json};

use crate::{
    client::{TestResponse, text},
    console_pages::Browser,
    service::{TestService, world},
};

/// A form as a browser sends it.
pub(crate) fn form(fields: &[(&str, &str)]) -> String {
    let mut body = String::new();
    for (name, value) in fields {
        for (mark, part) in [("&", name), ("=", value)] {
            body.push_str(mark);
            for byte in part.bytes() {
                if byte.is_ascii_alphanumeric() {
                    body.push(char::from(byte));
                } else {
                    let _ = write!(body, "%{byte:02X}");
                }
            }
        }
    }
    body.split_off(1)
}

/// A policy whose first version is an empty draft, as its form makes it.
async fn created(browser: &Browser<'_>) -> String {
    let body = form(&[
        ("form[code]", "PAY"),
        ("form[name]", "Payments"),
        ("form[description]", "What we pay"),
        ("form[types]", "payment\r\nrefund\r\n"),
        ("form[refs]", "Directive 2014/24/EU"),
    ]);
    let made = browser.post("/console/create-policy", &body).await;
    let page = made.header("location").expect("the draft's page").to_owned();
    assert_eq!(made.status, 303, "{}", made.text);
    let id = page.split('/').nth(4).expect("the policy's id").to_owned();
    assert!(page.ends_with(&format!("policies/{id}/versions/1/edit")), "{page}");
    id
}

async fn version(world: &TestService, id: &str) -> Value {
    world.key.get(format!("/v1/policies/{id}/versions/1")).await.expect(200)
}

/// Sends the form of a rule, as it was read at `revision`.
async fn send(
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

/// A limit of payments, as its form is sent.
fn limit<'f>(code: &'f str, max: &'f str) -> Vec<(&'f str, &'f str)> {
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
async fn a_policy_is_written_rule_by_rule() {
    let world = world().await;
    let browser = Browser::of(&world, &world.person(Role::Author).await);
    let id = created(&browser).await;
    let policy = world.key.get(format!("/v1/policies/{id}")).await.expect(200);
    assert_eq!(policy["decision_types"], json!(["payment", "refund"]));
    assert_eq!(policy["regulatory_refs"], json!(["Directive 2014/24/EU"]));

    let mut fields = limit("LIMIT", "500");
    fields.extend([
        ("rule[document]", "Manual"),
        ("rule[section]", "4.2"),
        ("rule[replaces]", "OLD-1"),
        ("rule[gate][0][depth]", "0"),
        ("rule[gate][0][test]", "any"),
        ("rule[gate][1][depth]", "1"),
        ("rule[gate][1][test]", "in"),
        ("rule[gate][1][field]", "currency"),
        ("rule[gate][1][kind]", "text"),
        ("rule[gate][1][values]", "GBP\r\nEUR"),
        ("rule[gate][2][depth]", "1"),
        ("rule[gate][2][test]", "missing"),
        ("rule[gate][2][field]", "currency"),
    ]);
    let saved = send(&browser, &id, 1, &fields).await;
    let page = browser.at(&format!("{}?rule=LIMIT&saved=r2", edit_page(&id)));
    assert_eq!((saved.status, saved.header("location")), (303, Some(&*page)), "{}", saved.text);
    let stored = version(&world, &id).await;
    assert_eq!(stored["draft_revision"], 2);
    assert_eq!(
        stored["rules"],
        json!([{
            "code": "LIMIT", "name": "Limit", "rule_type": "threshold", "severity": "critical",
            "condition": {"field": "amount", "max": 500},
            "source_ref": {"document": "Manual", "section": "4.2"},
            "replaces_rule_code": "OLD-1",
            "when": {"any": [
                {"field": "currency", "in": ["GBP", "EUR"], "case_sensitive": false},
                {"field": "currency", "exists": false},
            ]},
        }])
    );
    let shown = browser.page(&format!("{}?rule=LIMIT", edit_page(&id))).await;
    assert!(shown.text.contains("amount"), "{}", shown.text);
}

#[tokio::test]
async fn what_is_wrong_is_told_beside_its_field_and_what_was_typed_stays() {
    let world = world().await;
    let browser = Browser::of(&world, &world.person(Role::Author).await);
    let id = created(&browser).await;
    let refused = send(&browser, &id, 1, &limit("no code", "2,5oo")).await;
    assert_eq!(refused.status, 303);
    assert_eq!(version(&world, &id).await["draft_revision"], 1);
    let page = browser.page(&format!("{}?rule=-new", edit_page(&id))).await.text;
    for said in ["2 things to correct", "Must be a number", "Must start with a letter", "2,5oo"] {
        assert!(page.contains(said), "{said}: {page}");
    }
    // It stays until it is saved or given up.
    assert!(browser.page(&edit_page(&id)).await.text.contains("2,5oo"));
    let fresh = browser.page(&format!("{}?rule=-new&look=fresh", edit_page(&id))).await.text;
    assert!(!fresh.contains("2,5oo"), "{fresh}");
}

#[tokio::test]
async fn a_draft_that_moved_on_is_told_and_nothing_is_lost() {
    let world = world().await;
    let browser = Browser::of(&world, &world.person(Role::Author).await);
    let id = created(&browser).await;
    send(&browser, &id, 1, &limit("LIMIT", "500")).await;
    let theirs = json!({"expected_revision": 2, "rules": [{
        "code": "LIMIT", "rule_type": "threshold", "severity": "low",
        "condition": {"field": "amount", "max": 900},
    }]});
    world.key.patch(format!("/v1/policies/{id}/versions/1"), &theirs).await.expect(200);

    let mut mine = limit("LIMIT", "700");
    mine.push(("place[was]", "LIMIT"));
    send(&browser, &id, 2, &mine).await;
    let page = browser.page(&format!("{}?rule=LIMIT", edit_page(&id))).await.text;
    for said in ["The draft moved from r2 to r3", "Apply mine on r3", "Take theirs", "900", "700"] {
        assert!(page.contains(said), "{said}: {page}");
    }
    assert_eq!(version(&world, &id).await["rules"][0]["condition"]["max"], 900);
    // The page carries the revision of now: pressing its button applies what was typed.
    send(&browser, &id, 3, &mine).await;
    let stored = version(&world, &id).await;
    assert_eq!(
        (&stored["draft_revision"], &stored["rules"][0]["condition"]["max"]),
        (&json!(4), &json!(700))
    );
}

#[tokio::test]
async fn rules_are_moved_and_removed() {
    let world = world().await;
    let browser = Browser::of(&world, &world.person(Role::Author).await);
    let id = created(&browser).await;
    for (revision, code) in [(1, "A"), (2, "B"), (3, "C")] {
        send(&browser, &id, revision, &limit(code, "5")).await;
    }
    for (revision, code, act, to, expected) in [
        (4, "C", "up", "", &["A", "C", "B"][..]),
        (5, "A", "down", "", &["C", "A", "B"]),
        (6, "B", "move", "1", &["B", "C", "A"]),
        (7, "C", "remove", "", &["B", "A"]),
    ] {
        let mut fields = limit(code, "5");
        fields.extend([("place[was]", code), ("place[act]", act), ("place[to]", to)]);
        send(&browser, &id, revision, &fields).await;
        let stored = version(&world, &id).await;
        let rules = stored["rules"].as_array().expect("rules");
        let codes: Vec<_> = rules.iter().map(|rule| text(&rule["code"])).collect();
        assert_eq!(codes, expected, "{act} {code}");
    }
}

#[tokio::test]
async fn a_sample_is_run_and_a_gate_grows_without_saving() {
    let world = world().await;
    let browser = Browser::of(&world, &world.person(Role::Author).await);
    let id = created(&browser).await;
    let sample = r#"{"decision_type":"payment","fields":{"amount":501}}"#;
    let mut fields = limit("LIMIT", "500");
    fields.extend([("sample", sample), ("place[act]", "run")]);
    send(&browser, &id, 1, &fields).await;
    let page = browser.page(&format!("{}?rule=-new", edit_page(&id))).await.text;
    assert!(page.contains("VALUE_ABOVE_MAX") && page.contains("DENY"), "{page}");

    fields.pop();
    fields.push(("place[act]", "gate-condition-"));
    send(&browser, &id, 1, &fields).await;
    let page = browser.page(&format!("{}?rule=-new", edit_page(&id))).await.text;
    assert!(page.contains("rule[gate][0][field]"), "{page}");
    assert_eq!(version(&world, &id).await["draft_revision"], 1);
    let recorded = world.key.get("/v1/decisions").await.expect(200);
    assert_eq!(recorded["items"], json!([]));
}

#[tokio::test]
async fn all_rules_are_written_as_json() {
    let world = world().await;
    let browser = Browser::of(&world, &world.person(Role::Author).await);
    let id = created(&browser).await;
    let tenant = browser.tenant();
    let place = |revision: &'static str, text| {
        form(&[
            ("place[tenant]", &tenant),
            ("place[policy]", &id),
            ("place[version]", "1"),
            ("place[revision]", revision),
            ("text", text),
        ])
    };
    let broken = "[\n {\"code\":\"A\",\n  \"sevrity\":\"low\"}\n]";
    browser.post("/console/save-rules", &place("1", broken)).await;
    let page = browser.page(&format!("{}?look=json", edit_page(&id))).await.text;
    for said in ["Line 3", "did you mean", "sevrity"] {
        assert!(page.contains(said), "{said}: {page}");
    }
    let rules = r#"[{"code":"A","rule_type":"distinct","severity":"low","is_active":true,"condition":{"fields":["a","b"],"include_actor":false}}]"#;
    browser.post("/console/save-rules", &place("1", rules)).await;
    let stored = version(&world, &id).await;
    assert_eq!(stored["rules"], serde_json::from_str::<Value>(rules).unwrap());
    browser.post("/console/save-rules", &place("1", "[]")).await;
    let page = browser.page(&format!("{}?look=json", edit_page(&id))).await.text;
    assert!(page.contains("The draft moved from r1 to r2"), "{page}");
    assert_eq!(version(&world, &id).await["draft_revision"], 2);
}

#[tokio::test]
async fn a_version_that_is_sent_cannot_be_written_and_what_was_typed_is_shown() {
    let world = world().await;
    let browser = Browser::of(&world, &world.person(Role::Author).await);
    let id = created(&browser).await;
    send(&browser, &id, 1, &limit("LIMIT", "500")).await;
    world.key.post(format!("/v1/policies/{id}/versions/1/submit"), &json!({})).await.expect(200);
    let mut late = limit("LIMIT", "777");
    late.push(("place[was]", "LIMIT"));
    send(&browser, &id, 2, &late).await;
    let page = browser.page(&edit_page(&id)).await.text;
    assert!(page.contains("It cannot be written any more.") && page.contains("777"), "{page}");
}

#[tokio::test]
async fn a_new_draft_starts_from_a_version() {
    let world = world().await;
    let active = world.active("SPEND").await;
    let browser = Browser::of(&world, &world.person(Role::Author).await);
    let body = form(&[("policy", &active.policy), ("based_on", "1")]);
    let opened = browser.post("/console/open-draft", &body).await;
    let page = browser.at(&format!("policies/{}/versions/2/edit", active.policy));
    assert_eq!((opened.status, opened.header("location")), (303, Some(&*page)), "{}", opened.text);
    let path = |number: u32| format!("/v1/policies/{}/versions/{number}", active.policy);
    let (first, second) =
        (world.key.get(path(1)).await.json(), world.key.get(path(2)).await.json());
    assert_eq!(first["rules"], second["rules"]);
    // A second press leads to the same draft.
    let again = browser.post("/console/open-draft", &body).await;
    assert_eq!(again.header("location"), Some(&*page));
    let deleted = browser.page(&format!("policies/{}/versions/2/delete", active.policy)).await;
    assert!(deleted.text.contains("Its rules are gone for good."), "{}", deleted.text);
}

#[tokio::test]
async fn a_refused_policy_keeps_what_was_typed_and_its_details_are_changed() {
    let world = world().await;
    let browser = Browser::of(&world, &world.person(Role::Author).await);
    let id = created(&browser).await;
    let twice = form(&[("form[code]", "pay"), ("form[name]", "Second of its kind")]);
    let refused = browser.post("/console/create-policy", &twice).await;
    assert_eq!(refused.header("location"), Some(&*browser.at("policies/new")));
    let page = browser.page("policies/new").await.text;
    assert!(page.contains("Second of its kind") && page.contains("DUPLICATE_CODE"), "{page}");
    let nameless = form(&[("form[code]", "no code"), ("form[name]", "")]);
    browser.post("/console/create-policy", &nameless).await;
    let page = browser.page("policies/new").await.text;
    assert!(page.contains("2 things to correct"), "{page}");

    let shown = browser.page(&format!("policies/{id}/details")).await.text;
    let seen = crate::console_pages::hidden(&shown, "form[seen]");
    let changed = form(&[
        ("policy", &id),
        ("form[name]", "All payments"),
        ("form[types]", "payment"),
        ("form[seen]", &seen),
    ]);
    let changed = browser.post("/console/edit-policy", &changed).await;
    assert_eq!(changed.header("location"), Some(&*browser.at(&format!("policies/{id}"))));
    let policy = world.key.get(format!("/v1/policies/{id}")).await.expect(200);
    assert_eq!((&policy["name"], &policy["description"]), (&json!("All payments"), &Value::Null));
}

#[tokio::test]
async fn only_authors_find_the_way_and_pass_the_door() {
    let world = world().await;
    let id = created(&Browser::of(&world, &world.person(Role::Author).await)).await;
    let viewer = Browser::of(&world, &world.person(Role::Viewer).await);
    assert!(!viewer.page("policies").await.text.contains("policies/new"));
    for path in ["policies/new", &edit_page(&id), &format!("policies/{id}/details")] {
        assert_eq!(viewer.page(path).await.status, 403, "{path}");
    }
    send(&viewer, &id, 1, &limit("LIMIT", "500")).await;
    assert_eq!(version(&world, &id).await["draft_revision"], 1);
}
