//! Sign-ins and password changes that run concurrently.

use sea_orm::{ConnectionTrait, DatabaseTransaction, TransactionTrait};
use testkit::database;

use crate::prelude::*;

const NEW_PASSWORD: &str = "four other words of mine";

/// Locks the rows of a statement outside the service until the transaction ends.
#[expect(clippy::disallowed_methods, reason = "locks rows outside the service")]
pub(crate) async fn lock_rows(service: &TestService, statement: &str) -> DatabaseTransaction {
    let superuser = database::connect(&service.database.superuser_url).await;
    let lock = superuser.begin().await.expect("a transaction begins");
    lock.execute_unprepared(statement).await.expect("the statement is valid");
    lock
}

/// Waits until this number of statements of the database wait for a lock.
pub(crate) async fn wait_until_blocked(service: &TestService, number: usize) {
    const BLOCKED: &str = "select pid::text from pg_stat_activity \
         where datname = current_database() and wait_event_type = 'Lock'";
    while service.sql(BLOCKED).await.len() < number {}
}

/// Starts a sign-in with the first password in a task.
fn sign_in(service: &TestService, email: &str) -> (Client, tokio::task::JoinHandle<TestResponse>) {
    let client = service.public.with("x-service-tenant-id", service.tenant);
    let call = client.sign_in(email, PASSWORD);
    (client, tokio::spawn(call.into_future()))
}

#[testkit::test(flavor = "multi_thread")]
async fn a_sign_in_fails_if_the_password_changes_while_it_is_checked(service: TestService) {
    let email = service.member(Role::Author).await;
    // The change is not committed yet, so the sign-in still reads the old hash.
    let change = format!("update users set password_hash = password_hash where email = '{email}'");
    let lock = lock_rows(&service, &change).await;
    let (client, sign_in_task) = sign_in(&service, &email);
    wait_until_blocked(&service, 1).await;
    lock.commit().await.expect("the transaction commits");
    let response = sign_in_task.await.expect("the task ends");
    assert_eq!(response.to_string(), "401 UNAUTHORIZED");
    assert_eq!((response.header("set-cookie"), read_status(&client).await), (None, 401));
    let sessions = "select session_id::text from session_digests";
    assert!(service.sql(sessions).await.is_empty());
    let events = "select action from audit_events where action = 'session.begin'";
    assert!(service.sql(events).await.is_empty());
}

#[testkit::test(flavor = "multi_thread")]
async fn a_session_stored_during_a_password_change_is_invalid_afterwards(service: TestService) {
    let email = service.member(Role::Author).await;
    let current = service.sign_in(&email).await;
    let lock = lock_rows(&service, "select from tenant_heads for update").await;
    // The session is inserted, and its audit event waits for the tenant head.
    let (client, sign_in_task) = sign_in(&service, &email);
    wait_until_blocked(&service, 1).await;
    let change = json!({"password": PASSWORD, "new_password": NEW_PASSWORD});
    let change_task = tokio::spawn(current.post("/v1/session/password", &change).into_future());
    wait_until_blocked(&service, 2).await;
    lock.rollback().await.expect("the lock is released");
    sign_in_task.await.expect("the task ends").expect(200);
    change_task.await.expect("the task ends").expect(200);
    assert_eq!((read_status(&client).await, read_status(&current).await), (401, 200));
}

#[testkit::test(flavor = "multi_thread")]
async fn only_one_of_two_concurrent_password_changes_succeeds(service: TestService) {
    let email = service.member(Role::Author).await;
    let (first, second) = (service.sign_in(&email).await, service.sign_in(&email).await);
    let lock = lock_rows(&service, "select from tenant_heads for update").await;
    let changes = [(&first, "another one of mine 1"), (&second, "another one of mine 2")];
    let changes = changes.map(|(client, password)| {
        let change = json!({"password": PASSWORD, "new_password": password});
        tokio::spawn(client.post("/v1/session/password", &change).into_future())
    });
    wait_until_blocked(&service, 2).await;
    lock.rollback().await.expect("the lock is released");
    let mut statuses = Vec::new();
    for change in changes {
        statuses.push(change.await.expect("the task ends").status);
    }
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 401]);
}
