//! A started sign-in. Its state is one random secret in a cookie of the browser, from which all other values are derived.
//!
//! A browser may have several started sign-ins, in different tabs. Each has its own cookie.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq as _;

use super::{FLOW_LIFETIME_S, ProviderPath};
use crate::{access::single_use, base::prelude::*};

/// The number of characters of the state that name the cookie of a sign-in.
const ID_CHARS: usize = 16;

/// The maximum length in bytes of the page at which a sign-in continues. With a longer one, the cookie could exceed the
/// size that browsers store.
const NEXT_MAX: usize = 2_000;

/// The part of a cookie that marks a sign-in for which the provider authenticates the person again.
const FRESH: &str = "fresh";

/// Returns the characters of a state that name the cookie of its sign-in; `None` for a text that is no state.
pub fn flow_id(state: &str) -> Option<&str> {
    let is_base64url = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    state.get(..ID_CHARS).filter(|id| id.bytes().all(is_base64url))
}

/// A started sign-in.
pub(super) struct Flow {
    secret: [u8; 32],
    pub(super) started_at: Timestamp,
    /// Whether the provider was asked to authenticate the person again.
    pub(super) is_fresh: bool,
}

impl Flow {
    pub(super) fn new(governance: &Governance, is_fresh: bool) -> Self {
        let started_at = governance.clock().now();
        Self { secret: governance.entropy().bytes(), started_at, is_fresh }
    }

    /// Marks the sign-in as used. Of concurrent calls, only one returns true.
    pub(super) async fn consume(&self, governance: &Governance) -> Result<bool> {
        let used = governance.pepper().digest("oidc-used", &self.secret).to_vec();
        let now = governance.clock().now();
        single_use::consume(governance.database(), used, FLOW_LIFETIME_S * 1_000, now).await
    }

    fn derive(&self, governance: &Governance, purpose: &str) -> String {
        URL_SAFE_NO_PAD.encode(governance.pepper().digest(purpose, &self.secret))
    }

    /// Returns the value that binds the response of the provider to the browser.
    pub(super) fn state(&self, governance: &Governance) -> String {
        self.derive(governance, "oidc-state")
    }

    /// Returns the value that binds the ID token to the sign-in.
    pub(super) fn nonce(&self, governance: &Governance) -> String {
        self.derive(governance, "oidc-nonce")
    }

    /// Returns the secret that the code is bound to (RFC 7636).
    pub(super) fn verifier(&self, governance: &Governance) -> String {
        self.derive(governance, "oidc-verifier")
    }

    /// Returns the digest of the verifier (RFC 7636, section 4.2).
    pub(super) fn challenge(&self, governance: &Governance) -> String {
        URL_SAFE_NO_PAD.encode(Sha256::digest(self.verifier(governance)))
    }

    /// Returns the value of the cookie, which also contains the page `next`. It is valid only for one provider.
    pub(super) fn to_cookie(
        &self,
        governance: &Governance,
        path: ProviderPath,
        next: &str,
    ) -> String {
        let secret = URL_SAFE_NO_PAD.encode(self.secret);
        let next = URL_SAFE_NO_PAD.encode(if next.len() > NEXT_MAX { "/" } else { next });
        let kind = if self.is_fresh { FRESH } else { "" };
        let payload = format!("{secret}.{}.{kind}.{next}", self.started_at.millis());
        let mac = URL_SAFE_NO_PAD.encode(mac(governance, path, &payload));
        format!("{payload}.{mac}")
    }

    /// Parses a cookie that this service has issued for the provider and that is not too old.
    pub(super) fn from_cookie(
        governance: &Governance,
        path: ProviderPath,
        cookie: &str,
    ) -> Option<(Self, String)> {
        let (payload, tag) = cookie.rsplit_once('.')?;
        let tag = URL_SAFE_NO_PAD.decode(tag).ok()?;
        if !bool::from(mac(governance, path, payload).as_slice().ct_eq(tag.as_slice())) {
            return None;
        }
        let mut parts = payload.splitn(4, '.');
        let secret = URL_SAFE_NO_PAD.decode(parts.next()?).ok()?.try_into().ok()?;
        let started_at = Timestamp::from_millis(parts.next()?.parse().ok()?)?;
        let is_fresh = parts.next()? == FRESH;
        let next = String::from_utf8(URL_SAFE_NO_PAD.decode(parts.next()?).ok()?).ok()?;
        let age_ms = governance.clock().now().millis().saturating_sub(started_at.millis());
        let is_current = age_ms <= i64::from(FLOW_LIFETIME_S) * 1_000;
        is_current.then_some((Self { secret, started_at, is_fresh }, next))
    }
}

fn mac(governance: &Governance, path: ProviderPath, payload: &str) -> [u8; 32] {
    let message = format!("{}\n{}\n{payload}", path.tenant, path.provider);
    governance.pepper().digest("oidc-sign-in", message.as_bytes())
}
