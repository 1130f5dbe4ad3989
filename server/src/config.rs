//! Configuration of the process from options and environment variables (contract, section 8).

mod database_url;
pub mod edge;
pub mod keys;
pub mod mail;
pub mod outbound;
pub mod redis;
pub mod traces;

use std::{net::SocketAddr, path::PathBuf};

use clap::{Args, ValueEnum};
use governance::{
    base::database::{CONNECTIONS_DEFAULT, CONNECTIONS_RANGE},
    notify::webhook::Schedule,
};

use self::{
    edge::EdgeConfig, keys::KeysConfig, mail::MailConfig, outbound::OutboundConfig,
    traces::TracesConfig,
};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Environment {
    /// For development: missing keys are created.
    #[default]
    Development,
    /// For production: keys must exist.
    Production,
}

/// Settings of the database, data directory and keys. All sub-commands use them.
#[derive(Clone, Debug, Args)]
pub struct StoreConfig {
    /// The URL of the database. Without it, a private PostgreSQL runs in the data directory. If the URL
    /// contains a password, use the variable: other users of the machine can see options.
    #[arg(long, env = "DATABASE_URL", value_parser = database_url::parse, hide_env_values = true, global = true)]
    pub database_url: Option<String>,
    /// The maximum number of database connections of the process, from 4 to 1000. One more connection checks
    /// the readiness.
    #[arg(long, env = "GOVERN_DATABASE_CONNECTIONS", value_parser = database_connections,
        default_value_t = CONNECTIONS_DEFAULT, global = true)]
    pub database_connections: u32,
    /// The directory for the private database, keys and the credentials of the first start.
    #[arg(long, env = "GOVERN_DATA_DIR", default_value = "./data", global = true)]
    pub data_dir: PathBuf,
    /// The directory of the PostgreSQL programs. Without it, the usual directories are searched.
    #[arg(long, env = "PG_BIN", global = true)]
    pub pg_bin: Option<PathBuf>,
    /// The environment of the process.
    #[arg(
        long = "env",
        env = "GOVERN_ENV",
        default_value = "development",
        value_enum,
        global = true
    )]
    pub environment: Environment,
    #[command(flatten)]
    pub keys: KeysConfig,
    /// The file of the receipt key, if it is not in the directory of the keys: Ed25519 as PKCS#8 PEM,
    /// readable by its owner only.
    #[arg(long, env = "GOVERN_SIGNING_KEY_FILE", global = true)]
    pub signing_key_file: Option<PathBuf>,
    /// The file of the secret key for key digests: 32 bytes as hex. Further lines are later versions of the
    /// key that encrypts webhook secrets. In development, a missing file is created in the data directory.
    #[arg(long, env = "GOVERN_SECRET_KEY_FILE", global = true)]
    pub secret_key_file: Option<PathBuf>,
    /// Record decisions without signatures in production if there are no keys.
    #[arg(long, env = "GOVERN_ALLOW_UNSIGNED", value_parser = switch, default_value = "0", global = true)]
    pub allow_unsigned: bool,
    /// The origin of the first tree of the transparency log. By default, the host of the public address
    /// and `/log/1`.
    #[arg(long, env = "GOVERN_LOG_ORIGIN", value_parser = log_origin, global = true)]
    pub log_origin: Option<String>,
}

impl StoreConfig {
    pub(crate) fn database(&self) -> local_postgres::Config {
        local_postgres::Config {
            url: self.database_url.clone(),
            data_dir: self.data_dir.clone(),
            pg_bin: self.pg_bin.clone(),
        }
    }
}

