//! Bodies of HTML forms, read strictly: a field is never changed, replaced or left out.

use axum::extract::{FromRequest, Request};
use contract::{error::ErrorCode, text::is_storable};
use governance::base::error::{Refusal, refusal};
use http::HeaderMap;

use super::{
    error::ApiError,
    extract::{foreign_charset, is_of_type, read_whole},
    percent_encoding,
};

/// The fields of an HTML form, of at most `MAX` bytes.
pub(crate) struct FormFields<const MAX: usize>(pub(crate) Vec<(String, String)>);

impl<S: Sync, const MAX: usize> FromRequest<S> for FormFields<MAX> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ApiError> {
        let (parts, bytes) = read_whole(request, MAX).await?;
        check(&parts.headers, &bytes)?;
        Ok(Self(form_urlencoded::parse(&bytes).into_owned().collect()))
    }
}

/// Checks that a body can be read as an HTML form: its media type, its encoding and its characters.
///
/// # Errors
/// `UNSUPPORTED_MEDIA_TYPE`, or `VALIDATION_ERROR` for a body that is not percent-encoded UTF-8 or has characters that
/// cannot be stored.
pub(crate) fn check(headers: &HeaderMap, body: &[u8]) -> Result<(), Refusal> {
    let is_form = is_of_type(headers, "application/x-www-form-urlencoded");
    if !is_form || foreign_charset(headers).is_some() {
        let message = "send the fields as `application/x-www-form-urlencoded` in UTF-8";
        return Err(refusal(ErrorCode::UnsupportedMediaType, message));
    }
    let text = percent_encoding::decoded(body);
    if text.is_some_and(|text| is_storable(&text)) {
        return Ok(());
    }
    let message =
        "the form cannot be read: send percent-encoded UTF-8 without U+0000 and noncharacters";
    Err(refusal(ErrorCode::ValidationError, message))
}

#[cfg(test)]
mod tests {
    use http::{HeaderValue, header};

    use super::*;

    fn code(content_type: &'static str, body: &[u8]) -> Option<ErrorCode> {
        let value = HeaderValue::from_static(content_type);
        let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, value)]);
        check(&headers, body).err().map(|refusal| refusal.code)
    }

    #[test]
    fn forms_that_cannot_be_read_are_refused() {
        const FORM: &str = "application/x-www-form-urlencoded";
        let readable: [&[u8]; 5] = [b"", b"a=1&b=%C3%A9+%25", "a=é".as_bytes(), b"&&=", b"a"];
        for body in readable {
            assert_eq!(code(FORM, body), None, "{body:?}");
        }
        let unreadable: [&[u8]; 9] = [
            b"a=%",
            b"a=%4",
            b"a=%zz",
            b"a=%+1",
            b"a=%ff",
            b"a=\xff",
            b"a=%00",
            b"a=%EF%BF%BE",
            b"%C3&%A9=1",
        ];
        for body in unreadable {
            assert_eq!(code(FORM, body), Some(ErrorCode::ValidationError), "{body:?}");
        }
        let readable = "Application/X-WWW-form-urlencoded ; Charset=\"UTF-8\"";
        assert_eq!(code(readable, b"a=1"), None);
        for other in [
            "application/x-www-form-urlencoded; charset=iso-8859-1",
            "multipart/form-data; boundary=x",
            "application/json",
            "",
        ] {
            assert_eq!(code(other, b"a=1"), Some(ErrorCode::UnsupportedMediaType), "{other}");
        }
    }
}
