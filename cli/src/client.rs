//! HTTP client of `/v1`.

mod error;
mod retry;

use std::{fmt::Display, time::Duration};

use contract::{
    error::ErrorBody,
    id::TenantId,
    json::{Limits, Value},
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use reqwest::{Response, redirect::Policy};
use serde::{Serialize, de::DeserializeOwned};
use url::Url;

pub use self::error::{Error, Refused};
use crate::profile::Connection;

/// The maximum time without a byte of a response. Event streams send a comment every 15 seconds.
const READ_TIMEOUT: Duration = Duration::from_mins(1);

/// The maximum time of the connection handshakes.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The maximum size of a response that is read as a whole. A bundle has at most 64 MiB.
const RESPONSE_BYTES_MAX: usize = 128 << 20;

/// The number of times that a call is repeated.
const RETRIES_MAX: u32 = 2;

const TENANT: HeaderName = HeaderName::from_static("x-service-tenant-id");
const CORRELATION: HeaderName = HeaderName::from_static("x-correlation-id");

/// A client of one service with one API key.
#[derive(Clone, Debug)]
pub struct Client {
    http: reqwest::Client,
    base: Url,
    tenant: Option<TenantId>,
    key: Option<ApiKey>,
}

/// The value of the header `Authorization`.
#[derive(Clone, derive_more::Debug)]
#[debug("ApiKey")]
struct ApiKey(HeaderValue);

impl Client {
    /// Creates a client. It follows no redirects, so that the key is sent only to the configured service.
    ///
    /// # Errors
    /// Returns an error if the key is not a header value, or the certificates of the machine cannot be read.
    pub fn new(connection: &Connection) -> Result<Self, Error> {
        // A provider that is already installed is not replaced.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let http = reqwest::Client::builder()
            .redirect(Policy::none())
            .user_agent(concat!("govern-cli/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT_TIMEOUT)
            .read_timeout(READ_TIMEOUT)
            .build()
            .map_err(|error| Error::Setup(error.to_string()))?;
        let key = connection.api_key.as_deref().map(|key| {
            let value = HeaderValue::try_from(format!("Bearer {key}"));
            let mut value = value.map_err(|_| Error::Setup("the API key is not valid".into()))?;
            value.set_sensitive(true);
            Ok(ApiKey(value))
        });
        Ok(Self {
            http,
            base: connection.url.clone(),
            tenant: connection.tenant_id,
            key: key.transpose()?,
        })
    }

    /// Returns the URL of the service.
    pub fn base(&self) -> &Url {
        &self.base
    }

    /// Starts a `GET` of `/v1/` and the path segments, which are encoded.
    pub fn get<const N: usize>(&self, segments: [&str; N]) -> Request<'_> {
        self.request(Method::GET, &segments).idempotent()
    }

    /// Starts a `POST` of `/v1/` and the path segments.
    pub fn post<const N: usize>(&self, segments: [&str; N]) -> Request<'_> {
        self.request(Method::POST, &segments)
    }

    /// Starts a `PATCH` of `/v1/` and the path segments.
    pub fn patch<const N: usize>(&self, segments: [&str; N]) -> Request<'_> {
        self.request(Method::PATCH, &segments)
    }

    /// Starts a call of `/v1/` and the path segments, which are encoded.
    pub fn request(&self, method: Method, segments: &[&str]) -> Request<'_> {
        let mut url = self.base.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().push("v1").extend(segments);
        }
        let mut headers = HeaderMap::new();
        if let Some(tenant) = self.tenant
            && let Ok(value) = HeaderValue::try_from(tenant.to_string())
        {
            headers.insert(TENANT, value);
        }
        if let Some(ApiKey(key)) = &self.key {
            headers.insert(header::AUTHORIZATION, key.clone());
        }
        Request { client: self, method, url, headers, body: None, is_idempotent: false }
    }
}

/// A call that was not sent yet.
#[derive(Debug)]
#[must_use]
pub struct Request<'c> {
    client: &'c Client,
    method: Method,
    url: Url,
    headers: HeaderMap,
    body: Option<Vec<u8>>,
    is_idempotent: bool,
}

