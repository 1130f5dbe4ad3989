//! The keys of a provider, which it replaces.

use super::{
    create_provider,
    fake_provider::{FakeProvider, service},
    now, path, rejection, sign_in,
};
use crate::prelude::*;

/// Advances the clock of the service and of the provider, which was at `minutes` minutes after the start.
fn advance(service: &TestService, fake: &FakeProvider, minutes: &mut i64, by: i64) {
    service.clock.advance(by * MINUTE_MS);
    *minutes += by;
    fake.set("iat", json!(now() + *minutes * 60));
    fake.set("exp", json!(now() + *minutes * 60 + 300));
}

#[tokio::test]
async fn rotated_keys_are_read_again_at_most_once_a_minute() {
    let (service, fake) = service().await;
    let provider = create_provider(&service, json!({"default_role": "viewer"})).await;
    sign_in(&service, &fake, &provider).await;
    fake.rotate_key();
    for _ in 0..2 {
        assert_eq!(rejection(&fake.sign_in(&service, &path(&provider)).await), "invalid");
    }
    assert_eq!(fake.calls("/keys"), 1);
    let mut minutes = 0;
    advance(&service, &fake, &mut minutes, 1);
    sign_in(&service, &fake, &provider).await;
    assert_eq!(fake.calls("/keys"), 2);
}

#[tokio::test]
async fn rotated_keys_without_ids_are_read_again() {
    let (service, fake) = service().await;
    let provider = create_provider(&service, json!({"default_role": "viewer"})).await;
    fake.hide_key_ids();
    sign_in(&service, &fake, &provider).await;
    fake.rotate_key();
    let mut minutes = 0;
    advance(&service, &fake, &mut minutes, 1);
    sign_in(&service, &fake, &provider).await;
}

#[tokio::test]
async fn a_removed_key_is_forgotten_when_the_provider_says_so() {
    let (service, fake) = service().await;
    let provider = create_provider(&service, json!({"default_role": "viewer"})).await;
    let path = path(&provider);
    fake.set_cache_control("public, max-age=300");
    sign_in(&service, &fake, &provider).await;
    fake.rotate_key();
    fake.sign_with_removed_key();
    let mut minutes = 0;
    advance(&service, &fake, &mut minutes, 4);
    sign_in(&service, &fake, &provider).await;
    advance(&service, &fake, &mut minutes, 1);
    assert_eq!(rejection(&fake.sign_in(&service, &path).await), "invalid");
}

#[tokio::test]
async fn cached_keys_are_used_while_the_provider_does_not_publish_them() {
    let (service, fake) = service().await;
    let provider = create_provider(&service, json!({"default_role": "viewer"})).await;
    let path = path(&provider);
    sign_in(&service, &fake, &provider).await;
    fake.break_path("/keys");
    let mut minutes = 0;
    advance(&service, &fake, &mut minutes, 1);
    fake.sign_with_other_key();
    for _ in 0..2 {
        assert_eq!(rejection(&fake.sign_in(&service, &path).await), "invalid");
    }
    assert_eq!(fake.calls("/keys"), 2);
    fake.sign_with_own_key();
    sign_in(&service, &fake, &provider).await;
    // They are not used for longer than an hour.
    advance(&service, &fake, &mut minutes, 59);
    assert_eq!(rejection(&fake.sign_in(&service, &path).await), "invalid");
}
