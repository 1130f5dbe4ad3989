//! Keys in files: one PKCS#8 PEM for each purpose in one directory, and replaced keys in its subdirectory
//! `retired`.

use std::{
    fs::{self, File, OpenOptions},
    io::ErrorKind,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use anyhow::{Context, Result, anyhow, bail};
use async_trait::async_trait;
use contract::time::Timestamp;
use ed25519_dalek::pkcs8::{
    DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey,
    spki::der::pem::LineEnding,
};
use governance::{
    base::error::Cause,
    proof::{
        rekor::RekorKey,
        signing::{KeyMaterial, KeyProvider, Purpose, ServiceKey, StoredKey},
    },
};
use receipt::key::{PublicKey, SigningKey};
use rustix::fs::FlockOperation;

use crate::key_file::random_bytes;

/// Key files. A replaced key is moved to `retired/` together with its public key.
#[derive(Clone, Debug)]
pub struct KeyFiles {
    directory: PathBuf,
    /// The file of the receipt key, if it is not in the directory.
    receipt: Option<PathBuf>,
}

impl KeyFiles {
    /// Uses the key files in `directory`. The receipt key is in `receipt` if that is `Some`.
    pub fn new(directory: PathBuf, receipt: Option<PathBuf>) -> Self {
        Self { directory, receipt }
    }

    /// Returns the file of the current key of `purpose`.
    pub fn path(&self, purpose: Purpose) -> PathBuf {
        match &self.receipt {
            Some(file) if purpose == Purpose::Receipt => file.clone(),
            _ => self.directory.join(format!("{purpose}.pem")),
        }
    }

    pub fn has(&self, purpose: Purpose) -> bool {
        self.path(purpose).exists()
    }

    fn retired_directory(&self) -> PathBuf {
        self.directory.join("retired")
    }

    fn read(&self, purpose: Purpose) -> Result<Vec<StoredKey>> {
        self.check_directories()?;
        let path = self.path(purpose);
        let mut keys = Vec::new();
        match read_private(&path)? {
            Some(stored) => keys.push(stored.key(purpose, &path, true)?),
            // A configured file that does not exist is an error, not a missing key.
            None if self.receipt.as_ref() == Some(&path) => {
                bail!("GOVERN_SIGNING_KEY_FILE: {} does not exist", path.display())
            }
            None => {}
        }
        keys.extend(self.read_retired(purpose)?);
        Ok(keys)
    }

    /// Reads the replaced keys, or only their public keys if the private ones were deleted.
    fn read_retired(&self, purpose: Purpose) -> Result<Vec<StoredKey>> {
        let directory = self.retired_directory();
        let entries = match fs::read_dir(&directory) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error).with_context(|| cannot("read", &directory)),
        };
        let mut names = entries
            .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
            .collect::<Result<Vec<String>>>()
            .with_context(|| cannot("read", &directory))?;
        names.sort_unstable();
        let mut keys: Vec<StoredKey> = Vec::new();
        let prefix = format!("{purpose}-");
        for name in names.iter().filter(|name| name.starts_with(&prefix)) {
            let path = directory.join(name);
            let is_public = name.ends_with(PUBLIC_SUFFIX);
            if !is_public && path.extension().is_some_and(|extension| extension != "pem") {
                continue;
            }
            let Some(stored) = read_private(&path)? else { continue };
            if is_public {
                let private_name = format!("{}.pem", name.trim_end_matches(PUBLIC_SUFFIX));
                if !names.contains(&private_name) {
                    keys.push(stored.public(purpose, &path)?);
                }
            } else {
                keys.push(stored.key(purpose, &path, false)?);
            }
        }
        Ok(keys)
    }

    /// Checks that only their owner may enter the directories.
    fn check_directories(&self) -> Result<()> {
        private_file::check_directory(&self.directory)?;
        private_file::check_directory(&self.retired_directory())
    }

    /// Creates the key of `purpose`. An existing key is replaced only if `replaces` is true.
    fn write(&self, purpose: Purpose, replaces: bool) -> Result<()> {
        let parent = self.directory.parent();
        if let Some(parent) = parent.filter(|parent| !parent.as_os_str().is_empty()) {
            local_postgres::create_data_dir(parent)?;
        }
        private_file::create_directory(&self.directory)?;
        self.check_directories()?;
        let _lock = self.lock()?;
        let path = self.path(purpose);
        let previous = read_private(&path)?;
        if previous.is_some() && !replaces {
            return Ok(());
        }
        if let Some(previous) = previous {
            private_file::create_directory(&self.retired_directory())?;
            let key = previous.key(purpose, &path, true)?;
            let name = format!("{purpose}-{}", key.material.kid());
            if let KeyMaterial::Ed25519(key) = &key.material {
                let public = self.retired_directory().join(format!("{name}{PUBLIC_SUFFIX}"));
                private_file::write(&public, &public_pem(key.public())?)?;
            }
            private_file::write(
                &self.retired_directory().join(format!("{name}.pem")),
                &previous.text,
            )?;
        }
        private_file::write(&path, &new_pem(purpose)?)
    }

    /// Locks the directory, so that only one process changes it at a time.
    fn lock(&self) -> Result<File> {
        let path = self.directory.join("lock");
        let open =
            OpenOptions::new().create(true).truncate(false).write(true).mode(0o600).open(&path);
        let file = open.with_context(|| cannot("write", &path))?;
        rustix::fs::flock(&file, FlockOperation::LockExclusive)
            .with_context(|| cannot("lock", &path))?;
        Ok(file)
    }
}