impl Request<'_> {
    /// Adds a parameter to the query.
    pub fn query(mut self, name: &str, value: impl Display) -> Self {
        self.url.query_pairs_mut().append_pair(name, &value.to_string());
        self
    }

    /// Adds a parameter to the query if it has a value.
    pub fn query_if(self, name: &str, value: Option<impl Display>) -> Self {
        match value {
            Some(value) => self.query(name, value),
            None => self,
        }
    }

    /// Adds a header.
    pub fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.insert(name, value);
        self
    }

    /// Sets a JSON body.
    pub fn json(self, body: &impl Serialize) -> Self {
        // The bodies are JSON trees and plain structs, which can always be serialized.
        self.json_text(serde_json::to_vec(body).unwrap_or_default())
    }

    /// Sets a JSON body that is sent unchanged.
    pub fn json_text(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        self.body = Some(body.into());
        self
    }

    /// Marks a call that cannot take effect twice: it is repeated after 429, 503 and network errors.
    pub fn idempotent(mut self) -> Self {
        self.is_idempotent = true;
        self
    }

    /// Sends the call and returns the response with its complete body.
    ///
    /// # Errors
    /// Returns an error if the service refuses the call or cannot be reached.
    pub async fn send(self) -> Result<Reply, Error> {
        let base = self.client.base.clone();
        let mut response = self.stream().await?;
        let correlation_id = correlation_id(&response);
        let status = response.status().as_u16();
        let mut body = Vec::new();
        loop {
            let chunk = response.chunk().await.map_err(|error| Error::network(&base, &error))?;
            let Some(chunk) = chunk else { break };
            body.extend_from_slice(&chunk);
            if body.len() > RESPONSE_BYTES_MAX {
                return Err(Error::Body(format!("it is larger than {RESPONSE_BYTES_MAX} bytes")));
            }
        }
        Ok(Reply { status, correlation_id, body })
    }

    /// Sends the call and returns the response as soon as its head has arrived.
    ///
    /// # Errors
    /// Returns an error if the service refuses the call or cannot be reached.
    pub async fn stream(self) -> Result<Response, Error> {
        let mut attempt = 0;
        loop {
            let error = match self.attempt().await {
                Ok(response) => return Ok(response),
                Err(error) => error,
            };
            let delay = retry::delay(&error, attempt);
            match delay.filter(|_| self.is_idempotent && attempt < RETRIES_MAX) {
                Some(delay) => tokio::time::sleep(delay).await,
                None => return Err(error),
            }
            attempt += 1;
        }
    }

    async fn attempt(&self) -> Result<Response, Error> {
        let Self { client, method, url, headers, body, .. } = self;
        let request = client.http.request(method.clone(), url.clone()).headers(headers.clone());
        let request = match body {
            Some(body) => request.body(body.clone()),
            None => request,
        };
        let response =
            request.send().await.map_err(|error| Error::network(&client.base, &error))?;
        let status = response.status().as_u16();
        if response.status().is_success() && !is_page(&response) {
            return Ok(response);
        }
        let retry_after = response.headers().get(header::RETRY_AFTER);
        let retry_after = retry_after.and_then(|value| value.to_str().ok()?.parse().ok());
        let correlation_id = correlation_id(&response);
        let body = response.bytes().await.map_err(|error| Error::network(&client.base, &error))?;
        let url = client.base.to_string();
        Err(match serde_json::from_slice::<ErrorBody>(&body) {
            Ok(body) => Error::Refused(Box::new(Refused { status, body, retry_after })),
            Err(_) => Error::Unexpected { url, status, correlation_id, retry_after },
        })
    }
}

/// Returns whether a response is a page, such as that of a proxy that asks for a sign-in.
fn is_page(response: &Response) -> bool {
    let kind = response.headers().get(header::CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().to_ascii_lowercase().starts_with(b"text/html"))
}

fn correlation_id(response: &Response) -> Option<String> {
    response.headers().get(CORRELATION)?.to_str().ok().map(str::to_owned)
}

/// A successful response.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// The correlation ID of the request.
    pub correlation_id: Option<String>,
    /// The body, unchanged.
    pub body: Vec<u8>,
}

impl Reply {
    /// Returns the body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// Returns the body as a JSON tree.
    ///
    /// # Errors
    /// Returns an error if the body is not JSON.
    pub fn value(&self) -> Result<Value, Error> {
        let limits = Limits::BUNDLE_FILE;
        Value::parse(&self.body, &limits).map_err(|error| Error::Body(error.to_string()))
    }

    /// Returns the body as a type of the contract.
    ///
    /// # Errors
    /// Returns an error if the body has another form.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, Error> {
        serde_json::from_slice(&self.body).map_err(|error| Error::Body(error.to_string()))
    }
}
