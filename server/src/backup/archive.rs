//! The archive: parts, and a manifest with their digests.

use std::{
    collections::BTreeMap,
    fs::{self, File, OpenOptions},
    io::{self, BufReader, Read, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail, ensure};
use contract::time::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The value of [`Manifest::schema`].
pub const SCHEMA: &str = "govern-backup/v1";

const MANIFEST: &str = "manifest.json";

/// The maximum size of a manifest in bytes.
const MANIFEST_BYTES_MAX: u64 = 1 << 20;

/// The size in bytes of a read.
const BUFFER_BYTES: usize = 256 << 10;

/// The description of a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    pub schema: String,
    /// The version of Govern that wrote the backup.
    pub govern_version: String,
    /// The time before the database was read.
    pub created_at: Timestamp,
    /// The version of the database server.
    pub database_version: String,
    /// The major version of `pg_dump`. `pg_restore` must not be older.
    pub dump_version: u32,
    /// The applied migrations, oldest first.
    pub migrations: Vec<String>,
    /// The parts, in the order of the archive.
    pub parts: Vec<Part>,
}

/// A part of a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The name without the suffix of encrypted parts.
    pub name: String,
    pub bytes: u64,
    /// The SHA-256 of the stored bytes, in hexadecimal characters.
    pub sha256: String,
    /// Whether `age` has encrypted it.
    pub is_encrypted: bool,
}

impl Part {
    /// Returns the name of the entry in the archive.
    fn entry_name(&self) -> String {
        if self.is_encrypted { format!("{}.age", self.name) } else { self.name.clone() }
    }
}

impl Manifest {
    /// Returns the part `name`, if the backup has it.
    pub fn part(&self, name: &str) -> Option<&Part> {
        self.parts.iter().find(|part| part.name == name)
    }
}

/// A backup that is being written: to a temporary file, which is removed unless [`finish`](Self::finish) succeeds.
#[derive(Debug)]
pub struct ArchiveWriter {
    target: PathBuf,
    temporary: PathBuf,
    tar: Option<Builder>,
    parts: Vec<Part>,
}

/// A tar builder without the content of its file in debug output.
struct Builder(tar::Builder<File>);

impl std::fmt::Debug for Builder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Builder(…)")
    }
}

impl ArchiveWriter {
    /// Starts the backup `target`, readable by its owner only.
    ///
    /// # Errors
    /// Returns an error if the file exists or its directory cannot be written.
    pub fn create(target: &Path) -> Result<Self> {
        ensure!(!target.exists(), "{}: exists already", target.display());
        let name = target.file_name().context("the name of the backup is missing")?;
        let name = format!(".{}.{}", name.to_string_lossy(), std::process::id());
        let temporary = target.with_file_name(name);
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create_new(true).mode(0o600).open(&temporary);
        let file = file.with_context(|| format!("{}: cannot be written", target.display()))?;
        let tar = Some(Builder(tar::Builder::new(file)));
        Ok(Self { target: target.to_owned(), temporary, tar, parts: Vec::new() })
    }

    /// Copies a part into the archive.
    ///
    /// # Errors
    /// Returns an error if the source cannot be read or the file cannot be written.
    pub fn add(&mut self, name: &str, is_encrypted: bool, source: impl Read) -> Result<()> {
        let mut part =
            Part { name: name.to_owned(), bytes: 0, sha256: String::new(), is_encrypted };
        let entry_name = part.entry_name();
        (part.bytes, part.sha256) = self.append(&entry_name, source)?;
        self.parts.push(part);
        Ok(())
    }

