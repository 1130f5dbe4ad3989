//! The secret files of a backup: signing keys, replaced keys and the secret key.

use std::{
    collections::BTreeMap,
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail, ensure};

use crate::{config::StoreConfig, key_file};

/// The secret files by their names in the backup.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct SecretFiles(BTreeMap<String, String>);

impl std::fmt::Debug for SecretFiles {
    /// Leaves out the contents.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

/// The directory of the signing keys in a backup.
const KEYS: &str = "keys";

/// The root key of development. Backups of earlier versions have it.
const ROOT_KEY: &str = "root-key.pem";

/// The places of secret files on a machine.
struct Places {
    keys: PathBuf,
    /// Files outside that directory, by their names in the backup.
    others: [(&'static str, Option<PathBuf>); 3],
}

impl Places {
    fn new(store: &StoreConfig) -> Self {
        Self {
            keys: store.keys.directory(store),
            others: [
                ("receipt-key.pem", store.signing_key_file.clone()),
                ("secret-key.hex", Some(key_file::secret_key_file(store))),
                (ROOT_KEY, Some(key_file::root_key_of_development(store))),
            ],
        }
    }

    /// Returns the place of the file `name`, or `None` if this machine has none for it.
    fn path(&self, name: &str) -> Option<PathBuf> {
        if let Some((_, path)) = self.others.iter().find(|(other, _)| *other == name) {
            return path.clone();
        }
        let file = name.strip_prefix(KEYS)?.strip_prefix('/')?;
        // Names come from the archive and must not leave the directory.
        let is_plain = |part: &str| !part.is_empty() && part != ".." && part != ".";
        file.split('/').all(is_plain).then(|| self.keys.join(file))
    }
}

impl SecretFiles {
    /// Reads the secret files of this machine. Keys in a token are not files. The root key is left out: it replaces all
    /// other keys, so a reader of the backup must not have it.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read.
    pub fn collect(store: &StoreConfig) -> Result<Self> {
        let places = Places::new(store);
        let mut files = BTreeMap::new();
        for directory in ["", "retired/"] {
            for name in names(&places.keys.join(directory))? {
                let path = places.keys.join(directory).join(&name);
                if path.extension().is_some_and(|extension| extension == "pem") {
                    files.insert(format!("{KEYS}/{directory}{name}"), read(&path)?);
                }
            }
        }
        for (name, path) in places.others.iter().filter(|(name, _)| *name != ROOT_KEY) {
            if let Some(path) = path.as_deref().filter(|path| path.exists()) {
                files.insert((*name).to_owned(), read(path)?);
            }
        }
        Ok(Self(files))
    }

    /// Returns the names of the files.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Returns the files as a tar file.
    ///
    /// # Errors
    /// None are known; the writer returns a `Result`.
    pub fn to_tar(&self) -> Result<Vec<u8>> {
        let mut tar = tar::Builder::new(Vec::new());
        for (name, text) in &self.0 {
            let mut header = tar::Header::new_gnu();
            header.set_mode(0o600);
            header.set_size(u64::try_from(text.len())?);
            tar.append_data(&mut header, name, text.as_bytes())?;
        }
        Ok(tar.into_inner()?)
    }

    /// Reads the files from a tar file.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a tar file of texts.
    pub fn from_tar(bytes: &[u8]) -> Result<Self> {
        let mut files = BTreeMap::new();
        for entry in tar::Archive::new(bytes).entries()? {
            let mut entry = entry?;
            let name = entry.path()?.to_string_lossy().into_owned();
            let mut text = String::new();
            entry.read_to_string(&mut text)?;
            ensure!(!files.contains_key(&name), "the backup has the file `{name}` twice");
            files.insert(name, text);
        }
        Ok(Self(files))
    }

    /// Checks that [`write`](Self::write) would replace no file of this machine.
    ///
    /// # Errors
    /// Returns one line that names a file with other content, or one without a place.
    pub fn check(&self, store: &StoreConfig) -> Result<()> {
        let places = Places::new(store);
        for (name, text) in &self.0 {
            let Some(path) = places.path(name) else {
                bail!("the backup has the file `{name}`, for which no setting names a place")
            };
            if path.exists() && read(&path)? != *text {
                bail!("{}: exists with other content; move it away first", path.display());
            }
        }
        Ok(())
    }

    /// Writes the files to their places, readable by their owner only. Call [`check`](Self::check) first.
    ///
    /// # Errors
    /// Returns an error if a file cannot be written.
    pub fn write(&self, store: &StoreConfig) -> Result<()> {
        let places = Places::new(store);
        for (name, text) in &self.0 {
            let Some(path) = places.path(name) else { continue };
            private_file::write(&path, text)?;
        }
        Ok(())
    }
}

/// Returns the names in a directory in order; none if it does not exist.
fn names(directory: &Path) -> Result<Vec<String>> {
    let error_context = || format!("{}: cannot be read", directory.display());
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.with_context(error_context)?,
    };
    let names = entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()));
    let mut names = names.collect::<io::Result<Vec<String>>>().with_context(error_context)?;
    names.sort_unstable();
    Ok(names)
}