const PUBLIC_SUFFIX: &str = ".pub.pem";

#[async_trait]
impl KeyProvider for KeyFiles {
    async fn keys(&self, purpose: Purpose) -> Result<Vec<StoredKey>, Cause> {
        let files = self.clone();
        blocking(move || files.read(purpose)).await
    }

    async fn create(&self, purpose: Purpose) -> Result<(), Cause> {
        let files = self.clone();
        blocking(move || files.write(purpose, false)).await
    }

    async fn renew(&self, purpose: Purpose) -> Result<(), Cause> {
        let files = self.clone();
        blocking(move || files.write(purpose, true)).await
    }
}

/// Runs blocking work on a separate thread.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T, Cause> {
    let result = tokio::task::spawn_blocking(work).await?;
    // The error becomes one line with all its causes.
    result.map_err(|error| format!("{error:#}").into())
}

/// The text of a key file and the time at which it was written.
struct KeyFileText {
    text: String,
    created_at: Option<Timestamp>,
}

impl KeyFileText {
    fn key(&self, purpose: Purpose, path: &Path, is_current: bool) -> Result<StoredKey> {
        let material = if purpose == Purpose::Rekor {
            let key = RekorKey::from_pem(&self.text);
            KeyMaterial::P256(Box::new(
                key.map_err(|error| anyhow!("{}: {error}", path.display()))?,
            ))
        } else {
            let key = ed25519_dalek::SigningKey::from_pkcs8_pem(&self.text)
                .map_err(|_| anyhow!("{}: not an Ed25519 key as PKCS#8 PEM", path.display()))?;
            KeyMaterial::Ed25519(ServiceKey::from(SigningKey::from_seed(key.to_bytes())))
        };
        Ok(self.stored_key(purpose, path, is_current, material))
    }

    fn public(&self, purpose: Purpose, path: &Path) -> Result<StoredKey> {
        let invalid_key = || anyhow!("{}: not a public Ed25519 key as PEM", path.display());
        let key = ed25519_dalek::VerifyingKey::from_public_key_pem(&self.text);
        let key = PublicKey::from_bytes(key.map_err(|_| invalid_key())?.as_bytes());
        Ok(self.stored_key(
            purpose,
            path,
            false,
            KeyMaterial::Public(key.map_err(|_| invalid_key())?),
        ))
    }

    fn stored_key(
        &self,
        purpose: Purpose,
        path: &Path,
        is_current: bool,
        material: KeyMaterial,
    ) -> StoredKey {
        StoredKey {
            purpose,
            is_current,
            material,
            provider: "file",
            location: path.display().to_string(),
            created_at: self.created_at,
        }
    }
}

/// Reads a key file. Returns `None` if it does not exist.
fn read_private(path: &Path) -> Result<Option<KeyFileText>> {
    let Some(file) = private_file::read(path)? else { return Ok(None) };
    let since = file.modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let millis = since.and_then(|since| i64::try_from(since.as_millis()).ok());
    Ok(Some(KeyFileText { text: file.text, created_at: millis.and_then(Timestamp::from_millis) }))
}

fn new_pem(purpose: Purpose) -> Result<String> {
    if purpose != Purpose::Rekor {
        let key = ed25519_dalek::SigningKey::from_bytes(&random_bytes());
        return Ok(key.to_pkcs8_pem(LineEnding::LF)?.to_string());
    }
    loop {
        if let Ok(key) = RekorKey::from_bytes(&random_bytes()) {
            return Ok(key.to_pem()?.to_string());
        }
    }
}

fn public_pem(key: &PublicKey) -> Result<String> {
    let key = ed25519_dalek::VerifyingKey::from_bytes(key.as_bytes())?;
    Ok(key.to_public_key_pem(LineEnding::LF)?)
}

fn cannot(action: &str, path: &Path) -> String {
    format!("cannot {action} {}", path.display())
}
