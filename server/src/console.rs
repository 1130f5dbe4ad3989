//! Mounts the console beside the API.

use std::net::SocketAddr;

use anyhow::Result;
use axum::{
    Router,
    extract::Request,
    response::{IntoResponse, Response},
};
use leptos::config::{LeptosOptions, get_config_from_str};

use crate::{edge::error, state::Service};

/// The settings that cargo-leptos built the console with.
const LEPTOS_TOML: &str = "";

/// The console's settings for a service that listens on `addr`.
///
/// # Errors
/// When the built-in settings cannot be read.
pub fn options(addr: SocketAddr) -> Result<LeptosOptions> {
    let mut options = get_config_from_str(LEPTOS_TOML)?;
    options.site_addr = addr;
    Ok(options)
}

pub(crate) fn router(_: &Service) -> Router<Service> {
    Router::new()
}

pub(crate) async fn fallback(_: Request) -> Response {
    error::no_such_path().await.into_response()
}