/// Settings of `govern serve`.
#[derive(Clone, Debug, Args)]
pub struct ServeConfig {
    /// The address to listen on.
    #[arg(long, env = "GOVERN_ADDR", default_value = "127.0.0.1:3000")]
    pub addr: SocketAddr,
    /// The public address of the service. With `https://`, session cookies require TLS.
    #[arg(long, env = "GOVERN_PUBLIC_URL", value_parser = public_url, hide_env_values = true)]
    pub public_url: Option<String>,
    /// The URL of a streaming replica of the database. Public receipts, bundles, the tiles of the transparency log
    /// and exports are read from it while it is current. It may not be a pool of several servers.
    #[arg(long, env = "GOVERN_DATABASE_READ_URL", value_parser = database_url::parse, hide_env_values = true)]
    pub database_read_url: Option<String>,
    /// Fill an empty database with sample policies and decisions.
    #[arg(long, env = "GOVERN_DEMO", value_parser = switch, default_value = "0")]
    pub demo: bool,
    /// The URL of a lint provider that replaces the built-in lint. It is called once per codification.
    #[arg(long, env = "GOVERN_LINT_URL", value_parser = web_address, hide_env_values = true)]
    pub lint_url: Option<reqwest::Url>,
    /// The URL of a Rekor instance to which checkpoints of the transparency log are submitted.
    #[arg(long, env = "GOVERN_REKOR_URL", value_parser = web_address, hide_env_values = true)]
    pub rekor_url: Option<reqwest::Url>,
    /// The API version of that instance.
    #[arg(long, env = "GOVERN_REKOR_DIALECT", value_enum, default_value = "v2")]
    pub rekor_dialect: RekorDialect,
    /// The public key of that instance as PEM. It verifies the checkpoints of the instance.
    #[arg(long, env = "GOVERN_REKOR_KEY_FILE")]
    pub rekor_key_file: Option<PathBuf>,
    /// The delay before each attempt of a webhook delivery: in seconds, or with `ms`, `s`, `m` or `h`.
    #[arg(long, env = "GOVERN_WEBHOOK_SCHEDULE", default_value = "0,1,2,4,8,16")]
    pub webhook_schedule: Schedule,
    #[command(flatten)]
    pub edge: EdgeConfig,
    #[command(flatten)]
    pub outbound: OutboundConfig,
    #[command(flatten)]
    pub mail: MailConfig,
    #[command(flatten)]
    pub traces: TracesConfig,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum RekorDialect {
    /// Rekor 1.
    V1,
    /// Rekor 2.
    #[default]
    V2,
}

impl ServeConfig {
    /// Returns the public address of the service, without a trailing slash.
    pub fn url(&self) -> String {
        let local_url = || format!("http://{}", self.addr);
        self.public_url.clone().unwrap_or_else(local_url).trim_end_matches('/').to_owned()
    }

    /// Checks that a production service has a public URL that uses TLS.
    ///
    /// # Errors
    /// Returns one line that names the setting if the public URL of a production service is missing or not
    /// `https://`.
    pub fn check_public_url(&self, environment: Environment) -> anyhow::Result<()> {
        let is_plain = |url: &str| !url.to_ascii_lowercase().starts_with("https://");
        match (environment, &self.public_url) {
            (Environment::Production, Some(url)) if is_plain(url) => anyhow::bail!(
                "GOVERN_PUBLIC_URL: must start with https:// in production, because session cookies \
                 and API keys are sent to it"
            ),
            (Environment::Production, None) => anyhow::bail!(
                "GOVERN_PUBLIC_URL is not set; set it to the https:// address of the service, which links and \
                 cookies need in production"
            ),
            _ => Ok(()),
        }
    }

