//! ID tokens and logout tokens: signed claims of an identity provider.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::Value;

use super::{
    document::Document,
    flow::Flow,
    keys::SigningKeys,
    metadata::{Metadata, cached_keys},
};
use crate::base::prelude::*;

/// The permitted difference of the clocks, in seconds: "a small leeway, usually no more than a few minutes" (RFC 7519,
/// section 4.1.4).
const LEEWAY_S: i64 = 60;

/// The maximum age of a token when it arrives, in seconds.
const AGE_MAX_S: i64 = 300;

/// The maximum length of a token in bytes. The ID token is stored with the session.
const TOKEN_BYTES_MAX: usize = 65_536;

/// The maximum length of a subject in characters (`OpenID` Connect Core 1.0, section 2).
const SUBJECT_MAX: usize = 255;

/// The event that a logout token reports (`OpenID` Connect Back-Channel Logout 1.0, section 2.4).
const LOGOUT_EVENT: &str = "http://schemas.openid.net/event/backchannel-logout";

/// The provider and client that a token must name.
#[derive(Clone, Copy)]
pub(super) struct Audience<'a> {
    pub(super) issuer: &'a str,
    pub(super) client_id: &'a str,
}

/// The claims of a token with a valid signature.
#[derive(Debug)]
pub(super) struct Claims(Document);

impl Claims {
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.0.text(name)
    }

    pub(super) fn value(&self, name: &str) -> Option<&Value> {
        self.0.value(name)
    }

    /// Returns the names of the claims.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.0.keys().map(String::as_str)
    }

    /// Returns whether a claim is true. Some providers send the text `true`.
    pub(super) fn is_true(&self, name: &str) -> bool {
        match self.value(name) {
            Some(Value::Bool(value)) => *value,
            Some(Value::String(text)) => text.eq_ignore_ascii_case("true"),
            _ => false,
        }
    }

    /// Returns a time in whole seconds since 1970.
    pub(super) fn seconds(&self, name: &str) -> Option<i64> {
        #[expect(clippy::cast_possible_truncation, reason = "the cast saturates")]
        self.value(name)?.as_f64().map(|seconds| seconds as i64)
    }

    pub(super) fn subject(&self) -> Option<&str> {
        self.text("sub").filter(|sub| (1..=SUBJECT_MAX).contains(&sub.chars().count()))
    }

    /// Adds the claims of a `UserInfo` response that the token does not have. The response verifies only its own address,
    /// and says nothing about the authentication.
    pub(super) fn complete_with(&mut self, mut user_info: Document) {
        for of_token in ["auth_time", "sid"] {
            user_info.0.remove(of_token);
        }
        if self.text("email").is_some_and(|email| user_info.text("email") != Some(email)) {
            user_info.0.remove("email_verified");
        }
        for (name, value) in user_info.0 {
            self.0.0.entry(name).or_insert(value);
        }
    }

    /// Returns the time at which the person authenticated at the provider, or `now` if the provider does not report it.
    /// An answer to a request for a new authentication must report it.
    pub(super) fn authenticated_at(
        &self,
        flow: &Flow,
        now: Timestamp,
    ) -> Result<Timestamp, &'static str> {
        if self.value("auth_time").is_none() {
            return if flow.is_fresh {
                Err("the time of authentication is missing")
            } else {
                Ok(now)
            };
        }
        let at = self.seconds("auth_time").and_then(|at| at.checked_mul(1_000));
        let at =
            at.and_then(Timestamp::from_millis).ok_or("the time of authentication is invalid")?;
        if at > now.plus_millis(LEEWAY_S * 1_000) {
            return Err("the time of authentication is in the future");
        }
        if flow.is_fresh && at < flow.started_at.plus_millis(-LEEWAY_S * 1_000) {
            return Err("the person was not authenticated again");
        }
        Ok(at.min(now))
    }

    /// Checks issuer, audience and times.
    fn check(&self, audience: Audience<'_>, now: Timestamp) -> Result<(), &'static str> {
        if self.text("iss") != Some(audience.issuer) {
            return Err("the issuer is another one");
        }
        let client_id = Some(audience.client_id);
        let (is_named, has_others) = match self.value("aud") {
            Some(Value::Array(names)) => {
                (names.iter().any(|name| name.as_str() == client_id), names.len() > 1)
            }
            name => (name.and_then(Value::as_str) == client_id, false),
        };
        if !is_named {
            return Err("the audience is another client");
        }
        let authorized = self.text("azp");
        if (has_others || self.value("azp").is_some()) && authorized != client_id {
            return Err("the authorized party is another client");
        }
        let now = now.millis() / 1_000;
        let issued = self.seconds("iat").ok_or("the time of issue is missing or no number")?;
        let from = match self.value("nbf") {
            Some(_) => self.seconds("nbf").ok_or("the start of the validity is no number")?,
            None => issued,
        };
        if issued.max(from) > now + LEEWAY_S {
            return Err("the token is not valid yet");
        }
        if issued < now - AGE_MAX_S - LEEWAY_S {
            return Err("the token is too old");
        }
        match self.seconds("exp") {
            Some(end) if end > now - LEEWAY_S => Ok(()),
            Some(_) => Err("the token has expired"),
            None => Err("the time of expiry is missing or no number"),
        }
    }
}

