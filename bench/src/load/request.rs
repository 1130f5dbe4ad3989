//! Requests as bytes that are ready to be sent.

use std::sync::atomic::{AtomicU64, Ordering};

/// What stands in a request for a number that no other request has.
pub(crate) const NUMBER: &str = "<the-number>";

/// How many numbers were given out.
static GIVEN: AtomicU64 = AtomicU64::new(0);

/// How many numbers there are.
const NUMBERS: u64 = 1_000_000_000_000;

/// Scatters the numbers as the ids of real systems are: coprime to [`NUMBERS`], so none comes twice.
const STRIDE: u64 = 387_420_489;

/// A request, ready to be sent as often as one likes.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    bytes: Vec<u8>,
    number_at: Option<usize>,
}

impl Request {
    /// A request with its headers (each ends with a line break) and its JSON body, if any.
    ///
    /// Where the body holds [`NUMBER`], each sending puts a number of its own.
    pub(crate) fn new(method: &str, path: &str, headers: &str, body: Option<&str>) -> Self {
        let body = body.unwrap_or_default();
        let content = match body.len() {
            0 => String::new(),
            length => format!("content-type: application/json\r\ncontent-length: {length}\r\n"),
        };
        let text =
            format!("{method} {path} HTTP/1.1\r\nhost: bench\r\n{headers}{content}\r\n{body}");
        Self { number_at: text.find(NUMBER), bytes: text.into_bytes() }
    }

    /// The same request of another path.
    pub(crate) fn at(&self, path: &str) -> Self {
        let text = String::from_utf8_lossy(&self.bytes);
        let (method, rest) = text.split_once(' ').unwrap_or_default();
        let (_, rest) = rest.split_once(' ').unwrap_or_default();
        let text = format!("{method} {path} {rest}");
        Self { number_at: text.find(NUMBER), bytes: text.into_bytes() }
    }

    /// The bytes of the next sending.
    pub(crate) fn next(&mut self) -> &[u8] {
        if let Some(at) = self.number_at {
            let turn = GIVEN.fetch_add(1, Ordering::Relaxed);
            let number = turn.wrapping_mul(STRIDE) % NUMBERS;
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
    fn each_sending_has_a_number_of_its_own() {
        let mut request = Request::new("POST", "/", "", Some(r#"{"key":"<the-number>"}"#));
        let first = request.next().to_vec();
        let head = "POST / HTTP/1.1\r\nhost: bench\r\ncontent-type: application/json\r\n";
        assert!(first.starts_with(format!("{head}content-length: 22\r\n\r\n").as_bytes()));
        assert_ne!(first, request.next());
        assert_eq!(first.len(), request.next().len());
    }

    #[test]
    fn a_request_can_be_asked_elsewhere() {
        let request = Request::new("POST", "/one", "a: b\r\n", Some("{}"));
        let mut elsewhere = request.at("/echo");
        assert_eq!(elsewhere.next(), Request::new("POST", "/echo", "a: b\r\n", Some("{}")).next());
    }
}
