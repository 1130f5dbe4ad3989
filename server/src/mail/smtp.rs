//! Mail over SMTP.

use std::{
    path::Path,
    time::{Duration, SystemTime},
};

use anyhow::{Context, Result, ensure};
use governance::access::mail::{Message, SendError, Transport};
use lettre::{
    AsyncSmtpTransport, AsyncTransport, Tokio1Executor,
    message::{
        Mailbox,
        header::{ContentType, HeaderName, HeaderValue},
    },
    transport::smtp::{
        authentication::Credentials,
        client::{self, Certificate, TlsParameters},
    },
};

use crate::config::mail::{SmtpUrl, Tls};

/// The time limit of one message.
const TIMEOUT: Duration = Duration::from_mins(1);
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(20);

/// A mail server. Each message uses a separate connection.
#[derive(Debug)]
pub struct Smtp {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

impl Smtp {
    /// Uses the mail server at `url`, with the sender `from`. Certificates of `ca_file` are trusted in
    /// addition to those of the machine.
    ///
    /// # Errors
    /// Returns an error if a certificate cannot be read.
    pub fn new(url: &SmtpUrl, from: Mailbox, ca_file: Option<&Path>) -> Result<Self> {
        let builder = AsyncSmtpTransport::<Tokio1Executor>::builder_dangerous(&url.host)
            .port(url.port)
            .timeout(Some(RESPONSE_TIMEOUT))
            .tls(tls(url, ca_file)?);
        let builder = match &url.credentials {
            Some((user, password)) => {
                builder.credentials(Credentials::new(user.clone(), password.clone()))
            }
            None => builder,
        };
        Ok(Self { transport: builder.build(), from })
    }

    /// Connects to the mail server: greets it, starts TLS and signs in, as configured. Sends no message.
    ///
    /// # Errors
    /// Returns an error if a step fails.
    pub async fn check(&self) -> Result<()> {
        let checking = tokio::time::timeout(TIMEOUT, self.transport.test_connection());
        let is_connected = checking.await.context("it does not respond in time")??;
        ensure!(is_connected, "it does not accept commands");
        Ok(())
    }

    /// Sends a test message to `address`.
    ///
    /// # Errors
    /// Returns an error if the address is malformed or the mail server does not accept the message.
    pub async fn send_test(&self, address: &str) -> Result<()> {
        let message = lettre::Message::builder()
            .from(self.from.clone())
            .to(address.parse().context("the recipient is not an email address")?)
            .subject("Test of the mail settings of Govern")
            .header(ContentType::TEXT_PLAIN)
            .body("This message was sent by `govern doctor`.\n".to_owned())?;
        let sending = tokio::time::timeout(TIMEOUT, self.transport.send(message));
        sending.await.context("it does not respond in time")??;
        Ok(())
    }

    /// Returns the message in the format of the mail library.
    fn mail_message(&self, message: &Message) -> Result<lettre::Message, lettre::error::Error> {
        let to = message.to.as_str().parse::<lettre::Address>();
        let to = to.map_err(|_| lettre::error::Error::MissingTo)?;
        let millis = u64::try_from(message.date.millis()).unwrap_or_default();
        let domain = self.from.email.domain();
        lettre::Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, to))
            .subject(message.subject.as_str())
            .date(SystemTime::UNIX_EPOCH + Duration::from_millis(millis))
            .message_id(Some(format!("<{}@{domain}>", message.id)))
            // Suppresses automatic replies, such as holiday notices.
            .raw_header(HeaderValue::new(
                HeaderName::new_from_ascii_str("Auto-Submitted"),
                "auto-generated".to_owned(),
            ))
            .header(ContentType::TEXT_PLAIN)
            .body(message.body.clone())
    }
}

fn tls(url: &SmtpUrl, ca_file: Option<&Path>) -> Result<client::Tls> {
    if url.tls == Tls::None {
        return Ok(client::Tls::None);
    }
    let mut parameters = TlsParameters::builder(url.host.clone());
    if let Some(file) = ca_file {
        let setting = || format!("GOVERN_SMTP_CA_FILE: {}", file.display());
        let pem = std::fs::read(file).with_context(setting)?;
        parameters =
            parameters.add_root_certificate(Certificate::from_pem(&pem).with_context(setting)?);
    }
    let parameters =
        parameters.build_rustls().context("GOVERN_SMTP_URL: TLS cannot be prepared")?;
    Ok(match url.tls {
        Tls::Wrapped => client::Tls::Wrapper(parameters),
        Tls::Required => client::Tls::Required(parameters),
        Tls::Opportunistic => client::Tls::Opportunistic(parameters),
        Tls::None => client::Tls::None,
    })
}

#[async_trait::async_trait]
impl Transport for Smtp {
    async fn send(&self, message: &Message) -> Result<(), SendError> {
        let mail_message = self.mail_message(message).map_err(|_| SendError::Permanent)?;
        let sending = tokio::time::timeout(TIMEOUT, self.transport.send(mail_message));
        let Ok(result) = sending.await else {
            tracing::warn!("the mail server did not respond in time");
            return Err(SendError::Temporary);
        };
        result.map(drop).map_err(|error| {
            // The text of the server may contain the recipient, so only its status code is logged.
            let code = error.status().map(|code| code.to_string());
            let (is_tls, is_timeout) = (error.is_tls(), error.is_timeout());
            let code_text = code.as_deref().unwrap_or("none");
            tracing::warn!(
                code = code_text,
                is_tls,
                is_timeout,
                "the mail server did not accept a message"
            );
            // The operator can correct the credentials, so their rejection (53x) is a temporary error.
            let is_login_error = code.is_some_and(|code| code.starts_with("53"));
            if error.is_permanent() && !is_login_error {
                SendError::Permanent
            } else {
                SendError::Temporary
            }
        })
    }
}
