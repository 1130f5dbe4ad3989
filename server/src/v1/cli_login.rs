//! Sign-in of the command line through the browser.

use contract::{
    api_key::ApiKeyCreated,
    cli_login::{CodeExchange, KeySurrender},
};
use governance::access::{api_key, cli_login};

use crate::edge::{ApiResult, Body, Created, NoContent, Public};

/// Exchange a one-time code of the console for an API key.
///
/// A signed-in user allows the key on the page `/cli-login`, which returns the code. The key has the name, the scopes
/// and the expiry that the user chose, and acts for the user. A code can be used once, within a minute after a redirect
/// or five minutes after it was shown, and only with the verifier and the port of the program that requested it.
#[post(
    "/v1/cli/token", public, tag = "api-keys", audit = "api_key.create",
    example = {
        "code": "qqqqqgAAQACAAAAAAAAAAIVCbYBVs9aHcjNMCzqZIcp0vDXTmRnTcjJgsXvVIYyg",
        "code_verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
        "port": 52_011,
    },
    403 = "`FORBIDDEN`: the user may no longer create API keys",
    404 = "`NOT_FOUND`: the code is not valid, was used or has expired",
)]
async fn exchange(cx: Public, body: Body<CodeExchange>) -> ApiResult<Created<ApiKeyCreated>> {
    let created = cli_login::exchange(&cx, &body.value).await?;
    Ok(Created(format!("/v1/api-keys/{}", created.key.id), created))
}

/// Revoke an API key by its secret.
///
/// Any key can be revoked by the program that has it, also without the scope `api-keys:admin`. The response is the same
/// for a key that is unknown, revoked or expired.
#[post(
    "/v1/cli/revoke", public, tag = "api-keys", audit = "api_key.revoke",
    example = {"api_key": "svc_sXw5Z1u1x3YV0m0Yl0m1d0cG9fQ2l8o4mJvH3bq7T2E"},
    204 = "The key is not valid, or no longer valid",
)]
async fn revoke(cx: Public, body: Body<KeySurrender>) -> ApiResult<NoContent> {
    api_key::revoke_own(&cx, &body.value.api_key).await?;
    Ok(NoContent)
}
