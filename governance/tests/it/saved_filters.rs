//! Filters of the log that people keep for themselves.

use contract::scope::{Role, Scope};
use governance::{Cx, deciding::saved_filter};

use crate::{
    fixtures::{TestTenant, said, world},
    log,
};

async fn names(cx: &Cx) -> Vec<String> {
    saved_filter::list(cx).await.unwrap().into_iter().map(|filter| filter.name).collect()
}

#[tokio::test]
async fn a_person_keeps_filters_and_nobody_else_sees_or_removes_them() {
    let world = world().await;
    let house = world.tenant("house").await;
    let viewer = house.person("viewer@house.example", Role::Viewer).await;
    let (viewer, author) = (house.by(viewer).await, house.by(house.author).await);
    let id = saved_filter::save(&viewer, " Denied ", "verdict=DENY").await.unwrap();
    saved_filter::save(&viewer, "Big", "rule=LIMIT").await.unwrap();
    saved_filter::save(&author, "Denied", "verdict=DENY").await.unwrap();
    assert_eq!(names(&viewer).await, ["Big", "Denied"]);
    assert_eq!(said(&saved_filter::remove(&author, id).await), "404 NOT_FOUND");

    let other = world.tenant("other").await;
    let guest = other.by(other.admin).await;
    assert_eq!(said(&saved_filter::remove(&guest, id).await), "404 NOT_FOUND");
    assert_eq!(names(&guest).await, [""; 0]);

    saved_filter::remove(&viewer, id).await.unwrap();
    assert_eq!(names(&viewer).await, ["Big"]);
    assert_eq!(names(&author).await, ["Denied"]);
    assert_eq!(said(&saved_filter::remove(&viewer, id).await), "404 NOT_FOUND");
}

#[tokio::test]
async fn what_cannot_be_kept_is_refused_and_leaves_nothing() {
    let world = world().await;
    let house = world.tenant("house").await;
    let cx = house.by(house.author).await;
    saved_filter::save(&cx, "Denied", "verdict=DENY").await.unwrap();
    let key = house.with_key(&house.key_with(&[Scope::DecisionsRead]).await).await;
    let before = world.table_digests().await;
    let long = "x".repeat(saved_filter::QUERY_MAX + 1);
    for (name, query, refused) in [
        (" ", "verdict=DENY", "422 VALIDATION_ERROR"),
        (&"x".repeat(saved_filter::NAME_MAX + 1), "verdict=DENY", "422 VALIDATION_ERROR"),
        ("Nothing", "", "422 VALIDATION_ERROR"),
        ("Long", &long, "422 VALIDATION_ERROR"),
        ("Denied", "verdict=ALLOW", "409 CONFLICT"),
    ] {
        assert_eq!(said(&saved_filter::save(&cx, name, query).await), refused, "{name}");
    }
    assert_eq!(said(&saved_filter::list(&key).await), "403 HUMAN_REQUIRED");
    assert_eq!(said(&saved_filter::save(&key, "K", "rule=A").await), "403 HUMAN_REQUIRED");
    assert_eq!(world.table_digests().await, before);

    for number in 1..saved_filter::FILTERS_MAX {
        saved_filter::save(&cx, &number.to_string(), "verdict=DENY").await.unwrap();
    }
    assert_eq!(said(&saved_filter::save(&cx, "one more", "rule=A").await), "409 CONFLICT");
}

#[tokio::test]
async fn keeping_and_removing_are_in_the_log_without_the_name() {
    let world = world().await;
    let house = world.tenant("house").await;
    let cx = house.by(house.author).await;
    let id = saved_filter::save(&cx, "Somebody's name", "actor=somebody").await.unwrap();
    saved_filter::remove(&cx, id).await.unwrap();
    let entries = log::intact(&world, house.tenant).await;
    let own: Vec<_> = entries.iter().filter(|entry| entry.object_id == id.to_string()).collect();
    let acts: Vec<_> = own.iter().map(|entry| entry.action.as_str()).collect();
    assert_eq!(acts, ["saved_filter.create", "saved_filter.delete"]);
    assert!(own.iter().all(|entry| !entry.event.to_lowercase().contains("somebody")));
}

#[tokio::test]
async fn filters_go_with_the_membership() {
    let world = world().await;
    let house = world.tenant("house").await;
    let cx = house.by(house.author).await;
    saved_filter::save(&cx, "Denied", "verdict=DENY").await.unwrap();
    leave(&world, &house).await;
    assert_eq!(world.count("select count(*) from saved_filters").await, 0);
}

async fn leave(world: &crate::fixtures::TestEnv, house: &TestTenant) {
    let author = house.author;
    world.execute_as_superuser(&format!("delete from members where user_id = '{author}'")).await;
}
