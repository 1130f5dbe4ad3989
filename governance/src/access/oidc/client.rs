//! Calls of identity providers.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{Error as _, MapAccess, Visitor},
};
use serde_json::{Map, Value};
use url::Url;

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
#[derive(Clone)]
pub struct ProviderRequest {
    pub url: Url,
    /// The value of the `Authorization` header.
    pub authorization: Option<String>,
    /// The URL-encoded body of a `POST`; a request without it is a `GET`.
    pub form: Option<String>,
}

impl fmt::Debug for ProviderRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProviderRequest").field("url", &self.url.as_str()).finish_non_exhaustive()
    }
}

#[derive(Clone)]
pub struct ProviderResponse {
    pub status: u16,
    /// The value of the `Cache-Control` header.
    pub cache_control: Option<String>,
    pub body: Vec<u8>,
}

impl fmt::Debug for ProviderResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProviderResponse").field("status", &self.status).finish_non_exhaustive()
    }
}

/// A JSON object that a provider has sent.
///
/// It is read as other clients of providers do: members may be unknown, numbers may have any size, and a member that is
/// `null` is absent. Only a name that occurs twice is refused, because readers differ in which of its values counts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Document(pub(super) Map<String, Value>);

impl Document {
    /// Parses an object. Providers on some systems send a byte order mark before it.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes))
    }

    pub(super) fn value(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// Returns a text. One with U+0000 is none, because `PostgreSQL` cannot store it.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.value(name)?.as_str().filter(|text| !text.contains('\0'))
    }
}

impl<'de> Deserialize<'de> for Document {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(DocumentVisitor)
    }
}

struct DocumentVisitor;

impl<'de> Visitor<'de> for DocumentVisitor {
    type Value = Document;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Document, A::Error> {
        let mut members = Map::new();
        while let Some((name, value)) = entries.next_entry()? {
            if members.insert(name, value).is_some() {
                return Err(A::Error::custom("a name occurs twice"));
            }
        }
        members.retain(|_, value: &mut Value| !value.is_null());
        Ok(Document(members))
    }
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
///
/// # Errors
/// As [`call`].
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_of_providers_are_read_leniently() {
        let text = "\u{feff}{\"big\": 123456789012345678901234567890, \"null\": null, \"nul\": \"a\\u0000\", \"a\": \"b\"}";
        let document = Document::parse(text.as_bytes()).unwrap();
        assert!(document.value("big").is_some_and(Value::is_number));
        assert_eq!(document.value("null"), None);
        assert_eq!((document.text("nul"), document.text("a")), (None, Some("b")));
        for refused in ["[]", "\"text\"", "{\"sub\": \"a\", \"sub\": \"b\"}", "{\"a\": 1} {}", ""] {
            assert!(Document::parse(refused.as_bytes()).is_err(), "{refused}");
        }
    }
}
