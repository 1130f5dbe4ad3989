//! Members over HTTP: who belongs to a tenant, as what, and how they come and go.

use contract::scope::{Role, Scope};
use governance::access::operator;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{
    client::{Client, text},
    service::{NOW, PASSWORD, TestService, world},
};

const PATH: &str = "/v1/admin/members";
const INVITE: &str = "/v1/admin/members/invite";

fn path(person: &Value) -> String {
    format!("{PATH}/{}", text(person))
}

/// Who somebody is.
async fn id(person: &Client) -> Value {
    person.get("/v1/session").await.expect(200)["user"]["id"].clone()
}

/// A person with a proven account who belongs to another tenant.
async fn stranger(world: &TestService) -> Value {
    id(&world.neighbour().await.admin).await
}

/// The status of a read in the tenant.
async fn reads(person: &Client) -> u16 {
    person.get("/v1/policies").await.status
}

async fn roles(world: &TestService) -> Vec<String> {
    let own = format!("where tenant_id = '{}'", world.tenant);
    world.sql(&format!("select role from members {own} order by sequence")).await
}

#[tokio::test]
async fn members_are_listed_newest_first_with_role_and_address() {
    let world = world().await;
    let admin = world.admin().await;
    let auditor = world.person(Role::Auditor).await;
    let page = world.key.get(PATH).await.expect(200);
    let member = |id: Value, role: &str, email: &str| {
        json!({
            "user_id": id, "tenant_id": world.tenant.to_string(), "role": role,
            "status": "active", "created_at": NOW, "email": email,
        })
    };
    let expected = json!([
        member(id(&auditor).await, "auditor", "auditor0@acme.example"),
        member(id(&admin).await, "admin", "admin@acme.example"),
    ]);
    assert_eq!(page, json!({"items": expected, "next_cursor": null}));
    let one = path(&expected[0]["user_id"]);
    assert_eq!(world.key.get(one).await.expect(200), expected[0]);
    let first = admin.get(format!("{PATH}?limit=1")).await.expect(200);
    world.person(Role::Viewer).await;
    let rest = format!("{PATH}?limit=1&cursor={}", text(&first["next_cursor"]));
    assert_eq!(admin.get(rest).await.expect(200)["items"], json!([expected[1]]));
}

#[tokio::test]
async fn who_is_invited_must_exist_and_be_no_member() {
    let world = world().await;
    let nobody = "00000000-0000-4000-8000-000000000000";
    let by_email = world.key.post(INVITE, &json!({"email": "nobody@acme.example"})).await;
    assert_snapshot!(by_email, @"404 NOT_FOUND");
    let by_id = world.key.post(INVITE, &json!({"user_id": nobody})).await;
    assert_eq!(by_id.anonymous(), by_email.anonymous());
    let member =
        world.key.post(INVITE, &json!({"email": world.admin_email, "role": "viewer"})).await;
    assert_snapshot!(member, @"409 CONFLICT");
    assert_eq!(roles(&world).await, ["admin"]);
}

#[tokio::test]
async fn an_invitation_names_one_person_in_one_way() {
    let world = world().await;
    let id = "00000000-0000-4000-8000-000000000000";
    for (body, faults) in [
        (json!({}), "/user_id required\n"),
        (json!({"user_id": id, "email": "a@b.example"}), "/email exclusive\n"),
        (json!({"email": "ada", "role": "owner"}), "/email format\n/role enum\n"),
        (json!({"user_id": "ada", "rol": "admin"}), "/user_id format\n/rol unknown\n"),
        (json!({"email": null}), "/user_id required\n"),
    ] {
        assert_eq!(world.key.post(INVITE, &body).await.faults(), faults, "{body}");
    }
}