    /// Appends an entry whose size is not known yet. Returns its size and digest.
    fn append(&mut self, entry_name: &str, mut source: impl Read) -> Result<(u64, String)> {
        let tar = self.tar.as_mut().context("the backup is complete already")?;
        let error_context = || format!("{}: {entry_name} cannot be written", self.target.display());
        let mut header = tar::Header::new_gnu();
        header.set_mode(0o600);
        let mut entry = tar.0.append_writer(&mut header, entry_name).with_context(error_context)?;
        let (mut hash, mut bytes) = (Sha256::new(), 0_u64);
        let mut buffer = vec![0; BUFFER_BYTES];
        loop {
            let length =
                source.read(&mut buffer).with_context(|| format!("reading {entry_name}"))?;
            let Some(read) = buffer.get(..length).filter(|read| !read.is_empty()) else { break };
            hash.update(read);
            bytes = bytes.saturating_add(u64::try_from(length)?);
            entry.write_all(read).with_context(error_context)?;
        }
        entry.finish().with_context(error_context)?;
        Ok((bytes, hex::encode(hash.finalize())))
    }

    /// Appends the manifest, writes the archive to the disk and renames it.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn finish(mut self, mut manifest: Manifest) -> Result<Manifest> {
        manifest.parts.clone_from(&self.parts);
        let text = serde_json::to_vec_pretty(&manifest)?;
        self.append(MANIFEST, text.as_slice())?;
        let tar = self.tar.take().context("the backup is complete already")?;
        let error_context = || format!("{}: cannot be written", self.target.display());
        let file = tar.0.into_inner().with_context(error_context)?;
        file.sync_all().with_context(error_context)?;
        ensure!(!self.target.exists(), "{}: exists already", self.target.display());
        fs::rename(&self.temporary, &self.target).with_context(error_context)?;
        let directory = self.target.parent().filter(|parent| !parent.as_os_str().is_empty());
        let directory = File::open(directory.unwrap_or(Path::new(".")));
        directory.and_then(|directory| directory.sync_all()).with_context(error_context)?;
        Ok(manifest)
    }
}

impl Drop for ArchiveWriter {
    fn drop(&mut self) {
        // After a success the file has its final name.
        let _ = fs::remove_file(&self.temporary);
    }
}

/// Reads a backup completely, and checks the size and the digest of each part.
///
/// # Errors
/// Returns an error if the file is incomplete, or has other parts than its manifest says.
pub fn verify(path: &Path) -> Result<Manifest> {
    let mut archive = tar::Archive::new(BufReader::with_capacity(BUFFER_BYTES, open(path)?));
    let mut found = BTreeMap::new();
    let mut manifest = None;
    let broken = || format!("{}: not a complete backup", path.display());
    for entry in archive.entries().with_context(broken)? {
        let mut entry = entry.with_context(broken)?;
        let name = entry.path().with_context(broken)?.to_string_lossy().into_owned();
        if name == MANIFEST {
            let mut text = Vec::new();
            entry.take(MANIFEST_BYTES_MAX).read_to_end(&mut text).with_context(broken)?;
            manifest = Some(text);
            continue;
        }
        let mut hash = Sha256::new();
        let bytes = io::copy(&mut entry, &mut HashWriter(&mut hash)).with_context(broken)?;
        found.insert(name, (bytes, hex::encode(hash.finalize())));
    }
    let manifest = manifest.with_context(broken)?;
    let manifest: Manifest = serde_json::from_slice(&manifest).with_context(broken)?;
    if manifest.schema != SCHEMA {
        bail!("{}: the format `{}` is not `{SCHEMA}`", path.display(), manifest.schema);
    }
    for part in &manifest.parts {
        let stored = found.remove(&part.entry_name());
        let stored =
            stored.with_context(|| format!("{}: {} is missing", path.display(), part.name))?;
        if stored != (part.bytes, part.sha256.clone()) {
            bail!("{}: {} differs from its digest", path.display(), part.name);
        }
    }
    if let Some(name) = found.keys().next() {
        bail!("{}: {name} is not in the manifest", path.display());
    }
    Ok(manifest)
}

