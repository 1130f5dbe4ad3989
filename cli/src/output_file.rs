//! Files that a command writes.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write},
    os::unix::fs::{MetadataExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

use rustix::fs::OFlags;

use crate::exit::Error;

/// A file that a command writes. It is written to `FILE.part`, which replaces the file when it is complete. The permissions
/// stay, and a symbolic link stays a link. A device or a pipe is not replaced but written.
#[derive(Debug)]
pub(crate) struct OutputFile {
    path: PathBuf,
    file: File,
    replacement: Option<Replacement>,
}

#[derive(Debug)]
struct Replacement {
    part: PathBuf,
    target: PathBuf,
}

impl OutputFile {
    /// Starts to write a file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written, or if another command writes it.
    pub(crate) fn create(path: &Path) -> Result<Self, Error> {
        let create = || {
            let existing = existing(path)?;
            if existing.as_ref().is_some_and(|metadata| !metadata.is_file()) {
                // A directory cannot be opened.
                return Ok((OpenOptions::new().write(true).open(path)?, None));
            }
            let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
            let part = target.with_added_extension("part");
            let file = lock(&part)?;
            if let Some(metadata) = existing {
                file.set_permissions(metadata.permissions())?;
            }
            Ok((file, Some(Replacement { part, target })))
        };
        let (file, replacement) = create().map_err(|error: io::Error| Error::file(path, error))?;
        Ok(Self { path: path.to_owned(), file, replacement })
    }

    /// Replaces the file by what was written.
    ///
    /// # Errors
    /// Returns an error if not everything can be stored. The old file is unchanged then.
    pub(crate) fn finish(mut self) -> Result<(), Error> {
        let Some(Replacement { part, target }) = &self.replacement else { return Ok(()) };
        let finished = self.file.sync_all().and_then(|()| fs::rename(part, target));
        finished.map_err(|error| Error::file(&self.path, error))?;
        self.replacement = None;
        Ok(())
    }
}

/// Returns the metadata of the file at a path, if there is one.
fn existing(path: &Path) -> io::Result<Option<fs::Metadata>> {
    match fs::metadata(path) {
        Ok(metadata) => Ok(Some(metadata)),
        Err(_) if path.is_symlink() => {
            Err(io::Error::other("is a symbolic link to a file that does not exist"))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Opens the file `part`, which an interrupted command may have left, and locks it. It is empty then.
fn lock(part: &Path) -> io::Result<File> {
    // Another user of the directory could have made a link of this name.
    let no_links = OFlags::NOFOLLOW.bits().cast_signed();
    let mut options = OpenOptions::new();
    let file =
        options.write(true).create(true).truncate(false).custom_flags(no_links).open(part)?;
    let is_current = || {
        let same = |now: fs::Metadata| file.metadata().is_ok_and(|own| own.ino() == now.ino());
        fs::symlink_metadata(part).is_ok_and(same)
    };
    if file.try_lock().is_err() || !is_current() {
        return Err(io::Error::other(format!("another command writes {}", part.display())));
    }
    file.set_len(0)?;
    Ok(file)
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for OutputFile {
    /// Removes an incomplete file, so that it is not mistaken for a complete one.
    fn drop(&mut self) {
        if let Some(Replacement { part, .. }) = &self.replacement {
            let _ = fs::remove_file(part);
        }
    }
}

/// Replaces a file, or creates it. After an error, the old file is unchanged.
///
/// # Errors
/// Returns an error if the file cannot be written.
pub(crate) fn write(path: &Path, content: impl AsRef<[u8]>) -> Result<(), Error> {
    let mut file = OutputFile::create(path)?;
    file.write_all(content.as_ref()).map_err(|error| Error::file(path, error))?;
    file.finish()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn an_existing_file_is_replaced_when_the_new_one_is_complete() {
        let directory = tempfile::tempdir().expect("a directory");
        let (path, link) = (directory.path().join("file"), directory.path().join("link"));
        write(&path, "old").expect("the file can be written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("a mode");
        std::os::unix::fs::symlink(&path, &link).expect("a link");
        let read = || fs::read_to_string(&path).expect("a file");
        let mut new = OutputFile::create(&link).expect("the file can be written");
        new.write_all(b"new").expect("the file can be written");
        assert!(write(&path, "other").is_err(), "two commands write one file");
        assert_eq!(read(), "old");
        new.finish().expect("the file can be written");
        assert_eq!(read(), "new");
        assert!(link.is_symlink());
        let mode = fs::metadata(&path).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        drop(OutputFile::create(&path).expect("the file can be written"));
        assert_eq!(read(), "new");
        assert_eq!(fs::read_dir(&directory).expect("a directory").count(), 2);
    }

    #[test]
    fn a_device_is_written_and_not_replaced() {
        let is_device = |path: &Path| !fs::metadata(path).expect("a device").is_file();
        let null = Path::new("/dev/null");
        write(null, "text").expect("the device accepts everything");
        assert!(is_device(null));
        let full = Path::new("/dev/full");
        assert!(write(full, "text").is_err() && is_device(full));
        assert!(write(Path::new("/dev"), "text").is_err());
    }
}
