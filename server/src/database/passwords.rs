//! The passwords of the cluster's roles: made once, kept in the data directory for its owner only.

use std::{fmt, path::Path};

use migration::roles;

use super::file;

/// The user who makes the cluster; the service uses it only to prepare it.
pub(super) const SUPERUSER: &str = "postgres";

/// Any host, port and database: there is only this cluster's socket.
const ANY_DATABASE: &str = "*:*:*:";

/// A password for each role.
pub(super) struct Passwords(String);

impl fmt::Debug for Passwords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Passwords").finish_non_exhaustive()
    }
}

impl Passwords {
    /// Reads `path`; none when it does not exist.
    pub(super) fn read(path: &Path) -> anyhow::Result<Option<Self>> {
        Ok(file::read(path)?.map(Self))
    }

    /// Makes new ones and writes them to `path`, in the format of libpq's password file.
    pub(super) fn make(path: &Path) -> anyhow::Result<Self> {
        let passwords = [SUPERUSER, roles::OWNER, roles::APP, roles::VERIFY]
            .map(|role| {
                format!("{ANY_DATABASE}{role}:{}\n", hex::encode(rand::random::<[u8; 32]>()))
            })
            .concat();
        file::write(path, &passwords)?;
        Ok(Self(passwords))
    }

    /// The password of a role; empty when the file has none.
    pub(super) fn of(&self, role: &str) -> &str {
        let mut entries =
            self.0.lines().filter_map(|line| line.strip_prefix("*:*:*:")?.split_once(':'));
        entries.find(|(known, _)| *known == role).map_or("", |(_, password)| password)
    }
}
