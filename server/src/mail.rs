//! Mail transport of the process: SMTP, or files in development.

mod files;
mod smtp;

use std::path::PathBuf;

use anyhow::{Result, bail};
use governance::access::mail::Mail;

pub(crate) use self::files::list;
pub use self::{files::MailFiles, smtp::Smtp};
use crate::config::{
    Environment, StoreConfig,
    mail::{MailConfig, Tls},
};

/// Returns the configured mail transport, or `None` without one.
///
/// # Errors
/// Returns an error that names the setting.
pub fn from_config(config: &MailConfig, store: &StoreConfig) -> Result<Option<Mail>> {
    let is_development = store.environment == Environment::Development;
    let Some(url) = &config.smtp_url else {
        return Ok(
            is_development.then(|| Mail::new(MailFiles::new(directory(store))).in_development())
        );
    };
    let Some(from) = &config.mail_from else {
        bail!("GOVERN_MAIL_FROM: must name the sender, such as `Govern <govern@acme.example>`");
    };
    if !is_development && url.tls == Tls::None && !url.is_local {
        bail!(
            "GOVERN_SMTP_URL: mail contains links that set passwords; use smtps:// or add ?tls=required"
        );
    }
    Ok(Some(Mail::new(Smtp::new(url, from.clone(), config.smtp_ca_file.as_deref())?)))
}

/// Returns the directory to which a development process writes mail, or `None` if mail is sent elsewhere.
pub fn development_directory(config: &MailConfig, store: &StoreConfig) -> Option<PathBuf> {
    let has_directory = store.environment == Environment::Development && config.smtp_url.is_none();
    has_directory.then(|| directory(store))
}

fn directory(store: &StoreConfig) -> PathBuf {
    store.data_dir.join("mail")
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Settings {
        #[command(flatten)]
        store: StoreConfig,
        #[command(flatten)]
        mail: MailConfig,
    }

    /// Describes the mail transport that `settings` configure.
    fn transport(settings: &str) -> String {
        let arguments = std::iter::once("govern").chain(settings.split_whitespace());
        let settings = Settings::parse_from(arguments);
        match from_config(&settings.mail, &settings.store) {
            Ok(None) => "no mail".to_owned(),
            Ok(Some(mail)) => format!("{mail:?}").split(' ').take(4).collect(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn production_sends_mail_only_encrypted_or_to_localhost() {
        assert_eq!(transport("--env production"), "no mail");
        let from = "--mail-from govern@acme.example";
        let unencrypted =
            transport(&format!("--env production --smtp-url smtp://mail.example {from}"));
        assert!(unencrypted.starts_with("GOVERN_SMTP_URL: "), "{unencrypted}");
        let url = "smtps://mail.example";
        assert!(
            transport(&format!("--env production --smtp-url {url}"))
                .starts_with("GOVERN_MAIL_FROM: ")
        );
        for url in ["smtps://mail.example", "smtp://mail.example?tls=required", "smtp://127.0.0.1"]
        {
            let configured_transport =
                transport(&format!("--env production --smtp-url {url} {from}"));
            assert!(configured_transport.contains("Smtp"), "{url}: {configured_transport}");
        }
        assert!(transport("").contains("MailFiles"));
    }
}
