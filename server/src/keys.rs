//! The online keys of the process, loaded from the configured key provider (receipts, section 4).

mod files;
mod pkcs11;

use std::{path::PathBuf, sync::Arc};

use anyhow::{Result, anyhow, bail};
use clap::Args;
use governance::proof::signing::{self, KeyProvider, KeySet, LoadKeysError, Purpose};

pub use self::{
    files::KeyFiles,
    pkcs11::{TokenConfig, TokenKeys},
};
use crate::config::{Environment, StoreConfig};

/// Settings of the key provider.
#[derive(Clone, Debug, Default, Args)]
pub struct KeysConfig {
    /// The directory of the signing keys: one PKCS#8 PEM file for each purpose, readable by its owner only.
    /// [default: `keys` in the data folder]
    #[arg(long, env = "GOVERN_KEYS_DIR", global = true)]
    pub keys_dir: Option<PathBuf>,
    /// The PKCS#11 module of a token that stores all keys except the Rekor key, instead of files.
    #[arg(long, env = "GOVERN_PKCS11_MODULE", global = true)]
    pub pkcs11_module: Option<PathBuf>,
    /// The label of that token.
    #[arg(long, env = "GOVERN_PKCS11_TOKEN", global = true)]
    pub pkcs11_token: Option<String>,
    /// The file of the user PIN of that token, readable by its owner only.
    #[arg(long, env = "GOVERN_PKCS11_PIN_FILE", global = true)]
    pub pkcs11_pin_file: Option<PathBuf>,
}

impl KeysConfig {
    /// Returns the directory of the key files.
    pub fn directory(&self, store: &StoreConfig) -> PathBuf {
        self.keys_dir.clone().unwrap_or_else(|| store.data_dir.join("keys"))
    }

    /// Returns the configured token, if any.
    ///
    /// # Errors
    /// Returns an error if a setting of the token is missing.
    fn token(&self) -> Result<Option<TokenConfig>> {
        let Some(module) = self.pkcs11_module.clone() else {
            for (name, is_set) in [
                ("GOVERN_PKCS11_TOKEN", self.pkcs11_token.is_some()),
                ("GOVERN_PKCS11_PIN_FILE", self.pkcs11_pin_file.is_some()),
            ] {
                if is_set {
                    bail!("{name}: GOVERN_PKCS11_MODULE must be set too");
                }
            }
            return Ok(None);
        };
        let missing = |name| anyhow!("{name}: must be set with GOVERN_PKCS11_MODULE");
        let label = self.pkcs11_token.clone().ok_or_else(|| missing("GOVERN_PKCS11_TOKEN"))?;
        let pin_file = self.pkcs11_pin_file.clone();
        let pin_file = pin_file.ok_or_else(|| missing("GOVERN_PKCS11_PIN_FILE"))?;
        Ok(Some(TokenConfig { module, label, pin_file }))
    }
}

/// Returns the configured key provider.
///
/// # Errors
/// Returns an error if settings are missing or contradict each other, if the module of a token cannot be
/// loaded, or if the data folder has the key of an earlier version, which derived all keys from it.
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
