//! The trust registry at the start of a service, and its root keys.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use governance::{
    Governance,
    proof::trust_registry::{self, SigningKeyStatus},
};

use crate::{
    config::{Environment, StoreConfig},
    key_file,
};

/// Reads the root keys in `files`. If it is empty, reads those of the default files that exist.
///
/// # Errors
/// Returns an error if a file is not a key or no file exists.
pub fn root_keys(store: &StoreConfig, files: &[PathBuf]) -> Result<Vec<receipt::key::SigningKey>> {
    if !files.is_empty() {
        return files.iter().map(|file| key_file::existing_key_in(file)).collect();
    }
    let default_files = [key_file::root_key(store), key_file::root_key_of_development(store)];
    let existing: Vec<&Path> =
        default_files.iter().map(PathBuf::as_path).filter(|file| file.exists()).collect();
    if existing.is_empty() {
        bail!("no root key found at {}; set its file with --root-key", default_files[0].display());
    }
    existing.into_iter().map(key_file::existing_key_in).collect()
}

/// Checks at the start that the registry lists the signing key.
///
/// In development, a missing registry is created with a root key in the data directory. In production, a key
/// that the registry does not list as active stops the start, and a missing registry is logged.
///
/// # Errors
/// Returns an error if the database is unavailable, the data directory cannot be written, or the key must not
/// sign.
pub async fn prepare(governance: &Governance, store: &StoreConfig) -> Result<()> {
    let is_development = store.environment == Environment::Development;
    if is_development
        && trust_registry::key_status(governance).await? == SigningKeyStatus::NoRegistry
    {
        let root = key_file::key_in(&key_file::root_key_of_development(store))?;
        trust_registry::init_or_load(governance, root).await?;
    }
    match trust_registry::key_status(governance).await? {
        SigningKeyStatus::Good => {}
        status @ SigningKeyStatus::NotActive { .. } if !is_development => bail!("{status}"),
        status => tracing::warn!("{status}"),
    }
    Ok(())
}
