//! The keys of a provider, which it replaces.

use super::{Oidc, SignatureKind, now};
use crate::prelude::*;

/// Advances the clock of the service and of the provider, which was at `minutes` minutes after the start.
fn advance(oidc: &Oidc, minutes: &mut i64, by: i64) {
    oidc.clock.advance(by * MINUTE_MS);
    *minutes += by;
    oidc.set("iat", json!(now() + *minutes * 60));
    oidc.set("exp", json!(now() + *minutes * 60 + 300));
}

#[testkit::test]
async fn rotated_keys_are_read_again_at_most_once_a_minute(oidc: Oidc) {
    oidc.sign_in().await;
    oidc.fake.state().key_number += 1;
    for _ in 0..2 {
        assert_eq!(oidc.rejection().await, "invalid");
    }
    assert_eq!(oidc.fake.calls("/keys"), 1);
    let mut minutes = 0;
    advance(&oidc, &mut minutes, 1);
    oidc.sign_in().await;
    assert_eq!(oidc.fake.calls("/keys"), 2);
}

#[testkit::test]
async fn rotated_keys_without_ids_are_read_again(oidc: Oidc) {
    oidc.fake.state().hides_key_ids = true;
    oidc.sign_in().await;
    oidc.fake.state().key_number += 1;
    let mut minutes = 0;
    advance(&oidc, &mut minutes, 1);
    oidc.sign_in().await;
}

#[testkit::test]
async fn a_removed_key_is_forgotten_when_the_provider_says_so(oidc: Oidc) {
    oidc.fake.state().cache_control = Some("public, max-age=300".to_owned());
    oidc.sign_in().await;
    oidc.fake.state().key_number += 1;
    oidc.fake.state().signature = SignatureKind::RemovedKey;
    let mut minutes = 0;
    advance(&oidc, &mut minutes, 4);
    oidc.sign_in().await;
    advance(&oidc, &mut minutes, 1);
    assert_eq!(oidc.rejection().await, "invalid");
}

#[testkit::test]
async fn cached_keys_are_used_while_the_provider_does_not_publish_them(oidc: Oidc) {
    oidc.sign_in().await;
    oidc.fake.state().broken.insert("/keys");
    let mut minutes = 0;
    advance(&oidc, &mut minutes, 1);
    oidc.fake.state().signature = SignatureKind::OtherKey;
    for _ in 0..2 {
        assert_eq!(oidc.rejection().await, "invalid");
    }
    assert_eq!(oidc.fake.calls("/keys"), 2);
    oidc.fake.state().signature = SignatureKind::Valid;
    oidc.sign_in().await;
    // They are not used for longer than an hour.
    advance(&oidc, &mut minutes, 59);
    assert_eq!(oidc.rejection().await, "invalid");
}
