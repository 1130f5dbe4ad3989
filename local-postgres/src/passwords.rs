//! The passwords of the database roles, created once and stored in the data directory.

use std::path::Path;

use migration::roles;

/// The superuser role, which initdb creates. The service uses it only to prepare the database.
pub(super) const SUPERUSER: &str = "postgres";

/// Matches any host, port and database in libpq's password file, because the cluster has only one socket.
const ANY_DATABASE: &str = "*:*:*:";

/// A password for each role.
#[derive(derive_more::Debug)]
#[debug("Passwords(..)")]
pub(super) struct Passwords(String);

impl Passwords {
    /// Reads the passwords from `path`, or returns `None` if the file does not exist.
    pub(super) fn read(path: &Path) -> anyhow::Result<Option<Self>> {
        Ok(private_file::read(path)?.map(|file| Self(file.text)))
    }

    /// Creates new passwords and writes them to `path`, in the format of libpq's password file.
    pub(super) fn create(path: &Path) -> anyhow::Result<Self> {
        let passwords = [SUPERUSER, roles::OWNER, roles::APP, roles::VERIFY]
            .map(|role| {
                format!("{ANY_DATABASE}{role}:{}\n", hex::encode(rand::random::<[u8; 32]>()))
            })
            .concat();
        private_file::write(path, &passwords)?;
        Ok(Self(passwords))
    }

    /// Returns the password of a role, or an empty text if the file has none.
    pub(super) fn password(&self, role: &str) -> &str {
        let mut entries =
            self.0.lines().filter_map(|line| line.strip_prefix(ANY_DATABASE)?.split_once(':'));
        entries.find(|(name, _)| *name == role).map_or("", |(_, password)| password)
    }
}
