//! The trust registry at the start of a service, and where its root keys lie.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use governance::{
    Governance,
    trust::{self, Standing},
};

use crate::{
    config::{Environment, StoreConfig},
    key_file,
};

/// Where root keys lie when nobody says: in a folder beside the data folder, so that a copy of the one
/// is no copy of the other.
pub fn root_key(store: &StoreConfig) -> PathBuf {
    let data = std::path::absolute(&store.data_dir).unwrap_or_else(|_| store.data_dir.clone());
    let name = data.file_name().unwrap_or_default().to_string_lossy().into_owned();
    data.with_file_name(format!("{name}-roots")).join("root-key.pem")
}

/// Where the root key lies that development makes for itself.
pub fn root_key_of_development(store: &StoreConfig) -> PathBuf {
    store.data_dir.join("root-key.pem")
}

/// The root keys in these files; where none are named, those that lie where they are made.
///
/// # Errors
/// When a file is no key, or none is found.
pub fn root_keys(store: &StoreConfig, named: &[PathBuf]) -> Result<Vec<receipt::key::SigningKey>> {
    if !named.is_empty() {
        return named.iter().map(|file| key_file::existing_key_in(file)).collect();
    }
    let usual = [root_key(store), root_key_of_development(store)];
    let there: Vec<&Path> =
        usual.iter().map(PathBuf::as_path).filter(|file| file.exists()).collect();
    if there.is_empty() {
        bail!("no root key is at {}; name its file with --root-key", usual[0].display());
    }
    there.into_iter().map(key_file::existing_key_in).collect()
}

/// Makes sure before the service begins that what it signs will be believed. In development a registry
/// that is missing begins here, with a root key in the data folder. In production a key that the
/// registry does not list ends the start; that there is no registry yet is said in the log.
///
/// # Errors
/// When the store is away, the data folder cannot be written, or the key must not sign.
pub async fn prepare(governance: &Governance, store: &StoreConfig) -> Result<()> {
    let is_development = store.environment == Environment::Development;
    if is_development && trust::standing(governance).await? == Standing::NotBegun {
        let root = key_file::key_in(&root_key_of_development(store))?;
        trust::begin(governance, root).await?;
    }
    match trust::standing(governance).await? {
        Standing::Good => {}
        refused @ Standing::NotActive { .. } if !is_development => bail!("{refused}"),
        doubtful => tracing::warn!("{doubtful}"),
    }
    Ok(())
}
