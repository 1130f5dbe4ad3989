//! Incremental reader of HTTP/1.1 responses.

use std::borrow::Cow;

use anyhow::{Context as _, Result, anyhow, bail};
use serde::de::DeserializeOwned;

/// The maximum number of headers of a response.
const HEADERS_MAX: usize = 64;

/// The minimum free buffer space for a read, in bytes.
const READ_BYTES: usize = 32 * 1_024;

/// The method to detect the end of a body.
#[derive(Clone, Copy, Debug)]
enum End {
    Length(usize),
    LastChunk,
}

/// A response, received completely or in part.
#[derive(Debug, Default)]
pub struct Response {
    buffer: Vec<u8>,
    filled: usize,
    head: Option<(u16, usize, End)>,
}

impl Response {
    /// Clears the buffer for the next response.
    pub fn clear(&mut self) {
        self.filled = 0;
        self.head = None;
    }

    /// Returns the buffer for the next read.
    pub fn read_buffer(&mut self) -> &mut [u8] {
        if self.buffer.len() < self.filled + READ_BYTES {
            self.buffer.resize(self.filled + 2 * READ_BYTES, 0);
        }
        &mut self.buffer[self.filled..]
    }

    /// Accounts for `count` bytes that were read into [`read_buffer`](Self::read_buffer). Returns
    /// whether the response is complete.
    ///
    /// # Errors
    /// Returns an error if the connection was closed (`count` is 0) or the bytes are not HTTP/1.1.
    pub fn advance(&mut self, count: usize) -> Result<bool> {
        if count == 0 {
            bail!("the connection was closed in the middle of a response");
        }
        self.filled += count;
        if self.head.is_none() {
            self.head = head(&self.buffer[..self.filled])?;
        }
        Ok(match self.head {
            None => false,
            Some((_, body, End::Length(length))) => self.filled >= body + length,
            Some((_, body, End::LastChunk)) => {
                let body = &self.buffer[body..self.filled];
                body.ends_with(b"\r\n0\r\n\r\n") || body == b"0\r\n\r\n"
            }
        })
    }

    /// Returns the status of a complete response.
    pub fn status(&self) -> u16 {
        self.head.map_or(0, |(status, ..)| status)
    }

    /// Returns the body of a complete response. A chunked body includes the chunk headers.
    pub fn body(&self) -> &[u8] {
        self.head.map_or(&[], |(_, body, _)| &self.buffer[body..self.filled])
    }

    /// Returns the body of a complete response without chunk headers.
    pub fn decoded_body(&self) -> Result<Cow<'_, [u8]>> {
        let mut rest = self.body();
        if let Some((_, _, End::Length(_))) | None = self.head {
            return Ok(rest.into());
        }
        let mut decoded = Vec::new();
        while let httparse::Status::Complete((start, length)) =
            httparse::parse_chunk_size(rest).map_err(|_| anyhow!("a chunk has no size"))?
        {
            if length == 0 {
                return Ok(decoded.into());
            }
            let end = start + usize::try_from(length)?;
            decoded.extend_from_slice(rest.get(start..end).context("a chunk is incomplete")?);
            rest = rest.get(end + 2..).context("a chunk has no end")?;
        }
        bail!("the last chunk is missing")
    }

    /// Parses the body as JSON, if the status is `status`.
    pub fn json<T: DeserializeOwned>(&self, status: u16) -> Result<T> {
        self.expect(status)?;
        let body = self.decoded_body()?;
        let text = || format!("unexpected body: {}", String::from_utf8_lossy(&body));
        serde_json::from_slice(&body).with_context(text)
    }

    /// Returns the `cookie` header of the next requests, if the response sets a cookie.
    pub fn cookie(&self) -> Option<String> {
        let cookie = self.header("set-cookie")?;
        Some(format!("cookie: {}\r\n", cookie.split(';').next().unwrap_or_default()))
    }

    /// Returns whether the server closes the connection after this response.
    pub(super) fn closes(&self) -> bool {
        self.header("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"))
    }

    /// Returns the response without the space for further bytes, because a program may keep many.
    pub(super) fn without_free_space(mut self) -> Self {
        self.buffer.truncate(self.filled);
        self.buffer.shrink_to_fit();
        self
    }

    /// Returns the value of a header of a complete response.
    pub fn header(&self, name: &str) -> Option<String> {
        let head = self.head.map(|(_, body, _)| &self.buffer[..body])?;
        let mut lines = head.split(|byte| *byte == b'\n').filter_map(split_at_colon);
        let value = lines.find(|(header, _)| header.eq_ignore_ascii_case(name.as_bytes()))?.1;
        Some(String::from_utf8_lossy(value).trim().to_owned())
    }

    /// Returns an error with the body if the status is not `status`.
    pub fn expect(&self, status: u16) -> Result<()> {
        if self.status() != status {
            let body = String::from_utf8_lossy(self.body());
            bail!("the status is {}, not {status}: {body}", self.status());
        }
        Ok(())
    }
}

/// Splits a header line into name and value.
fn split_at_colon(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let colon = line.iter().position(|byte| *byte == b':')?;
    Some((&line[..colon], &line[colon + 1..]))
}

/// Parses the head. Returns the status, the offset of the body and the method to detect its end, or
/// `None` while the head is incomplete.
fn head(bytes: &[u8]) -> Result<Option<(u16, usize, End)>> {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS_MAX];
    let mut response = httparse::Response::new(&mut headers);
    let body = match response.parse(bytes).context("the response is not HTTP/1.1")? {
        httparse::Status::Partial => return Ok(None),
        httparse::Status::Complete(body) => body,
    };
    let status = response.code.context("the response has no status")?;
    for header in response.headers.iter() {
        if header.name.eq_ignore_ascii_case("content-length") {
            let length = std::str::from_utf8(header.value)?.parse()?;
            return Ok(Some((status, body, End::Length(length))));
        }
        if header.name.eq_ignore_ascii_case("transfer-encoding") {
            return Ok(Some((status, body, End::LastChunk)));
        }
    }
    Ok(Some((status, body, End::Length(0))))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns whether the response is complete after each byte of `text`.
    fn completeness_after(text: &str) -> (Vec<bool>, Response) {
        let mut response = Response::default();
        let completeness = text.bytes().map(|byte| {
            response.read_buffer()[0] = byte;
            response.advance(1).expect("HTTP")
        });
        (completeness.collect(), response)
    }

    #[test]
    fn response_is_complete_with_its_last_byte() {
        let chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n";
        let counted = "HTTP/1.1 201 Created\r\nSet-Cookie: a=b:c\r\nContent-Length: 2\r\n\r\nhi";
        for text in [chunked, counted] {
            let (completeness, _) = completeness_after(text);
            assert_eq!(
                completeness.iter().position(|complete| *complete),
                Some(text.len() - 1),
                "{text}"
            );
        }
        let (_, response) = completeness_after(chunked);
        assert_eq!(response.decoded_body().expect("chunks"), &b"hi"[..]);
        let (_, response) = completeness_after(counted);
        assert_eq!(response.decoded_body().expect("a body"), &b"hi"[..]);
        assert_eq!((response.status(), response.body()), (201, &b"hi"[..]));
        assert_eq!(response.header("set-cookie").as_deref(), Some("a=b:c"));
        assert!(response.expect(200).is_err());
    }

    #[test]
    fn closed_connection_is_an_error() {
        assert!(Response::default().advance(0).is_err());
    }
}
