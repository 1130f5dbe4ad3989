//! Security headers of every answer (OWASP ASVS 5.0, V3.4).

use http::{HeaderMap, HeaderName, HeaderValue, header};

/// A year, for the host and its subdomains.
const HSTS: HeaderValue = HeaderValue::from_static("max-age=31536000; includeSubDomains");

const CORP: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

const PERMISSIONS: HeaderName = HeaderName::from_static("permissions-policy");

/// Features that no page uses. Writing to the clipboard is not listed: the console copies ids.
const NO_FEATURES: HeaderValue = HeaderValue::from_static(
    "accelerometer=(), autoplay=(), camera=(), display-capture=(), encrypted-media=(), \
     geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), \
     publickey-credentials-get=(), screen-wake-lock=(), usb=(), xr-spatial-tracking=()",
);

/// For answers that are no page and no script: a browser that opens one loads and frames nothing.
const NOTHING: HeaderValue = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");

/// Writes the headers that protect an answer in a browser.
///
/// Answers that other origins may read (`Access-Control-Allow-Origin`) are the only ones that their pages may
/// embed. `Strict-Transport-Security` is sent only where the public URL is `https://`.
pub(crate) fn write(headers: &mut HeaderMap, is_https: bool) {
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    let is_shared = headers.contains_key(header::ACCESS_CONTROL_ALLOW_ORIGIN);
    let embeds = if is_shared { "cross-origin" } else { "same-origin" };
    headers.insert(CORP, HeaderValue::from_static(embeds));
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(NOTHING);
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
