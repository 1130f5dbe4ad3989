//! Challenges that passkeys sign. A challenge is authenticated by the service instead of stored, so an anonymous
//! request for one writes nothing. Answered challenges are stored until they expire, so each is accepted once.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use subtle::ConstantTimeEq as _;

use crate::{
    access::{
        session::{PendingSignIn, SignedIn},
        single_use,
    },
    base::prelude::*,
};

/// The step that a challenge is issued for. It is valid for no other step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    purpose: &'static str,
    /// The session or the pending sign-in; nil for a sign-in with a passkey alone.
    owner: Uuid,
}

impl Step {
    /// Adding a passkey in a session.
    pub(super) fn create(signed_in: &SignedIn) -> Self {
        Self { purpose: "create", owner: signed_in.session_id.0 }
    }

    /// Signing in with a passkey alone.
    pub(super) fn sign_in() -> Self {
        Self { purpose: "sign-in", owner: Uuid::nil() }
    }

    /// The second factor of a sign-in.
    pub(super) fn second_factor(pending: &PendingSignIn) -> Self {
        Self { purpose: "second-factor", owner: pending.id }
    }

    /// Confirming a session.
    pub(super) fn confirm(signed_in: &SignedIn) -> Self {
        Self { purpose: "confirm", owner: signed_in.session_id.0 }
    }
}

/// The validity of a challenge in milliseconds: 5 minutes.
pub(super) const LIFETIME_MS: u32 = 5 * 60 * 1_000;

const RANDOM_LEN: usize = 16;
const TIME_LEN: usize = 8;

/// Returns a new challenge in Base64url: 16 random bytes, the time, and a MAC of both for the step.
pub(super) fn issue(governance: &Governance, step: Step) -> String {
    let random: [u8; RANDOM_LEN] = governance.entropy().bytes();
    let issued_at = governance.clock().now().millis().to_be_bytes();
    let payload = [random.as_slice(), &issued_at].concat();
    let mac = mac(governance, step, &payload);
    URL_SAFE_NO_PAD.encode([payload.as_slice(), &mac].concat())
}

/// Returns whether the service has issued a challenge for the step, at most five minutes ago.
pub(super) fn is_issued(governance: &Governance, step: Step, challenge: &[u8]) -> bool {
    let Some((payload, tag)) = challenge.split_at_checked(RANDOM_LEN + TIME_LEN) else {
        return false;
    };
    let is_authentic = bool::from(mac(governance, step, payload).as_slice().ct_eq(tag));
    let Some(issued_at) = payload.last_chunk::<TIME_LEN>() else { return false };
    let now = governance.clock().now().millis();
    let age_ms = now.saturating_sub(i64::from_be_bytes(*issued_at));
    is_authentic && age_ms <= i64::from(LIFETIME_MS)
}

/// Marks a challenge as used. Of concurrent calls, only one returns true.
pub(super) async fn consume(
    connection: &impl ConnectionTrait,
    challenge: Vec<u8>,
    now: Timestamp,
) -> Result<bool> {
    single_use::consume(connection, challenge, LIFETIME_MS, now).await
}

fn mac(governance: &Governance, step: Step, payload: &[u8]) -> [u8; 32] {
    let message = [step.purpose.as_bytes(), &[0], step.owner.as_bytes(), payload].concat();
    governance.pepper().digest("passkey-challenge", &message)
}
