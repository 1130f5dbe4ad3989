//! Calls of identity providers.

use std::fmt;

use url::Url;

use super::document::Document;
use crate::Governance;

/// The maximum number of bytes of a response.
pub const RESPONSE_BYTES_MAX: usize = 1 << 20;

/// Calls identity providers. The server implements the transport.
#[async_trait::async_trait]
pub trait ProviderClient: fmt::Debug + Send + Sync {
    /// Sends a request and returns the response, whatever its status.
    ///
    /// # Errors
    /// A short reason that contains neither an address nor a secret.
    async fn send(&self, request: ProviderRequest) -> Result<ProviderResponse, String>;
}

/// A request to an identity provider.
#[derive(Clone, derive_more::Debug)]
#[debug("ProviderRequest {{ url: {:?}, .. }}", url.as_str())]
pub struct ProviderRequest {
    pub url: Url,
    /// The value of the `Authorization` header.
    pub authorization: Option<String>,
    /// The URL-encoded body of a `POST`; a request without it is a `GET`.
    pub form: Option<String>,
}

#[derive(Clone, derive_more::Debug)]
#[debug("ProviderResponse {{ status: {status:?}, .. }}")]
pub struct ProviderResponse {
    pub status: u16,
    /// The value of the `Cache-Control` header.
    pub cache_control: Option<String>,
    pub body: Vec<u8>,
}

/// Sends a request and returns the JSON object of a response with status 200.
///
/// # Errors
/// A sentence that contains no secret.
pub(super) async fn call(
    governance: &Governance,
    request: ProviderRequest,
) -> Result<Document, String> {
    call_cacheable(governance, request).await.map(|(document, _)| document)
}

/// Reads the JSON object at `url`, and the `Cache-Control` header of the response.
pub(super) async fn get(
    governance: &Governance,
    url: &Url,
) -> Result<(Document, Option<String>), String> {
    let request = ProviderRequest { url: url.clone(), authorization: None, form: None };
    call_cacheable(governance, request).await
}

async fn call_cacheable(
    governance: &Governance,
    request: ProviderRequest,
) -> Result<(Document, Option<String>), String> {
    let client = governance.provider_client().ok_or("this process calls no identity providers")?;
    let response = client.send(request).await?;
    if response.status != 200 {
        return Err(format!("the identity provider responded with status {}", response.status));
    }
    let document = Document::parse(&response.body).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        format!(
            "the response of the identity provider is no JSON object (line {line}, column {column})"
        )
    })?;
    Ok((document, response.cache_control))
}
