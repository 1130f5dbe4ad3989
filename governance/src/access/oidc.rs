//! Sign-in with the identity provider of a tenant: `OpenID` Connect, authorization code flow with PKCE (ADR 0015).
//!
//! A tenant controls its providers, and so what they assert. A session that a provider starts therefore gives access only
//! to the tenant of the provider, and the provider proves an email address only for this tenant.

mod account;
mod client;
mod document;
mod flow;
mod keys;
mod logout;
pub(crate) mod metadata;
mod token;

use base64::{Engine, engine::general_purpose::STANDARD};
use contract::settings::{AuthMethod, SignInPolicy};
use entity::{identity_provider as table, settings, user};
use tower_sessions::Session;
use url::{Url, form_urlencoded};

pub use self::{
    client::{ProviderClient, ProviderRequest, ProviderResponse, RESPONSE_BYTES_MAX},
    flow::flow_id,
    logout::{back_channel_logout, end_session_url},
};
use self::{
    flow::Flow,
    metadata::Metadata,
    token::{Audience, Claims},
};
use crate::{
    access::session::{self, Client, ProviderSession, ProviderTokens, SignedIn},
    base::prelude::*,
};

contract::named_enum! {
    /// The reason why a provider could not sign a person in. Each has a sentence on the sign-in page.
    pub enum Rejection {
        /// The provider does not exist, is disabled, or the tenant excludes it.
        Unknown = "unknown",
        /// The browser did not start this sign-in, started it too long ago, or has used it already.
        NotStarted = "not_started",
        /// The provider reports an error, for example because the person cancelled.
        Refused = "refused",
        /// The provider cannot be reached, or its configuration is not usable.
        Unavailable = "unavailable",
        /// The response of the provider is not valid.
        Invalid = "invalid",
        /// The provider was asked to authenticate the person again and does not confirm that it did.
        NotFresh = "not_fresh",
        /// The provider does not confirm the email address.
        Unverified = "unverified",
        /// Addresses of this domain may not sign in with the provider.
        Domain = "domain",
        /// The provider gives the person no role.
        NoRole = "no_role",
        /// The provider left out the roles of a new person, because there are too many.
        RolesOmitted = "roles_omitted",
        /// The person was removed from the tenant.
        Removed = "removed",
        /// The person has another account, which must accept the invitation of the tenant first.
        Invited = "invited",
    }
}

/// A sign-in that was rejected, or that failed.
#[derive(Debug, derive_more::From)]
pub enum SignInError {
    #[from]
    Rejected(Rejection),
    #[from(Error, DbErr)]
    Failed(Error),
}

/// A provider in the address of a sign-in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProviderPath {
    pub tenant: TenantId,
    pub provider: IdentityProviderId,
}

impl ProviderPath {
    /// Returns the path at which a sign-in starts.
    pub fn sign_in(self) -> String {
        format!("/login/oidc/{}/{}", self.tenant, self.provider)
    }
}

/// Returns the redirect URI of a provider.
pub(crate) fn redirect_uri(governance: &Governance, path: ProviderPath) -> String {
    governance.link(&format!("{}/callback", path.sign_in()))
}

/// Returns the address to which a provider sends logout tokens.
pub(crate) fn backchannel_logout_uri(governance: &Governance, path: ProviderPath) -> String {
    governance.link(&format!("{}/logout", path.sign_in()))
}

/// Returns the address to which a provider returns after a sign-out.
pub(crate) fn post_logout_redirect_uri(governance: &Governance, tenant: TenantId) -> String {
    governance.link(&format!("/login?tenant={tenant}"))
}

/// The purpose of the key that encrypts client secrets.
pub(crate) const ENCRYPTION_CONTEXT: &str = "identity-provider";

/// Returns the associated data of an encrypted client secret, which cannot be decrypted in another row.
pub(crate) fn secret_owner(path: ProviderPath) -> Vec<u8> {
    [*path.tenant.0.as_bytes(), *path.provider.0.as_bytes()].concat()
}

/// A provider on the sign-in page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignInProvider {
    pub path: ProviderPath,
    /// The name on the button.
    pub name: String,
}

