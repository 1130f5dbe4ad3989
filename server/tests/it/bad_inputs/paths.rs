//! Ids in paths: what is no id, what is nobody's, and what is another tenant's look alike.

use serde_json::json;

use crate::{
    client::text,
    routes::{self, Ids},
    service::{CHAIN, chained, world},
    wrong_callers::MEMBER,
};

#[tokio::test]
async fn what_is_no_id_names_nothing() {
    let world = world().await;
    let admin = world.admin().await;
    let good = "aaaaaaaa-0000-4000-8000-000000000000";
    let braced = format!("%7B{good}%7D");
    let urn = format!("urn:uuid:{good}");
    let hex = good.replace('-', "");
    for id in ["x", "1", "%00", "%ff", "%2e%2e", "null", &*braced, &*urn, &*hex, "a%2Fb"] {
        let id = id.to_owned();
        let ids = Ids {
            policy: id.clone(),
            decision: id.clone(),
            group: id.clone(),
            member: id.clone(),
            submission: id.clone(),
            chain: id.clone(),
        };
        for (route, permission) in routes::guarded().filter(|(route, _)| route.path.contains('{')) {
            let client = if permission.scopes.is_some() { &world.key } else { &admin };
            let answer = routes::call(client, &route, &ids).await;
            assert_eq!(answer.to_string(), "404 NOT_FOUND", "{} {} {id}", route.method, route.path);
        }
        for path in
            [format!("receipts/{id}"), format!("chains/{id}/verify"), format!("chains/{id}/seal")]
        {
            let answer = world.public.get(format!("/v1/{path}")).await;
            assert_eq!(answer.to_string(), "404 NOT_FOUND", "{path}");
        }
    }
}

#[tokio::test]
async fn what_is_no_number_names_no_version() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    for number in ["0", "-1", "1.0", "one", "2", "4294967295", "4294967296", "%31%00", "active"] {
        let path = format!("{}/versions/{number}", version.of());
        assert_eq!(world.key.get(&path).await.to_string(), "404 NOT_FOUND", "{number}");
        let submit = world.key.post(format!("{path}/submit"), &json!({})).await;
        assert_eq!(submit.to_string(), "404 NOT_FOUND", "{number}");
    }
}

#[tokio::test]
async fn what_is_another_tenant_s_looks_as_if_it_were_not_there() {
    let world = world().await;
    let version = world.draft("PAY-01").await;
    let submission = world.seal(&version).await;
    world.author().await.post(version.act("submit"), &json!({})).await.expect(200);
    world.ratify(&version).await;
    world.activate(&version).await;
    let policy = version.policy;
    let recorded =
        world.key.post("/v1/decisions/record", &chained("k", json!({}))).await.expect(201);
    let decision = recorded["decision"]["id"].as_str().unwrap().to_owned();
    let neighbour = world.neighbour().await;
    let group = json!({"code": "G", "name": "Group"});
    let group = world.key.post("/v1/policy-groups", &group).await.expect(201);
    let group = text(&group["id"]).to_owned();
    let member = world.sql(MEMBER).await.concat();
    let theirs = Ids { policy, decision, group, member, submission, chain: CHAIN.to_owned() };
    let before = state(&world).await;
    for (route, permission) in routes::guarded().filter(|(route, _)| route.path.contains('{')) {
        let key = permission.scopes.map(|_| &neighbour.key);
        for client in key.into_iter().chain([&neighbour.admin]) {
            let answer = routes::call(client, &route, &theirs).await;
            assert_eq!(answer.to_string(), "404 NOT_FOUND", "{} {}", route.method, route.path);
            let missing = routes::call(client, &route, &Ids::missing()).await;
            assert_eq!(answer.anonymous(), missing.anonymous(), "{} {}", route.method, route.path);
        }
    }
    for list in ["/v1/policies", "/v1/policy-groups", "/v1/decisions", "/v1/chains"] {
        let page = neighbour.key.get(list).await.expect(200);
        assert_eq!(page["items"], json!([]), "{list}");
    }
    assert_eq!(state(&world).await, before);
}

/// What the tenant's rows say.
async fn state(world: &crate::service::TestService) -> Vec<String> {
    let state = "select tenant_id || code || status || p.updated_at || draft_revision \
                 from policies p join policy_versions v using (tenant_id) where v.policy_id = p.id \
                 union all select code || name || updated_at from policy_groups \
                 union all select tenant_id || role || user_id from members";
    world.sql(state).await
}
