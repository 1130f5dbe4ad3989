//! Sign-in of the command line through the browser: one-time codes that a program exchanges for an API key (RFC 8252,
//! RFC 7636).
//!
//! The user allows the key in the console, which redirects to a port of the user's machine or shows the code. The key is
//! created when the program exchanges the code, so a code that is not used leaves no key.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use contract::{
    api_key::{ApiKeyCreated, ApiKeyDraft},
    cli_login::{CodeExchange, PORT_MAX, PORT_MIN},
};
use entity::{login_code as table, session_digest as sessions};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq as _;

use crate::{
    access::{
        api_key::{self, KeyCreator},
        permission,
        session::{ProviderSession, SignedIn},
    },
    base::{error::invalid_login_code, prelude::*},
};

/// The lifetime of a code in a redirect in milliseconds: one minute. The program exchanges it immediately.
const REDIRECTED_LIFETIME_MS: i64 = 60 * 1_000;

/// The lifetime of a code that the user pastes in milliseconds: five minutes.
const PASTED_LIFETIME_MS: i64 = 5 * 60 * 1_000;

/// The number of random bytes of a code.
const SECRET_BYTES: usize = 32;

/// The request of a program for an API key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoginRequest {
    /// The SHA-256 of the verifier of the program (RFC 7636, method `S256`).
    challenge: [u8; 32],
    /// The port of `127.0.0.1` at which the program waits for the code; absent if the user pastes the code.
    port: Option<u16>,
}

impl LoginRequest {
    /// Parses the parameters of a program: the base64url text of a challenge, and a port, which is empty if the user
    /// pastes the code. The address of the redirect has no other variable part, so a code is sent only to a program on
    /// the user's machine.
    pub fn parse(challenge: &str, port: &str) -> Option<Self> {
        let challenge = URL_SAFE_NO_PAD.decode(challenge).ok()?.try_into().ok()?;
        let port = match port {
            "" => None,
            text => Some(text.parse::<u16>().ok().filter(|port| is_unprivileged(*port))?),
        };
        Some(Self { challenge, port })
    }

    /// Returns the address to which the browser is redirected with a code; `None` if the user pastes the code.
    pub fn redirect_uri(&self) -> Option<String> {
        self.port.map(|port| format!("http://127.0.0.1:{port}/callback"))
    }
}

fn is_unprivileged(port: u16) -> bool {
    (PORT_MIN..=PORT_MAX).contains(&u32::from(port))
}

/// Allows a program to create an API key, and returns the one-time code for it.
///
/// # Errors
/// As [`api_key::create`].
pub async fn allow(
    cx: &Cx,
    signed_in: &SignedIn,
    request: &LoginRequest,
    draft: ApiKeyDraft,
) -> Result<String> {
    let tenant = cx.tenant(permission::ADMINISTER_KEYS)?;
    cx.check_freshness()?;
    api_key::check_expiry(cx, &draft)?;
    let secret = cx.governance.entropy().bytes::<SECRET_BYTES>();
    let code = URL_SAFE_NO_PAD.encode([tenant.id().0.as_bytes().as_slice(), &secret].concat());
    let lifetime_ms =
        if request.port.is_some() { REDIRECTED_LIFETIME_MS } else { PASTED_LIFETIME_MS };
    let row = table::ActiveModel {
        tenant_id: Set(tenant.id().0),
        digest: Set(digest(&cx.governance, &code)),
        user_id: Set(cx.human()?.user_id.0),
        session_id: Set(signed_in.session_id.0),
        auth_method: Set(TextEnum(signed_in.method())),
        challenge: Set(request.challenge.to_vec()),
        port: Set(request.port.map(i32::from)),
        key_name: Set(draft.name),
        key_scopes: Set(draft.scopes.iter().map(ToString::to_string).collect()),
        key_expires_at: Set(draft.expires_at.map(to_column)),
        expires_at: Set(to_column(cx.now.plus_millis(lifetime_ms))),
    };
    let tx = tenant.begin().await?;
    let expired =
        tx.delete::<table::Entity>().filter(table::Column::ExpiresAt.lte(to_column(cx.now)));
    expired.exec(tx.connection()).await?;
    table::Entity::insert(row).exec_without_returning(tx.connection()).await?;
    tx.commit_without_event().await?;
    Ok(code)
}

