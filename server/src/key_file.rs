//! Secret files: the root keys of the trust registry, and the secret key. Both can be created.

use std::{
    fs::File,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, anyhow, bail};
use ed25519_dalek::pkcs8::{DecodePrivateKey, EncodePrivateKey, spki::der::pem::LineEnding};
use governance::Pepper;
use rand::Rng;
use receipt::key::SigningKey;

use crate::config::{Environment, StoreConfig};

/// Reads the key in `file`. A missing file is created with a new key.
///
/// # Errors
/// Returns an error if the file has other content or cannot be written.
pub fn key_in(file: &Path) -> Result<SigningKey> {
    parse_key(file, &read_or_create(file, new_key)?)
}

/// Reads the key in an existing file.
///
/// # Errors
/// Returns an error if the file is missing or has other content.
pub fn existing_key_in(file: &Path) -> Result<SigningKey> {
    parse_key(file, &read(file)?)
}

fn parse_key(file: &Path, pem: &str) -> Result<SigningKey> {
    let key = ed25519_dalek::SigningKey::from_pkcs8_pem(pem)
        .with_context(|| format!("{}: not an Ed25519 key as PKCS#8 PEM", file.display()))?;
    Ok(SigningKey::from_seed(key.to_bytes()))
}

fn new_key() -> Result<String> {
    let key = ed25519_dalek::SigningKey::from_bytes(&random_bytes());
    Ok(key.to_pkcs8_pem(LineEnding::LF)?.to_string())
}

/// Reads the secret key file. The first line is the key of key digests and cursors, and the first version of
/// the key that encrypts webhook secrets. Each further line is a later version of the latter. A line `-`
/// marks a removed version.
///
/// # Errors
/// Returns an error if the file is not configured in production, if a line is not 32 bytes as hex, or if other users can
/// access a secret file of this machine.
pub fn pepper(config: &StoreConfig) -> Result<Pepper> {
    check_modes(config)?;
    let file = secret_key_file(config);
    let text = match (&config.secret_key_file, config.environment) {
        (Some(_), _) => read(&file).context(SECRET_KEY_SETTING)?,
        (None, Environment::Development) => {
            local_postgres::create_data_dir(&config.data_dir)?;
            read_or_create(&file, || Ok(hex::encode(random_bytes())))?
        }
        (None, Environment::Production) => bail!("{SECRET_KEY_SETTING} is not set"),
    };
    keys_of(&text)
}

/// Checks the secret files that a start may not read, such as the root key of development.
fn check_modes(config: &StoreConfig) -> Result<()> {
    for file in [root_key(config), root_key_of_development(config), config.data_dir.join(FIRST_RUN)]
    {
        // A file that this user cannot read is none of its secrets.
        if let Ok(handle) = File::open(&file) {
            private_file::check(&file, &handle)?;
        }
    }
    Ok(())
}

/// Returns the default file of the root key. It is in a directory next to the data directory, so that a copy of
/// the data directory does not contain the root key.
pub fn root_key(store: &StoreConfig) -> PathBuf {
    let data = std::path::absolute(&store.data_dir).unwrap_or_else(|_| store.data_dir.clone());
    let name = data.file_name().unwrap_or_default().to_string_lossy().into_owned();
    data.with_file_name(format!("{name}-roots")).join("root-key.pem")
}

/// Returns the file of the root key that development creates.
pub fn root_key_of_development(store: &StoreConfig) -> PathBuf {
    store.data_dir.join("root-key.pem")
}

/// The name of the file with the credentials of the first start in the data directory.
pub(crate) const FIRST_RUN: &str = "first-run.json";

const SECRET_KEY_SETTING: &str = "GOVERN_SECRET_KEY_FILE";

/// Returns the place of the secret key.
pub fn secret_key_file(config: &StoreConfig) -> PathBuf {
    let default_file = || config.data_dir.join("secret-key.hex");
    config.secret_key_file.clone().unwrap_or_else(default_file)
}

/// Returns the key that signs the backups of this service; `None` if this machine has no secret key.
///
/// # Errors
/// As [`pepper`].
pub fn backup_key(config: &StoreConfig) -> Result<Option<SigningKey>> {
    let Some(file) = private_file::read(&secret_key_file(config))? else { return Ok(None) };
    Ok(Some(SigningKey::from_seed(keys_of(&file.text)?.backup_seed())))
}

fn keys_of(text: &str) -> Result<Pepper> {
    // The cause would show a character of the key.
    parsed_keys(text).map_err(|_| anyhow!("{SECRET_KEY_SETTING}: not 32 bytes as hex"))
}

fn parsed_keys(text: &str) -> Result<Pepper> {
    let mut lines = text.trim().lines().map(str::trim);
    let first = key_bytes(lines.next().unwrap_or_default())?;
    let later = lines.map(|line| if line == "-" { Ok(None) } else { key_bytes(line).map(Some) });
    Ok(Pepper::with_keys(first, later.collect::<Result<Vec<_>>>()?))
}

fn key_bytes(line: &str) -> Result<[u8; 32]> {
    let mut bytes = [0; 32];
    hex::decode_to_slice(line, &mut bytes)?;
    Ok(bytes)
}

pub(crate) fn random_bytes() -> [u8; 32] {
    let mut bytes = [0; 32];
    rand::rng().fill_bytes(&mut bytes);
    bytes
}

fn read(file: &Path) -> Result<String> {
    let text = private_file::read(file)?.map(|file| file.text);
    text.with_context(|| format!("{} does not exist", file.display()))
}

/// Reads a file. A missing file is created with its complete content. If several processes create it at the same time,
/// all read the same content.
fn read_or_create(file: &Path, create: impl FnOnce() -> Result<String>) -> Result<String> {
    if !file.try_exists().with_context(|| format!("{}: cannot be read", file.display()))? {
        private_file::create(file, &create()?)?;
    }
    read(file)
}
