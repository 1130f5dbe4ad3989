//! A fake mail server that stores messages or rejects them.

use std::sync::{Arc, Mutex, MutexGuard};

use governance::{
    ServiceOptions,
    access::mail::{self, Mail, Message, SendError, Transport},
};

use crate::prelude::*;

/// A mail transport that stores the messages that it receives.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mailbox(Arc<Mutex<MailboxState>>);

/// The domain whose mail server never answers.
pub(crate) const SLOW_DOMAIN: &str = "@slow.example";

#[derive(Debug, Default)]
struct MailboxState {
    messages: Vec<Message>,
    error: Option<SendError>,
}

#[async_trait::async_trait]
impl Transport for Mailbox {
    async fn send(&self, message: &Message) -> Result<(), SendError> {
        if message.to.as_str().ends_with(SLOW_DOMAIN) {
            return std::future::pending().await;
        }
        let mut state = self.state();
        if let Some(error) = state.error {
            return Err(error);
        }
        state.messages.push(message.clone());
        Ok(())
    }
}

impl Mailbox {
    /// Starts a service that sends its mail to a new mailbox, which is empty at first.
    pub(crate) async fn start() -> (TestService, Self) {
        let mut service = test_service().await;
        let mailbox = Self::attach(&mut service).await;
        (service, mailbox)
    }

    /// Restarts a service that sent no mail, so that it sends its mail to a new mailbox.
    pub(crate) async fn attach(service: &mut TestService) -> Self {
        let mailbox = Self::default();
        service.restart(mailbox.options()).await;
        mailbox
    }

    /// Returns the options of a service that sends its mail to this mailbox.
    pub(crate) fn options(&self) -> ServiceOptions {
        ServiceOptions {
            public_url: "https://govern.acme.example".to_owned(),
            mail: Some(Mail::new(self.clone())),
            ..ServiceOptions::default()
        }
    }

    /// Sets the error for later messages; with `None` the mailbox accepts them.
    pub(crate) fn set_error(&self, error: Option<SendError>) {
        self.state().error = error;
    }

    /// Sends due messages and returns all messages to an address, oldest first.
    pub(crate) async fn messages(&self, service: &TestService, to: &str) -> Vec<Message> {
        let now = service.clock.now();
        while mail::send_due(&service.governance, now).await.expect("the database works") > 0 {}
        let state = self.state();
        let matching = state.messages.iter().filter(|message| message.to.as_str() == to);
        matching.cloned().collect()
    }

    /// Returns the subjects of the messages so far.
    pub(crate) fn subjects(&self) -> Vec<String> {
        let state = self.state();
        state.messages.iter().map(|message| message.subject.as_str().to_owned()).collect()
    }

    /// Sends one round of due messages and returns their subjects.
    pub(crate) async fn round(&self, service: &TestService) -> Vec<String> {
        let before = self.state().messages.len();
        let now = service.clock.now();
        mail::send_due(&service.governance, now).await.expect("the database works");
        let state = self.state();
        let sent = state.messages.iter().skip(before);
        sent.map(|message| message.subject.as_str().to_owned()).collect()
    }

    /// Sends due messages and returns the newest message to an address.
    pub(crate) async fn newest(&self, service: &TestService, to: &str) -> Message {
        self.messages(service, to).await.pop().expect("a message")
    }

    fn state(&self) -> MutexGuard<'_, MailboxState> {
        self.0.lock().expect("no transport panics")
    }
}

/// The tokens of the links in a message, in order.
pub(crate) fn tokens(message: &Message) -> Vec<String> {
    let after = message.body.split("/setup?token=").skip(1);
    let token = |text: &str| text.split_whitespace().next().unwrap_or_default().to_owned();
    after.map(token).collect()
}

/// The token of the one link in a message.
pub(crate) fn token(message: &Message) -> String {
    let mut tokens = tokens(message);
    assert_eq!(tokens.len(), 1, "{}", message.body);
    tokens.remove(0)
}
