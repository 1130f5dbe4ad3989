//! Saved filters of the decision list.

use governance::{access::member, deciding::saved_filter};

use crate::{log, prelude::*};

async fn names(cx: &Cx) -> Vec<String> {
    saved_filter::list(cx).await.unwrap().into_iter().map(|filter| filter.name).collect()
}

#[tokio::test]
async fn saved_filters_are_visible_to_and_removable_by_their_owner_only() {
    let (env, tenant) = test_tenant().await;
    let viewer = tenant.create_member("viewer@acme.example", Role::Viewer).await;
    let (viewer, author) = (tenant.user_cx(viewer).await, tenant.user_cx(tenant.author).await);
    let id = saved_filter::save(&viewer, " Denied ", "verdict=DENY").await.unwrap();
    saved_filter::save(&viewer, "Big", "rule=LIMIT").await.unwrap();
    saved_filter::save(&author, "Denied", "verdict=DENY").await.unwrap();
    assert_eq!(names(&viewer).await, ["Big", "Denied"]);
    assert_eq!(result_summary(&saved_filter::remove(&author, id).await), "404 NOT_FOUND");

    let other = env.tenant("other").await;
    let other_user = other.user_cx(other.admin).await;
    assert_eq!(result_summary(&saved_filter::remove(&other_user, id).await), "404 NOT_FOUND");
    assert_eq!(names(&other_user).await, [""; 0]);

    let removed = saved_filter::remove(&viewer, id).await.unwrap();
    assert_eq!((&*removed.name, &*removed.query), ("Denied", "verdict=DENY"));
    assert_eq!(names(&viewer).await, ["Big"]);
    assert_eq!(names(&author).await, ["Denied"]);
    assert_eq!(result_summary(&saved_filter::remove(&viewer, id).await), "404 NOT_FOUND");
}

#[tokio::test]
async fn invalid_filters_are_rejected_and_change_nothing() {
    let (env, tenant) = test_tenant().await;
    let cx = tenant.user_cx(tenant.author).await;
    saved_filter::save(&cx, "Denied", "verdict=DENY").await.unwrap();
    let key = tenant.cx_with_key(&tenant.create_key(&[Scope::DecisionsRead]).await).await;
    let before = env.table_digests().await;
    let long = "x".repeat(saved_filter::QUERY_MAX + 1);
    for (name, query, expected) in [
        (" ", "verdict=DENY", "422 VALIDATION_ERROR"),
        (&"x".repeat(saved_filter::NAME_MAX + 1), "verdict=DENY", "422 VALIDATION_ERROR"),
        ("Nothing", "", "422 VALIDATION_ERROR"),
        ("Long", &long, "422 VALIDATION_ERROR"),
        ("Denied", "verdict=ALLOW", "409 CONFLICT"),
    ] {
        assert_eq!(result_summary(&saved_filter::save(&cx, name, query).await), expected, "{name}");
    }
    assert_eq!(result_summary(&saved_filter::list(&key).await), "403 HUMAN_REQUIRED");
    assert_eq!(
        result_summary(&saved_filter::save(&key, "K", "rule=A").await),
        "403 HUMAN_REQUIRED"
    );
    assert_eq!(env.table_digests().await, before);

    for number in 1..saved_filter::FILTERS_MAX {
        saved_filter::save(&cx, &number.to_string(), "verdict=DENY").await.unwrap();
    }
    assert_eq!(
        result_summary(&saved_filter::save(&cx, "one more", "rule=A").await),
        "409 CONFLICT"
    );
}

#[tokio::test]
async fn saving_and_removing_are_audited_without_the_name_and_query() {
    let (env, tenant) = test_tenant().await;
    let cx = tenant.user_cx(tenant.author).await;
    let id = saved_filter::save(&cx, "Filter of Jane", "actor=jane").await.unwrap();
    saved_filter::remove(&cx, id).await.unwrap();
    let entries = log::verified_entries(&env, tenant.tenant).await;
    let own: Vec<_> = entries.iter().filter(|entry| entry.object_id == id.to_string()).collect();
    let actions: Vec<_> = own.iter().map(|entry| entry.action.as_str()).collect();
    assert_eq!(actions, ["saved_filter.create", "saved_filter.delete"]);
    assert!(own.iter().all(|entry| !entry.event.to_lowercase().contains("jane")));
}

#[tokio::test]
async fn removing_a_member_deletes_their_filters() {
    let (env, tenant) = test_tenant().await;
    let cx = tenant.user_cx(tenant.author).await;
    saved_filter::save(&cx, "Denied", "verdict=DENY").await.unwrap();
    let author = tenant.author;
    env.execute_as_superuser(&format!("delete from members where user_id = '{author}'")).await;
    assert_eq!(env.count("select count(*) from saved_filters").await, 0);
}

#[tokio::test]
async fn removed_member_cannot_save_a_filter() {
    let (_env, tenant) = test_tenant().await;
    let user = tenant.create_member("viewer@acme.example", Role::Viewer).await;
    // The request was authorized before the removal.
    let viewer = tenant.user_cx(user).await;
    member::remove(&tenant.admin_cx().await, user, None, None).await.unwrap();
    let refused = saved_filter::save(&viewer, "Denied", "verdict=DENY").await;
    assert_eq!(result_summary(&refused), "403 FORBIDDEN");
}
