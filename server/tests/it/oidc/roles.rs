//! A provider that does not send the claim with the roles. Absent is not empty.

use super::{Oidc, actions, rejection};
use crate::prelude::*;

fn mapping() -> Value {
    json!({
        "role_claim": "groups",
        "default_role": "viewer",
        "role_mapping": [{"value": "officers", "role": "admin"}],
    })
}

async fn role(person: &Client) -> Value {
    person.get("/v1/session").await.expect(200)["memberships"][0]["role"].clone()
}

/// Returns the ways in which a provider says that it left out groups.
fn omissions() -> [(&'static str, Value); 4] {
    [
        ("_claim_names", json!({"groups": "src1"})),
        ("hasgroups", json!(true)),
        ("hasgroups", json!("true")),
        ("groups:src1", json!("https://graph.example.com/users/1/groups")),
    ]
}

async fn last_details(service: &TestService) -> String {
    let details = "select event::jsonb -> 'details' ->> 'reason' from audit_events \
                   where action = 'identity.keep_role' order by seq desc limit 1";
    service.sql(details).await.concat()
}

#[tokio::test]
async fn a_member_keeps_the_role_and_the_keys_if_the_groups_are_left_out() {
    let oidc = Oidc::with(mapping()).await;
    oidc.set("groups", json!(["officers"]));
    let person = oidc.sign_in().await;
    let key = json!({"name": "payroll", "scopes": ["policies:read"]});
    let key = person.post("/v1/api-keys", &key).await.expect(201);
    let key = oidc.with_key(text(&key["plaintext_key"]));
    for (claim, value) in omissions() {
        oidc.fake.reset();
        oidc.set(claim, value.clone());
        if claim == "hasgroups" {
            oidc.set("groups", json!([]));
        }
        assert_eq!(role(&oidc.sign_in().await).await, "admin", "{claim}");
        key.get("/v1/policies").await.expect(200);
        let events = actions(&oidc).await;
        assert_eq!(events[events.len() - 2..], ["identity.keep_role", "session.begin"], "{claim}");
        assert_eq!(last_details(&oidc).await, "omitted");
    }
    // The same holds for a token that says nothing about the groups.
    oidc.fake.reset();
    assert_eq!(role(&oidc.sign_in().await).await, "admin");
    assert_eq!(last_details(&oidc).await, "absent");
    key.get("/v1/policies").await.expect(200);
    // An empty list says that the person has no groups.
    oidc.set("groups", json!([]));
    assert_eq!(role(&oidc.sign_in().await).await, "viewer");
    assert_eq!(key.get("/v1/policies").await.status, 401);
}

#[tokio::test]
async fn a_new_person_whose_groups_are_left_out_is_refused_with_the_reason() {
    let oidc = Oidc::with(mapping()).await;
    for (claim, value) in omissions() {
        oidc.set(claim, value.clone());
        let response = oidc.try_sign_in().await;
        assert_eq!(rejection(&response), "roles_omitted", "{claim} {value}");
        let page = response.header("location").expect("a redirect").to_owned();
        let page = oidc.public.get(page).header("accept", "text/html").await.html();
        assert!(page.contains("The identity provider left out your groups"), "{page}");
        assert_eq!(actions(&oidc).await.last().map(String::as_str), Some("identity.refuse"));
        oidc.fake.reset();
    }
    assert_eq!(oidc.sql("select 1::text from identities").await, [""; 0]);
    // Without groups, a new person gets the default role.
    assert_eq!(role(&oidc.sign_in().await).await, "viewer");
}

#[tokio::test]
async fn groups_that_the_token_leaves_out_come_from_the_user_information() {
    let oidc = Oidc::with(mapping()).await;
    oidc.set("_claim_names", json!({"groups": "src1"}));
    oidc.fake.state().user_info = Some(json!({"sub": "ada", "groups": ["officers"]}));
    assert_eq!(role(&oidc.sign_in().await).await, "admin");
}

#[tokio::test]
async fn groups_that_cannot_be_read_are_refused_and_change_nothing() {
    let oidc = Oidc::with(mapping()).await;
    oidc.set("groups", json!(["officers"]));
    let person = oidc.sign_in().await;
    for groups in
        [json!(1), json!(true), json!({"officers": {}}), json!([1, 2]), json!([["officers"]])]
    {
        oidc.set("groups", groups.clone());
        assert_eq!(oidc.rejection().await, "invalid", "{groups}");
        assert_eq!(actions(&oidc).await.last().map(String::as_str), Some("identity.refuse"));
    }
    assert_eq!(role(&person).await, "admin");
    // Elements of another type are ignored, also among very many.
    let mut many: Vec<Value> = (0..2_000).map(|number| json!(format!("group-{number}"))).collect();
    many.extend([json!(7), Value::Null, json!("officers")]);
    oidc.set("groups", many.into());
    assert_eq!(role(&oidc.sign_in().await).await, "admin");
    oidc.set("groups", json!("officers"));
    assert_eq!(role(&oidc.sign_in().await).await, "admin");
}
