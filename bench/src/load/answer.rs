//! Answers as they come in, byte for byte.

use anyhow::{Context, Result, bail};

/// How many headers an answer may have.
const HEADERS_MAX: usize = 64;

/// How much room there is for a read, in bytes.
const READ: usize = 32 * 1_024;

/// How the end of a body is found.
#[derive(Clone, Copy, Debug)]
enum End {
    Length(usize),
    LastChunk,
}

/// One answer, of which some bytes may still be on their way.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    buffer: Vec<u8>,
    filled: usize,
    head: Option<(u16, usize, End)>,
}

impl Answer {
    /// Forgets everything, for the next answer.
    pub(crate) fn clear(&mut self) {
        self.filled = 0;
        self.head = None;
    }

    /// Where further bytes go.
    pub(crate) fn room(&mut self) -> &mut [u8] {
        if self.buffer.len() < self.filled + READ {
            self.buffer.resize(self.filled + 2 * READ, 0);
        }
        &mut self.buffer[self.filled..]
    }

    /// Notes that `count` more bytes have come into [`room`](Self::room), and says whether the
    /// answer is whole.
    ///
    /// # Errors
    /// When the connection has ended (`count` is 0) or the bytes are no HTTP/1.1.
    pub(crate) fn came(&mut self, count: usize) -> Result<bool> {
        if count == 0 {
            bail!("the connection was closed in the middle of an answer");
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

    /// The status of a whole answer.
    pub(crate) fn status(&self) -> u16 {
        self.head.map_or(0, |(status, ..)| status)
    }

    /// The body of a whole answer; of a chunked one with the marks between its chunks.
    pub(crate) fn body(&self) -> &[u8] {
        self.head.map_or(&[], |(_, body, _)| &self.buffer[body..self.filled])
    }

    /// The value of a header of a whole answer.
    pub(crate) fn header(&self, name: &str) -> Option<String> {
        let head = self.head.map(|(_, body, _)| &self.buffer[..body])?;
        let mut lines =
            head.split(|byte| *byte == b'\n').filter_map(|line| line.split_once_colon());
        let value = lines.find(|(own, _)| own.eq_ignore_ascii_case(name.as_bytes()))?.1;
        Some(String::from_utf8_lossy(value).trim().to_owned())
    }

    /// Refuses an answer of another status, and tells what it said.
    pub(crate) fn expect(&self, status: u16) -> Result<()> {
        if self.status() != status {
            let body = String::from_utf8_lossy(self.body());
            bail!("the answer is {}, not {status}: {body}", self.status());
        }
        Ok(())
    }
}

/// A header line in its two halves.
trait SplitOnceColon {
    fn split_once_colon(&self) -> Option<(&[u8], &[u8])>;
}

impl SplitOnceColon for [u8] {
    fn split_once_colon(&self) -> Option<(&[u8], &[u8])> {
        let colon = self.iter().position(|byte| *byte == b':')?;
        Some((&self[..colon], &self[colon + 1..]))
    }
}

/// The status, the start of the body and its end, once the head is whole.
fn head(bytes: &[u8]) -> Result<Option<(u16, usize, End)>> {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS_MAX];
    let mut response = httparse::Response::new(&mut headers);
    let body = match response.parse(bytes).context("the answer is no HTTP/1.1")? {
        httparse::Status::Partial => return Ok(None),
        httparse::Status::Complete(body) => body,
    };
    let status = response.code.context("the answer has no status")?;
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

    /// Whether the answer is whole after each byte of `text`.
    fn whole_after(text: &str) -> (Vec<bool>, Answer) {
        let mut answer = Answer::default();
        let came = text.bytes().map(|byte| {
            answer.room()[0] = byte;
            answer.came(1).expect("HTTP")
        });
        (came.collect(), answer)
    }

    #[test]
    fn an_answer_is_whole_with_its_last_byte() {
        let chunked = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n";
        let counted = "HTTP/1.1 201 Created\r\nSet-Cookie: a=b:c\r\nContent-Length: 2\r\n\r\nhi";
        for text in [chunked, counted] {
            let (whole, _) = whole_after(text);
            assert_eq!(whole.iter().position(|whole| *whole), Some(text.len() - 1), "{text}");
        }
        let (_, answer) = whole_after(counted);
        assert_eq!((answer.status(), answer.body()), (201, &b"hi"[..]));
        assert_eq!(answer.header("set-cookie").as_deref(), Some("a=b:c"));
        assert!(answer.expect(200).is_err());
    }

    #[test]
    fn a_connection_that_ends_is_an_error() {
        assert!(Answer::default().came(0).is_err());
    }
}
