//! What the process is told by its environment (contract, section 8).

pub mod edge;
pub mod mail;
pub mod outbound;

use std::{net::SocketAddr, path::PathBuf};

use clap::{Args, ValueEnum};
use governance::webhook::Schedule;

use crate::{
    config::{edge::EdgeConfig, mail::MailConfig, outbound::OutboundConfig},
    database,
    keys::KeysConfig,
};

/// Where the process runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Environment {
    /// On somebody's desk: keys are made when they are missing.
    #[default]
    Development,
    /// For real: keys must be given.
    Production,
}

/// Where data and secrets lie; every sub-command needs it.
#[derive(Clone, Debug, Args)]
pub struct StoreConfig {
    /// The database; without it a private `PostgreSQL` runs in the data folder. With a password in it, set it
    /// by the variable: other users of the machine can see options.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true, global = true)]
    pub database_url: Option<String>,
    /// The folder for the private database, keys and the first run's credentials.
    #[arg(long, env = "GOVERN_DATA_DIR", default_value = "./data", global = true)]
    pub data_dir: PathBuf,
    /// The folder of the `PostgreSQL` programs, when they are not to be looked for.
    #[arg(long, env = "PG_BIN", global = true)]
    pub pg_bin: Option<PathBuf>,
    /// Where the process runs.
    #[arg(
        long = "env",
        env = "GOVERN_ENV",
        default_value = "development",
        value_enum,
        global = true
    )]
    pub environment: Environment,
    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would print it; the type says it")]
    pub keys: KeysConfig,
    /// The file of the receipt key, where it is not in the directory of the keys: Ed25519 as PKCS#8 PEM,
    /// readable by its owner alone.
    #[arg(long, env = "GOVERN_SIGNING_KEY_FILE", global = true)]
    pub signing_key_file: Option<PathBuf>,
    /// The secret behind key digests: 32 bytes as hex. Further lines are later versions of the key that
    /// webhook secrets are sealed with. In development one is made in the data folder.
    #[arg(long, env = "GOVERN_SECRET_KEY_FILE", global = true)]
    pub secret_key_file: Option<PathBuf>,
    /// In production: record without signatures when there are no keys.
    #[arg(long, env = "GOVERN_ALLOW_UNSIGNED", value_parser = switch, default_value = "0", global = true)]
    pub allow_unsigned: bool,
    /// The origin of the transparency log's first tree; without it, the host of the public address and
    /// `/log/1`.
    #[arg(long, env = "GOVERN_LOG_ORIGIN", value_parser = log_origin, global = true)]
    pub log_origin: Option<String>,
}

impl StoreConfig {
    /// What the database is opened from.
    pub(crate) fn database(&self) -> database::Config {
        database::Config {
            url: self.database_url.clone(),
            data_dir: self.data_dir.clone(),
            pg_bin: self.pg_bin.clone(),
        }
    }
}

/// What `govern serve` needs besides.
#[derive(Clone, Debug, Args)]
pub struct ServeConfig {
    /// The address to listen on.
    #[arg(long, env = "GOVERN_ADDR", default_value = "127.0.0.1:3000")]
    pub addr: SocketAddr,
    /// The address under which people reach the service; with `https://` the cookie asks for it.
    #[arg(long, env = "GOVERN_PUBLIC_URL", value_parser = public_url)]
    pub public_url: Option<String>,
    /// Fill an empty database with sample policies and decisions.
    #[arg(long, env = "GOVERN_DEMO", value_parser = switch, default_value = "0")]
    pub demo: bool,
    /// Who lints clauses in place of the built-in lint, over HTTP; asked once for each codification.
    #[arg(long, env = "GOVERN_LINT_URL", value_parser = web_address, hide_env_values = true)]
    pub lint_url: Option<reqwest::Url>,
    /// An instance of Rekor at which checkpoints of the log are put on record.
    #[arg(long, env = "GOVERN_REKOR_URL", value_parser = web_address)]
    pub rekor_url: Option<reqwest::Url>,
    /// How that instance is spoken to.
    #[arg(long, env = "GOVERN_REKOR_DIALECT", value_enum, default_value = "v2")]
    pub rekor_dialect: RekorDialect,
    /// The public key of that instance as PEM, which its checkpoints are checked with.
    #[arg(long, env = "GOVERN_REKOR_KEY_FILE")]
    pub rekor_key_file: Option<PathBuf>,
    /// How long is waited before each attempt at a webhook: in seconds, or with `ms`, `s`, `m` or `h`.
    #[arg(long, env = "GOVERN_WEBHOOK_SCHEDULE", default_value = "0,1,2,4,8,16")]
    pub webhook_schedule: Schedule,
    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would print it; the type says it")]
    pub edge: EdgeConfig,
    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would print it; the type says it")]
    pub outbound: OutboundConfig,
    #[command(flatten)]
    #[expect(missing_docs, reason = "clap would print it; the type says it")]
    pub mail: MailConfig,
}

