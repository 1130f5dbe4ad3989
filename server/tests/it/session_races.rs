//! Sign-ins that overlap a change of the password.

use contract::scope::Role;
use sea_orm::{ConnectionTrait, DatabaseTransaction, TransactionTrait};
use serde_json::json;
use testkit::database;

use crate::{
    client::{Client, TestResponse},
    service::{PASSWORD, TestService, world},
};

const NEW: &str = "four other words of mine";

async fn reads(person: &Client) -> u16 {
    person.get("/v1/policies").await.status
}

/// Holds the rows of a statement from outside, until it is committed or dropped.
#[expect(clippy::disallowed_methods, reason = "holds rows from outside")]
async fn holding(world: &TestService, statement: &str) -> DatabaseTransaction {
    let superuser = database::connect(&world.database.superuser_url).await;
    let hold = superuser.begin().await.expect("a transaction begins");
    hold.execute_unprepared(statement).await.expect("the statement is good");
    hold
}

/// Waits until so many statements of the database wait for a lock.
async fn waiting(world: &TestService, number: usize) {
    const WAITING: &str = "select pid::text from pg_stat_activity \
         where datname = current_database() and wait_event_type = 'Lock'";
    while world.sql(WAITING).await.len() < number {}
}

/// A sign-in with the first password, as a task.
fn sign_in(world: &TestService, email: &str) -> (Client, tokio::task::JoinHandle<TestResponse>) {
    let client = world.public.with("x-service-tenant-id", world.tenant);
    let body = json!({"email": email, "password": PASSWORD});
    let call = client.post("/v1/session", &body);
    (client, tokio::spawn(call.into_future()))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_that_changes_while_it_is_checked_begins_no_session() {
    let world = world().await;
    let email = world.member(Role::Author).await;
    // The change is made and not committed: the sign-in still sees the hash from before.
    let change = format!("update users set password_hash = password_hash where email = '{email}'");
    let hold = holding(&world, &change).await;
    let (client, overlapping) = sign_in(&world, &email);
    waiting(&world, 1).await;
    hold.commit().await.expect("it is committed");
    let answer = overlapping.await.expect("it is answered");
    assert_eq!(answer.to_string(), "401 UNAUTHORIZED");
    assert_eq!((answer.header("set-cookie"), reads(&client).await), (None, 401));
    let sessions = "select session_id::text from session_digests";
    assert!(world.sql(sessions).await.is_empty());
    let events = "select action from audit_events where action = 'session.begin'";
    assert!(world.sql(events).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_is_stored_while_the_password_changes_is_dead_afterwards() {
    let world = world().await;
    let email = world.member(Role::Author).await;
    let here = world.sign_in(&email).await;
    let hold = holding(&world, "select from tenant_heads for update").await;
    // The session is stored, and its audit event waits for the head.
    let (client, overlapping) = sign_in(&world, &email);
    waiting(&world, 1).await;
    let change = json!({"password": PASSWORD, "new_password": NEW});
    let changing = tokio::spawn(here.post("/v1/session/password", &change).into_future());
    waiting(&world, 2).await;
    hold.rollback().await.expect("it is let go");
    overlapping.await.expect("it is answered").expect(200);
    changing.await.expect("it is answered").expect(200);
    assert_eq!((reads(&client).await, reads(&here).await), (401, 200));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_changes_that_overlap_one_counts() {
    let world = world().await;
    let email = world.member(Role::Author).await;
    let (one, two) = (world.sign_in(&email).await, world.sign_in(&email).await);
    let hold = holding(&world, "select from tenant_heads for update").await;
    let changes = [(&one, "another one of mine 1"), (&two, "another one of mine 2")];
    let changes = changes.map(|(person, new)| {
        let change = json!({"password": PASSWORD, "new_password": new});
        tokio::spawn(person.post("/v1/session/password", &change).into_future())
    });
    waiting(&world, 2).await;
    hold.rollback().await.expect("it is let go");
    let mut statuses = Vec::new();
    for change in changes {
        statuses.push(change.await.expect("it is answered").status);
    }
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 401]);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_session_of_the_old_password_outlives_a_change_however_they_overlap() {
    let world = world().await;
    for round in 0..12 {
        let email = world.member(Role::Author).await;
        let here = world.sign_in(&email).await;
        let before: Vec<_> = (0..round % 4).map(|_| sign_in(&world, &email)).collect();
        let change = json!({"password": PASSWORD, "new_password": NEW});
        let changing = tokio::spawn(here.post("/v1/session/password", &change).into_future());
        let after: Vec<_> = (0..3).map(|_| sign_in(&world, &email)).collect();
        changing.await.expect("it is answered").expect(200);
        for (client, overlapping) in before.into_iter().chain(after) {
            let status = overlapping.await.expect("it is answered").status;
            assert!(matches!(status, 200 | 401), "{status}");
            assert_eq!(reads(&client).await, 401, "round {round}");
        }
        assert_eq!(reads(&here).await, 200);
    }
}
