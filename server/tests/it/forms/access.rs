//! Access to a form: the same credentials open its schema, its contract and its submission.

use super::{
    pages::{hidden, page_path, send, visit},
    path, publish_form, published_form, submission,
};
use crate::prelude::*;

/// Calls the schema, contract and submission endpoints of a form with `credential` as `name`.
async fn call_endpoints(
    client: &Client,
    form: &Value,
    name: &str,
    credential: Option<&str>,
) -> [String; 3] {
    let mut body = submission(1, "first");
    let mut reader = client.clone();
    let mut query = String::new();
    if let Some(credential) = credential {
        body[name] = credential.into();
        match name {
            "password" => reader = client.with("x-form-password", credential),
            _ => query = format!("?{name}={credential}"),
        }
    }
    [
        reader.get(path(form, &format!("/schema{query}"))).await.to_string(),
        reader.get(path(form, &format!("/api-contract{query}"))).await.to_string(),
        client.post(path(form, "/submit"), &body).await.to_string(),
    ]
}

/// Returns the same result for each of the three endpoints.
fn all(result: &str) -> [String; 3] {
    [(); 3].map(|()| result.to_owned())
}

async fn create_token(service: &TestService, form: &Value, draft: Value) -> String {
    let created = service.key.post(path(form, "/tokens"), &draft).await.expect(201);
    let url = format!("/f/{}?access_token={}", text(&form["id"]), text(&created["token"]));
    assert_eq!(created["url"], url);
    for (name, value) in draft.as_object().expect("an object") {
        assert_eq!(&created[name], value);
    }
    text(&created["token"]).to_owned()
}

#[testkit::test]
async fn token_opens_its_form_until_it_expires_or_is_used_up(service: TestService) {
    let version = service.active("PAY-01").await;
    let form = publish_form(&service, &version, json!({"access_mode": "token"})).await;
    let other = publish_form(&service, &version, json!({"access_mode": "token"})).await;
    let public = &service.public;
    let with = |key| call_endpoints(public, &form, "access_token", key);
    assert_eq!(with(None).await, all("403 FORBIDDEN"));
    assert_eq!(with(Some("frm_forged")).await, all("403 FORBIDDEN"));
    assert_eq!(with(Some("")).await, all("403 FORBIDDEN"));
    let foreign = create_token(&service, &other, json!({})).await;
    assert_eq!(with(Some(&foreign)).await, all("403 FORBIDDEN"), "a token of another form");

    let ends = json!({"max_uses": 9, "expires_at": "2026-09-01T10:01:00.000Z"});
    let expiring = create_token(&service, &form, ends).await;
    for suffix in ["/schema", "/api-contract"] {
        let response = public.get(path(&form, &format!("{suffix}?access_token={expiring}"))).await;
        assert_eq!((response.status, response.header("cache-control")), (200, Some("no-store")));
    }
    service.clock.advance(MINUTE_MS);
    assert_eq!(with(Some(&expiring)).await, all("403 FORBIDDEN"), "expired");
    let past = json!({"expires_at": "2026-09-01T10:01:00Z"});
    let past = service.key.post(path(&form, "/tokens"), &past).await;
    assert_eq!(past.field_errors(), "/expires_at range\n");

    let single_use = create_token(&service, &form, json!({"max_uses": 1})).await;
    let accepted = ["200", "200", "201"].map(str::to_owned);
    assert_eq!(with(Some(&single_use)).await, accepted);
    // A used-up token is rejected, except for a repeat of its submission.
    let used_up = ["403 FORBIDDEN", "403 FORBIDDEN", "200"].map(str::to_owned);
    assert_eq!(with(Some(&single_use)).await, used_up);
    let mut second = submission(1, "second");
    second["access_token"] = single_use.clone().into();
    let refusal = service.public.post(path(&form, "/submit"), &second).await;
    assert_eq!(refusal.to_string(), "403 FORBIDDEN");
    assert_eq!(refusal.details(), json!({"access_mode": "token"}));
    let digest = service.sql("select encode(digest, 'escape') from form_tokens").await.concat();
    assert!(!digest.contains(&single_use), "only the digest of the token is stored");
}

