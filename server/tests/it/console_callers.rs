//! The console's functions are public endpoints: none of them listens to another site.

use contract::scope::Role;
use leptos::server_fn::axum::server_fn_paths;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::{
    client::{Client, TestResponse, text},
    service::{TestService, request, world},
};

#[tokio::test]
async fn a_form_of_another_site_does_nothing() {
    let world = world().await;
    let admin = world.admin().await;
    let mut functions = 0;
    for (path, method) in server_fn_paths() {
        // What is safe for the layer must be safe for the store.
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
            let refused = call.body("application/x-www-form-urlencoded", "").await;
            assert_eq!(refused.to_string(), "403 FORBIDDEN", "{path} {name}: {value}");
        }
        functions += 1;
    }
    assert!(functions > 0);
    // Nobody was signed out on the way.
    admin.get("/v1/policies").await.expect(200);
}

#[tokio::test]
async fn a_form_of_our_own_is_listened_to() {
    let world = world().await;
    let admin = world.admin().await;
    for (name, value) in [
        ("sec-fetch-site", "same-origin".to_owned()),
        ("origin", format!("http://{}", world.address)),
    ] {
        let person = admin.with("accept", "text/html").with(name, value);
        let call = person.call("POST", "/console/log-out");
        let answer = call.body("application/x-www-form-urlencoded", "").await;
        assert_eq!(answer.status, 303, "{}", answer.text);
    }
    assert_eq!(admin.get("/v1/policies").await.status, 401);
}

/// Whether an answer is a page of a refusal.
fn is_page(answer: &TestResponse) -> bool {
    let kind = answer.header("content-type").unwrap_or_default();
    kind.starts_with("text/html") && answer.text.contains("<h1>")
}

#[tokio::test]
async fn a_refused_form_is_answered_with_a_page() {
    let world = world().await;
    let other = world.neighbour().await.tenant;
    let admin = world.admin().await.with("accept", "text/html");
    let nobody = Client::new(world.address).with("accept", "text/html");
    let (form, id) = ("application/x-www-form-urlencoded", "00000000-0000-4000-8000-000000000000");
    let page = format!("/t/{other}/forms/{id}/edit");
    for (function, members) in [
        ("edit-form", "form%5Btitle%5D=x&act=add".to_owned()),
        ("publish-form", "published=true".to_owned()),
        ("delete-form", String::new()),
        ("create-policy", "form%5Bname%5D=x".to_owned()),
        ("create-key", "name=x&scopes%5B%5D=policies%3Aread&expires=".to_owned()),
        ("revoke-key", String::new()),
        ("forms", "cursor=".to_owned()),
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
                let call = call.header("sec-fetch-site", "same-origin").body(form, body.clone());
                match referrer {
                    Some(page) => call.header("referer", format!("http://{}{page}", world.address)),
                    None => call,
                }
            };
            let elsewhere = call(&admin).await;
            assert_eq!((elsewhere.status, is_page(&elsewhere)), (403, true), "{elsewhere:?}");
            assert_eq!(elsewhere.header("location"), None, "{function}");
            let ended = call(&nobody).await;
            let next = referrer.map_or("/", String::as_str).replace('/', "%2F");
            let sign_in = format!("/login?next={next}");
            assert_eq!(
                (ended.status, ended.header("location"), &*ended.text),
                (303, Some(&*sign_in), ""),
                "{function}"
            );
        }
    }
    // A form that cannot be read is refused in the same way.
    for (path, _) in server_fn_paths().filter(|(path, _)| *path != "/console/log-out") {
        let call = admin.call("POST", path).header("sec-fetch-site", "same-origin");
        let answer = call.header("referer", format!("http://{}{page}", world.address));
        let answer = answer.body(form, "tenant=x").await;
        assert!(answer.status < 400 || is_page(&answer), "{path}: {answer:?}");
        let leads = answer.header("location").unwrap_or_default();
        assert!(!leads.contains("__err"), "{path} leads to {leads}");
    }
}

