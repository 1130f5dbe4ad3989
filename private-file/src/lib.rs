#![doc = include_str!("../README.md")]

use std::{
    fmt,
    fs::{self, DirBuilder, File, Metadata, OpenOptions},
    io::{self, ErrorKind, Read as _, Write as _},
    os::unix::fs::{
        DirBuilderExt as _, FileTypeExt as _, MetadataExt as _, OpenOptionsExt as _,
        PermissionsExt as _,
    },
    path::{Path, PathBuf},
    time::SystemTime,
};

use anyhow::{Context as _, Result, bail, ensure};

/// The permission bits of users other than the owner.
const OTHER_USERS_MASK: u32 = 0o077;

/// The permission bit of readers in the group.
const GROUP_READ: u32 = 0o040;

/// The maximum size of a file with a secret.
const BYTES_MAX: u64 = 1 << 20;

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
/// As [`open`]. A file that is too large is refused.
pub fn read(path: &Path) -> Result<Option<PrivateFile>> {
    let Some(file) = open(path)? else { return Ok(None) };
    let modified = file.metadata().and_then(|metadata| metadata.modified()).ok();
    let mut text = String::new();
    let read = file.take(BYTES_MAX + 1).read_to_string(&mut text);
    read.with_context(|| cannot("read", path))?;
    let is_small = u64::try_from(text.len()).is_ok_and(|bytes| bytes <= BYTES_MAX);
    ensure!(is_small, "{} is larger than {BYTES_MAX} bytes", path.display());
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
        Err(error) => return Err(error).with_context(|| cannot("read", path)),
    };
    check(path, &file)?;
    Ok(Some(file))
}

/// Checks that only the owner of an opened file can read and write it. A file of root may be readable by the group of a
/// service.
///
/// # Errors
/// Returns one line with what to do if other users can.
pub fn check(path: &Path, file: &File) -> Result<()> {
    // The metadata is of the opened file, because its path could point to another file by now.
    let metadata = file.metadata().with_context(|| cannot("read", path))?;
    // A terminal stores nothing.
    if metadata.file_type().is_char_device() {
        return Ok(());
    }
    let (allowed, mode) =
        if has_group_of_service(&metadata) { (GROUP_READ, 640) } else { (0, 600) };
    check_mode(path, &metadata, allowed, mode)
}

/// Checks that only the owner of a directory may enter it. A directory that does not exist is accepted.
///
/// # Errors
/// Returns one line with what to do if other users may.
pub fn check_directory(path: &Path) -> Result<()> {
    match fs::metadata(path) {
        Ok(metadata) => check_mode(path, &metadata, 0, 700),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error).with_context(|| cannot("read", path)),
    }
}

fn has_group_of_service(metadata: &Metadata) -> bool {
    metadata.uid() == 0 && metadata.gid() != 0
}

/// Refuses bits of other users that are not `allowed`. `advised` is the mode of the advice, in decimal digits.
fn check_mode(path: &Path, metadata: &Metadata, allowed: u32, advised: u32) -> Result<()> {
    let mode = metadata.permissions().mode();
    if mode & OTHER_USERS_MASK & !allowed == 0 {
        return Ok(());
    }
    bail!(
        "{0} is accessible to users other than its owner (mode {1:04o}); run `chmod {advised} {0}`",
        path.display(),
        mode & 0o7777,
    )
}

/// Creates a directory that only its owner may enter, with its parents.
///
/// # Errors
/// Returns an error if a directory cannot be created.
pub fn create_directory(directory: &Path) -> Result<()> {
    let created = DirBuilder::new().recursive(true).mode(0o700).create(directory);
    created.with_context(|| cannot("create", directory))
}

/// Replaces a file with a secret by one of mode 0600. After an error, the old file is unchanged. A symbolic link stays a
/// link.
///
/// # Errors
/// Returns an error if the file cannot be written.
pub fn write(path: &Path, text: &str) -> Result<()> {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    publish(&target, text, |new| fs::rename(new, &target))
}

/// Creates a file with a secret. If it exists, it is unchanged: if several processes create it at the same time, all read
/// the same content.
///
/// # Errors
/// Returns an error if the file cannot be written.
pub fn create(path: &Path, text: &str) -> Result<()> {
    publish(path, text, |new| match fs::hard_link(new, path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        linked => linked,
    })
}

/// Writes a complete temporary file and calls `place` with it.
fn publish(path: &Path, text: &str, place: impl FnOnce(&Path) -> io::Result<()>) -> Result<()> {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let directory = directory.unwrap_or(Path::new("."));
    create_directory(directory)?;
    let new = path.with_added_extension(format!("new.{}", std::process::id()));
    let placed = write_new(&new, text).and_then(|()| place(&new));
    remove(&new);
    // The new name must also survive a power failure.
    let synchronized = placed.and_then(|()| File::open(directory)?.sync_all());
    synchronized.with_context(|| cannot("write", path))
}

fn write_new(new: &PathBuf, text: &str) -> io::Result<()> {
    remove(new);
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(new)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// Removes a temporary file, which may be gone already.
fn remove(new: &Path) {
    let _ = fs::remove_file(new);
}

fn cannot(action: &str, path: &Path) -> String {
    format!("cannot {action} {}", path.display())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::chown;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    #[test]
    fn files_that_other_users_can_access_are_refused() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("secret");
        assert!(read(&path).unwrap().is_none());
        write(&path, "secret").unwrap();
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
                    let fix = format!("(mode {mode:04o}); run `chmod 600 {}`", path.display());
                    assert!(!is_private && line.ends_with(&fix), "{mode:o}: {line}");
                }
            }
        }
    }

    #[test]
    fn a_file_of_root_may_be_readable_by_the_group_of_a_service() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("govern.env");
        write(&path, "secret").unwrap();
        // Only root can give a file to another group.
        if fs::metadata(&path).unwrap().uid() != 0 || chown(&path, None, Some(10_001)).is_err() {
            return;
        }
        for (mode, is_private) in [(0o640, true), (0o440, true), (0o644, false), (0o660, false)] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            let result = read(&path).map(|file| file.unwrap().text);
            assert_eq!(result.is_ok(), is_private, "{mode:o}");
            if let Err(error) = result {
                assert!(error.to_string().contains("run `chmod 640 "), "{error}");
            }
        }
    }

    #[test]
    fn written_files_and_directories_belong_to_their_owner_only() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("inner/secret");
        write(&path, "a").unwrap();
        assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        let link = directory.path().join("link");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        write(&link, "b").unwrap();
        assert!(link.is_symlink());
        assert_eq!((mode(&path), &*fs::read_to_string(&path).unwrap()), (0o600, "b"));
        create(&path, "c").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "b");
        let names = fs::read_dir(path.parent().unwrap()).unwrap();
        assert_eq!(names.count(), 1);
    }

    #[test]
    fn a_file_without_an_end_is_refused() {
        let error = read(Path::new("/dev/zero")).unwrap_err().to_string();
        assert_eq!(error, "/dev/zero is larger than 1048576 bytes");
    }
}
