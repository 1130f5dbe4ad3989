//! Profiles: the services that `govern login` stored, and the choice of the one to call.

use std::{
    collections::BTreeMap,
    env,
    path::{Path, PathBuf},
};

use clap::Args;
use contract::id::TenantId;
use serde::{Deserialize, Serialize};
use url::Url;

/// The profile that is used if none is named.
pub const DEFAULT: &str = "default";

/// A service and the credentials for it.
#[derive(Clone, derive_more::Debug, PartialEq, Eq, Serialize, Deserialize)]
#[debug("Profile {{ url: {url:?}, tenant_id: {tenant_id:?}, .. }}")]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// The URL of the service.
    pub url: String,
    /// The tenant of the key.
    pub tenant_id: TenantId,
    /// The API key.
    pub api_key: String,
    /// The machine on which `govern login` created the key. Absent for an existing key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_created_on: Option<String>,
}

/// The file of the profiles.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profiles {
    /// The profiles by name.
    #[serde(default)]
    pub profiles: BTreeMap<String, Profile>,
}

/// The reason why there is no connection.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file cannot be read or written, or other users can.
    #[error("{0}")]
    SecretFile(String),
    /// The file has other content.
    #[error("`{path}`: {cause}")]
    File {
        /// The path of the file.
        path: String,
        /// The cause, for people.
        cause: String,
    },
    /// There is no home directory.
    #[error("neither XDG_CONFIG_HOME nor HOME is set")]
    NoHome,
    /// The profile is not in the file.
    #[error("there is no profile `{0}`; run `govern login --url URL --profile {0}`")]
    Unknown(String),
    /// No service was named.
    #[error(
        "no service: run `govern login --url URL`, or set GOVERN_URL, GOVERN_TENANT_ID and GOVERN_API_KEY"
    )]
    NoService,
    /// The URL of the service is not an HTTP URL.
    #[error("`{0}` is not an http or https URL")]
    Url(String),
    /// The URL of the service contains a password, which is not shown.
    #[error("the URL of the service must not contain a user name or a password")]
    UrlWithPassword,
    /// The URL of the service has parts that no call would have.
    #[error("`{0}` must be the URL of the service, without `?` and `#`")]
    UrlWithQuery(String),
    /// A value of the environment is not valid.
    #[error("{0} must be a UUID")]
    Tenant(&'static str),
}

/// The arguments that choose a service.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Connection")]
pub struct ConnectionArgs {
    /// The profile of `govern login` [default: default]
    #[arg(long, env = "GOVERN_PROFILE", value_name = "NAME")]
    pub profile: Option<String>,
    /// The URL of the service. The API key is in `GOVERN_API_KEY` or in the profile
    #[arg(long, env = "GOVERN_URL")]
    pub url: Option<String>,
    /// The tenant
    #[arg(long = "tenant", env = "GOVERN_TENANT_ID", value_name = "ID")]
    pub tenant_id: Option<TenantId>,
}

/// A service and the credentials to call it with.
#[derive(Clone, derive_more::Debug)]
#[debug("Connection {{ url: {url:?}, tenant_id: {tenant_id:?}, .. }}")]
pub struct Connection {
    /// The URL of the service.
    pub url: Url,
    /// The tenant to call.
    pub tenant_id: Option<TenantId>,
    /// The API key; absent for public calls.
    pub api_key: Option<String>,
}

impl ConnectionArgs {
    /// Returns the connection that the arguments, the environment and the profiles describe.
    ///
    /// # Errors
    /// Returns an error if no service is named or the file of the profiles cannot be read.
    pub fn connection(&self) -> Result<Connection, Error> {
        let api_key = env::var("GOVERN_API_KEY").ok().filter(|key| !key.is_empty());
        let is_complete = self.url.is_some() && self.tenant_id.is_some() && api_key.is_some();
        let profiles = match Profiles::path() {
            // A machine of a CI may have a home directory of another user.
            _ if is_complete && self.profile.is_none() => Profiles::default(),
            Ok(path) => Profiles::load(&path)?,
            Err(error) if self.profile.is_some() => return Err(error),
            // Without a home directory, there are no profiles.
            Err(_) => Profiles::default(),
        };
        self.resolve(&profiles, api_key)
    }

    /// Returns the connection, where `api_key` is the key in the environment. An argument replaces the value
    /// of the profile. The key and the tenant of a profile are used only for the URL of that profile.
    ///
    /// # Errors
    /// Returns an error if no service is named.
    pub fn resolve(
        &self,
        profiles: &Profiles,
        api_key: Option<String>,
    ) -> Result<Connection, Error> {
        let name = self.profile.as_deref().unwrap_or(DEFAULT);
        let profile = profiles.profiles.get(name);
        if self.profile.is_some() && profile.is_none() {
            return Err(Error::Unknown(name.to_owned()));
        }
        let url = self.url.as_deref().or(profile.map(|profile| profile.url.as_str()));
        let url = parse_url(url.ok_or(Error::NoService)?)?;
        let profile = profile.filter(|profile| parse_url(&profile.url).ok().as_ref() == Some(&url));
        let tenant_id = self.tenant_id.or(profile.map(|profile| profile.tenant_id));
        let api_key = api_key.or(profile.map(|profile| profile.api_key.clone()));
        Ok(Connection { url, tenant_id, api_key })
    }
}

/// Parses the URL of a service.
///
/// # Errors
/// Returns an error if it is not an HTTP URL.
pub fn parse_url(text: &str) -> Result<Url, Error> {
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
    let Some(url) = url else {
        // A text that is no URL may contain a password too.
        let has_password = text.contains('@');
        return Err(if has_password {
            Error::UrlWithPassword
        } else {
            Error::Url(text.to_owned())
        });
    };
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Error::UrlWithPassword);
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(Error::UrlWithQuery(text.to_owned()));
    }
    Ok(url)
}

impl Profiles {
    /// Returns the path of the file: `$XDG_CONFIG_HOME/govern/profiles.toml`, or the same in `~/.config`.
    ///
    /// # Errors
    /// Returns an error if there is no home directory.
    pub fn path() -> Result<PathBuf, Error> {
        let directory = |name| env::var_os(name).filter(|value| !value.is_empty());
        let config = directory("XDG_CONFIG_HOME").map(PathBuf::from);
        let config = config.or_else(|| Some(PathBuf::from(directory("HOME")?).join(".config")));
        Ok(config.ok_or(Error::NoHome)?.join("govern/profiles.toml"))
    }

    /// Reads the file. A file that does not exist has no profiles.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or if other users can read or write it.
    pub fn load(path: &Path) -> Result<Self, Error> {
        let Some(file) = private_file::read(path).map_err(secret_error)? else {
            return Ok(Self::default());
        };
        toml::from_str(&file.text).map_err(|error| file_error(path, error.message()))
    }

    /// Writes the file, which only its owner can read.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        let text = toml::to_string(self).map_err(|error| file_error(path, &error.to_string()))?;
        private_file::write(path, &text).map_err(secret_error)
    }
}

fn secret_error(error: impl std::fmt::Display) -> Error {
    Error::SecretFile(format!("{error:#}"))
}

fn file_error(path: &Path, cause: &str) -> Error {
    Error::File { path: path.display().to_string(), cause: cause.to_owned() }
}