#[tokio::test]
async fn a_body_that_is_too_large_is_refused_as_such_wherever_it_is_sent() {
    let world = world().await;
    let admin = world.admin().await.with("sec-fetch-site", "same-origin");
    let kind = "application/x-www-form-urlencoded";
    let body = format!("tenant={}&text={}", world.tenant, "x".repeat(3_000_000));
    let version = world.active("PAY-01").await;
    let draft = json!({"policy_id": version.policy, "title": "F", "decision_type": "payment"});
    let form = world.key.post("/v1/forms", &draft).await.expect(201);
    let form = format!("/f/{}", text(&form["id"]));
    world.key.patch(format!("/v1/forms{}", &form[2..]), &json!({"is_published": true})).await;
    let functions = server_fn_paths().map(|(path, _)| path);
    for path in functions.chain(["/console/export", &form]) {
        let page = admin.with("accept", "text/html").call("POST", path).body(kind, body.clone());
        let page = page.await;
        assert_eq!((page.status, is_page(&page)), (413, true), "{path}: {page:?}");
        let plain = admin.call("POST", path).body(kind, body.clone()).await;
        assert_eq!(plain.to_string(), "413 PAYLOAD_TOO_LARGE", "{path}");
    }
    // The code of a page reads the refusal of a function at the top.
    let call = admin.call("POST", "/console/create-policy").header("accept", "application/json");
    let call = call.header("connection", "close").header("content-type", kind);
    let mut socket = TcpStream::connect(world.address).await.expect("it listens");
    let sent = [call.head(body.len()), body.into_bytes()].concat();
    socket.write_all(&sent).await.expect("it reads");
    let mut answer = Vec::new();
    socket.read_to_end(&mut answer).await.expect("it answers");
    let answer = TestResponse::parse(&answer);
    let problem = answer.expect(413);
    assert_eq!((&problem["status"], &problem["code"]), (&json!(413), &json!("PAYLOAD_TOO_LARGE")));
    assert_eq!(problem["error"]["code"], "PAYLOAD_TOO_LARGE");
}

/// The log of the tenant as a file, for whoever asks.
async fn export(world: &TestService, client: &Client, format: &str, query: &str) -> TestResponse {
    let query = query.replace('&', "%26").replace('=', "%3D");
    let form = format!("tenant={}&format={format}&query={query}", world.tenant);
    let call = client.call("POST", "/console/export").header("sec-fetch-site", "same-origin");
    call.body("application/x-www-form-urlencoded", form).await
}

#[tokio::test]
async fn the_log_is_handed_out_to_those_who_may_export_it() {
    let world = world().await;
    world.active("PAY").await;
    for (key, amount) in [("a", 1), ("b", 900)] {
        world.key.post("/v1/decisions/record", &request(key, amount)).await.expect(201);
    }
    let range = "from=2020-01-01&to=2040-01-01";
    let admin = world.admin().await;
    let all = export(&world, &admin, "ndjson", range).await;
    assert_eq!((all.status, all.text.lines().count()), (200, 2), "{}", all.text);
    let one = export(&world, &admin, "csv", &format!("key=b&{range}")).await;
    assert_eq!((one.status, one.text.lines().count()), (200, 2), "{}", one.text);

    let viewer = world.person(Role::Viewer).await;
    let nobody = Client::new(world.address);
    for (client, format, query, expected) in [
        (&viewer, "csv", range, "403 FORBIDDEN"),
        (&nobody, "csv", range, "401 UNAUTHORIZED"),
        (&admin, "xlsx", range, "422 VALIDATION_ERROR"),
        (&admin, "csv", "from=2020-01-01", "422 VALIDATION_ERROR"),
        (&admin, "csv", "from=soon&to=2040-01-01", "422 VALIDATION_ERROR"),
    ] {
        assert_eq!(export(&world, client, format, query).await.to_string(), expected, "{query}");
    }
    let elsewhere = admin.call("POST", "/console/export").header("sec-fetch-site", "cross-site");
    let form = format!("tenant={}&format=csv&query={range}", world.tenant);
    let refused = elsewhere.body("application/x-www-form-urlencoded", form).await;
    assert_eq!(refused.to_string(), "403 FORBIDDEN");
    let noted = world.sql("select action from audit_events where action like '%export%'").await;
    assert_eq!(noted.len(), 2, "{noted:?}");
}