/// Calls `read` with the stored bytes of a part.
///
/// # Errors
/// Returns an error if the part is missing, and the errors of `read`.
pub fn read_part<T>(
    path: &Path,
    part: &Part,
    read: impl FnOnce(&mut dyn Read) -> Result<T>,
) -> Result<T> {
    let mut archive = tar::Archive::new(open(path)?);
    for entry in archive.entries_with_seek()? {
        let entry = entry?;
        if entry.path()?.to_string_lossy() == part.entry_name() {
            return read(&mut BufReader::with_capacity(BUFFER_BYTES, entry));
        }
    }
    bail!("{}: {} is missing", path.display(), part.name)
}

fn open(path: &Path) -> Result<File> {
    File::open(path).with_context(|| format!("{}: cannot be read", path.display()))
}

/// A writer that only computes a digest.
struct HashWriter<'a>(&'a mut Sha256);

impl Write for HashWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn manifest() -> Manifest {
        Manifest {
            schema: SCHEMA.to_owned(),
            govern_version: "1.10.0".to_owned(),
            created_at: "2026-11-28T12:00:00.000Z".parse().unwrap(),
            database_version: "15.18".to_owned(),
            dump_version: 15,
            migrations: vec!["m0001_row_security".to_owned()],
            parts: Vec::new(),
        }
    }

    /// Writes a backup with two parts, and returns its path.
    fn backup(name: &str) -> PathBuf {
        let directory = format!("govern-backup-{name}-{}", std::process::id());
        let directory = std::env::temp_dir().join(directory);
        fs::create_dir_all(&directory).unwrap();
        let path = directory.join("backup.tar");
        let mut writer = ArchiveWriter::create(&path).unwrap();
        writer.add("database.dump", false, vec![7; 100_000].as_slice()).unwrap();
        writer.add("keys.tar", true, b"secret".as_slice()).unwrap();
        writer.finish(manifest()).unwrap();
        path
    }

    #[test]
    fn written_backup_is_private_and_verified() {
        let path = backup("written");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let manifest = verify(&path).unwrap();
        let names: Vec<_> = manifest.parts.iter().map(Part::entry_name).collect();
        assert_eq!(names, ["database.dump", "keys.tar.age"]);
        let read = |part: &Part| {
            let mut bytes = Vec::new();
            read_part(&path, part, |reader| Ok(reader.read_to_end(&mut bytes).map(|_| ())?))
                .unwrap();
            bytes
        };
        assert_eq!(read(&manifest.parts[0]), vec![7; 100_000]);
        assert_eq!(read(&manifest.parts[1]), b"secret");
        // No temporary file is left, and an existing backup is not replaced.
        let directory = path.parent().unwrap();
        assert_eq!(fs::read_dir(directory).unwrap().count(), 1);
        let error = ArchiveWriter::create(&path).unwrap_err().to_string();
        assert!(error.ends_with("exists already"), "{error}");
        fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn changed_and_incomplete_backups_are_rejected() {
        let path = backup("changed");
        let bytes = fs::read(&path).unwrap();
        // A byte of the first part, and the end of the file with the manifest.
        let mut changed = bytes.clone();
        changed[1_000] ^= 1;
        for (stored, expected) in [
            (&changed[..], "database.dump differs from its digest"),
            (&bytes[..50_000], "not a complete backup"),
            (&bytes[..102_400], "not a complete backup"),
            (b"text", "not a complete backup"),
        ] {
            fs::write(&path, stored).unwrap();
            let error = verify(&path).unwrap_err().to_string();
            assert!(error.ends_with(expected), "{error}");
        }
        fs::remove_dir_all(path.parent().unwrap()).unwrap();
    }

    #[test]
    fn abandoned_backup_leaves_no_file() {
        let directory = format!("govern-backup-abandoned-{}", std::process::id());
        let directory = std::env::temp_dir().join(directory);
        fs::create_dir_all(&directory).unwrap();
        let mut writer = ArchiveWriter::create(&directory.join("backup.tar")).unwrap();
        writer.add("database.dump", false, b"half".as_slice()).unwrap();
        drop(writer);
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 0);
        fs::remove_dir_all(directory).unwrap();
    }
}
