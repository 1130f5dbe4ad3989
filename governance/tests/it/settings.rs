//! Settings: changes, and concurrent requests that depend on them.

use std::pin::Pin;

use contract::settings::SettingsPatch;
use governance::{
    Result,
    authoring::{
        policy::{self, rule_input::NewPolicy, version},
        settings,
    },
};

use crate::prelude::*;

fn maker_checker(is_on: bool) -> SettingsPatch {
    body(&object([("maker_checker_enabled", is_on.into())]))
}

type NamedOperation = Pin<Box<dyn Future<Output = (&'static str, Result<()>)> + Send>>;

#[tokio::test(flavor = "multi_thread")]
async fn ratification_uses_the_settings_at_its_commit() {
    let (env, tenant) = test_tenant().await;
    for round in 0..6 {
        let admin = tenant.admin_cx().await;
        settings::change(&admin, maker_checker(false), None, None).await.unwrap();
        let own = body::<NewPolicy>(&spending(&format!("PAY-{round}"), 1));
        let id = policy::create(&admin, own).await.unwrap().policy.id;
        version::submit(&admin, id, 1).await.unwrap();

        let [one, other] = [tenant.admin_cx().await, tenant.admin_cx().await];
        let operations: [NamedOperation; 2] = [
            Box::pin(async move {
                ("switch", settings::change(&one, maker_checker(true), None, None).await.map(drop))
            }),
            Box::pin(async move {
                ("ratify", version::ratify(&other, id, 1, ratification(1)).await.map(drop))
            }),
        ];
        for (name, result) in env.with_head_locked(operations).await {
            match (name, result) {
                ("switch", result) => result.unwrap(),
                (_, Ok(())) => {
                    let order = "select action from audit_events order by seq desc limit 2";
                    let expected = ["settings.update", "policy_version.ratify"];
                    assert_eq!(
                        env.texts(order).await,
                        expected,
                        "the setting changed after the ratification"
                    );
                }
                (_, result) => assert_eq!(result_summary(&result), "403 MAKER_CHECKER_VIOLATION"),
            }
        }
    }
}

#[tokio::test]
async fn audit_event_of_a_change_contains_only_the_digest_of_its_reason() {
    let (env, tenant) = test_tenant().await;
    let reason = "the team has one reviewer";
    settings::change(&tenant.admin_cx().await, maker_checker(false), Some(reason), None)
        .await
        .unwrap();
    let event = env.texts("select event from audit_events order by seq desc limit 1").await;
    let digest = receipt::digest::Digest::compute(reason.as_bytes()).to_string();
    assert!(event.concat().contains(&format!("\"reason_digest\":\"{digest}\"")), "{event:?}");
    assert!(!event.concat().contains(reason), "{event:?}");
}