/// Returns the providers with which members of a tenant can sign in, by name. An unknown tenant has none.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the database is unavailable.
pub async fn providers(governance: &Governance, tenant: TenantId) -> Result<Vec<SignInProvider>> {
    let tx = TenantTx::begin(governance.database(), tenant).await?;
    let rows = if permits_providers(&tx).await? {
        let rows = tx.find::<table::Entity>().filter(table::Column::IsEnabled.eq(true));
        rows.order_by_asc(table::Column::Name).all(tx.connection()).await?
    } else {
        Vec::new()
    };
    tx.finish_read().await?;
    let provider = |row: table::Model| SignInProvider {
        path: ProviderPath { tenant, provider: row.id.into() },
        name: row.name,
    };
    Ok(rows.into_iter().map(provider).collect())
}

/// Returns the name of the provider that started a session, for the page that asks the user to sign in again.
///
/// # Errors
/// `NOT_FOUND` when the provider was deleted.
pub async fn name(governance: &Governance, provider: ProviderSession) -> Result<String> {
    let tx = TenantTx::begin(governance.database(), provider.tenant_id).await?;
    let row = tx.get::<table::Entity>(provider.provider_id, ResourceKind::IdentityProvider).await?;
    tx.finish_read().await?;
    Ok(row.name)
}

/// Returns whether the settings of the tenant permit a sign-in with a provider.
async fn permits_providers(tx: &TenantTx) -> Result<bool> {
    let policy = tx.find::<settings::Entity>().select_only().column(settings::Column::SignIn);
    let policy = policy.into_tuple::<TextEnum<SignInPolicy>>().one(tx.connection()).await?;
    Ok(policy.is_some_and(|policy| policy.0.permits(AuthMethod::Oidc)))
}

/// Returns an enabled provider that the tenant permits.
async fn load(governance: &Governance, path: ProviderPath) -> Result<table::Model, SignInError> {
    let tx = TenantTx::begin(governance.database(), path.tenant).await?;
    let row = tx.find_by_id::<table::Entity>(path.provider).one(tx.connection()).await?;
    let is_permitted = permits_providers(&tx).await?;
    tx.finish_read().await?;
    let row = row.filter(|row| row.is_enabled && is_permitted);
    row.ok_or(SignInError::Rejected(Rejection::Unknown))
}

/// Returns the configuration of a provider.
async fn metadata(
    governance: &Governance,
    row: &table::Model,
) -> Result<std::sync::Arc<Metadata>, Rejection> {
    metadata::cached(governance, &row.issuer).await.map_err(|error| {
        log(row, &error);
        Rejection::Unavailable
    })
}

/// Logs an error of a provider. The sentence contains no secret.
fn log(row: &table::Model, error: &str) {
    tracing::warn!(tenant.id = %row.tenant_id, provider.id = %row.id, error, "an identity provider failed");
}

/// A started sign-in.
#[derive(Debug)]
pub struct Departure {
    /// The address of the provider to which the browser is redirected.
    pub url: String,
    /// The part of the name of the cookie that is different for each sign-in of the browser.
    pub id: String,
    /// The value of the cookie that binds the sign-in to the browser.
    pub cookie: String,
}

/// The time in seconds within which a started sign-in must be completed.
pub const FLOW_LIFETIME_S: u32 = 600;

/// Starts a sign-in, which continues at `next`. With `is_fresh`, the provider authenticates the person again.
///
/// # Errors
/// [`Rejection::Unknown`], [`Rejection::Unavailable`].
pub async fn start(
    governance: &Governance,
    path: ProviderPath,
    next: &str,
    is_fresh: bool,
) -> Result<Departure, SignInError> {
    let row = load(governance, path).await?;
    let metadata = metadata(governance, &row).await?;
    let flow = Flow::new(governance, is_fresh);
    let state = flow.state(governance);
    let scopes: Vec<&str> =
        std::iter::once("openid").chain(row.scopes.iter().map(String::as_str)).collect();
    let mut url = metadata.authorization.clone();
    url.query_pairs_mut()
        .append_pair("response_type", "code")
        .append_pair("client_id", &row.client_id)
        .append_pair("redirect_uri", &redirect_uri(governance, path))
        .append_pair("scope", &scopes.join(" "))
        .append_pair("state", &state)
        .append_pair("nonce", &flow.nonce(governance))
        .append_pair("code_challenge", &flow.challenge(governance))
        .append_pair("code_challenge_method", "S256");
    if is_fresh {
        url.query_pairs_mut().append_pair("prompt", "login").append_pair("max_age", "0");
    }
    let id = flow_id(&state).unwrap_or_default().to_owned();
    Ok(Departure { url: url.into(), id, cookie: flow.to_cookie(governance, path, next) })
}

