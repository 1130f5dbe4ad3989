//! Members over HTTP: listing, invitations, role changes and removal.

use crate::prelude::*;

const PATH: &str = "/v1/admin/members";
const INVITE: &str = "/v1/admin/members/invite";

fn member_path(person: &Value) -> String {
    format!("{PATH}/{}", text(person))
}

/// The ID of a user of another tenant whose email is verified.
async fn outsider(service: &TestService) -> Value {
    user_id(&service.other_tenant().await.admin).await
}

async fn roles(service: &TestService) -> Vec<String> {
    let filter = format!("where tenant_id = '{}'", service.tenant);
    service.sql(&format!("select role from members {filter} order by sequence")).await
}

#[testkit::test]
async fn members_are_listed_newest_first_with_role_and_email(service: TestService) {
    let admin = service.admin().await;
    let auditor = service.signed_in_member(Role::Auditor).await;
    let page = service.key.get(PATH).await.expect(200);
    let member = |id: Value, role: &str, email: &str| {
        json!({
            "user_id": id, "tenant_id": service.tenant.to_string(), "role": role,
            "status": "active", "created_at": NOW, "email": email,
        })
    };
    let expected = json!([
        member(user_id(&auditor).await, "auditor", "auditor0@acme.example"),
        member(user_id(&admin).await, "admin", "admin@acme.example"),
    ]);
    assert_eq!(page, json!({"items": expected, "next_cursor": null}));
    let path = member_path(&expected[0]["user_id"]);
    assert_eq!(service.key.get(path).await.expect(200), expected[0]);
}

#[testkit::test]
async fn inviting_an_unknown_user_or_a_member_fails(service: TestService) {
    let unknown = "00000000-0000-4000-8000-000000000000";
    let by_email = service.key.post(INVITE, &json!({"email": "unknown@acme.example"})).await;
    assert_snapshot!(by_email, @"404 NOT_FOUND");
    let by_id = service.key.post(INVITE, &json!({"user_id": unknown})).await;
    assert_eq!(by_id.without_correlation_id(), by_email.without_correlation_id());
    let member =
        service.key.post(INVITE, &json!({"email": service.admin_email, "role": "viewer"})).await;
    assert_snapshot!(member, @"409 CONFLICT");
    assert_eq!(roles(&service).await, ["admin"]);
}

#[testkit::test]
async fn role_change_applies_to_the_next_request_in_every_process(service: TestService) {
    let author = service.signed_in_member(Role::Author).await;
    let other_process = author.at_process_of(&service.start_process().await);
    let group = |code: &str| json!({"code": code, "name": "Group"});
    author.post("/v1/policy-groups", &group("A")).await.expect(201);
    let own_id = user_id(&author).await;
    let admin = service.admin().await;
    let changed = admin.patch(member_path(&own_id), &json!({"role": "viewer"})).await.expect(200);
    assert_eq!((&changed["role"], &changed["user_id"]), (&json!("viewer"), &own_id));
    for process in [&author, &other_process] {
        let refused = process.post("/v1/policy-groups", &group("B")).await;
        assert_eq!(refused.to_string(), "403 FORBIDDEN");
        assert_eq!(read_status(process).await, 200);
    }
    admin.patch(member_path(&own_id), &json!({"role": "author"})).await.expect(200);
    other_process.post("/v1/policy-groups", &group("B")).await.expect(201);
}

#[testkit::test]
async fn setting_the_current_role_appends_no_audit_event(service: TestService) {
    let author = user_id(&service.signed_in_member(Role::Author).await).await;
    let admin = service.admin().await;
    let before = service.sql("select count(*)::text from audit_events").await;
    admin.patch(member_path(&author), &json!({"role": "author"})).await.expect(200);
    assert_eq!(service.sql("select count(*)::text from audit_events").await, before);
}

#[testkit::test]
async fn removed_member_loses_access_immediately_in_every_process(service: TestService) {
    let author = service.signed_in_member(Role::Author).await;
    let other_process = author.at_process_of(&service.start_process().await);
    assert_eq!((read_status(&author).await, read_status(&other_process).await), (200, 200));
    let response = service.admin().await.delete(member_path(&user_id(&author).await)).await;
    assert_eq!((response.status, &*response.text), (204, ""));
    // The session ends too, because the user has no other tenant.
    for process in [&other_process, &author] {
        for path in ["/v1/policies", "/v1/session"] {
            assert_eq!(process.get(path).await.to_string(), "401 UNAUTHORIZED", "{path}");
        }
    }
    let sessions = "select count(*)::text from session_digests s join users u using (user_id) \
                where u.email like 'author%'";
    assert_eq!(service.sql(sessions).await, ["0"]);
}