    /// Returns the default origin of the transparency log.
    pub fn log_origin(&self) -> String {
        log_origin_of(&self.url())
    }
}

fn database_connections(text: &str) -> Result<u32, String> {
    let (min, max) = CONNECTIONS_RANGE.into_inner();
    let connections =
        text.parse().ok().filter(|connections| CONNECTIONS_RANGE.contains(connections));
    connections.ok_or_else(|| format!("must be a number from {min} to {max}"))
}

/// Parses `1` or `0`, in the usual spellings.
fn switch(text: &str) -> Result<bool, String> {
    match text.to_ascii_lowercase().as_str() {
        "1" | "true" | "on" | "yes" => Ok(true),
        "" | "0" | "false" | "off" | "no" => Ok(false),
        _ => Err("must be 1 or 0".to_owned()),
    }
}

/// Returns a percent-encoded part of a URL, such as its password. Bytes that are not UTF-8 are replaced.
pub(crate) fn percent_decoded(text: &str) -> String {
    let pair = format!("v={}", text.replace('+', "%2B").replace('&', "%26"));
    let value = form_urlencoded::parse(pair.as_bytes()).next();
    value.map(|(_, value)| value.into_owned()).unwrap_or_default()
}

/// Returns the default origin of the log of a service at `url`.
pub(crate) fn log_origin_of(url: &str) -> String {
    let url = url.parse::<http::Uri>().ok();
    let host = url.as_ref().and_then(http::Uri::host).unwrap_or("localhost");
    format!("{host}/log/1")
}

/// Parses the origin of a tree of the transparency log.
pub(crate) fn log_origin(text: &str) -> Result<String, String> {
    governance::proof::transparency_log::origin_error(text)
        .map_or_else(|| Ok(text.to_owned()), |error| Err(error.into()))
}

/// Parses a URL with the scheme `http` or `https`.
fn web_address(text: &str) -> Result<reqwest::Url, String> {
    let url: reqwest::Url = text.parse().map_err(|_| "must be a URL".to_owned())?;
    match url.scheme() {
        "http" | "https" if url.has_host() => Ok(url),
        _ => Err("must start with http:// or https://".to_owned()),
    }
}

pub(crate) fn public_url(text: &str) -> Result<String, String> {
    let url = web_address(text)?;
    // The text is used as it is, so corrections of the parser do not apply: spaces, and a missing slash.
    let uri: http::Uri = text.parse().map_err(|_| "must be a URL".to_owned())?;
    if uri.host().is_none() {
        return Err("must start with http:// or https://".to_owned());
    }
    let has_credentials = !url.username().is_empty() || url.password().is_some();
    // Addresses are formed by appending a path to it.
    if has_credentials || url.query().is_some() || url.fragment().is_some() {
        return Err("must have no credentials, query or fragment".to_owned());
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use crate::command::{Govern, invalid_value};

    /// Returns the line with which the start stops.
    fn line(arguments: &[&str]) -> String {
        let arguments = std::iter::once("govern").chain(arguments.iter().copied());
        invalid_value(&Govern::try_parse_from(arguments).expect_err("an invalid value"))
    }

    #[test]
    fn invalid_values_with_credentials_are_not_repeated() {
        for (arguments, name) in [
            (["--database-url", "mysql://ada:s3cret@db.example/govern"], "DATABASE_URL"),
            (["--database-url", "postgres:/ada:s3cret@db.example/govern"], "DATABASE_URL"),
            (["--database-url", "postgres://ada:s3cret#a@db.example/govern"], "DATABASE_URL"),
            (["--database-url", ""], "DATABASE_URL"),
            (["--database-read-url", "s3cret"], "GOVERN_DATABASE_READ_URL"),
            (["--redis-url", "rediss//:s3cret@redis.example"], "GOVERN_REDIS_URL"),
            (["--smtp-url", "smtps://ada:s3cret@mail.example/path"], "GOVERN_SMTP_URL"),
            (["--lint-url", "ftp://ada:s3cret@lint.example"], "GOVERN_LINT_URL"),
            (["--rekor-url", "ftp://ada:s3cret@rekor.example"], "GOVERN_REKOR_URL"),
            (["--otlp-endpoint", "ftp://ada:s3cret@otlp.example"], "OTEL_EXPORTER_OTLP_ENDPOINT"),
            (["--metrics-token", "s3cret token"], "GOVERN_METRICS_TOKEN"),
            (["--public-url", "https://ada:s3cret@govern.example"], "GOVERN_PUBLIC_URL"),
        ] {
            let line = line(&["serve", arguments[0], arguments[1]]);
            assert!(line.starts_with(&format!("{name}: ")), "{name}: {line}");
            assert!(!line.contains("s3cret") && !line.contains('\n'), "{name}: {line}");
        }
    }

    #[test]
    fn other_invalid_values_are_named() {
        assert_eq!(
            line(&["serve", "--trusted-proxies", "many"]),
            "GOVERN_TRUSTED_PROXIES: invalid value 'many' for '--trusted-proxies <TRUSTED_PROXIES>': invalid digit \
             found in string"
        );
        for text in [
            "https://govern.example?a=b",
            "https://govern.example#a",
            "govern.example",
            "https:/govern.example",
            "https://govern.example ",
            "",
        ] {
            assert!(
                line(&["serve", "--public-url", text]).starts_with("GOVERN_PUBLIC_URL: "),
                "{text}"
            );
        }
    }
}
