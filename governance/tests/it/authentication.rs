//! Authentication: a change of a key or a member applies to the next operation.

use std::pin::Pin;

use contract::{id::UserId, member::UserDraft};
use governance::{
    Result,
    access::{account, member},
    authoring::{policy::version, settings},
};

use crate::{fixtures::NOW, log, prelude::*};

/// Authenticates with the tenant's key and returns the result.
async fn authenticate(tenant: &TestTenant) -> String {
    let governance = &tenant.governance;
    result_summary(&governance.key(&tenant.key, tenant.tenant, governance.correlation_id()).await)
}

#[tokio::test]
async fn the_database_contains_no_plaintext_key_or_password() {
    let (env, tenant) = test_tenant().await;
    let secret = tenant.key.strip_prefix("svc_").unwrap();
    let tables = "select tablename::text from pg_tables where schemaname = 'public'";
    for table in env.texts(tables).await {
        let rows = env.texts(&format!("select t::text from {table} t")).await.concat();
        for secret in [secret, "a long pass phrase", "another long pass phrase"] {
            assert!(!rows.contains(secret), "in {table}");
        }
    }
}

type NamedOperation = Pin<Box<dyn Future<Output = (&'static str, Result<()>)> + Send>>;

/// Returns an operation of `person` that writes an audit event: of three in turn.
async fn operation_of(tenant: &TestTenant, person: UserId, round: u32) -> NamedOperation {
    let cx = tenant.user_cx(person).await;
    match round % 3 {
        0 => {
            let id = tenant.create_policy(&spending(&format!("PAY-{round}"), 1)).await;
            tenant.ratify(id, 1).await;
            Box::pin(async move { ("activate", version::activate(&cx, id, 1).await.map(drop)) })
        }
        1 => {
            let draft = UserDraft {
                email: format!("new{round}@acme.example"),
                display_name: "New".to_owned(),
            };
            Box::pin(async move { ("create", account::create(&cx, draft).await.map(drop)) })
        }
        _ => {
            let is_included = settings::read(&cx).await.unwrap().bundle_include_context;
            let patch = body(&object([("bundle_include_context", (!is_included).into())]));
            Box::pin(
                async move { ("change", settings::change(&cx, patch, None, None).await.map(drop)) },
            )
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_operation_during_the_removal_of_its_caller_precedes_it_or_is_rejected() {
    let (env, tenant) = test_tenant().await;
    for round in 0..12 {
        let email = format!("leaving{round}@acme.example");
        let person = tenant.create_member(&email, Role::Admin).await;
        let operation = operation_of(&tenant, person, round).await;
        let admin = tenant.admin_cx().await;
        let removal: NamedOperation =
            Box::pin(async move { ("remove", member::remove(&admin, person, None, None).await) });
        // The operation that is spawned first has an advantage.
        let operations =
            if round.is_multiple_of(2) { [operation, removal] } else { [removal, operation] };
        for (name, result) in env.with_head_locked(operations).await {
            if name == "remove" || result.is_ok() {
                result.unwrap();
            } else {
                assert_eq!(result_summary(&result), "403 FORBIDDEN", "{name} in round {round}");
            }
        }
        let newest = env.texts("select action from audit_events order by seq desc limit 1").await;
        assert_eq!(newest, ["member.remove"], "round {round}");
    }
}

#[testkit::test]
async fn concurrent_requests_with_different_keys_get_their_own_results(env: TestEnv) {
    let tenants = [env.tenant("one").await, env.tenant("two").await];
    let unknown_key = TestTenant { key: "svc_unknown".to_owned(), ..tenants[0].clone() };
    let wrong_tenant = TestTenant { key: tenants[1].key.clone(), ..tenants[0].clone() };
    let narrow_key = tenants[0].create_key(&[Scope::PoliciesRead]).await;
    let callers =
        [&tenants[0], &tenants[1], &unknown_key, &wrong_tenant, &tenants[0], &unknown_key];
    let attempts = callers.map(|tenant| {
        let tenant = tenant.clone();
        tokio::spawn(async move { authenticate(&tenant).await })
    });
    let narrow_attempt = {
        let tenant = tenants[0].clone();
        tokio::spawn(async move { tenant.cx_with_key(&narrow_key).await })
    };
    let expected =
        ["done", "done", "401 UNAUTHORIZED", "403 FORBIDDEN", "done", "401 UNAUTHORIZED"];
    for (attempt, expected) in attempts.into_iter().zip(expected) {
        assert_eq!(attempt.await.unwrap(), expected);
    }
    let governance::base::caller::Caller::Key(key) = narrow_attempt.await.unwrap().caller else {
        panic!()
    };
    assert_eq!((key.tenant_id, key.scopes), (tenants[0].tenant, vec![Scope::PoliciesRead]));
}

#[tokio::test]
async fn the_last_use_of_a_key_is_stored_at_most_once_a_minute() {
    const LAST_USES: &str = "select coalesce(to_char(last_used_at at time zone 'utc', 'HH24:MI:SS'), '-') \
                        from api_keys order by created_at, name desc";
    let env = test_env().await;
    let tenants = [env.tenant("one").await, env.tenant("two").await];
    let clock = env.governance.clock().clone();
    let flush = || env.governance.flush_key_usage(clock.now());
    assert_eq!(flush().await.unwrap(), 0);
    assert_eq!(authenticate(&tenants[0]).await, "done");
    assert_eq!(env.texts(LAST_USES).await, ["-", "-"], "a request writes nothing");
    assert_eq!(flush().await.unwrap(), 1);
    clock.advance(30_000);
    for tenant in &tenants {
        assert_eq!(authenticate(tenant).await, "done");
    }
    assert_eq!(flush().await.unwrap(), 1, "the first key was written half a minute ago");
    let mut last_uses = env.texts(LAST_USES).await;
    last_uses.sort();
    assert_eq!(last_uses, ["09:30:00", "09:30:30"]);
    clock.advance(30_000);
    assert_eq!(flush().await.unwrap(), 1);
    assert_eq!(flush().await.unwrap(), 0);
    assert_eq!(env.texts(LAST_USES).await, ["09:30:30", "09:30:30"]);
    // A rejected request is not a use, and a later stored time is not overwritten.
    env.execute_as_superuser("update api_keys set last_used_at = '2026-11-02T10:00:00Z'").await;
    env.execute_as_superuser(&format!(
        "update key_digests set revoked_at = '{NOW}' where tenant_id = '{}'",
        tenants[1].tenant
    ))
    .await;
    clock.advance(60_000);
    assert_eq!(authenticate(&tenants[0]).await, "done");
    assert_eq!(authenticate(&tenants[1]).await, "401 UNAUTHORIZED");
    assert_eq!(flush().await.unwrap(), 1);
    assert_eq!(env.texts(LAST_USES).await, ["10:00:00", "10:00:00"]);
    log::verified_entries(&env, tenants[0].tenant).await;
}
