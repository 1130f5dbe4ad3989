//! Server functions of the console: cross-site requests, refusals and exports.

use leptos::server_fn::axum::server_fn_paths;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::prelude::*;

#[testkit::test]
async fn cross_site_requests_to_server_functions_are_refused(service: TestService) {
    let admin = service.admin().await;
    let mut functions = 0;
    for (path, method) in server_fn_paths() {
        // The origin check skips safe methods, so every server function must use POST.
        assert_eq!((method.as_str(), path.starts_with("/console/")), ("POST", true), "{path}");
        for (name, value) in [
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
            ("sec-fetch-site", "none"),
            ("origin", "https://elsewhere.example"),
            ("origin", "null"),
            ("referer", "https://elsewhere.example/"),
        ] {
            let call = admin.call("POST", path).header(name, value);
            let refusal = call.body(FORM, "").await;
            assert_eq!(refusal.to_string(), "403 FORBIDDEN", "{path} {name}: {value}");
        }
        functions += 1;
    }
    assert!(functions > 0);
    // The session is still valid.
    admin.get("/v1/policies").await.expect(200);
}

#[testkit::test]
async fn same_origin_requests_to_server_functions_are_accepted(service: TestService) {
    let admin = service.admin().await;
    for (name, value) in [
        ("sec-fetch-site", "same-origin".to_owned()),
        ("origin", format!("http://{}", service.address)),
    ] {
        let person = admin.with("accept", "text/html").with(name, value);
        let call = person.call("POST", "/console/log-out");
        let response = call.body(FORM, "").await;
        assert_eq!(response.status, 303, "{}", response.text);
    }
    assert_eq!(admin.get("/v1/policies").await.status, 401);
}

/// Checks whether a response is an HTML error page.
fn is_error_page(response: &TestResponse) -> bool {
    let kind = response.header("content-type").unwrap_or_default();
    kind.starts_with("text/html") && response.text.contains("<h1>")
}

#[testkit::test]
async fn a_refused_form_returns_an_error_page_or_redirects_to_sign_in(service: TestService) {
    let other = service.other_tenant().await.tenant;
    let admin = service.admin().await.with("accept", "text/html");
    let visitor = Client::new(service.address).with("accept", "text/html");
    let id = "00000000-0000-4000-8000-000000000000";
    let page = format!("/t/{other}/forms/{id}/edit");
    for (function, members) in [
        ("edit-form", "form%5Btitle%5D=x&act=add".to_owned()),
        ("publish-form", "published=true&seen=x".to_owned()),
        ("delete-form", "published=true&seen=x".to_owned()),
        ("create-policy", "form%5Bname%5D=x".to_owned()),
        ("create-key", "name=x&scopes%5B%5D=policies%3Aread&expires=".to_owned()),
        ("revoke-key", String::new()),
        (
            "change-setting",
            format!(
                "form%5Btenant%5D={other}&form%5Bsetting%5D=review_required&form%5Bbefore%5D=false&form%5Bvalue%5D=true&form%5Breason%5D=z"
            ),
        ),
    ] {
        let body = format!("tenant={other}&id={id}&{members}");
        for referrer in [Some(&page), None] {
            let call = |client: &Client| {
                let call = client.call("POST", format!("/console/{function}"));
                let call = call.header("sec-fetch-site", "same-origin").body(FORM, body.clone());
                match referrer {
                    Some(page) => {
                        call.header("referer", format!("http://{}{page}", service.address))
                    }
                    None => call,
                }
            };
            let other_tenant = call(&admin).await;
            assert_eq!(
                (other_tenant.status, is_error_page(&other_tenant)),
                (403, true),
                "{other_tenant:?}"
            );
            assert_eq!(other_tenant.header("location"), None, "{function}");
            let signed_out = call(&visitor).await;
            let next = referrer.map_or("/", String::as_str).replace('/', "%2F");
            let sign_in = format!("/login?next={next}");
            assert_eq!(
                (signed_out.status, signed_out.header("location"), &*signed_out.text),
                (303, Some(&*sign_in), ""),
                "{function}"
            );
        }
    }
    // A form with missing or malformed fields is refused in the same way.
    for (path, _) in server_fn_paths().filter(|(path, _)| *path != "/console/log-out") {
        for body in ["", "tenant=x", "tenant%5Ba%5D%5Bb%5D=x&form=1&form%5Bx%5D=2"] {
            let call = admin.call("POST", path).header("sec-fetch-site", "same-origin");
            let response = call.header("referer", format!("http://{}{page}", service.address));
            let response = response.body(FORM, body).await;
            let is_refused = (400..500).contains(&response.status) && is_error_page(&response);
            assert!(response.status < 400 || is_refused, "{path} {body}: {response:?}");
            let location = response.header("location").unwrap_or_default();
            assert!(!location.contains("__err"), "{path} redirects to {location}");
        }
    }
}

