//! The console's functions are public endpoints: none of them listens to another site.

use leptos::server_fn::axum::server_fn_paths;

use contract::scope::Role;

use crate::{
    client::{Answer, Client},
    world::{World, request, world},
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

/// The log of the tenant as a file, for whoever asks.
async fn export(world: &World, client: &Client, format: &str, query: &str) -> Answer {
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
