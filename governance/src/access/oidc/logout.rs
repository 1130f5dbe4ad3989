//! Sign-out at the identity provider: by the user, and by the provider.

use entity::{
    identity as identities, identity_provider as providers, logout_token as table,
    session_digest as sessions,
};
use sea_orm::sea_query::OnConflict;
use tower_sessions::Session;
use url::Url;

use super::{
    Audience, ProviderPath, Rejection, SignInError, load, log, metadata, post_logout_redirect_uri,
    token::{self, Logout},
};
use crate::{access::session, base::prelude::*};

/// The time in milliseconds for which used logout tokens are stored. It exceeds the time for which a token is accepted.
const TOKEN_LIFETIME_MS: i64 = 15 * 60 * 1_000;

/// The maximum length in bytes of an ID token in the address of a sign-out. Servers and proxies refuse longer addresses. Without
/// it, the provider may ask the person to confirm.
const HINT_BYTES_MAX: usize = 4_096;

/// Returns the address that signs the user of a session out at the provider (`OpenID` Connect RP-Initiated Logout 1.0).
/// `None` for a session without a provider, and for a provider that has no such address or cannot be reached.
///
/// # Errors
/// `SERVICE_UNAVAILABLE` when the database is unavailable.
pub async fn end_session_url(governance: &Governance, session: &Session) -> Result<Option<Url>> {
    let Some(signed_in) = session::current(governance, session).await? else { return Ok(None) };
    let tokens = session::provider_tokens(session).await?;
    let (Some(provider), Some(tokens)) = (signed_in.provider, tokens) else { return Ok(None) };
    let path = ProviderPath { tenant: provider.tenant_id, provider: provider.provider_id };
    let row = match load(governance, path).await {
        Ok(row) => row,
        Err(SignInError::Rejected(_)) => return Ok(None),
        Err(SignInError::Failed(error)) => return Err(error),
    };
    let Ok(metadata) = metadata(governance, &row).await else { return Ok(None) };
    let Some(mut url) = metadata.end_session.clone() else { return Ok(None) };
    if tokens.id_token.len() <= HINT_BYTES_MAX {
        url.query_pairs_mut().append_pair("id_token_hint", &tokens.id_token);
    }
    url.query_pairs_mut().append_pair("client_id", &row.client_id).append_pair(
        "post_logout_redirect_uri",
        &post_logout_redirect_uri(governance, path.tenant),
    );
    Ok(Some(url))
}

/// Ends the sessions that a logout token of a provider names (`OpenID` Connect Back-Channel Logout 1.0).
///
/// # Errors
/// [`Rejection::Unknown`], [`Rejection::Unavailable`]; [`Rejection::Invalid`] for a token that is not valid or was
/// used before.
pub async fn back_channel_logout(
    cx: &Cx,
    path: ProviderPath,
    token: &str,
) -> Result<(), SignInError> {
    let governance = &cx.governance;
    let row = load(governance, path).await?;
    let metadata = metadata(governance, &row).await?;
    let audience = Audience { issuer: &row.issuer, client_id: &row.client_id };
    let logout = token::verify_logout_token(governance, &metadata, audience, token).await;
    let logout = logout.map_err(|error| {
        log(&row, &error);
        Rejection::Invalid
    })?;
    let mut tx = cx.tenant_unchecked(path.tenant).begin().await?;
    if !consume(&tx, &row, &logout, cx.now).await? {
        return Err(Rejection::Invalid.into());
    }
    let Some(filter) = named_sessions(&tx, &row, &logout).await? else {
        tx.commit_without_event().await?;
        return Ok(());
    };
    let ended = delete_untenanted::<sessions::Entity>()
        .filter(sessions::Column::ProviderId.eq(path.provider.0))
        .filter(filter)
        .exec_with_returning(tx.connection())
        .await?;
    for session in ended {
        let event = Event::new("session.end", "session", SessionId(session.session_id));
        tx.add_event(event.with("identity_provider", path.provider.to_string()));
    }
    tx.write_events(cx).await?;
    tx.commit_without_event().await?;
    Ok(())
}

/// Stores the ID of a logout token and deletes expired ones. Returns whether the token is used for the first time.
async fn consume(
    tx: &TenantTx,
    provider: &providers::Model,
    logout: &Logout,
    now: Timestamp,
) -> Result<bool> {
    let expired = tx.delete::<table::Entity>().filter(table::Column::ExpiresAt.lt(to_column(now)));
    expired.exec(tx.connection()).await?;
    let row = table::ActiveModel {
        tenant_id: Set(provider.tenant_id),
        provider_id: Set(provider.id),
        token_id: Set(logout.token_id.clone()),
        expires_at: Set(to_column(now.plus_millis(TOKEN_LIFETIME_MS))),
    };
    let insert = table::Entity::insert(row).on_conflict(OnConflict::new().do_nothing().to_owned());
    Ok(insert.exec_without_returning(tx.connection()).await? > 0)
}

/// Returns the filter of the sessions that a logout token names; `None` for a person whom the provider never signed in.
///
/// With a session, only that session ends, and sessions of the person for which the provider has sent no ID.
async fn named_sessions(
    tx: &TenantTx,
    provider: &providers::Model,
    logout: &Logout,
) -> Result<Option<Condition>> {
    let user_id = match &logout.subject {
        Some(subject) => {
            let identity = tx
                .find::<identities::Entity>()
                .filter(identities::Column::ProviderId.eq(provider.id))
                .filter(identities::Column::Subject.eq(subject.as_str()));
            let Some(identity) = identity.one(tx.connection()).await? else { return Ok(None) };
            Some(identity.user_id)
        }
        None => None,
    };
    let by_session: Option<Expr> =
        logout.session.as_deref().map(|session| sessions::Column::ProviderSession.eq(session));
    let condition = match (user_id, by_session) {
        (Some(user_id), by_session) => {
            let of_user = Condition::all().add(sessions::Column::UserId.eq(user_id));
            match by_session {
                Some(by_session) => of_user.add(
                    Condition::any()
                        .add(by_session)
                        .add(sessions::Column::ProviderSession.is_null()),
                ),
                None => of_user,
            }
        }
        (None, Some(by_session)) => Condition::all().add(by_session),
        (None, None) => return Ok(None),
    };
    Ok(Some(condition))
}
