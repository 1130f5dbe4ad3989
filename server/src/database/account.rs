//! Whose process the cluster is: Postgres refuses to be root's.

use std::{fs, io, os::unix::fs::MetadataExt as _, path::Path};

use anyhow::Context as _;

/// A user without privileges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Account {
    pub(super) uid: u32,
    pub(super) gid: u32,
}

/// Who may be asked to run the cluster of root, the better one first.
const NAMES: [&str; 2] = ["postgres", "nobody"];

impl Account {
    /// Somebody whom root can run a new cluster as.
    pub(super) fn without_privileges() -> anyhow::Result<Self> {
        let known = fs::read_to_string("/etc/passwd").context("reading /etc/passwd")?;
        let account = NAMES.iter().find_map(|name| Self::named(name, &known));
        account.context(
            "Postgres does not run as root, and there is no user `postgres` or `nobody` to run it \
             as; start govern as an ordinary user",
        )
    }

    /// Whose a folder is; none when it is missing, or root's.
    pub(super) fn of_folder(folder: &Path) -> Option<Self> {
        let folder = fs::symlink_metadata(folder).ok()?;
        (folder.uid() != 0).then(|| Self { uid: folder.uid(), gid: folder.gid() })
    }

    fn named(name: &str, known: &str) -> Option<Self> {
        let entry = known.lines().map(|line| line.split(':')).find_map(|mut fields| {
            (fields.next() == Some(name)).then_some(fields) // password, uid, gid, …
        })?;
        let mut numbers = entry.skip(1).map_while(|field| field.parse().ok());
        Some(Self { uid: numbers.next()?, gid: numbers.next()? })
    }

    /// Whether the user may pass through `directory` and every folder above it.
    pub(super) fn reaches(self, directory: &Path) -> io::Result<bool> {
        for folder in directory.ancestors() {
            let folder = fs::metadata(folder)?;
            let search = match (folder.uid() == self.uid, folder.gid() == self.gid) {
                (true, _) => 0o100,
                (false, true) => 0o010,
                (false, false) => 0o001,
            };
            if folder.mode() & search == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_is_found_by_its_whole_name() {
        let known = "root:x:0:0:root:/root:/bin/sh\n\
                     postgresql:x:7:7::/:/bin/sh\n\
                     postgres:x:101:104:administrator,,,:/var/lib/postgresql:/bin/bash\n\
                     broken:x:none:1::/:/bin/sh\n";
        assert_eq!(Account::named("postgres", known), Some(Account { uid: 101, gid: 104 }));
        assert_eq!(Account::named("broken", known), None);
        assert_eq!(Account::named("nobody", known), None);
    }
}
