//! Mail: letters are queued in the transaction of the act that they are about, and sent afterwards.

mod letter;
mod queue;
mod worker;

use std::fmt;

use contract::{member, time::Timestamp};
use uuid::Uuid;

pub(crate) use self::{
    letter::Letter,
    queue::{notify, queue, queue_reset},
};
pub use self::{
    letter::{KeyChange, Notice},
    worker::send_due,
};

/// How the process sends mail.
#[derive(Debug)]
pub struct Mail {
    transport: Box<dyn Transport>,
    shows_links: bool,
}

impl Mail {
    /// Mail that goes out through `transport`. Set-up links reach nobody but the owner of the address.
    pub fn new(transport: impl Transport + 'static) -> Self {
        Self { transport: Box::new(transport), shows_links: false }
    }

    /// Mail of a development process: whoever makes an account gets a link beside the mailed one, which
    /// does not prove the address.
    #[must_use]
    pub fn in_development(self) -> Self {
        Self { shows_links: true, ..self }
    }

    /// Returns whether answers have set-up links in them although they are mailed.
    pub(crate) fn shows_links(&self) -> bool {
        self.shows_links
    }

    pub(crate) fn transport(&self) -> &dyn Transport {
        self.transport.as_ref()
    }
}

/// Sends messages.
#[async_trait::async_trait]
pub trait Transport: fmt::Debug + Send + Sync {
    /// Hands a message to the mail server.
    ///
    /// # Errors
    /// Whether another attempt may succeed. The error has neither the address nor the text in it.
    async fn send(&self, message: &Message) -> Result<(), SendError>;
}

/// Why a message was not sent. Its text names no address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// The server cannot be reached, or refused temporarily; the message is retried.
    #[error("the mail server refused the message temporarily")]
    Temporary,
    /// The server refused the message permanently, or its address cannot be mailed to.
    #[error("the mail server refused it")]
    Permanent,
}

/// A message in plain text to one address.
#[derive(Clone)]
pub struct Message {
    /// The same at each attempt to send one letter.
    pub id: Uuid,
    /// The recipient.
    pub to: Address,
    /// The subject.
    pub subject: Line,
    /// The text, in lines that end in a line feed.
    pub body: String,
    /// When the letter was written.
    pub date: Timestamp,
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Message").field("id", &self.id).finish_non_exhaustive()
    }
}

/// An e-mail address that has no white space, control characters or characters of mail headers in it.
#[derive(Clone, PartialEq, Eq)]
pub struct Address(String);

impl Address {
    /// Returns the address; `None` when the text cannot be mailed to.
    pub fn parse(text: &str) -> Option<Self> {
        member::address(text).map(Self)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Address(..)")
    }
}

/// A text of one line: white space is a single space, and there are no control characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line(String);

impl Line {
    /// Returns the text in one line.
    pub fn new(text: &str) -> Self {
        let is_space = |c: char| c.is_whitespace() || c.is_control();
        let words = text.split(is_space).filter(|word| !word.is_empty());
        Self(words.collect::<Vec<_>>().join(" "))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_but_one_address_can_be_a_recipient() {
        assert_eq!(Address::parse(" Ada@Example.com ").unwrap().as_str(), "ada@example.com");
        for text in ["ada@example.com\r\nBcc: eve@example.com", "ada@example.com, eve@b.example"] {
            assert_eq!(Address::parse(text), None, "{text}");
        }
        assert_eq!(format!("{:?}", Address::parse("ada@example.com")), "Some(Address(..))");
    }

    #[test]
    fn a_subject_is_one_line_whatever_a_tenant_is_called() {
        let line = Line::new("Acme\r\nBcc: eve@example.com\u{0}\u{85}\u{2028} Ltd");
        assert_eq!(line.as_str(), "Acme Bcc: eve@example.com Ltd");
    }
}