/// The response of a provider in the address of the browser.
#[derive(Clone, derive_more::Debug, Default)]
#[debug("Callback {{ error: {error:?}, .. }}")]
pub struct Callback {
    pub code: Option<String>,
    pub state: Option<String>,
    pub issuer: Option<String>,
    pub error: Option<String>,
}

/// Completes a sign-in: starts a session and returns the page at which the user continues. `cookie` is the one of
/// [`Departure`]. The first response to a sign-in uses it up, also if it is rejected.
///
/// # Errors
/// All rejections. Those of a person whom the provider has authenticated are audit events.
pub async fn finish(
    cx: &Cx,
    session: &Session,
    client: &Client,
    path: ProviderPath,
    cookie: Option<&str>,
    callback: &Callback,
) -> Result<String, SignInError> {
    let governance = &cx.governance;
    let (flow, next) = cookie
        .and_then(|cookie| Flow::from_cookie(governance, path, cookie))
        .ok_or(Rejection::NotStarted)?;
    if callback.state.as_deref() != Some(&*flow.state(governance)) {
        return Err(Rejection::NotStarted.into());
    }
    if !flow.consume(governance).await? {
        return Err(Rejection::NotStarted.into());
    }
    let row = load(governance, path).await?;
    let metadata = metadata(governance, &row).await?;
    let issuer = callback.issuer.as_deref();
    if issuer.map_or(metadata.sends_issuer, |issuer| issuer != row.issuer) {
        return Err(Rejection::Invalid.into());
    }
    if callback.error.is_some() {
        return Err(Rejection::Refused.into());
    }
    let code = callback.code.as_deref().ok_or(Rejection::Invalid)?;
    let result = authenticate(governance, &row, &metadata, &flow, code).await;
    let (claims, id_token) = result.map_err(|error| {
        log(&row, &error);
        Rejection::Invalid
    })?;
    let (person, confirmed_at) = match person(cx, path, &row, &flow, &claims).await {
        Err(SignInError::Rejected(rejection)) => {
            record_rejection(cx, path, &claims, rejection).await?;
            return Err(rejection.into());
        }
        result => result?,
    };
    let provider = ProviderSession { tenant_id: path.tenant, provider_id: path.provider };
    let signed_in = SignedIn {
        session_id: governance.entropy().id(),
        password_generation: person.password_generation,
        confirmed_at,
        provider: Some(provider),
        ..SignedIn::new(person.user_id.into(), cx.now)
    };
    let tokens = ProviderTokens { session: claims.text("sid").map(str::to_owned), id_token };
    session::start_with(session, &signed_in, client, Some(&tokens)).await?;
    end_if_disabled(cx, path, session).await?;
    Ok(next)
}

/// Ends a session that has just started if its provider was disabled or deleted meanwhile, which ended all others. The lock
/// waits for a change that is not complete.
async fn end_if_disabled(
    cx: &Cx,
    path: ProviderPath,
    session: &Session,
) -> Result<(), SignInError> {
    let tx = cx.tenant_unchecked(path.tenant).begin().await?;
    let row = tx.find_by_id::<table::Entity>(path.provider).lock_shared();
    let row = row.one(tx.connection()).await?;
    tx.finish_read().await?;
    if row.is_some_and(|row| row.is_enabled) {
        return Ok(());
    }
    session::destroy(&cx.governance, session).await?;
    Err(Rejection::Unknown.into())
}

/// Returns the account of a person whom the provider has authenticated, and the time of the authentication.
async fn person(
    cx: &Cx,
    path: ProviderPath,
    row: &table::Model,
    flow: &Flow,
    claims: &Claims,
) -> Result<(user::Model, Timestamp), SignInError> {
    let confirmed_at = claims.authenticated_at(flow, cx.now).map_err(|error| {
        log(row, error);
        if flow.is_fresh { Rejection::NotFresh } else { Rejection::Invalid }
    })?;
    Ok((account::sign_in(cx, path, row, claims).await?, confirmed_at))
}

