//! The online keys of the process, loaded from the configured key provider (receipts, section 4).

mod files;
mod pkcs11;

use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use governance::proof::signing::{self, KeyProvider, KeySet, LoadKeysError, Purpose};

pub use self::{files::KeyFiles, pkcs11::TokenKeys};
use crate::config::{Environment, StoreConfig};

/// Returns the configured key provider.
///
/// # Errors
/// Returns an error if settings are missing or contradict each other, if the module of a token cannot be
/// loaded, or if the data directory has the key of an earlier version, which derived all keys from it.
pub fn provider(store: &StoreConfig) -> Result<Arc<dyn KeyProvider>> {
    let files = KeyFiles::new(store.keys.directory(store), store.signing_key_file.clone());
    if let Some(token) = store.keys.token()? {
        if store.signing_key_file.is_some() {
            bail!(
                "GOVERN_SIGNING_KEY_FILE: the receipt key is in the token of GOVERN_PKCS11_MODULE"
            );
        }
        return Ok(Arc::new(TokenKeys::new(&token, files)?));
    }
    let derived = store.data_dir.join("signing-key.pem");
    if store.signing_key_file.is_none() && derived.exists() && !files.has(Purpose::Receipt) {
        bail!(
            "{}: an earlier version derived all keys from this key; see \"Upgrading\" in docs/TRUST.md",
            derived.display()
        );
    }
    Ok(Arc::new(files))
}

/// Loads the keys of the process. In development, missing keys are created.
///
/// # Errors
/// Returns one line that names the purpose if a key cannot be used or is readable by other users. In
/// production also if a key is missing and unsigned records are not allowed.
pub async fn load(store: &StoreConfig) -> Result<Option<KeySet>> {
    let provider = provider(store)?;
    if store.environment == Environment::Development {
        create_missing(provider.as_ref(), &Purpose::ALL).await?;
    }
    let keys = KeySet::load(provider).await.map_err(|error| anyhow!("{error}"))?;
    if keys.is_none() && !store.allow_unsigned {
        bail!(
            "{}; or set GOVERN_ALLOW_UNSIGNED=1 to record without signatures",
            LoadKeysError::Missing(Purpose::Receipt)
        );
    }
    Ok(keys)
}

/// Creates the missing keys of `purposes`, and returns the purposes of the created keys.
///
/// # Errors
/// Returns one line that names the purpose.
pub async fn create_missing(
    provider: &dyn KeyProvider,
    purposes: &[Purpose],
) -> Result<Vec<Purpose>> {
    let mut created = Vec::new();
    for purpose in purposes.iter().copied() {
        let provider_error = |cause| anyhow!("{}", LoadKeysError::Provider(purpose, cause));
        if signing::current(provider, purpose).await.map_err(provider_error)?.is_none() {
            let create_error = |cause| anyhow!("the {purpose} key cannot be created: {cause}");
            provider.create(purpose).await.map_err(create_error)?;
            created.push(purpose);
        }
    }
    Ok(created)
}
