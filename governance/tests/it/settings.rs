//! Settings, and what rests on them at the same time.

use std::pin::Pin;

use contract::settings::SettingsPatch;
use governance::{
    Result,
    authoring::{
        policy::{self, rule_input::NewPolicy, version},
        settings,
    },
};

use crate::fixtures::{body, object, ratification, said, spending, world};

fn maker_checker(is_on: bool) -> SettingsPatch {
    body(&object([("maker_checker_enabled", is_on.into())]))
}

/// Something done, by its name.
type Act = Pin<Box<dyn Future<Output = (&'static str, Result<()>)> + Send>>;

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_ratified_by_settings_that_no_longer_hold() {
    let world = world().await;
    let house = world.tenant("house").await;
    for round in 0..6 {
        let admin = house.by_admin().await;
        settings::change(&admin, maker_checker(false), None, None).await.unwrap();
        let own = body::<NewPolicy>(&spending(&format!("PAY-{round}"), 1));
        let id = policy::create(&admin, own).await.unwrap().policy.id;
        version::submit(&admin, id, 1).await.unwrap();

        let [one, other] = [house.by_admin().await, house.by_admin().await];
        let acts: [Act; 2] = [
            Box::pin(async move {
                ("switch", settings::change(&one, maker_checker(true), None, None).await.map(drop))
            }),
            Box::pin(async move {
                ("ratify", version::ratify(&other, id, 1, ratification(1)).await.map(drop))
            }),
        ];
        for (act, ended) in world.with_head_locked(acts).await {
            match (act, ended) {
                ("switch", ended) => ended.unwrap(),
                (_, Ok(())) => {
                    let order = "select action from audit_events order by seq desc limit 2";
                    let expected = ["settings.update", "policy_version.ratify"];
                    assert_eq!(world.texts(order).await, expected, "the switch came later");
                }
                (_, refused) => assert_eq!(said(&refused), "403 MAKER_CHECKER_VIOLATION"),
            }
        }
    }
}

#[tokio::test]
async fn a_reason_is_bound_to_the_change_and_not_told_by_it() {
    let world = world().await;
    let house = world.tenant("house").await;
    let reason = "two of us left";
    settings::change(&house.by_admin().await, maker_checker(false), Some(reason), None)
        .await
        .unwrap();
    let event = world.texts("select event from audit_events order by seq desc limit 1").await;
    let digest = receipt::digest::Digest::compute(reason.as_bytes()).to_string();
    assert!(event.concat().contains(&format!("\"reason_digest\":\"{digest}\"")), "{event:?}");
    assert!(!event.concat().contains(reason), "{event:?}");
}