/// How an instance of Rekor is spoken to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum RekorDialect {
    /// Rekor 1.
    V1,
    /// Rekor 2.
    #[default]
    V2,
}

impl ServeConfig {
    /// The address under which people reach the service, without a slash at its end.
    pub fn url(&self) -> String {
        let own = || format!("http://{}", self.addr);
        self.public_url.clone().unwrap_or_else(own).trim_end_matches('/').to_owned()
    }

    /// Checks that people reach a production service over TLS.
    ///
    /// # Errors
    /// Returns one line that names the setting when the public URL of a production service is not `https://`.
    pub fn check_public_url(&self, environment: Environment) -> anyhow::Result<()> {
        let is_plain = |url: &str| !url.to_ascii_lowercase().starts_with("https://");
        match (environment, &self.public_url) {
            (Environment::Production, Some(url)) if is_plain(url) => anyhow::bail!(
                "GOVERN_PUBLIC_URL: must start with https:// in production, because session cookies \
                 and API keys travel under it"
            ),
            (Environment::Production, None) => {
                tracing::warn!("GOVERN_PUBLIC_URL is not set: links and cookies assume plain http");
            }
            _ => {}
        }
        Ok(())
    }

    /// What the transparency log is called where nobody has named it.
    pub fn log_origin(&self) -> String {
        log_origin_of(&self.url())
    }
}

/// `1` or `0`, in the usual spellings.
fn switch(text: &str) -> Result<bool, String> {
    match text.to_ascii_lowercase().as_str() {
        "1" | "true" | "on" | "yes" => Ok(true),
        "" | "0" | "false" | "off" | "no" => Ok(false),
        _ => Err("must be 1 or 0".to_owned()),
    }
}

/// What the log of a service at `url` is called.
pub(crate) fn log_origin_of(url: &str) -> String {
    let url = url.parse::<http::Uri>().ok();
    let host = url.as_ref().and_then(http::Uri::host).unwrap_or("localhost");
    format!("{host}/log/1")
}

/// The origin of a tree of the transparency log.
pub(crate) fn log_origin(text: &str) -> Result<String, String> {
    governance::log::origin_fault(text)
        .map_or_else(|| Ok(text.to_owned()), |fault| Err(fault.into()))
}

/// An address that can be called.
fn web_address(text: &str) -> Result<reqwest::Url, String> {
    let url: reqwest::Url = text.parse().map_err(|_| "must be a URL".to_owned())?;
    match url.scheme() {
        "http" | "https" if url.has_host() => Ok(url),
        _ => Err("must start with http:// or https://".to_owned()),
    }
}

pub(crate) fn public_url(text: &str) -> Result<String, String> {
    let uri: http::Uri = text.parse().map_err(|_| "must be a URL".to_owned())?;
    match uri.scheme_str() {
        Some("http" | "https") if uri.host().is_some() => Ok(text.to_owned()),
        _ => Err("must start with http:// or https://".to_owned()),
    }
}
