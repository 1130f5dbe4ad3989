//! The same key again: the stored answer, whatever has changed meanwhile.

use contract::evaluation::Verdict;
use governance::authoring::policy;

use crate::fixtures::{
    body, decision_record, limit, object, payment, record, request, said, spending, value, with,
    world,
};

#[tokio::test]
async fn a_repeat_answers_the_stored_text_whatever_policies_say_now() {
    let world = world().await;
    let house = world.tenant("repeat").await;
    let id = house.active_policy(&spending("PAY", 100)).await;
    let first = house.record(&request("k", payment(50))).await.unwrap();
    assert!(first.is_new);
    assert_eq!(decision_record(&first.record).decision, Verdict::Allow);

    let stricter = house.next_draft(id, &limit("LIMIT", 10)).await;
    house.ratified(id, stricter).await;
    house.activated(id, stricter).await.unwrap();
    world.governance.clock().advance(86_400_000);
    // The same request in another order and with other white space.
    let reordered = value(
        r#" {"context" : {"fields":{"amount": 50.0},  "decision_type":"payment"},
             "idempotency_key":"k"} "#,
    );
    let elsewhere = house.in_process(&world.another_process(2).await);
    for again in [
        house.record(&reordered).await,
        elsewhere.record(&reordered).await,
        record(&house.by_author().await, &reordered).await,
    ] {
        let again = again.unwrap();
        assert!(!again.is_new);
        assert_eq!((again.id, &again.record), (first.id, &first.record));
    }

    let reason = body(&object([("reason", "over".into())]));
    policy::deactivate(&house.by_admin().await, id, reason, None).await.unwrap();
    assert_eq!(house.record(&reordered).await.unwrap().record, first.record);
    let new = house.record(&request("l", payment(50))).await;
    assert_eq!(said(&new), "404 NO_ACTIVE_POLICIES");

    for other in [
        request("k", payment(51)),
        with(&reordered, "actor", object([("id", "a".into())])),
        with(&reordered, "action", object([("type", "pay".into())])),
    ] {
        assert_eq!(said(&house.record(&other).await), "422 IDEMPOTENCY_KEY_REUSED");
    }
    assert_eq!(world.count("select count(*) from decisions").await, 1);
}

#[tokio::test]
async fn a_repeat_is_answered_even_while_nothing_new_can_be_recorded() {
    /// Whoever looks at the activation counter finds another number.
    const STORM: &str = "alter table tenant_heads rename to heads; \
         create view tenant_heads as select tenant_id, audit_seq, audit_hash, ancestors, \
         floor(random() * 1e15)::bigint as activation_counter from heads; \
         grant select, update on tenant_heads to govern_app";
    let world = world().await;
    let house = world.tenant("storm").await;
    house.active_policy(&spending("PAY", 100)).await;
    let first = house.record(&request("k", payment(50))).await.unwrap();
    world.execute_as_superuser(STORM).await;
    let house = house.in_process(&world.another_process(2).await);
    assert_eq!(said(&house.record(&request("l", payment(50))).await), "503 SERVICE_UNAVAILABLE");
    let again = house.record(&request("k", payment(50))).await.unwrap();
    assert_eq!((again.is_new, again.record), (false, first.record));
    let other = house.record(&request("k", payment(51))).await;
    assert_eq!(said(&other), "422 IDEMPOTENCY_KEY_REUSED");
}

#[tokio::test]
async fn keys_are_compared_by_bytes() {
    let world = world().await;
    let house = world.tenant("bytes").await;
    house.active_policy(&spending("PAY", 100)).await;
    for key in ["k", "K", "k ", "é", "e\u{301}", "ﬁ", "fi"] {
        let outcome = house.record(&request(key, payment(1))).await.unwrap();
        assert!(outcome.is_new, "{key}");
    }
}
