//! Pages of authoring grants as a browser without scripts gets them.

use contract::scope::Role;
use serde_json::json;

use crate::{
    capabilities::{FOLLOW, asked},
    client::text,
    console_pages::{Browser, cookie, secret},
    service::{MINUTE_MS, TestService, Version, with_key, world},
};

const ID: &str = "5d7d8001-0000-4000-8000-000000000001";

/// The form of a grant on a version, which its page gave an id.
fn form(version: &Version, rest: &str) -> String {
    let Version { policy, number } = version;
    format!("id={ID}&form%5Bversion%5D={policy}%2F{number}&form%5Bname%5D=assistant&{rest}")
}

const ACTIONS: &str = "form%5Bactions%5D%5B%5D=review.retrieve&form%5Bactions%5D%5B%5D=policy.read";

async fn grants(world: &TestService) -> serde_json::Value {
    world.key.get("/v1/authoring-capabilities").await.expect(200)["items"].clone()
}

#[tokio::test]
async fn a_grant_is_issued_and_its_key_shown_once_and_in_no_address() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let browser = Browser::of(&world, world.author().await);
    let rest = format!("{ACTIONS}&form%5Bmax_uses%5D=3&form%5Bexpires%5D=2026-09-02T10%3A00");
    let answer = browser.post("/console/issue-grant", &form(&version, &rest)).await;
    let path = browser.at("capabilities");
    assert_eq!((answer.status, answer.header("location")), (303, Some(&*path)), "{answer:?}");
    assert_eq!(secret(&format!("{:?}{}", answer.headers, answer.text)), None);
    let made = cookie(&answer, "made").expect("the browser carries the key to its page");
    let shown = browser.client(&format!("made={made}")).get(&path).await;
    assert_eq!(cookie(&shown, "made").as_deref(), Some(""), "the browser forgets it");
    let key = secret(&shown.text).expect("the page shows the key").to_owned();
    let program = with_key(&world.public, world.tenant, &key);
    program.get("/v1/authoring-capabilities/current/pending-work").await.expect(200);
    let issued = &grants(&world).await[0];
    assert_eq!((&issued["id"], &issued["max_uses"]), (&json!(ID), &json!(3)));
    assert_eq!(issued["actions"], json!(FOLLOW));
    assert_eq!(issued["expires_at"], "2026-09-02T10:00:00.000Z");
    let again = browser.page("capabilities").await.text;
    assert!(again.contains("assistant") && !again.contains(&key));
    assert!(again.contains("0 of 3 writes made"), "{again}");
}

#[tokio::test]
async fn a_grant_that_is_refused_keeps_what_was_typed() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let browser = Browser::of(&world, world.author().await);
    let bad = form(&version, "form%5Bexpires%5D=soon&form%5Bmax_uses%5D=many");
    let answer = browser.post("/console/issue-grant", &bad).await;
    assert_eq!(answer.status, 303, "{}", answer.text);
    assert_eq!(grants(&world).await, json!([]));
    let page = browser.page("capabilities").await.text;
    for said in ["It may: tick at least one.", "Expires: give a date", "Writes: give a whole"] {
        assert!(page.contains(said), "{said}");
    }
    assert!(page.contains("value=\"many\""), "{page}");
    assert!(!browser.page("capabilities").await.text.contains("value=\"many\""), "told once");
}

#[tokio::test]
async fn a_form_that_is_sent_twice_issues_one_grant() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let browser = Browser::of(&world, world.author().await);
    let form = form(&version, ACTIONS);
    let (one, two) = tokio::join!(
        browser.post("/console/issue-grant", &form),
        browser.post("/console/issue-grant", &form)
    );
    assert_eq!((one.status, two.status), (303, 303));
    assert_eq!(grants(&world).await.as_array().map(Vec::len), Some(1));
    let made = [&one, &two].into_iter().filter(|answer| cookie(answer, "made").is_some());
    assert_eq!(made.count(), 1, "one of them carries the key");
    let page = browser.page("capabilities").await.text;
    assert!(page.contains("A grant with this id was issued before"), "{page}");
}

