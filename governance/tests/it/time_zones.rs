//! The time zones of accounts.

use governance::{Result, SignedIn, TimeZone, access::account};

use crate::prelude::*;

async fn set(tenant: &TestTenant, name: &str) -> Result<()> {
    let governance = &tenant.governance;
    let signed_in = SignedIn::new(tenant.author, governance.clock().now());
    let cx = governance.public(governance.correlation_id());
    account::set_time_zone(&cx, &signed_in, name).await
}

/// Returns the time zone of each account that has one.
async fn stored(env: &TestEnv) -> Vec<String> {
    env.texts("select time_zone from users where time_zone is not null").await
}

#[tokio::test]
async fn a_change_of_the_time_zone_is_recorded_once_and_without_the_zone() {
    let (env, tenant) = test_tenant().await;
    for (name, expected) in [
        ("Europe/Berlin", Some("Europe/Berlin")),
        (" europe/berlin ", Some("Europe/Berlin")),
        ("Asia/Tokyo", Some("Asia/Tokyo")),
        ("UTC", None),
        ("UTC", None),
    ] {
        set(&tenant, name).await.unwrap();
        assert_eq!(stored(&env).await, Vec::from_iter(expected), "{name}");
    }
    let events = "select action || ' ' || actor_id from audit_events \
                  where action = 'user.change_time_zone'";
    let event = format!("user.change_time_zone {}", tenant.author);
    assert_eq!(env.texts(events).await, vec![event; 3]);
    let named = "select event from audit_events where event like '%Europe%'";
    assert!(env.texts(named).await.is_empty());
}

#[tokio::test]
async fn an_unknown_time_zone_is_rejected_and_changes_nothing() {
    let (env, tenant) = test_tenant().await;
    set(&tenant, "Asia/Tokyo").await.unwrap();
    let before = env.table_digests().await;
    for name in ["", "Europe", "Europe/Berlim", "+01:00", "../etc/passwd"] {
        let refusal = set(&tenant, name).await;
        assert_eq!(result_summary(&refusal), "422 VALIDATION_ERROR", "{name}");
        let problem = refusal.unwrap_err().problem();
        assert!(problem.message.starts_with("/time_zone: "), "{problem:?}");
    }
    assert_eq!(env.table_digests().await, before);
}

#[test]
fn every_offered_name_is_a_time_zone() {
    let names: Vec<&str> = TimeZone::names().collect();
    assert_eq!(names.first(), Some(&"UTC"));
    assert!(names.contains(&"Europe/Berlin") && !names.contains(&"EST"));
    for name in names {
        assert_eq!(TimeZone::from_name(name).map(TimeZone::name), Some(name));
    }
}
