//! The system user that runs PostgreSQL, which does not run as root.

use std::{fs, io, os::unix::fs::MetadataExt as _, path::Path};

use anyhow::Context as _;

/// The IDs of a system user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SystemUser {
    pub(super) uid: u32,
    pub(super) gid: u32,
}

/// The users that can run PostgreSQL when govern runs as root, in order of preference.
const NAMES: [&str; 2] = ["postgres", "nobody"];

impl SystemUser {
    /// Returns a user that can run a new cluster when govern runs as root.
    pub(super) fn without_privileges() -> anyhow::Result<Self> {
        let passwd = fs::read_to_string("/etc/passwd").context("reading /etc/passwd")?;
        let user = NAMES.iter().find_map(|name| Self::from_passwd(name, &passwd));
        user.context(
            "PostgreSQL does not run as root, and no user `postgres` or `nobody` exists; run govern \
             as a user other than root",
        )
    }

    /// Returns the owner of a directory, or `None` if it does not exist or belongs to root.
    pub(super) fn owner_of(directory: &Path) -> Option<Self> {
        let directory = fs::symlink_metadata(directory).ok()?;
        (directory.uid() != 0).then(|| Self { uid: directory.uid(), gid: directory.gid() })
    }

    fn from_passwd(name: &str, passwd: &str) -> Option<Self> {
        let entry = passwd.lines().map(|line| line.split(':')).find_map(|mut fields| {
            (fields.next() == Some(name)).then_some(fields) // password, uid, gid, …
        })?;
        let mut numbers = entry.skip(1).map_while(|field| field.parse().ok());
        Some(Self { uid: numbers.next()?, gid: numbers.next()? })
    }

    /// Returns whether the user can traverse `directory` and all its parents.
    pub(super) fn can_traverse(self, directory: &Path) -> io::Result<bool> {
        for directory in directory.ancestors() {
            let directory = fs::metadata(directory)?;
            let search = match (directory.uid() == self.uid, directory.gid() == self.gid) {
                (true, _) => 0o100,
                (false, true) => 0o010,
                (false, false) => 0o001,
            };
            if directory.mode() & search == 0 {
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
    fn user_is_found_by_exact_name() {
        let passwd = "root:x:0:0:root:/root:/bin/sh\n\
                     postgresql:x:7:7::/:/bin/sh\n\
                     postgres:x:101:104:administrator,,,:/var/lib/postgresql:/bin/bash\n\
                     broken:x:none:1::/:/bin/sh\n";
        assert_eq!(
            SystemUser::from_passwd("postgres", passwd),
            Some(SystemUser { uid: 101, gid: 104 })
        );
        assert_eq!(SystemUser::from_passwd("broken", passwd), None);
        assert_eq!(SystemUser::from_passwd("nobody", passwd), None);
    }
}
