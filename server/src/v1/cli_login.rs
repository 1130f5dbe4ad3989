//! Sign-in of the command line through the browser.

use contract::{
    api_key::ApiKeyCreated,
    cli_login::{CodeExchange, KeySurrender},
    error::ErrorBody,
};
use governance::access::{api_key, cli_login};
use http::StatusCode;

use crate::edge::{
    error::ApiResult,
    extract::{Body, Created, Public},
};

/// Exchange a one-time code of the console for an API key.
///
/// A signed-in user allows the key on the page `/cli-login`, which returns the code. The key has the name, the scopes
/// and the expiry that the user chose, and acts for the user. A code can be used once, within a minute after a redirect
/// or five minutes after it was shown, and only with the verifier and the port of the program that requested it.
#[utoipa::path(
    post, path = "/v1/cli/token", tag = "api-keys", request_body = CodeExchange,
    responses(
        (status = 201, body = ApiKeyCreated),
        (status = 403, description = "`FORBIDDEN`: the user may no longer create API keys", body = ErrorBody),
        (status = 404, description = "`NOT_FOUND`: the code is not valid, was used or has expired",
            body = ErrorBody),
    )
)]
pub async fn exchange(
    Public(cx): Public,
    body: Body<CodeExchange>,
) -> ApiResult<Created<ApiKeyCreated>> {
    let created = cli_login::exchange(&cx, &body.value).await?;
    Ok(Created(format!("/v1/api-keys/{}", created.key.id), created))
}

/// Revoke an API key by its secret.
///
/// Any key can be revoked by the program that has it, also without the scope `api-keys:admin`. The response is the same
/// for a key that is unknown, revoked or expired.
#[utoipa::path(
    post, path = "/v1/cli/revoke", tag = "api-keys", request_body = KeySurrender,
    responses((status = 204, description = "The key is not valid, or no longer valid"))
)]
pub async fn revoke(Public(cx): Public, body: Body<KeySurrender>) -> ApiResult<StatusCode> {
    api_key::revoke_own(&cx, &body.value.api_key).await?;
    Ok(StatusCode::NO_CONTENT)
}