/// Exchanges a one-time code for a new API key of the user who allowed it. The first call with a code uses it up, also if
/// it fails.
///
/// # Errors
/// `NOT_FOUND` for a code that is not valid, was used or has expired, that belongs to another verifier or port, and for
/// a code of a session that has ended; `FORBIDDEN` for a user who lost the role or the membership; otherwise as
/// [`api_key::create`].
pub async fn exchange(cx: &Cx, request: &CodeExchange) -> Result<ApiKeyCreated> {
    let row = take(cx, &request.code).await?.ok_or_else(invalid_login_code)?;
    let challenge: [u8; 32] = Sha256::digest(request.code_verifier.as_bytes()).into();
    let is_of_program = bool::from(challenge.as_slice().ct_eq(&row.challenge))
        && row.port.map(i64::from) == request.port.map(i64::from);
    if !is_of_program || from_column(row.expires_at) <= cx.now {
        return Err(invalid_login_code().into());
    }
    let signed_in = session(cx, &row).await?.ok_or_else(invalid_login_code)?;
    let correlation_id = cx.correlation_id.clone();
    let cx = cx.governance.human(&signed_in, row.tenant_id.into(), correlation_id).await?;
    let draft = ApiKeyDraft {
        name: row.key_name,
        scopes: row.key_scopes.iter().filter_map(|scope| scope.parse().ok()).collect(),
        expires_at: row.key_expires_at.map(from_column),
    };
    // The age of the sign-in was checked when the user allowed the key.
    let tenant = cx.tenant(permission::ADMINISTER_KEYS)?;
    let id = cx.governance.entropy().id();
    api_key::create_in(tenant, id, draft, KeyCreator::from(&cx.caller)).await
}

/// Deletes a code and returns its row. Of concurrent calls, only one returns the row.
async fn take(cx: &Cx, code: &str) -> Result<Option<table::Model>> {
    let Some(tenant) = tenant_of(code) else { return Ok(None) };
    let tx = cx.tenant_unchecked(tenant).begin().await?;
    let row = tx
        .delete::<table::Entity>()
        .filter(table::Column::Digest.eq(digest(&cx.governance, code)))
        .exec_with_returning(tx.connection())
        .await?;
    tx.commit_without_event().await?;
    Ok(row.into_iter().next())
}

/// Returns the tenant in a code.
fn tenant_of(code: &str) -> Option<TenantId> {
    let bytes = URL_SAFE_NO_PAD.decode(code).ok()?;
    let (tenant, secret) = bytes.split_first_chunk::<16>()?;
    (secret.len() == SECRET_BYTES).then(|| TenantId(Uuid::from_bytes(*tenant)))
}

/// Returns the digest of a code. It is useless without the service's secret key.
fn digest(governance: &Governance, code: &str) -> Vec<u8> {
    governance.pepper().digest("cli-login", code.as_bytes()).to_vec()
}

/// Returns the session in which the user allowed the key; `None` if it has ended.
async fn session(cx: &Cx, row: &table::Model) -> Result<Option<SignedIn>> {
    let session = untenanted::<sessions::Entity>()
        .filter(sessions::Column::UserId.eq(row.user_id))
        .filter(sessions::Column::SessionId.eq(row.session_id))
        .filter(sessions::Column::ExpiresAt.gt(to_column(cx.now)));
    let session = session.one(cx.governance.database()).await?;
    Ok(session.map(|session| SignedIn {
        session_id: SessionId(session.session_id),
        password_generation: session.password_generation,
        auth_method: row.auth_method.0,
        provider: session.confined_tenant_id.zip(session.provider_id).map(|(tenant, provider)| {
            ProviderSession { tenant_id: tenant.into(), provider_id: provider.into() }
        }),
        ..SignedIn::new(UserId(row.user_id), cx.now)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

    #[test]
    fn only_a_port_of_this_machine_can_be_requested() {
        let uri = |port| LoginRequest::parse(CHALLENGE, port).map(|login| login.redirect_uri());
        assert_eq!(uri("8085"), Some(Some("http://127.0.0.1:8085/callback".to_owned())));
        assert_eq!(uri("+8085"), Some(Some("http://127.0.0.1:8085/callback".to_owned())));
        assert_eq!(uri(""), Some(None));
        for port in ["0", "80", "1023", "65536", "8085@evil.example", "evil.example", "8085/x"] {
            assert_eq!(uri(port), None, "{port}");
        }
    }

    #[test]
    fn a_challenge_is_the_text_of_32_bytes() {
        assert!(LoginRequest::parse(CHALLENGE, "").is_some());
        for challenge in ["", "E9Mel", &format!("{CHALLENGE}="), &CHALLENGE.replace('E', "+")] {
            assert_eq!(LoginRequest::parse(challenge, ""), None, "{challenge}");
        }
    }
}