#[testkit::test]
async fn revoked_token_is_rejected_and_other_tokens_remain_valid(service: TestService) {
    let version = service.active("PAY-01").await;
    let form = publish_form(&service, &version, json!({"access_mode": "token"})).await;
    let other = publish_form(&service, &version, json!({"access_mode": "token"})).await;
    let created = service.key.post(path(&form, "/tokens"), &json!({})).await;
    assert_eq!(created.header("location"), None, "a token cannot be read");
    let created = created.expect(201);
    let location = path(&form, &format!("/tokens/{}", text(&created["id"])));
    let valid = create_token(&service, &form, json!({})).await;
    let with = |key| call_endpoints(&service.public, &form, "access_token", key);
    let revoked = Some(text(&created["token"]));
    assert_eq!(with(revoked).await, ["200", "200", "201"].map(str::to_owned));

    let other_form = path(&other, &format!("/tokens/{}", text(&created["id"])));
    assert_eq!(service.key.delete(other_form).await.to_string(), "404 NOT_FOUND");
    assert_eq!(
        service.other_tenant().await.key.delete(&location).await.to_string(),
        "404 NOT_FOUND"
    );
    let viewer = service.signed_in_member(Role::Viewer).await;
    assert_eq!(viewer.delete(&location).await.to_string(), "403 FORBIDDEN");
    for _ in 0..2 {
        assert_eq!(service.key.delete(&location).await.status, 204);
    }
    let events = "select count(*)::text from audit_events where action = 'form_token.revoke'";
    assert_eq!(service.sql(events).await, ["1"]);
    assert_eq!(with(revoked).await, all("403 FORBIDDEN"), "a repeated submission is rejected too");
    let schema = |key| service.public.get(path(&form, &format!("/schema?access_token={key}")));
    let (refusal, forged) = (schema(text(&created["token"])).await, schema("frm_forged").await);
    assert_eq!(refusal.without_correlation_id(), forged.without_correlation_id());
    assert_eq!(with(Some(&valid)).await, ["200", "200", "200"].map(str::to_owned));
}

#[testkit::test]
async fn password_opens_its_form_and_attempts_are_limited(service: TestService) {
    let members = json!({"access_mode": "password", "password": "open-sesame"});
    let form = published_form(&service, members).await;
    let with = |key| call_endpoints(&service.public, &form, "password", key);
    assert_eq!(with(None).await, all("403 FORBIDDEN"));
    assert_eq!(with(Some("close-sesame")).await, all("403 FORBIDDEN"));
    assert_eq!(with(Some("open-sesame")).await, ["200", "200", "201"].map(str::to_owned));
    for _ in 0..2 {
        let guess = service.public.with("x-form-password", "let-me-in");
        assert_eq!(guess.get(path(&form, "/schema")).await.to_string(), "403 FORBIDDEN");
    }
    assert_eq!(with(Some("open-sesame")).await, all("429 TOO_MANY_REQUESTS"));
    let open = json!({"access_mode": "open"});
    service.key.patch(path(&form, ""), &open).await.expect(200);
    assert_eq!(with(None).await[0], "200");
}

#[tokio::test]
async fn password_typed_on_another_system_opens_its_form() {
    const COMPOSED: &str = "caf\u{E9}-\u{FC}ber";
    const DECOMPOSED: &str = "cafe\u{301}-u\u{308}ber";
    let service = test_service().await;
    let version = service.active("PAY-01").await;
    for (set, typed) in [(COMPOSED, DECOMPOSED), (DECOMPOSED, COMPOSED)] {
        let members = json!({"access_mode": "password", "password": set});
        let form = publish_form(&service, &version, members).await;
        let body = json!({"values": {"amount": 1, "purpose": "rent"}, "password": typed});
        service.public.post(path(&form, "/submit"), &body).await.expect(201);
        // A header has the bytes of UTF-8.
        let reader = service.public.with("x-form-password", typed);
        reader.get(path(&form, "/schema")).await.expect(200);
    }
}

