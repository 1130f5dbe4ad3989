//! Mail: queued in the transaction that causes it and sent afterwards.

mod limit;
mod message_text;
mod queue;
mod worker;

use std::fmt;

use contract::{email::parse_email, text::isolated};

use crate::base::prelude::*;

pub(crate) use self::{
    message_text::MailContent,
    queue::{notify, queue, queue_reset},
};
pub use self::{
    message_text::{FactorChange, KeyChange, Notice},
    worker::{MailWorker, send_due},
};

#[derive(Debug)]
pub struct Mail {
    transport: Box<dyn Transport>,
    shows_links: bool,
}

impl Mail {
    /// Creates a configuration that sends through `transport`. Setup links are only mailed to the owner of
    /// the address.
    pub fn new(transport: impl Transport + 'static) -> Self {
        Self { transport: Box::new(transport), shows_links: false }
    }

    /// Returns the configuration for a development process, whose responses contain a second setup link.
    /// That link does not prove ownership of the address.
    #[must_use]
    pub fn in_development(self) -> Self {
        Self { shows_links: true, ..self }
    }

    /// Returns whether responses contain setup links although they are mailed.
    pub(crate) fn shows_links(&self) -> bool {
        self.shows_links
    }

    pub(crate) fn transport(&self) -> &dyn Transport {
        self.transport.as_ref()
    }
}

#[async_trait::async_trait]
pub trait Transport: fmt::Debug + Send + Sync {
    /// Hands a message to the mail server.
    ///
    /// # Errors
    /// The error states whether another attempt may succeed. It does not contain the address or the text.
    async fn send(&self, message: &Message) -> Result<(), SendError>;
}

/// The reason a message was not sent. Its text contains no address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SendError {
    /// The server cannot be reached or refused the message temporarily; the message is retried.
    #[error("the mail server rejected the message temporarily")]
    Temporary,
    /// The server refused the message permanently, or the address is not deliverable.
    #[error("the mail server rejected the message")]
    Permanent,
}

/// A plain-text message to one address.
#[derive(Clone, derive_more::Debug)]
#[debug("Message {{ id: {id:?}, .. }}")]
pub struct Message {
    /// The ID of the queued mail, which is the same at each attempt.
    pub id: Uuid,
    pub to: Address,
    pub subject: Line,
    /// The text, in lines that end with a line feed.
    pub body: String,
    pub date: Timestamp,
}

/// An email address without white space, control characters or characters of mail headers.
#[derive(Clone, derive_more::Debug, PartialEq, Eq)]
#[debug("Address(..)")]
pub struct Address(String);

impl Address {
    /// Parses an address; `None` if it is not deliverable.
    pub fn parse(text: &str) -> Option<Self> {
        parse_email(text).ok().map(Self)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A single line of text, without control characters and with single spaces as white space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line(String);

impl Line {
    pub fn new(text: &str) -> Self {
        let is_space = |c: char| c.is_whitespace() || c.is_control();
        let words = text.split(is_space).filter(|word| !word.is_empty());
        Self(words.collect::<Vec<_>>().join(" "))
    }

    /// Returns the text of a user as a line that does not change the writing direction of the text around it.
    pub(crate) fn isolated(text: &str) -> Self {
        Self::new(&isolated(text))
    }

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
    fn recipient_is_exactly_one_address() {
        assert_eq!(Address::parse(" Ada@Example.com ").unwrap().as_str(), "ada@example.com");
        for text in ["ada@example.com\r\nBcc: eve@example.com", "ada@example.com, eve@b.example"] {
            assert_eq!(Address::parse(text), None, "{text}");
        }
        assert_eq!(format!("{:?}", Address::parse("ada@example.com")), "Some(Address(..))");
    }

    #[test]
    fn subject_is_one_line_for_any_tenant_name() {
        let line = Line::new("Acme\r\nBcc: eve@example.com\u{0}\u{85}\u{2028} Ltd");
        assert_eq!(line.as_str(), "Acme Bcc: eve@example.com Ltd");
    }
}
