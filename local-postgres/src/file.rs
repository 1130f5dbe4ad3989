//! Small files that are replaced atomically.

use std::{
    fs::{self, File, OpenOptions, Permissions},
    io::{self, Write as _},
    os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _},
    path::Path,
};

use anyhow::Context as _;

/// Returns the text of `path`, or `None` if the file does not exist.
pub(super) fn read(path: &Path) -> anyhow::Result<Option<String>> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error).with_context(|| format!("reading `{}`", path.display())),
    }
}

/// Writes `path` with mode 0600 and synchronizes it to the disk.
pub(super) fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    let temporary = path.with_extension("new");
    let write = || {
        let mut options = OpenOptions::new();
        let mut file =
            options.create(true).write(true).truncate(true).mode(0o600).open(&temporary)?;
        // A file of an interrupted attempt may have another mode.
        file.set_permissions(Permissions::from_mode(0o600))?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&temporary, path)?;
        path.parent().map_or(Ok(()), |directory| File::open(directory)?.sync_all())
    };
    write().with_context(|| format!("writing `{}`", path.display()))
}