#[testkit::test]
async fn every_form_endpoint_refuses_a_body_that_is_too_large(service: TestService) {
    let admin = service.admin().await.with("sec-fetch-site", "same-origin");
    let body = format!("tenant={}&text={}", service.tenant, "x".repeat(3_000_000));
    let version = service.active("PAY-01").await;
    let draft = json!({"policy_id": version.policy, "title": "F", "decision_type": "payment"});
    let form = service.key.post("/v1/forms", &draft).await.expect(201);
    let form = format!("/f/{}", text(&form["id"]));
    service.key.patch(format!("/v1/forms{}", &form[2..]), &json!({"is_published": true})).await;
    let functions = server_fn_paths().map(|(path, _)| path);
    for path in functions.chain(["/console/export", &form]) {
        let page = admin.with("accept", "text/html").call("POST", path).body(FORM, body.clone());
        let page = page.await;
        assert_eq!((page.status, is_error_page(&page)), (413, true), "{path}: {page:?}");
        let plain = admin.call("POST", path).body(FORM, body.clone()).await;
        assert_eq!(plain.to_string(), "413 PAYLOAD_TOO_LARGE", "{path}");
    }
    // The JSON response has `status` and `code` at its top level.
    let call = admin.call("POST", "/console/create-policy").header("accept", "application/json");
    let call = call.header("connection", "close").header("content-type", FORM);
    let mut socket = TcpStream::connect(service.address).await.expect("the service listens");
    let request = [call.head(body.len()), body.into_bytes()].concat();
    socket.write_all(&request).await.expect("the service reads the request");
    let mut response = Vec::new();
    socket.read_to_end(&mut response).await.expect("the service responds");
    let response = TestResponse::parse(&response);
    let problem = response.expect(413);
    assert_eq!((&problem["status"], &problem["code"]), (&json!(413), &json!("PAYLOAD_TOO_LARGE")));
    assert_eq!(problem["error"]["code"], "PAYLOAD_TOO_LARGE");
}

#[testkit::test]
async fn every_form_endpoint_refuses_a_form_that_cannot_be_read(service: TestService) {
    let admin = service.admin().await.with("sec-fetch-site", "same-origin");
    let readable = format!("tenant={}&text=x", service.tenant);
    let cases = [
        (FORM, format!("{readable}&a=%zz").into_bytes(), 422),
        ("multipart/form-data; boundary=x", b"--x\r\nContent-Disp".to_vec(), 415),
    ];
    let functions = server_fn_paths().map(|(path, _)| path.to_owned());
    let pages = ["acknowledge", "assign", "snooze"];
    let pages = pages.map(|page| format!("/t/{}/alerts/{page}", service.tenant));
    for path in functions.chain(["/console/export".to_owned()]).chain(pages) {
        for (kind, body, status) in &cases {
            let call = |accept| {
                let call = admin.with("accept", accept).call("POST", &*path);
                call.body(kind, body.clone())
            };
            let page = call("text/html").await;
            assert_eq!((page.status, is_error_page(&page)), (*status, true), "{path}: {page:?}");
            let program = call("*/*").await;
            assert_eq!(program.status, *status, "{path}: {program:?}");
        }
    }
    // The session is still valid.
    admin.get("/v1/policies").await.expect(200);
}

#[testkit::test]
async fn only_callers_with_the_permission_can_export_decisions(service: TestService) {
    let range = "from=2020-01-01&to=2040-01-01";
    let admin = service.admin().await;
    let viewer = service.signed_in_member(Role::Viewer).await;
    let visitor = Client::new(service.address);
    for (client, format, query, expected) in [
        (&viewer, "csv", range, "403 FORBIDDEN"),
        (&visitor, "csv", range, "401 UNAUTHORIZED"),
        (&admin, "xlsx", range, "422 VALIDATION_ERROR"),
        (&admin, "csv", "from=2020-01-01", "422 VALIDATION_ERROR"),
        (&admin, "csv", "from=soon&to=2040-01-01", "422 VALIDATION_ERROR"),
    ] {
        let form = format!("tenant={}&format={format}&{query}", service.tenant);
        let call = client.call("POST", "/console/export").header("sec-fetch-site", "same-origin");
        assert_eq!(call.body(FORM, form).await.to_string(), expected, "{query}");
    }
    let cross_site = admin.call("POST", "/console/export").header("sec-fetch-site", "cross-site");
    let form = format!("tenant={}&format=csv&{range}", service.tenant);
    let refusal = cross_site.body(FORM, form).await;
    assert_eq!(refusal.to_string(), "403 FORBIDDEN");
    let events = service.sql("select action from audit_events where action like '%export%'").await;
    assert!(events.is_empty(), "{events:?}");
}