#[tokio::test]
async fn a_grant_is_carried_and_revoked_on_its_pages() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let grant = world.grant(&version, &FOLLOW).await;
    let browser = Browser::of(&world, world.author().await);
    let carry = format!("capabilities/{}/carry", grant.id);
    let page = browser.page(&carry).await.text;
    assert!(page.contains("There is no later draft"), "{page}");
    world.anew(&version).await;
    let page = browser.page(&carry).await.text;
    assert!(page.contains("Carry to version 2"), "{page}");
    let list = browser.at("capabilities");
    let body = format!("id={}&version=2", grant.id);
    let carried = browser.post("/console/carry-grant", &body).await;
    assert_eq!((carried.status, carried.header("location")), (303, Some(&*list)));
    // The page of the first grant tells of its chain, and once more is refused in words.
    let again = browser.post("/console/carry-grant", &body).await;
    assert_eq!(again.header("location"), Some(&*browser.at(&carry)));
    let page = browser.page(&carry).await.text;
    assert!(page.contains("Only a live grant can be carried."), "{page}");

    let current = grants(&world).await[0]["id"].clone();
    let revoke = format!("capabilities/{}/revoke", text(&current));
    let page = browser.page(&revoke).await.text;
    assert!(page.contains("That is final"), "{page}");
    let body = format!("id={}", text(&current));
    let revoked = browser.post("/console/revoke-grant", &body).await;
    assert_eq!((revoked.status, revoked.header("location")), (303, Some(&*list)));
    let refused = grant.key.get("/v1/authoring-capabilities/current").await;
    assert_eq!(refused.to_string(), "403 AUTHORING_CAPABILITY_REVOKED");
    let page = browser.page(&revoke).await.text;
    assert!(page.contains("This grant is revoked already."), "{page}");
    let missing = browser.page("capabilities/00000000-0000-4000-8000-000000000000/revoke").await;
    assert_eq!(missing.status, 404);
}

#[tokio::test]
async fn each_way_in_which_a_grant_ends_has_its_label() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let browser = Browser::of(&world, world.author().await);
    assert!(browser.page("capabilities").await.text.contains("No grants."));
    let mut asked = asked(&version, &["policy.draft.edit"]);
    asked["max_uses"] = json!(1);
    asked["not_before"] = json!("2026-09-01T10:01:00Z");
    asked["expires_at"] = json!("2026-09-01T10:02:00Z");
    let grant = world.grant_of(&asked).await;
    let label = async |expected: &str| {
        let page = browser.page("capabilities").await.text;
        let labels = ["Live", "Not yet valid", "Used up", "Expired", "Not as signed", "Revoked"];
        let shown = |label: &&str| page.contains(&format!("</svg>{label}<"));
        let shown: Vec<&str> = labels.into_iter().filter(shown).collect();
        assert_eq!(shown, [expected], "{page}");
    };
    label("Not yet valid").await;
    world.clock.advance(MINUTE_MS);
    label("Live").await;
    let edit = json!({"expected_revision": 1, "rules": []});
    grant.key.patch(version.path(), &edit).await.expect(200);
    label("Used up").await;
    world.sql("update capability_grants set uses = 0").await;
    world.clock.advance(MINUTE_MS);
    label("Expired").await;
    world.sql("update capability_grants set expires_at = '2036-01-01T00:00:00Z'").await;
    label("Not as signed").await;
    world.sql("update capability_grants set expires_at = '2026-09-01T10:02:00Z'").await;
    assert_eq!(world.author().await.delete(grant.path()).await.status, 204);
    label("Revoked").await;
}

#[tokio::test]
async fn grants_are_for_authors_to_issue_and_for_auditors_to_look_at() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    world.grant(&version, &FOLLOW).await;
    for (role, may_look, may_issue) in [
        (Role::Viewer, false, false),
        (Role::Operator, false, false),
        (Role::Auditor, true, false),
        (Role::Author, true, true),
        (Role::Admin, true, true),
    ] {
        let browser = Browser::of(&world, &world.person(role).await);
        let link = format!("href=\"{}\"", browser.at("capabilities"));
        assert_eq!(browser.page("policies").await.text.contains(&link), may_look, "{role}");
        let page = browser.page("capabilities").await;
        assert_eq!(page.status, if may_look { 200 } else { 403 }, "{role}");
        assert_eq!(page.text.contains("Issue a grant"), may_issue, "{role}");
        assert_eq!(page.text.contains("Revoke the grant of"), may_issue, "{role}");
        if !may_issue {
            browser.post("/console/issue-grant", &form(&version, ACTIONS)).await;
            assert_eq!(grants(&world).await.as_array().map(Vec::len), Some(1), "{role}");
        }
    }
}
