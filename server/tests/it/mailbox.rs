//! A mail server of a test's own: it stores messages, or refuses them.

use std::sync::{Arc, Mutex, MutexGuard};

use governance::notify::mail::{self, Mail, Message, SendError, Transport};

use crate::service::TestService;

/// The messages that were sent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mailbox(Arc<Mutex<Stored>>);

#[derive(Debug, Default)]
struct Stored {
    messages: Vec<Message>,
    refuses: Option<SendError>,
}

#[async_trait::async_trait]
impl Transport for Mailbox {
    async fn send(&self, message: &Message) -> Result<(), SendError> {
        let mut stored = self.stored();
        if let Some(error) = stored.refuses {
            return Err(error);
        }
        stored.messages.push(message.clone());
        Ok(())
    }
}

impl Mailbox {
    /// Lets a world send mail as in production.
    pub(crate) fn of(world: &TestService) -> Self {
        let mailbox = Self::default();
        world.governance.set_public_url("https://govern.acme.example");
        world.governance.sends_mail(Mail::new(mailbox.clone()));
        mailbox
    }

    /// From here on the server refuses every message, or takes them again.
    pub(crate) fn refuses(&self, error: Option<SendError>) {
        self.stored().refuses = error;
    }

    /// Sends what is due and returns all messages to an address so far, oldest first.
    pub(crate) async fn messages(&self, world: &TestService, to: &str) -> Vec<Message> {
        let now = world.clock.now();
        while mail::send_due(&world.governance, now).await.expect("the store is there") > 0 {}
        let stored = self.stored();
        let own = stored.messages.iter().filter(|message| message.to.as_str() == to);
        own.cloned().collect()
    }

    /// Sends what is due and returns the newest message to an address.
    pub(crate) async fn newest(&self, world: &TestService, to: &str) -> Message {
        self.messages(world, to).await.pop().expect("a message")
    }

    fn stored(&self) -> MutexGuard<'_, Stored> {
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
