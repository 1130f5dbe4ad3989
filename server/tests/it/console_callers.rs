//! The console's functions are public endpoints: none of them listens to another site.

use leptos::server_fn::axum::server_fn_paths;

use crate::world::world;

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
