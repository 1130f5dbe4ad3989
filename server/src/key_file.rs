//! Secrets in files: the root keys of the trust registry and the secret key, made in development.

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

/// The key in a file, which is made when it is missing.
///
/// # Errors
/// When the file holds another thing, or cannot be written.
pub fn key_in(file: &Path) -> Result<SigningKey> {
    let named = || format!("{}: not an Ed25519 key as PKCS#8 PEM", file.display());
    key_of(&read_or_make(file, new_key)?).with_context(named)
}

/// The key in a file that must be there.
///
/// # Errors
/// When it is not, or holds another thing.
pub fn existing_key_in(file: &Path) -> Result<SigningKey> {
    let named = || format!("{}: not an Ed25519 key as PKCS#8 PEM", file.display());
    key_of(&read(file)?).with_context(named)
}

fn key_of(pem: &str) -> Result<SigningKey> {
    let key = ed25519_dalek::SigningKey::from_pkcs8_pem(pem)?;
    Ok(SigningKey::from_seed(key.to_bytes()))
}

fn new_key() -> Result<String> {
    let key = ed25519_dalek::SigningKey::from_bytes(&random_bytes());
    Ok(key.to_pkcs8_pem(LineEnding::LF)?.to_string())
}

/// The secret behind key digests and cursors, and the keys that webhook secrets are sealed with: on the first
/// line the one and the first of the others, on each further line a later version of the others. A line `-`
/// stands for a version that was taken away.
///
/// # Errors
/// When production has none, or a line holds no 32 bytes of hex.
pub fn pepper(config: &StoreConfig) -> Result<Pepper> {
    let made = config.data_dir.join("secret-key.hex");
    let text = match (&config.secret_key_file, config.environment) {
        (Some(file), _) => read(file)?,
        (None, Environment::Development) => {
            read_or_make(&made, || Ok(hex::encode(random_bytes())))?
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

/// 32 random bytes.
pub(crate) fn random_bytes() -> [u8; 32] {
    let mut bytes = [0; 32];
    rand::rng().fill_bytes(&mut bytes);
    bytes
}

fn read(file: &Path) -> Result<String> {
    fs::read_to_string(file).with_context(|| format!("{}: cannot be read", file.display()))
}

/// The file's text; a missing file is made, whole and readable by its owner alone. Of processes that
/// make it at the same time one does, and all read the same.
fn read_or_make(file: &Path, make: impl FnOnce() -> Result<String>) -> Result<String> {
    if !file.try_exists().with_context(|| format!("{}: cannot be read", file.display()))? {
        let aside = file.with_extension(format!("new-{}", std::process::id()));
        write_aside(&aside, file, &make()?)?;
        let linked = fs::hard_link(&aside, file);
        fs::remove_file(&aside)
            .with_context(|| format!("{}: cannot be removed", aside.display()))?;
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

/// Writes a file of mode 0600 beside its place and moves it there, so that it is never half written.
///
/// # Errors
/// When the folder cannot be written.
pub fn write_private(file: &Path, text: &str) -> Result<()> {
    let aside = file.with_extension("new");
    write_aside(&aside, file, text)?;
    fs::rename(&aside, file).with_context(|| format!("{}: cannot be written", file.display()))
}

/// Writes what is to become `file` to `aside`, in a folder that is made when it is missing.
fn write_aside(aside: &Path, file: &Path, text: &str) -> Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)
            .with_context(|| format!("{}: cannot be made", folder.display()))?;
    }
    let place = || format!("{}: cannot be written", file.display());
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600);
    let mut handle = options.open(aside).with_context(place)?;
    handle.write_all(text.as_bytes()).with_context(place)?;
    handle.sync_all().with_context(place)
}