fn read(path: &Path) -> Result<String> {
    let text = private_file::read(path)?.map(|file| file.text);
    text.with_context(|| format!("{} does not exist", path.display()))
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use clap::Parser;
    use tempfile::TempDir;

    use super::*;

    #[derive(Debug, Parser)]
    struct Settings {
        #[command(flatten)]
        store: StoreConfig,
    }

    fn store(directory: &TempDir, name: &str) -> StoreConfig {
        let directory = directory.path().join(name).into_os_string();
        Settings::parse_from(["govern".into(), "--data-dir".into(), directory]).store
    }

    #[test]
    fn secret_files_return_to_their_places() {
        let directory = TempDir::new().unwrap();
        let (from, to) = (store(&directory, "from"), store(&directory, "to"));
        for (name, text) in [
            ("keys/receipt.pem", "a"),
            ("keys/retired/receipt-x.pem", "b"),
            ("keys/lock", ""),
            ("secret-key.hex", "c"),
            ("first-run.json", "d"),
            ("root-key.pem", "e"),
        ] {
            private_file::write(&from.data_dir.join(name), text).unwrap();
        }
        let files = SecretFiles::collect(&from).unwrap();
        let names: Vec<_> = files.names().collect();
        assert_eq!(names, ["keys/receipt.pem", "keys/retired/receipt-x.pem", "secret-key.hex"]);
        let files = SecretFiles::from_tar(&files.to_tar().unwrap()).unwrap();
        files.check(&to).unwrap();
        files.write(&to).unwrap();
        assert_eq!(SecretFiles::collect(&to).unwrap(), files);
        let mode =
            |name: &str| fs::metadata(to.data_dir.join(name)).unwrap().permissions().mode() & 0o777;
        assert_eq!(
            (mode("keys"), mode("keys/retired"), mode("keys/receipt.pem")),
            (0o700, 0o700, 0o600)
        );
        // The same content is accepted again, other content is not replaced.
        files.check(&to).unwrap();
        private_file::write(&to.data_dir.join("secret-key.hex"), "other").unwrap();
        let error = files.check(&to).unwrap_err().to_string();
        assert!(error.ends_with("exists with other content; move it away first"), "{error}");
    }

    #[test]
    fn names_that_leave_the_directory_are_refused() {
        let store = store(&TempDir::new().unwrap(), "names");
        for name in ["keys/../../etc/passwd", "keys//x.pem", "/keys/x.pem", "pgpass", "keys"] {
            let files = SecretFiles([(name.to_owned(), String::new())].into());
            assert!(files.check(&store).is_err(), "{name}");
        }
        assert!(!store.data_dir.exists());
    }
}