#[testkit::test]
async fn removal_from_one_tenant_keeps_access_to_another(service: TestService) {
    let neighbour = service.other_tenant().await;
    let person = user_id(&neighbour.admin).await;
    service.key.post(INVITE, &json!({"user_id": person})).await.expect(201);
    let accept = format!("/v1/session/invitations/{}/accept", service.tenant);
    neighbour.admin.post(accept, &json!({})).await.expect(200);
    let member = neighbour.admin.without("x-service-tenant-id");
    let member = member.with("x-service-tenant-id", service.tenant);
    assert_eq!(read_status(&member).await, 200);
    service.key.delete(member_path(&person)).await;
    assert_snapshot!(member.get("/v1/policies").await, @"403 FORBIDDEN");
    assert_eq!(read_status(&neighbour.admin).await, 200);
}

#[testkit::test]
async fn removed_member_is_not_found(service: TestService) {
    let author = user_id(&service.signed_in_member(Role::Author).await).await;
    let admin = service.admin().await;
    assert_eq!(admin.delete(member_path(&author)).await.status, 204);
    assert_snapshot!(admin.delete(member_path(&author)).await, @"404 NOT_FOUND");
    assert_snapshot!(admin.get(member_path(&author)).await, @"404 NOT_FOUND");
    let role = admin.patch(member_path(&author), &json!({"role": "viewer"})).await;
    assert_snapshot!(role, @"404 NOT_FOUND");
}

#[testkit::test]
async fn last_admin_cannot_be_removed_or_demoted(service: TestService) {
    let admin = service.admin().await;
    let own_id = user_id(&admin).await;
    assert_snapshot!(admin.delete(member_path(&own_id)).await, @"409 CONFLICT");
    let viewer = json!({"role": "viewer"});
    assert_snapshot!(admin.patch(member_path(&own_id), &viewer).await, @"409 CONFLICT");
    admin.patch(member_path(&own_id), &json!({"role": "admin"})).await.expect(200);
    service.signed_in_member(Role::Admin).await;
    admin.patch(member_path(&own_id), &viewer).await.expect(200);
    assert_snapshot!(admin.get(PATH).await, @"403 FORBIDDEN");
    assert_eq!(roles(&service).await, ["viewer", "admin"]);
}

#[testkit::test(flavor = "multi_thread")]
async fn concurrent_removal_and_demotion_leave_one_admin(service: TestService) {
    let second_process = service.start_process().await;
    for round in 0..10 {
        let (one, other) = (
            service.signed_in_member(Role::Admin).await,
            service.signed_in_member(Role::Admin).await,
        );
        let (first, second) = (user_id(&one).await, user_id(&other).await);
        if round == 0 {
            let admin = service.admin().await;
            assert_eq!(one.delete(member_path(&user_id(&admin).await)).await.status, 204);
        } else {
            let old =
                "select user_id::text from members where role = 'admin' order by sequence limit 1";
            let old = json!(service.sql(old).await.concat());
            assert_eq!(one.delete(member_path(&old)).await.status, 204);
        }
        let other_process = other.at_process_of(&second_process);
        let demote = json!({"role": "viewer"});
        let (removed, demoted) = tokio::join!(
            one.delete(member_path(&second)),
            other_process.patch(member_path(&first), &demote)
        );
        // The second request fails: its caller is no longer an admin, or no admin would remain.
        let successes =
            [removed.status, demoted.status].iter().filter(|status| **status < 300).count();
        assert_eq!(successes, 1, "{removed} {demoted}");
        let admins = roles(&service).await.iter().filter(|role| *role == "admin").count();
        assert_eq!(admins, 1, "{removed} {demoted}");
    }
}

#[testkit::test]
async fn audit_log_names_members_by_id_and_actors_by_email(service: TestService) {
    let admin = service.admin().await;
    let person = outsider(&service).await;
    admin.post(INVITE, &json!({"user_id": person, "role": "author"})).await.expect(201);
    admin.patch(member_path(&person), &json!({"role": "reviewer"})).await.expect(200);
    assert_eq!(admin.delete(member_path(&person)).await.status, 204);
    let log = format!("/v1/audit-log?object_id={}", text(&person));
    let page = service.key.get(log).await.expect(200);
    let items = items(&page);
    let actions: Vec<(&str, &Value)> =
        items.iter().map(|item| (text(&item["action"]), &item["details"])).collect();
    assert_eq!(
        actions,
        [
            ("member.remove", &json!({"role": "reviewer"})),
            ("member.change_role", &json!({"before": "author", "after": "reviewer"})),
            ("member.invite", &json!({"role": "author", "status": "invited"})),
        ]
    );
    for item in items {
        assert_eq!(item["actor_email"], service.admin_email, "the actor");
        assert_eq!(item["actor"]["email"], service.admin_email);
        assert!(!item["event"].to_string().contains('@'), "hashed events contain no email: {item}");
    }
}
