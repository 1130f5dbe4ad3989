//! Repeated idempotency keys: the response is the stored record, also after policy changes.

use contract::evaluation::Verdict;
use governance::authoring::policy;

use crate::prelude::*;

#[testkit::test]
async fn repeated_request_returns_the_stored_record_after_policy_changes(env: TestEnv) {
    let tenant = env.tenant("repeat").await;
    let id = tenant.active_policy(&spending("PAY", 100)).await;
    let first = tenant.record(&request("k", payment(50))).await.unwrap();
    assert!(first.is_new);
    assert_eq!(decision_record(&first.record).decision, Verdict::Allow);

    let stricter = tenant.next_draft(id, &limit("LIMIT", 10)).await;
    tenant.ratify(id, stricter).await;
    tenant.activate(id, stricter).await.unwrap();
    env.governance.clock().advance(86_400_000);
    // The same request with another member order and other white space.
    let reordered = value(
        r#" {"context" : {"fields":{"amount": 50.0},  "decision_type":"payment"},
             "idempotency_key":"k"} "#,
    );
    let in_other_process = tenant.in_process(&env.another_process(2).await);
    for result in [
        tenant.record(&reordered).await,
        in_other_process.record(&reordered).await,
        record(&tenant.author_cx().await, &reordered).await,
    ] {
        let repeated = result.unwrap();
        assert!(!repeated.is_new);
        assert_eq!((repeated.id, &repeated.record), (first.id, &first.record));
    }

    policy::deactivate(&tenant.admin_cx().await, id, reason(), None).await.unwrap();
    assert_eq!(tenant.record(&reordered).await.unwrap().record, first.record);
    let new = tenant.record(&request("l", payment(50))).await;
    assert_eq!(result_summary(&new), "404 NO_ACTIVE_POLICIES");

    for other in [
        request("k", payment(51)),
        with(&reordered, "actor", object([("id", "a".into())])),
        with(&reordered, "action", object([("type", "pay".into())])),
    ] {
        assert_eq!(result_summary(&tenant.record(&other).await), "422 IDEMPOTENCY_KEY_REUSED");
    }
    assert_eq!(env.count("select count(*) from decisions").await, 1);
}

#[tokio::test]
async fn repeated_request_succeeds_while_new_records_are_unavailable() {
    /// Replaces the activation counter with a number that changes on each read.
    const RANDOM_COUNTER: &str = "alter table tenant_heads rename to heads; \
         create view tenant_heads as select tenant_id, audit_seq, audit_hash, ancestors, \
         floor(random() * 1e15)::bigint as activation_counter from heads; \
         grant select, update on tenant_heads to govern_app";
    let env = test_env().await;
    let tenant = env.tenant("counter").await;
    tenant.active_policy(&spending("PAY", 100)).await;
    let first = tenant.record(&request("k", payment(50))).await.unwrap();
    env.execute_as_superuser(RANDOM_COUNTER).await;
    let tenant = tenant.in_process(&env.another_process(2).await);
    assert_eq!(
        result_summary(&tenant.record(&request("l", payment(50))).await),
        "503 SERVICE_UNAVAILABLE"
    );
    let repeated = tenant.record(&request("k", payment(50))).await.unwrap();
    assert_eq!((repeated.is_new, repeated.record), (false, first.record));
    let other = tenant.record(&request("k", payment(51))).await;
    assert_eq!(result_summary(&other), "422 IDEMPOTENCY_KEY_REUSED");
}

#[testkit::test]
async fn idempotency_keys_are_compared_by_bytes(env: TestEnv) {
    let tenant = env.tenant("bytes").await;
    tenant.active_policy(&spending("PAY", 100)).await;
    for key in ["k", "K", "k ", "é", "e\u{301}", "ﬁ", "fi"] {
        let recorded = tenant.record(&request(key, payment(1))).await.unwrap();
        assert!(recorded.is_new, "{key}");
    }
}
