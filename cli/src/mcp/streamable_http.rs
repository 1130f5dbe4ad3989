//! Streamable HTTP: one request for each message, without sessions.

use std::{env, fmt, net::SocketAddr, sync::Arc};

use axum::{
    Router,
    extract::{Request, State},
    middleware::{self, Next},
    response::{IntoResponse, Response},
};
use http::{HeaderValue, StatusCode, header};
use rmcp::transport::{
    StreamableHttpServerConfig, StreamableHttpService,
    streamable_http_server::session::never::NeverSessionManager,
};
use subtle::ConstantTimeEq as _;
use tokio::net::TcpListener;

use super::server::GovernServer;
use crate::{
    exit::{Error, Exit},
    output,
};

/// The maximum size of a message in bytes: that of a body of `/v1`.
const MESSAGE_MAX: usize = 1_048_576;

/// Serves at `/mcp`. Pages of other origins, and names that resolve to this machine by DNS rebinding, are rejected.
///
/// # Errors
/// Returns an error if other machines could call the server without a token, or the address cannot be used.
pub(super) async fn serve(
    server: GovernServer,
    address: SocketAddr,
    allowed_origins: Vec<String>,
) -> Result<Exit, Error> {
    let token = env::var("GOVERN_MCP_TOKEN").ok().filter(|token| !token.is_empty());
    let failed = |cause: &dyn fmt::Display| Error::Input(format!("the address {address}: {cause}"));
    if token.is_none() && !address.ip().is_loopback() {
        return Err(failed(
            &"not loopback; set GOVERN_MCP_TOKEN to the bearer token of the callers",
        ));
    }
    let listener = TcpListener::bind(address).await.map_err(|error| failed(&error))?;
    let local = listener.local_addr().map_err(|error| failed(&error))?;
    // Standard error, because standard output belongs to the protocol.
    output::note(&format!("MCP server at http://{local}/mcp"));
    let router = router(server, allowed_origins, token);
    axum::serve(listener, router).await.map_err(|error| failed(&error))?;
    Ok(Exit::Success)
}

fn router(server: GovernServer, allowed_origins: Vec<String>, token: Option<String>) -> Router {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_max_request_body_bytes(MESSAGE_MAX)
        .with_allowed_origins(allowed_origins)
        .enforce_origin_validation();
    // A page that reaches this address by another name does not have the token.
    let config = if token.is_some() { config.disable_allowed_hosts() } else { config };
    let sessions = Arc::new(NeverSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(server.clone()), sessions, config);
    let router = Router::new().route_service("/mcp", service);
    match token {
        Some(token) => {
            let token: Arc<str> = format!("Bearer {token}").into();
            router.layer(middleware::from_fn_with_state(token, check_token))
        }
        None => router,
    }
}

/// Rejects requests without the token.
async fn check_token(State(token): State<Arc<str>>, request: Request, next: Next) -> Response {
    let given = request.headers().get(header::AUTHORIZATION).map(HeaderValue::as_bytes);
    if given.is_some_and(|given| bool::from(given.ct_eq(token.as_bytes()))) {
        return next.run(request).await;
    }
    (StatusCode::UNAUTHORIZED, [(header::WWW_AUTHENTICATE, "Bearer")]).into_response()
}
