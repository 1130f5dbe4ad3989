//! Configuration of the key provider: key files, or a PKCS#11 token.

use std::path::PathBuf;

use anyhow::{Result, anyhow, bail};
use clap::Args;

use super::StoreConfig;

/// Settings of the key provider.
#[derive(Clone, Debug, Default, Args)]
pub struct KeysConfig {
    /// The directory of the signing keys: one PKCS#8 PEM file for each purpose, readable by its owner only.
    /// [default: `keys` in the data directory]
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
    pub(crate) fn token(&self) -> Result<Option<TokenConfig>> {
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

#[derive(Clone, Debug)]
pub struct TokenConfig {
    /// The PKCS#11 module of the vendor.
    pub module: PathBuf,
    pub label: String,
    /// The file of the user PIN.
    pub pin_file: PathBuf,
}