/// Verifies an ID token (`OpenID` Connect Core 1.0, section 3.1.3.7).
///
/// # Errors
/// A sentence that contains no claim.
pub(super) async fn verify_id_token(
    governance: &Governance,
    metadata: &Metadata,
    audience: Audience<'_>,
    token: &str,
    nonce: &str,
) -> Result<Claims, String> {
    let claims = verify(governance, metadata, audience, token).await?;
    if claims.text("nonce") != Some(nonce) {
        return Err("the ID token: the nonce is another one".to_owned());
    }
    claims.subject().ok_or("the ID token: the subject is missing")?;
    Ok(claims)
}

/// A verified logout token.
#[derive(Debug)]
pub(super) struct Logout {
    pub(super) token_id: String,
    pub(super) subject: Option<String>,
    /// The ID of the session at the provider.
    pub(super) session: Option<String>,
}

/// Verifies a logout token (`OpenID` Connect Back-Channel Logout 1.0, section 2.6).
///
/// # Errors
/// A sentence that contains no claim.
pub(super) async fn verify_logout_token(
    governance: &Governance,
    metadata: &Metadata,
    audience: Audience<'_>,
    token: &str,
) -> Result<Logout, String> {
    let claims = verify(governance, metadata, audience, token).await?;
    let event = claims.value("events").and_then(|events| events.get(LOGOUT_EVENT));
    if event.and_then(Value::as_object).is_none() || claims.value("nonce").is_some() {
        return Err("the token is no logout token".to_owned());
    }
    let owned = |text: Option<&str>| text.filter(|text| text.len() <= 1_024).map(str::to_owned);
    let (subject, session) = (owned(claims.subject()), owned(claims.text("sid")));
    if subject.is_none() && session.is_none() {
        return Err("the logout token names neither a person nor a session".to_owned());
    }
    let token_id = owned(claims.text("jti")).ok_or("the logout token has no ID")?;
    Ok(Logout { token_id, subject, session })
}

/// Verifies the signature, the issuer, the audience and the times of a token.
async fn verify(
    governance: &Governance,
    metadata: &Metadata,
    audience: Audience<'_>,
    token: &str,
) -> Result<Claims, String> {
    let malformed = || "the token is malformed".to_owned();
    if token.len() > TOKEN_BYTES_MAX {
        return Err(format!("the token has more than {TOKEN_BYTES_MAX} bytes"));
    }
    let (signed, signature) = token.rsplit_once('.').ok_or_else(malformed)?;
    let (header, payload) = signed.split_once('.').ok_or_else(malformed)?;
    let decode = |part: &str| URL_SAFE_NO_PAD.decode(part).map_err(|_| malformed());
    let parse = |part: &str| Document::parse(&decode(part)?).map_err(|_| malformed());
    let (header, payload, signature) = (parse(header)?, parse(payload)?, decode(signature)?);
    let algorithm = header.text("alg").ok_or_else(malformed)?;
    // An extension that must be understood is not (RFC 7515, section 4.1.11).
    if header.value("crit").is_some() {
        return Err(malformed());
    }
    let key_id = header.text("kid");
    let verifies =
        |keys: &SigningKeys| keys.verify(algorithm, key_id, signed.as_bytes(), &signature);
    let keys = cached_keys(governance, metadata, verifies).await?;
    if !verifies(&keys) {
        return Err("the signature of the token is not valid".to_owned());
    }
    let claims = Claims(payload);
    claims
        .check(audience, governance.clock().now())
        .map_err(|error| format!("the token: {error}"))?;
    Ok(claims)
}
