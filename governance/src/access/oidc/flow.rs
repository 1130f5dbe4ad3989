//! A started sign-in. Its state is one random secret in a cookie of the browser, from which all other values are derived.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use contract::time::Timestamp;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq as _;

use super::{FLOW_LIFETIME_S, ProviderPath};
use crate::Governance;

/// A started sign-in.
pub(super) struct Flow {
    secret: [u8; 32],
    started_at: Timestamp,
}

impl Flow {
    pub(super) fn new(governance: &Governance) -> Self {
        let started_at = governance.clock().now();
        Self { secret: governance.entropy().bytes(), started_at }
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
        let next = URL_SAFE_NO_PAD.encode(next);
        let payload = format!("{secret}.{}.{next}", self.started_at.millis());
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
        let mut parts = payload.splitn(3, '.');
        let secret = URL_SAFE_NO_PAD.decode(parts.next()?).ok()?.try_into().ok()?;
        let started_at = Timestamp::from_millis(parts.next()?.parse().ok()?)?;
        let next = String::from_utf8(URL_SAFE_NO_PAD.decode(parts.next()?).ok()?).ok()?;
        let age_ms = governance.clock().now().millis().saturating_sub(started_at.millis());
        let is_current = age_ms <= i64::from(FLOW_LIFETIME_S) * 1_000;
        is_current.then_some((Self { secret, started_at }, next))
    }
}

fn mac(governance: &Governance, path: ProviderPath, payload: &str) -> [u8; 32] {
    let message = format!("{}\n{}\n{payload}", path.tenant, path.provider);
    governance.pepper().digest("oidc-sign-in", message.as_bytes())
}