#[testkit::test]
async fn session_of_a_member_opens_a_form_and_identifies_the_actor(service: TestService) {
    let form = published_form(&service, json!({"access_mode": "console"})).await;
    let with = |client| call_endpoints(client, &form, "x", None);
    assert_eq!(with(&service.public).await, all("403 FORBIDDEN"));
    let neighbour = service.other_tenant().await;
    assert_eq!(with(&neighbour.admin).await, all("403 FORBIDDEN"));
    let viewer = service.signed_in_member(Role::Viewer).await;
    assert_eq!(with(&viewer).await, ["200", "200", "201"].map(str::to_owned));
    let decision = service.key.get("/v1/decisions").await.expect(200)["items"][0].clone();
    // A page of another site could send the cookie, but not the header with the tenant.
    let without_tenant = viewer.without("x-service-tenant-id");
    let with_other_tenant = without_tenant.with("x-service-tenant-id", neighbour.tenant);
    for client in [without_tenant, with_other_tenant] {
        let refusal = client.post(path(&form, "/submit"), &submission(1, "second")).await;
        assert_eq!(refusal.to_string(), "403 FORBIDDEN");
    }
    let user = user_id(&viewer).await;
    assert_eq!(decision["actor"], json!({"id": user, "type": "human"}));
    let actor = "select actor_type || ' ' || actor_id from audit_events \
                 where action = 'decision.record'";
    assert_eq!(service.sql(actor).await, [format!("human {}", text(&user))]);
}

#[testkit::test]
async fn password_is_rejected_in_a_url(service: TestService) {
    let members = json!({"access_mode": "password", "password": "öffne dich"});
    let form = published_form(&service, members).await;
    for suffix in ["/schema", "/api-contract"] {
        let query = path(&form, &format!("{suffix}?password=open"));
        assert_eq!(service.public.get(query).await.to_string(), "422 VALIDATION_ERROR");
        let response =
            service.public.with("x-form-password", "öffne dich").get(path(&form, suffix)).await;
        assert_eq!((response.status, response.header("cache-control")), (200, Some("no-store")));
        let long = service.public.with("x-form-password", "x".repeat(300)).get(path(&form, suffix));
        assert_eq!(long.await.to_string(), "422 VALIDATION_ERROR");
    }
}

#[testkit::test]
async fn answers_stay_while_access_is_missing(service: TestService) {
    let members = json!({"access_mode": "password", "password": "secret word"});
    let form = published_form(&service, members).await;
    let answers = [("key", "k"), ("a:amount", "2,5oo"), ("a:purpose", "rent\n& \"food\"")];
    let repeated = |page: &TestResponse| {
        [hidden(page, "gate"), hidden(page, "a:amount"), hidden(page, "a:purpose")]
    };
    let expected = ["1", "2,5oo", "rent\n&amp; &quot;food&quot;"].map(|text| Some(text.to_owned()));
    for password in [&[][..], &[("password", "wrong word")]] {
        let prompt = send(&service.public, &form, &[&answers[..], password].concat()).await;
        assert_eq!(prompt.status, 403);
        assert!(prompt.text.contains("Your answers stay on this page."), "{}", prompt.text);
        assert_eq!(repeated(&prompt), expected, "{}", prompt.text);
    }
    let credentials = [("gate", "1"), ("password", "secret word")];
    let page = send(&service.public, &form, &[&answers[1..], &credentials].concat()).await;
    assert_eq!(page.status, 200);
    assert!(page.text.contains("value=\"2,5oo\""), "{}", page.text);

    let console = json!({"access_mode": "console"});
    service.key.patch(path(&form, ""), &console).await.expect(200);
    let prompt = send(&service.public, &form, &answers).await;
    assert_eq!((prompt.status, repeated(&prompt)), (403, expected));
    let admin = service.admin().await;
    let page = send(&admin, &form, &[&answers[1..], &credentials[..1]].concat()).await;
    assert_eq!(page.status, 200, "{}", page.text);
    let blank = visit(&service.public, page_path(&form)).await;
    assert!(!blank.text.contains("<form") && blank.text.contains("/login?next="), "{}", blank.text);
}
