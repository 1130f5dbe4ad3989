//! Files with secrets: keys, passwords and PINs. Only their owner may read or write them.

use std::{
    fmt,
    fs::File,
    io::{ErrorKind, Read as _},
    os::unix::fs::{FileTypeExt as _, PermissionsExt as _},
    path::Path,
    time::SystemTime,
};

use anyhow::{Context as _, Result, bail};

/// The permission bits of users other than the owner.
pub const OTHER_USERS_MASK: u32 = 0o077;

/// The content of a file with a secret.
pub struct PrivateFile {
    pub text: String,
    /// The time at which it was written, if it is known.
    pub modified: Option<SystemTime>,
}

impl fmt::Debug for PrivateFile {
    /// Leaves out the text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PrivateFile").field("modified", &self.modified).finish_non_exhaustive()
    }
}

/// Reads a file with a secret. Returns `None` if it does not exist.
///
/// # Errors
/// As [`open`].
pub fn read(path: &Path) -> Result<Option<PrivateFile>> {
    let Some(mut file) = open(path)? else { return Ok(None) };
    let mut text = String::new();
    file.read_to_string(&mut text).with_context(|| cannot_read(path))?;
    let modified = file.metadata().and_then(|metadata| metadata.modified()).ok();
    Ok(Some(PrivateFile { text, modified }))
}

/// Opens a file with a secret. Returns `None` if it does not exist.
///
/// # Errors
/// Returns one line with what to do if other users can read or write the file, or if it cannot be read.
pub fn open(path: &Path) -> Result<Option<File>> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(|| cannot_read(path)),
    };
    check(path, &file)?;
    Ok(Some(file))
}

/// Checks that only the owner of an opened file can read and write it.
///
/// # Errors
/// Returns one line with what to do if other users can.
pub fn check(path: &Path, file: &File) -> Result<()> {
    // The metadata is of the opened file, because its path could point to another file by now.
    let metadata = file.metadata().with_context(|| cannot_read(path))?;
    let mode = metadata.permissions().mode();
    // A terminal stores nothing.
    if mode & OTHER_USERS_MASK == 0 || metadata.file_type().is_char_device() {
        return Ok(());
    }
    bail!(
        "{0} is accessible to users other than its owner (mode {1:04o}); run `chmod 600 {0}`",
        path.display(),
        mode & 0o7777,
    )
}

fn cannot_read(path: &Path) -> String {
    format!("cannot read {}", path.display())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn files_that_other_users_can_access_are_refused() {
        let path = std::env::temp_dir().join(format!("govern-private-{}", std::process::id()));
        assert!(read(&path).unwrap().is_none());
        fs::write(&path, "secret").unwrap();
        for (mode, is_private) in [
            (0o600, true),
            (0o400, true),
            (0o644, false),
            (0o640, false),
            (0o602, false),
            (0o610, false),
        ] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            match read(&path) {
                Ok(file) => {
                    assert!(is_private, "{mode:o}");
                    assert_eq!(file.unwrap().text, "secret");
                }
                Err(error) => {
                    let line = error.to_string();
                    let fix = format!("run `chmod 600 {}`", path.display());
                    assert!(!is_private && line.ends_with(&fix), "{mode:o}: {line}");
                }
            }
        }
        fs::remove_file(&path).unwrap();
    }
}
