//! How the process sends mail: over SMTP, or into files in development.

mod files;
mod smtp;

use std::path::PathBuf;

use anyhow::{Result, bail};
use governance::mail::Mail;

pub(crate) use self::files::{WrittenMail, list};
pub use self::{files::MailFiles, smtp::Smtp};
use crate::config::{
    Environment, StoreConfig,
    mail::{MailConfig, Tls},
};

/// Returns how mail is sent; nothing where there is none.
///
/// # Errors
/// One that names the setting.
pub fn configured(config: &MailConfig, store: &StoreConfig) -> Result<Option<Mail>> {
    let is_development = store.environment == Environment::Development;
    let Some(url) = &config.smtp_url else {
        return Ok(
            is_development.then(|| Mail::new(MailFiles::new(folder(store))).in_development())
        );
    };
    let Some(from) = &config.mail_from else {
        bail!("GOVERN_MAIL_FROM: name the sender, such as `Govern <govern@acme.example>`");
    };
    if !is_development && url.tls == Tls::None && !url.is_local {
        bail!(
            "GOVERN_SMTP_URL: mail has links to passwords in it; use smtps://, or add ?tls=required"
        );
    }
    Ok(Some(Mail::new(Smtp::new(url, from.clone(), config.smtp_ca_file.as_deref())?)))
}

/// Returns the folder that a development process writes its mail into; nothing where mail goes elsewhere.
pub fn development_folder(config: &MailConfig, store: &StoreConfig) -> Option<PathBuf> {
    let is_written = store.environment == Environment::Development && config.smtp_url.is_none();
    is_written.then(|| folder(store))
}

fn folder(store: &StoreConfig) -> PathBuf {
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

    /// The outcome of settings; a mail that shows set-up links says so.
    fn outcome(settings: &str) -> String {
        let words = std::iter::once("govern").chain(settings.split_whitespace());
        let settings = Settings::parse_from(words);
        match configured(&settings.mail, &settings.store) {
            Ok(None) => "no mail".to_owned(),
            Ok(Some(mail)) => format!("{mail:?}").split(' ').take(4).collect(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn production_sends_no_mail_without_a_server_and_none_in_the_clear() {
        assert_eq!(outcome("--env production"), "no mail");
        let from = "--mail-from govern@acme.example";
        let clear = outcome(&format!("--env production --smtp-url smtp://mail.example {from}"));
        assert!(clear.starts_with("GOVERN_SMTP_URL: "), "{clear}");
        let url = "smtps://mail.example";
        assert!(
            outcome(&format!("--env production --smtp-url {url}"))
                .starts_with("GOVERN_MAIL_FROM: ")
        );
        for url in ["smtps://mail.example", "smtp://mail.example?tls=required", "smtp://127.0.0.1"]
        {
            let sent = outcome(&format!("--env production --smtp-url {url} {from}"));
            assert!(sent.contains("Smtp"), "{url}: {sent}");
        }
        assert!(outcome("").contains("MailFiles"));
    }
}
