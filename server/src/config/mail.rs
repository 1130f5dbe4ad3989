//! Configuration of mail (contract, section 2, "Mail").

use std::{net::Ipv4Addr, path::PathBuf, str::FromStr};

use clap::Args;
use lettre::message::Mailbox;
use url::{Host, Url};

use super::percent_decoded;

/// Settings of mail.
#[derive(Clone, Debug, Default, Args)]
pub struct MailConfig {
    /// The mail server: `smtps://USER:PASSWORD@HOST`, or `smtp://HOST` with `?tls=required`. In development
    /// without a mail server, mail is written to the data directory and listed at `/dev/mail`.
    #[arg(long, env = "GOVERN_SMTP_URL", hide_env_values = true)]
    pub smtp_url: Option<SmtpUrl>,
    /// The sender of all mail, such as `Govern <govern@acme.example>`.
    #[arg(long, env = "GOVERN_MAIL_FROM")]
    pub mail_from: Option<Mailbox>,
    /// A PEM file of certificate authorities for the mail server's certificate, in addition to those that the
    /// machine trusts.
    #[arg(long, env = "GOVERN_SMTP_CA_FILE")]
    pub smtp_ca_file: Option<PathBuf>,
}

/// The encryption of a connection to the mail server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tls {
    /// TLS from the first byte (`smtps://`).
    Wrapped,
    /// STARTTLS, or no connection (`?tls=required`).
    Required,
    /// STARTTLS if the server offers it (`?tls=opportunistic`).
    Opportunistic,
    None,
}

/// The address of a mail server, with its credentials.
#[derive(Clone, derive_more::Debug, PartialEq, Eq)]
#[debug("SmtpUrl {{ host: {host:?}, .. }}")]
pub struct SmtpUrl {
    pub host: String,
    pub port: u16,
    pub tls: Tls,
    /// The user name and the password.
    pub credentials: Option<(String, String)>,
    /// Whether the host is this machine.
    pub is_local: bool,
}

impl FromStr for SmtpUrl {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let url: Url = text.parse().map_err(|_| "must be a URL")?;
        let tls = url.query_pairs().find(|(name, _)| name == "tls").map(|(_, value)| value);
        let has_other = url.query_pairs().any(|(name, _)| name != "tls");
        if has_other || !matches!(url.path(), "" | "/") {
            return Err("must have no path and no parameter but `tls`");
        }
        let (tls, port) = match (url.scheme(), tls.as_deref()) {
            ("smtps", None) => (Tls::Wrapped, 465),
            ("smtp", Some("required")) => (Tls::Required, 587),
            ("smtp", Some("opportunistic")) => (Tls::Opportunistic, 587),
            ("smtp", None | Some("none")) => (Tls::None, 25),
            ("smtp", _) => return Err("`tls` must be `required`, `opportunistic` or `none`"),
            _ => return Err("must start with smtps:// or smtp://"),
        };
        let host = url.host().filter(|host| *host != Host::Domain("")).ok_or("must name a host")?;
        let is_local = match &host {
            // The parser returns IPv4 addresses of this scheme as domain names.
            Host::Domain(name) => {
                name.eq_ignore_ascii_case("localhost")
                    || name.parse::<Ipv4Addr>().is_ok_and(|address| address.is_loopback())
            }
            Host::Ipv4(address) => address.is_loopback(),
            Host::Ipv6(address) => address.is_loopback(),
        };
        let user = percent_decoded(url.username());
        let password = url.password().map(|password| (user, percent_decoded(password)));
        if password.is_none() && !url.username().is_empty() {
            return Err("must have a password if it has a user");
        }
        let host = match host {
            Host::Domain(name) => name.to_owned(),
            Host::Ipv4(address) => address.to_string(),
            Host::Ipv6(address) => address.to_string(),
        };
        Ok(Self { host, port: url.port().unwrap_or(port), tls, credentials: password, is_local })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<SmtpUrl, &'static str> {
        text.parse()
    }

    #[test]
    fn url_scheme_and_tls_parameter_select_encryption() {
        let url = parse("smtps://ada:p%40ss+%2b@mail.example").unwrap();
        assert_eq!((&*url.host, url.port, url.tls), ("mail.example", 465, Tls::Wrapped));
        assert_eq!(url.credentials, Some(("ada".to_owned(), "p@ss++".to_owned())));
        assert!(!format!("{url:?}").contains("p@ss"));
        let url = parse("smtp://mail.example?tls=required").unwrap();
        assert_eq!((url.port, url.tls, url.is_local), (587, Tls::Required, false));
        let url = parse("smtp://[::1]:2525").unwrap();
        assert_eq!((&*url.host, url.port, url.tls, url.is_local), ("::1", 2525, Tls::None, true));
    }

    #[test]
    fn invalid_smtp_url_is_rejected() {
        for text in [
            "mail.example",
            "https://mail.example",
            "smtp://",
            "smtp://mail.example?tls=maybe",
            "smtp://mail.example?tsl=required",
            "smtps://mail.example/path",
            "smtps://ada@mail.example",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
