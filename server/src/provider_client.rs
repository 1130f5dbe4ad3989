//! The calls of identity providers over HTTP.

use std::time::Duration;

use governance::{
    access::oidc::{ProviderClient, ProviderRequest, ProviderResponse, RESPONSE_BYTES_MAX},
    notify::outbound_policy::OutboundPolicy,
};
use http::header;

use crate::outbound::Outbound;

/// The time limit of a call. A sign-in makes up to four calls within the time limit of its request.
const CALL_TIMEOUT: Duration = Duration::from_secs(5);

/// Calls identity providers at addresses that the outbound policy permits.
#[derive(Clone, Debug)]
pub struct HttpProviderClient(Outbound);

impl HttpProviderClient {
    /// Creates a client with the outbound policy of the service.
    ///
    /// # Errors
    /// Returns an error if the certificates of the machine cannot be read.
    pub fn new(policy: OutboundPolicy) -> anyhow::Result<Self> {
        Ok(Self(Outbound::new(policy, CALL_TIMEOUT)?))
    }
}

#[async_trait::async_trait]
impl ProviderClient for HttpProviderClient {
    async fn send(&self, request: ProviderRequest) -> Result<ProviderResponse, String> {
        let ProviderRequest { url, authorization, form } = request;
        let build = |client: &reqwest::Client| {
            let call = match form {
                Some(form) => client
                    .post(url)
                    .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
                    .body(form),
                None => client.get(url),
            };
            let call = call.header(header::ACCEPT, "application/json");
            match authorization {
                Some(authorization) => call.header(header::AUTHORIZATION, authorization),
                None => call,
            }
        };
        let response = self.0.call(RESPONSE_BYTES_MAX, build).await;
        let response = response.map_err(|error| format!("the identity provider {error}"))?;
        let cache_control = response.headers.get(header::CACHE_CONTROL);
        let cache_control = cache_control.and_then(|value| value.to_str().ok()).map(str::to_owned);
        let status = response.status.as_u16();
        Ok(ProviderResponse { status, cache_control, body: response.body })
    }
}