/// The maximum length in bytes of an address in the audit event of a rejection.
const EMAIL_MAX: usize = 320;

/// Records that a person whom the provider has authenticated may not sign in.
async fn record_rejection(
    cx: &Cx,
    path: ProviderPath,
    claims: &Claims,
    rejection: Rejection,
) -> Result<()> {
    let event = Event::new("identity.refuse", "identity_provider", path.provider)
        .with("reason", rejection.as_str())
        .with_personal("email", claims.text("email").filter(|email| email.len() <= EMAIL_MAX));
    cx.tenant_unchecked(path.tenant).begin().await?.commit(cx, event).await
}

/// Exchanges a code for tokens and returns the claims of the person with the ID token.
///
/// # Errors
/// A sentence that contains no secret.
async fn authenticate(
    governance: &Governance,
    row: &table::Model,
    metadata: &Metadata,
    flow: &Flow,
    code: &str,
) -> Result<(Claims, String), String> {
    let path = ProviderPath { tenant: row.tenant_id.into(), provider: row.id.into() };
    let tokens =
        client::call(governance, token_request(governance, row, metadata, flow, code, path)?);
    let tokens = tokens.await?;
    let id_token = tokens.text("id_token").ok_or("the provider returned no ID token")?;
    let audience = Audience { issuer: &row.issuer, client_id: &row.client_id };
    let nonce = flow.nonce(governance);
    let mut claims =
        token::verify_id_token(governance, metadata, audience, id_token, &nonce).await?;
    let has_all = claims.text("email").is_some()
        && row.role_claim.as_deref().is_none_or(|name| account::roles(&claims, name).is_some());
    if let (false, Some(url), Some(access_token)) =
        (has_all, &metadata.user_info, tokens.text("access_token"))
    {
        let authorization = Some(format!("Bearer {access_token}"));
        let request = ProviderRequest { url: url.clone(), authorization, form: None };
        let user_info = client::call(governance, request).await?;
        if user_info.text("sub") != claims.subject() {
            return Err("the user information is about another person".to_owned());
        }
        claims.complete_with(user_info);
    }
    Ok((claims, id_token.to_owned()))
}

/// Returns the request that exchanges a code for tokens (RFC 6749, section 4.1.3; RFC 7636).
fn token_request(
    governance: &Governance,
    row: &table::Model,
    metadata: &Metadata,
    flow: &Flow,
    code: &str,
    path: ProviderPath,
) -> Result<ProviderRequest, String> {
    let secret = match (&row.client_secret, row.client_secret_key) {
        (Some(encrypted), Some(version)) => {
            let owner = secret_owner(path);
            let secret =
                governance.pepper().decrypt(version, ENCRYPTION_CONTEXT, &owner, encrypted);
            let secret = secret.and_then(|secret| String::from_utf8(secret.to_vec()).ok());
            Some(
                secret
                    .ok_or("the client secret cannot be decrypted with the keys of the process")?,
            )
        }
        _ => None,
    };
    let mut form = form_urlencoded::Serializer::new(String::new());
    form.append_pair("grant_type", "authorization_code")
        .append_pair("code", code)
        .append_pair("redirect_uri", &redirect_uri(governance, path))
        .append_pair("code_verifier", &flow.verifier(governance));
    let authorization = match secret {
        Some(secret) if !metadata.takes_secret_in_body => {
            let encode = |text: &str| -> String {
                form_urlencoded::byte_serialize(text.as_bytes()).collect()
            };
            let credentials = format!("{}:{}", encode(&row.client_id), encode(&secret));
            Some(format!("Basic {}", STANDARD.encode(credentials)))
        }
        secret => {
            form.append_pair("client_id", &row.client_id);
            if let Some(secret) = secret {
                form.append_pair("client_secret", &secret);
            }
            None
        }
    };
    let url: Url = metadata.token.clone();
    Ok(ProviderRequest { url, authorization, form: Some(form.finish()) })
}
