//! How answers travel to the browser: as JSON, read there by the one reader that also reads the data
//! in the page. The framework's own codec brings a second reader for every type, a tenth of the
//! whole download.

use leptos::server_fn::{
    Bytes, ContentType, Decodes, Encodes, Format, FormatType,
    codec::{JsonEncoding, Post},
};
use serde::{Serialize, de::DeserializeOwned, de::Error as _};

/// The codec of an answer.
pub(crate) type Answer = Post<JsonText>;

/// JSON, read as text.
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

    fn encode(answer: &T) -> Result<Bytes, Self::Error> {
        JsonEncoding::encode(answer)
    }
}

impl<T: DeserializeOwned> Decodes<T> for JsonText {
    type Error = serde_json::Error;

    fn decode(bytes: Bytes) -> Result<T, Self::Error> {
        let text = str::from_utf8(&bytes).map_err(serde_json::Error::custom)?;
        serde_json::from_str(text)
    }
}