#[tokio::test]
async fn a_new_role_counts_from_the_next_request_on_in_every_process() {
    let world = world().await;
    let author = world.person(Role::Author).await;
    let elsewhere = world.another_process().await.with("x-service-tenant-id", world.tenant);
    let elsewhere = elsewhere.with("cookie", author.cookie().expect("signed in"));
    let group = |code: &str| json!({"code": code, "name": "Group"});
    author.post("/v1/policy-groups", &group("A")).await.expect(201);
    let me = id(&author).await;
    let admin = world.admin().await;
    let changed = admin.patch(path(&me), &json!({"role": "viewer"})).await.expect(200);
    assert_eq!((&changed["role"], &changed["user_id"]), (&json!("viewer"), &me));
    for process in [&author, &elsewhere] {
        let refused = process.post("/v1/policy-groups", &group("B")).await;
        assert_eq!(refused.to_string(), "403 FORBIDDEN");
        assert_eq!(reads(process).await, 200);
    }
    admin.patch(path(&me), &json!({"role": "author"})).await.expect(200);
    elsewhere.post("/v1/policy-groups", &group("B")).await.expect(201);
}

#[tokio::test]
async fn a_role_that_is_so_already_leaves_no_trace() {
    let world = world().await;
    let author = id(&world.person(Role::Author).await).await;
    let admin = world.admin().await;
    let before = world.sql("select count(*)::text from audit_events").await;
    admin.patch(path(&author), &json!({"role": "author"})).await.expect(200);
    assert_eq!(world.sql("select count(*)::text from audit_events").await, before);
}

#[tokio::test]
async fn whoever_is_removed_is_out_at_once_in_every_process() {
    let world = world().await;
    let author = world.person(Role::Author).await;
    let elsewhere = world.another_process().await.with("x-service-tenant-id", world.tenant);
    let elsewhere = elsewhere.with("cookie", author.cookie().expect("signed in"));
    assert_eq!((reads(&author).await, reads(&elsewhere).await), (200, 200));
    let answer = world.admin().await.delete(path(&id(&author).await)).await;
    assert_eq!((answer.status, &*answer.text), (204, ""));
    // The session itself is gone, for it opens nothing any more.
    for process in [&elsewhere, &author] {
        for path in ["/v1/policies", "/v1/session"] {
            assert_eq!(process.get(path).await.to_string(), "401 UNAUTHORIZED", "{path}");
        }
    }
    let kept = "select count(*)::text from session_digests s join users u using (user_id) \
                where u.email like 'author%'";
    assert_eq!(world.sql(kept).await, ["0"]);
}

#[tokio::test]
async fn a_removal_here_signs_nobody_out_elsewhere() {
    let world = world().await;
    let neighbour = world.neighbour().await;
    let person = id(&neighbour.admin).await;
    world.key.post(INVITE, &json!({"user_id": person})).await.expect(201);
    let accept = format!("/v1/session/invitations/{}/accept", world.tenant);
    neighbour.admin.post(accept, &json!({})).await.expect(200);
    let here = neighbour.admin.without("x-service-tenant-id");
    let here = here.with("x-service-tenant-id", world.tenant);
    assert_eq!(reads(&here).await, 200);
    world.key.delete(path(&person)).await;
    assert_snapshot!(here.get("/v1/policies").await, @"403 FORBIDDEN");
    assert_eq!(reads(&neighbour.admin).await, 200);
}

#[tokio::test]
async fn who_has_been_removed_is_no_member_to_change() {
    let world = world().await;
    let author = id(&world.person(Role::Author).await).await;
    let admin = world.admin().await;
    assert_eq!(admin.delete(path(&author)).await.status, 204);
    assert_snapshot!(admin.delete(path(&author)).await, @"404 NOT_FOUND");
    assert_snapshot!(admin.get(path(&author)).await, @"404 NOT_FOUND");
    let role = admin.patch(path(&author), &json!({"role": "viewer"})).await;
    assert_snapshot!(role, @"404 NOT_FOUND");
}

