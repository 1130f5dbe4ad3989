//! The online keys of the process, from the key provider of its settings (receipts, section 4).

mod files;
mod pkcs11;

use std::{path::PathBuf, sync::Arc};

use anyhow::{Result, anyhow, bail};
use clap::Args;
use governance::signing::{self, KeyProvider, KeySet, KeysUnusable, Purpose};

pub use self::{
    files::KeyFiles,
    pkcs11::{TokenConfig, TokenKeys},
};
use crate::config::{Environment, StoreConfig};

/// Where the online keys are stored.
#[derive(Clone, Debug, Default, Args)]
pub struct KeysConfig {
    /// The directory of the keys that sign: one PKCS#8 PEM for each purpose, readable by its owner alone.
    /// [default: `keys` in the data folder]
    #[arg(long, env = "GOVERN_KEYS_DIR", global = true)]
    pub keys_dir: Option<PathBuf>,
    /// The PKCS#11 module of a token that has the keys, but for that for Rekor, in place of files.
    #[arg(long, env = "GOVERN_PKCS11_MODULE", global = true)]
    pub pkcs11_module: Option<PathBuf>,
    /// The label of that token.
    #[arg(long, env = "GOVERN_PKCS11_TOKEN", global = true)]
    pub pkcs11_token: Option<String>,
    /// The file of the PIN of that token's user, readable by its owner alone.
    #[arg(long, env = "GOVERN_PKCS11_PIN_FILE", global = true)]
    pub pkcs11_pin_file: Option<PathBuf>,
}

impl KeysConfig {
    /// The directory of the key files.
    pub fn directory(&self, store: &StoreConfig) -> PathBuf {
        self.keys_dir.clone().unwrap_or_else(|| store.data_dir.join("keys"))
    }

    /// The token that has the keys, if the settings name one.
    ///
    /// # Errors
    /// When a setting of the token is missing.
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

/// The key provider that the settings name.
///
/// # Errors
/// When settings contradict each other or are missing, when a token's module cannot be loaded, or when the
/// keys are those of a version that derived them from one key.
pub fn provider(store: &StoreConfig) -> Result<Arc<dyn KeyProvider>> {
    let files = KeyFiles::new(store.keys.directory(store), store.signing_key_file.clone());
    if let Some(token) = store.keys.token()? {
        if store.signing_key_file.is_some() {
            bail!("GOVERN_SIGNING_KEY_FILE: the token of GOVERN_PKCS11_MODULE has the receipt key");
        }
        return Ok(Arc::new(TokenKeys::new(&token, files)?));
    }
    let derived = store.data_dir.join("signing-key.pem");
    if store.signing_key_file.is_none() && derived.exists() && !files.has(Purpose::Receipt) {
        bail!(
            "{}: an earlier version derived all keys from this one; see \"Upgrading\" in docs/TRUST.md",
            derived.display()
        );
    }
    Ok(Arc::new(files))
}

/// Reads the keys of the process. In development the missing ones are made.
///
/// # Errors
/// One line that names the purpose: in production when a key is missing and unsigned records are not
/// allowed; when a key cannot be used, or others than its owner may read it.
pub async fn load(store: &StoreConfig) -> Result<Option<KeySet>> {
    let provider = provider(store)?;
    if store.environment == Environment::Development {
        create_missing(provider.as_ref(), &Purpose::ALL).await?;
    }
    let keys = KeySet::load(provider).await.map_err(|why| anyhow!("{why}"))?;
    if keys.is_none() && !store.allow_unsigned {
        bail!(
            "{}; or set GOVERN_ALLOW_UNSIGNED=1 to record without signatures",
            KeysUnusable::Missing(Purpose::Receipt)
        );
    }
    Ok(keys)
}

/// Makes the keys of `purposes` that are missing, and returns the purposes of those that it made.
///
/// # Errors
/// One line that names the purpose.
pub async fn create_missing(
    provider: &dyn KeyProvider,
    purposes: &[Purpose],
) -> Result<Vec<Purpose>> {
    let mut made = Vec::new();
    for purpose in purposes.iter().copied() {
        let unusable = |cause| anyhow!("{}", KeysUnusable::Provider(purpose, cause));
        if signing::current(provider, purpose).await.map_err(unusable)?.is_none() {
            let unmade = |cause| anyhow!("the {purpose} key cannot be made: {cause}");
            provider.create(purpose).await.map_err(unmade)?;
            made.push(purpose);
        }
    }
    Ok(made)
}
