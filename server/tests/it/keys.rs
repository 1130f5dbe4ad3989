//! Signing keys of the service: one for each purpose, each independent of the others.

mod files;
mod rotation;
mod tokens;

use std::{fs, path::PathBuf, sync::Arc};

use clap::Parser as _;
use ed25519_dalek::pkcs8::DecodePrivateKey as _;
use governance::proof::signing::{KeyProvider, Purpose};
use server::{
    command::{self, Govern},
    config::{Environment, StoreConfig},
    keys::KeyFiles,
};
use tempfile::TempDir;

use crate::prelude::*;

/// A data directory for one test.
pub(crate) struct DataDir(TempDir);

impl DataDir {
    pub(crate) fn new(name: &str) -> Self {
        Self(TempDir::with_prefix(name).expect("a new directory"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn directory(&self) -> PathBuf {
        self.0.path().to_path_buf()
    }

    fn store(&self, environment: Environment) -> StoreConfig {
        store_config(self.0.path().to_path_buf(), environment)
    }

    /// Returns a provider of the key files in this directory.
    pub(crate) fn files(&self) -> Arc<dyn KeyProvider> {
        Arc::new(KeyFiles::new(self.path("keys"), None))
    }

    /// Runs `govern` with this data directory.
    pub(crate) async fn govern(&self, arguments: &[&str]) -> Result<(), String> {
        let data = self.0.path().display().to_string();
        let command_line =
            ["govern", "--data-dir", &data].into_iter().chain(arguments.iter().copied());
        let govern = Govern::try_parse_from(command_line).map_err(|error| error.to_string())?;
        command::run(govern, app::CONSOLE).await.map(drop).map_err(|error| format!("{error:#}"))
    }

    /// Returns the seed of the private key in a file of this directory.
    fn seed(&self, name: &str) -> [u8; 32] {
        let pem = fs::read_to_string(self.path(name)).expect("the file exists");
        ed25519_dalek::SigningKey::from_pkcs8_pem(&pem).expect("PKCS#8 PEM").to_bytes()
    }
}

/// Returns the purpose and the kid of each current key.
pub(crate) async fn kids(provider: &dyn KeyProvider) -> Vec<(Purpose, String)> {
    let mut kids = Vec::new();
    for purpose in Purpose::ALL {
        let keys = provider.keys(purpose).await.expect("the keys can be read");
        for key in keys.into_iter().filter(|key| key.is_current) {
            kids.push((purpose, key.material.kid().to_owned()));
        }
    }
    kids
}
