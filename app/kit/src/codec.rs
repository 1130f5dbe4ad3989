//! The encoding of server function results: JSON, decoded in the browser by the same deserializer as the data
//! in the page. The framework's own codec would add a second deserializer for every type, about 10 % of the
//! download.

use leptos::server_fn::{
    Bytes, ContentType, Decodes, Encodes, Format, FormatType,
    codec::{JsonEncoding, Post},
};
use serde::{
    Serialize,
    de::{DeserializeOwned, Error as _},
};

pub type JsonCodec = Post<JsonText>;

/// JSON that is decoded from text.
#[derive(Debug)]
pub struct JsonText;

impl ContentType for JsonText {
    const CONTENT_TYPE: &'static str = JsonEncoding::CONTENT_TYPE;
}

impl FormatType for JsonText {
    const FORMAT_TYPE: Format = JsonEncoding::FORMAT_TYPE;
}

impl<T: Serialize> Encodes<T> for JsonText {
    type Error = serde_json::Error;

    fn encode(result: &T) -> Result<Bytes, Self::Error> {
        JsonEncoding::encode(result)
    }
}

impl<T: DeserializeOwned> Decodes<T> for JsonText {
    type Error = serde_json::Error;

    fn decode(bytes: Bytes) -> Result<T, Self::Error> {
        let text = str::from_utf8(&bytes).map_err(serde_json::Error::custom)?;
        serde_json::from_str(text)
    }
}
