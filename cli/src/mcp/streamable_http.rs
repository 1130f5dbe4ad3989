//! Streamable HTTP: one request for each message, without sessions.

use std::{env, fmt, net::SocketAddr, sync::Arc};

use axum::{
    Router,
    body::{self, Body},
    extract::{Request, State},
    middleware::{self, Next},
    response::{IntoResponse, Response},
};
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use rmcp::{
    model::{ErrorCode, ProtocolVersion},
    transport::{
        StreamableHttpServerConfig, StreamableHttpService,
        streamable_http_server::session::never::NeverSessionManager,
    },
};
use subtle::ConstantTimeEq as _;
use tokio::net::TcpListener;

use super::{
    message::{self, MESSAGE_MAX, Refused},
    server::GovernServer,
};
use crate::{
    exit::{Error, Exit},
    output,
};

/// Serves at `/mcp`. Pages of other origins, and names that resolve to this machine by DNS rebinding, are refused.
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
    let router = Router::new().route_service("/mcp", service).layer(middleware::from_fn(check));
    match token {
        Some(token) => {
            let token: Arc<str> = format!("Bearer {token}").into();
            router.layer(middleware::from_fn_with_state(token, check_token))
        }
        None => router,
    }
}

/// Refuses requests without the token.
async fn check_token(State(token): State<Arc<str>>, request: Request, next: Next) -> Response {
    let given = request.headers().get(header::AUTHORIZATION).map(HeaderValue::as_bytes);
    if given.is_some_and(|given| bool::from(given.ct_eq(token.as_bytes()))) {
        return next.run(request).await;
    }
    (StatusCode::UNAUTHORIZED, [(header::WWW_AUTHENTICATE, "Bearer")]).into_response()
}

/// The media types of all responses. The SDK requires that a request lists both.
const MEDIA_TYPES: HeaderValue = HeaderValue::from_static("application/json, text/event-stream");

/// Refuses messages that are not valid, and reads media ranges such as `*/*`.
async fn check(mut request: Request, next: Next) -> Response {
    if accepts(request.headers(), request.method()) {
        request.headers_mut().insert(header::ACCEPT, MEDIA_TYPES);
    } else if request.method() == Method::POST {
        return (StatusCode::NOT_ACCEPTABLE, "a request must accept `application/json`\n")
            .into_response();
    }
    // The SDK refuses bodies of other types, and other methods.
    let content_type = request.headers().get(header::CONTENT_TYPE).map(HeaderValue::as_bytes);
    let is_json = content_type.is_some_and(|content_type| {
        content_type.get(..16).is_some_and(|start| start.eq_ignore_ascii_case(b"application/json"))
    });
    if request.method() != Method::POST || !is_json {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    let Ok(text) = body::to_bytes(body, MESSAGE_MAX).await else {
        let mut response = refused(&message::too_large(), &parts.headers);
        *response.status_mut() = StatusCode::PAYLOAD_TOO_LARGE;
        return response;
    };
    match message::read(&text) {
        Ok(_) => next.run(Request::from_parts(parts, Body::from(text))).await,
        Err(error) => refused(&error, &parts.headers),
    }
}

/// Returns whether a request accepts JSON, which all responses to messages are, or anything.
fn accepts(headers: &HeaderMap, method: &Method) -> bool {
    let mut ranges = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    if !headers.contains_key(header::ACCEPT) {
        return true;
    }
    ranges.any(|ranges| {
        ranges.split(',').any(|range| {
            let (name, parameters) = range.split_once(';').unwrap_or((range, ""));
            let name = name.trim().to_ascii_lowercase();
            let is_json = ["application/json", "application/*"].contains(&name.as_str());
            let quality = parameters.split(';').find_map(|text| text.trim().strip_prefix("q="));
            let is_excluded =
                quality.is_some_and(|quality| quality.parse::<f32>().is_ok_and(|q| q <= 0.0));
            (name == "*/*" || (is_json && method == Method::POST)) && !is_excluded
        })
    })
}

/// Returns the response to a message that is not valid. Since version 2026-07-28, each error has an HTTP status.
fn refused(error: &Refused, headers: &HeaderMap) -> Response {
    let version = headers.get("mcp-protocol-version").and_then(|version| version.to_str().ok());
    let has_status =
        version.is_some_and(|version| version >= ProtocolVersion::V_2026_07_28.as_str());
    let status = match error.code {
        ErrorCode::METHOD_NOT_FOUND if has_status => StatusCode::NOT_FOUND,
        ErrorCode::METHOD_NOT_FOUND => StatusCode::OK,
        ErrorCode::INVALID_PARAMS if !has_status => StatusCode::OK,
        _ => StatusCode::BAD_REQUEST,
    };
    let json = [(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))];
    (status, json, error.response().to_string()).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_ranges_are_accepted() {
        let accepted = |accept: Option<&str>, method: Method| {
            let mut headers = HeaderMap::new();
            if let Some(accept) = accept {
                headers.insert(header::ACCEPT, accept.parse().unwrap());
            }
            accepts(&headers, &method)
        };
        for accept in [
            None,
            Some("*/*"),
            Some("application/json"),
            Some("text/html, application/*;q=0.5"),
            Some("text/event-stream, Application/JSON"),
            Some("*/*;q=0.1"),
        ] {
            assert!(accepted(accept, Method::POST), "{accept:?}");
        }
        for accept in ["text/event-stream", "text/html", "*/*;q=0", "application/json;q=0.000"] {
            assert!(!accepted(Some(accept), Method::POST), "{accept}");
        }
        assert!(!accepted(Some("application/json"), Method::GET));
    }
}
