//! Secret files: the root keys of the trust registry, and the secret key. Both can be created.

use std::{
    fs::{self, OpenOptions},
    io::{ErrorKind, Write},
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

use anyhow::{Context, Result, bail};
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
/// Returns an error if the file is not configured in production, or a line is not 32 bytes as hex.
pub fn pepper(config: &StoreConfig) -> Result<Pepper> {
    let default_file = config.data_dir.join("secret-key.hex");
    let text = match (&config.secret_key_file, config.environment) {
        (Some(file), _) => read(file)?,
        (None, Environment::Development) => {
            read_or_create(&default_file, || Ok(hex::encode(random_bytes())))?
        }
        (None, Environment::Production) => bail!("GOVERN_SECRET_KEY_FILE is not set"),
    };
    keys_of(&text).context("GOVERN_SECRET_KEY_FILE: not 32 bytes as hex")
}

fn keys_of(text: &str) -> Result<Pepper> {
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
    fs::read_to_string(file).with_context(|| format!("{}: cannot be read", file.display()))
}

/// Reads a file. A missing file is created with its complete content, readable by its owner only. If several
/// processes create it at the same time, one of them succeeds and all read the same content.
fn read_or_create(file: &Path, create: impl FnOnce() -> Result<String>) -> Result<String> {
    if !file.try_exists().with_context(|| format!("{}: cannot be read", file.display()))? {
        let temporary = file.with_extension(format!("new-{}", std::process::id()));
        write_temporary(&temporary, file, &create()?)?;
        let linked = fs::hard_link(&temporary, file);
        fs::remove_file(&temporary)
            .with_context(|| format!("{}: cannot be removed", temporary.display()))?;
        match linked {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => {
                return Err(error)
                    .with_context(|| format!("{}: cannot be written", file.display()));
            }
            _ => {}
        }
    }
    read(file)
}

/// Writes a file with mode 0600. It is written to a temporary file and renamed, so it is never incomplete.
///
/// # Errors
/// Returns an error if the directory cannot be written.
pub fn write_private(file: &Path, text: &str) -> Result<()> {
    let temporary = file.with_extension("new");
    write_temporary(&temporary, file, text)?;
    fs::rename(&temporary, file).with_context(|| format!("{}: cannot be written", file.display()))
}

/// Writes the content of `file` to the temporary file, in a directory that is created if it is missing.
fn write_temporary(temporary: &Path, file: &Path, text: &str) -> Result<()> {
    if let Some(directory) = file.parent() {
        fs::create_dir_all(directory)
            .with_context(|| format!("{}: cannot be created", directory.display()))?;
    }
    let error_context = || format!("{}: cannot be written", file.display());
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600);
    let mut handle = options.open(temporary).with_context(error_context)?;
    handle.write_all(text.as_bytes()).with_context(error_context)?;
    handle.sync_all().with_context(error_context)
}
