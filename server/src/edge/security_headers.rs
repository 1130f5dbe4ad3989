//! Security headers of every response (OWASP ASVS 5.0, V3.4).

use http::{HeaderMap, HeaderName, HeaderValue, header};

/// One year, for the host and its subdomains.
const HSTS: HeaderValue = HeaderValue::from_static("max-age=31536000; includeSubDomains");

const CORP: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

const PERMISSIONS: HeaderName = HeaderName::from_static("permissions-policy");

/// Features that no page uses. Writing to the clipboard is not listed, because the console copies IDs. Neither are passkeys,
/// with which users sign in.
const NO_FEATURES: HeaderValue = HeaderValue::from_static(
    "accelerometer=(), autoplay=(), camera=(), display-capture=(), encrypted-media=(), \
     geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), \
     screen-wake-lock=(), usb=(), xr-spatial-tracking=()",
);

/// The policy of responses that are neither a page nor a script: a browser that opens one loads
/// nothing, and other pages cannot frame it.
const EMPTY_POLICY: HeaderValue =
    HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");

/// Writes the headers that protect a response in a browser.
///
/// Pages of other origins may embed only responses that they may read (`Access-Control-Allow-Origin`).
/// `Strict-Transport-Security` is sent only if the public URL is `https://`.
pub(crate) fn write(headers: &mut HeaderMap, is_https: bool) {
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    let is_shared = headers.contains_key(header::ACCESS_CONTROL_ALLOW_ORIGIN);
    let embeds = if is_shared { "cross-origin" } else { "same-origin" };
    headers.insert(CORP, HeaderValue::from_static(embeds));
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(EMPTY_POLICY);
    if is_https {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HSTS);
    }
    let is_page = headers
        .get(header::CONTENT_TYPE)
        .is_some_and(|content_type| content_type.as_bytes().starts_with(b"text/html"));
    if is_page {
        headers.insert(PERMISSIONS, NO_FEATURES);
        let referrer = HeaderValue::from_static("same-origin");
        headers.entry(header::REFERRER_POLICY).or_insert(referrer);
    }
}