#[tokio::test]
async fn the_last_admin_stays_admin() {
    let world = world().await;
    let admin = world.admin().await;
    let me = id(&admin).await;
    assert_snapshot!(admin.delete(path(&me)).await, @"409 CONFLICT");
    let viewer = json!({"role": "viewer"});
    assert_snapshot!(admin.patch(path(&me), &viewer).await, @"409 CONFLICT");
    admin.patch(path(&me), &json!({"role": "admin"})).await.expect(200);
    world.person(Role::Admin).await;
    admin.patch(path(&me), &viewer).await.expect(200);
    assert_snapshot!(admin.get(PATH).await, @"403 FORBIDDEN");
    assert_eq!(roles(&world).await, ["viewer", "admin"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_admins_who_remove_each_other_at_once_one_stays() {
    let world = world().await;
    let elsewhere = world.another_process().await.with("x-service-tenant-id", world.tenant);
    for round in 0..10 {
        let (one, other) = (world.person(Role::Admin).await, world.person(Role::Admin).await);
        let (first, second) = (id(&one).await, id(&other).await);
        if round == 0 {
            let admin = world.admin().await;
            assert_eq!(one.delete(path(&id(&admin).await)).await.status, 204);
        } else {
            let old =
                "select user_id::text from members where role = 'admin' order by sequence limit 1";
            let old = json!(world.sql(old).await.concat());
            assert_eq!(one.delete(path(&old)).await.status, 204);
        }
        let elsewhere = elsewhere.with("cookie", other.cookie().expect("signed in"));
        let demote = json!({"role": "viewer"});
        let (removed, demoted) =
            tokio::join!(one.delete(path(&second)), elsewhere.patch(path(&first), &demote));
        // Whoever came second was refused as no admin, or as it would have left none.
        let done = [removed.status, demoted.status].iter().filter(|status| **status < 300).count();
        assert_eq!(done, 1, "{removed} {demoted}");
        let admins = roles(&world).await.iter().filter(|role| *role == "admin").count();
        assert_eq!(admins, 1, "{removed} {demoted}");
    }
}

#[tokio::test]
async fn the_log_tells_of_members_by_id_and_of_who_acted_by_address() {
    let world = world().await;
    let admin = world.admin().await;
    let person = stranger(&world).await;
    admin.post(INVITE, &json!({"user_id": person, "role": "author"})).await.expect(201);
    admin.patch(path(&person), &json!({"role": "reviewer"})).await.expect(200);
    assert_eq!(admin.delete(path(&person)).await.status, 204);
    let log = format!("/v1/audit-log?object_id={}", text(&person));
    let page = world.key.get(log).await.expect(200);
    let items = page["items"].as_array().expect("a page");
    let acts: Vec<(&str, &Value)> =
        items.iter().map(|item| (text(&item["action"]), &item["details"])).collect();
    assert_eq!(
        acts,
        [
            ("member.remove", &json!({"role": "reviewer"})),
            ("member.change_role", &json!({"before": "author", "after": "reviewer"})),
            ("member.invite", &json!({"role": "author", "status": "invited"})),
        ]
    );
    for item in items {
        assert_eq!(item["actor_email"], world.admin_email, "who acted");
        assert_eq!(item["actor"]["email"], world.admin_email);
        assert!(!item["event"].to_string().contains('@'), "what is hashed names nobody: {item}");
    }
}

#[tokio::test]
async fn members_are_for_admins_and_for_keys_with_the_scope() {
    let world = world().await;
    let reader = world.key_with(&[Scope::MembersRead]).await;
    reader.get(PATH).await.expect(200);
    let body = json!({"email": "nobody@acme.example"});
    assert_snapshot!(reader.post(INVITE, &body).await, @"403 INSUFFICIENT_SCOPE (members:write)");
    let writer = world.key_with(&[Scope::MembersWrite]).await;
    assert_snapshot!(writer.post(INVITE, &body).await, @"404 NOT_FOUND");
    let one = path(&id(&world.admin().await).await);
    reader.get(&*one).await.expect(200);
    assert_snapshot!(writer.get(&*one).await, @"403 INSUFFICIENT_SCOPE (members:read)");
    assert_snapshot!(writer.get(PATH).await, @"403 INSUFFICIENT_SCOPE (members:read)");
    let ratifier = world.person(Role::Ratifier).await;
    assert_snapshot!(ratifier.get(PATH).await, @"403 FORBIDDEN");
}

#[tokio::test]
async fn a_person_of_the_command_line_is_a_member_like_any_other() {
    let world = world().await;
    let password = PASSWORD.to_owned();
    let email = "Ops@Acme.example";
    let made =
        operator::create_user(&world.governance, world.tenant, email, password, Role::Operator);
    let made = made.await.expect("a person can be made");
    let page = world.key.get(PATH).await.expect(200);
    assert_eq!(page["items"][0]["user_id"], made.user_id.to_string());
    assert_eq!(page["items"][0]["email"], "ops@acme.example");
}
