//! Prepared request bytes.

use std::sync::atomic::{AtomicU64, Ordering};

/// The placeholder of a number that is unique for each sent request.
pub const NUMBER: &str = "<the-number>";

static NUMBERS_USED: AtomicU64 = AtomicU64::new(0);

/// The number of distinct numbers.
const NUMBERS: u64 = 1_000_000_000_000;

/// The distance between consecutive numbers, which spreads them like random IDs. It is coprime to
/// [`NUMBERS`], so no number repeats.
const STRIDE: u64 = 387_420_489;

/// A prepared request that can be sent any number of times.
#[derive(Clone, Debug)]
pub struct Request {
    bytes: Vec<u8>,
    number_at: Option<usize>,
}

impl Request {
    /// Creates a request from headers (each ends with a line break) and an optional JSON body.
    ///
    /// A [`NUMBER`] in the body is replaced with a new number each time the request is sent.
    pub fn new(method: &str, path: &str, headers: &str, body: Option<&str>) -> Self {
        let body = body.unwrap_or_default();
        let content = match body.len() {
            0 => String::new(),
            length => format!("content-type: application/json\r\ncontent-length: {length}\r\n"),
        };
        let text =
            format!("{method} {path} HTTP/1.1\r\nhost: harness\r\n{headers}{content}\r\n{body}");
        Self { number_at: text.find(NUMBER), bytes: text.into_bytes() }
    }

    /// Returns the same request for another path.
    #[must_use]
    pub fn with_path(&self, path: &str) -> Self {
        let text = String::from_utf8_lossy(&self.bytes);
        let (method, rest) = text.split_once(' ').unwrap_or_default();
        let (_, rest) = rest.split_once(' ').unwrap_or_default();
        let text = format!("{method} {path} {rest}");
        Self { number_at: text.find(NUMBER), bytes: text.into_bytes() }
    }

    /// Returns the bytes of a request without a [`NUMBER`].
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the bytes to send next.
    #[expect(clippy::should_implement_trait, reason = "the bytes are borrowed from the request")]
    pub fn next(&mut self) -> &[u8] {
        if let Some(at) = self.number_at {
            let index = NUMBERS_USED.fetch_add(1, Ordering::Relaxed);
            let number = index.wrapping_mul(STRIDE) % NUMBERS;
            let digits = format!("{number:0width$}", width = NUMBER.len());
            self.bytes[at..at + NUMBER.len()].copy_from_slice(digits.as_bytes());
        }
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_sent_request_has_a_unique_number() {
        let mut request = Request::new("POST", "/", "", Some(r#"{"key":"<the-number>"}"#));
        let first = request.next().to_vec();
        let head = "POST / HTTP/1.1\r\nhost: harness\r\ncontent-type: application/json\r\n";
        assert!(first.starts_with(format!("{head}content-length: 22\r\n\r\n").as_bytes()));
        assert_ne!(first, request.next());
        assert_eq!(first.len(), request.next().len());
    }

    #[test]
    fn request_can_be_sent_to_another_path() {
        let request = Request::new("POST", "/one", "a: b\r\n", Some("{}"));
        let mut echo = request.with_path("/echo");
        assert_eq!(echo.next(), Request::new("POST", "/echo", "a: b\r\n", Some("{}")).next());
    }
}
