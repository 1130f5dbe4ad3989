//! The archive: a signed manifest, and the parts whose digests it has.
//!
//! The archive is a tar file. Its first entry is the manifest in a block of fixed size, and its second the signature, so
//! both are checked before any other byte is read. They are written last.

use std::{
    fs::{self, DirBuilder, File, OpenOptions},
    io::{self, Read, Seek, SeekFrom, Write},
    os::unix::fs::{DirBuilderExt, OpenOptionsExt},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail, ensure};
use contract::time::Timestamp;
use receipt::key::{PublicKey, SigningKey};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The value of [`Manifest::schema`].
pub const SCHEMA: &str = "govern-backup/v2";

/// The schema of backups without a signature, whose last entry is the manifest.
const UNSIGNED_SCHEMA: &str = "govern-backup/v1";

const MANIFEST: &str = "manifest.json";
const SIGNATURE: &str = "manifest.sig";

/// The size in bytes of the manifest, which is padded with spaces.
const MANIFEST_BYTES: usize = 64 << 10;

/// The positions of the manifest and of its signature in the file.
const POSITIONS: [u64; 2] = [HEADER_BYTES, 2 * HEADER_BYTES + (64 << 10)];

/// The size in bytes of the signature: hexadecimal characters and a line end.
const SIGNATURE_BYTES: usize = 129;

/// The size in bytes of the header of an entry.
const HEADER_BYTES: u64 = 512;

/// What is signed begins with this text, so the signature has no other meaning.
const SIGNED_PREFIX: &[u8] = b"govern-backup/v2\0";

/// The maximum size in bytes of a part that is read into memory.
const SMALL_PART_BYTES_MAX: u64 = 16 << 20;

/// The size in bytes of a read.
const BUFFER_BYTES: usize = 256 << 10;

/// The description of a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    pub schema: String,
    /// The public key that signs the backup, in hexadecimal characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signed_by: Option<String>,
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

/// Whose backups are accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "a command has one value")]
pub enum Trust {
    /// Backups that this key has signed.
    Signer(PublicKey),
    /// Backups of any writer, also without a signature.
    AnyWriter,
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
#[derive(derive_more::Debug)]
#[debug("Builder(…)")]
struct Builder(tar::Builder<File>);

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
        let mut writer = Self { target: target.to_owned(), temporary, tar, parts: Vec::new() };
        for (name, length) in [(MANIFEST, MANIFEST_BYTES), (SIGNATURE, SIGNATURE_BYTES)] {
            writer.append(name, vec![b' '; length].as_slice())?;
        }
        Ok(writer)
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
    fn append(&mut self, entry_name: &str, source: impl Read) -> Result<(u64, String)> {
        let tar = self.tar.as_mut().context("the backup is complete already")?;
        let error_context = || format!("{}: {entry_name} cannot be written", self.target.display());
        let mut header = tar::Header::new_gnu();
        header.set_mode(0o600);
        let mut entry = tar.0.append_writer(&mut header, entry_name).with_context(error_context)?;
        let stored = copy_hashed(source, &mut entry).with_context(error_context)?;
        entry.finish().with_context(error_context)?;
        Ok(stored)
    }

    /// Signs the manifest, writes the archive to the disk and renames it.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn finish(mut self, mut manifest: Manifest, key: &SigningKey) -> Result<Manifest> {
        manifest.parts.clone_from(&self.parts);
        manifest.signed_by = Some(hex::encode(key.public().as_bytes()));
        let mut text = serde_json::to_vec_pretty(&manifest)?;
        ensure!(text.len() < MANIFEST_BYTES, "the manifest is larger than {MANIFEST_BYTES} bytes");
        text.resize(MANIFEST_BYTES - 1, b' ');
        text.push(b'\n');
        let signature = hex::encode(key.raw_signature(&signed(&text))) + "\n";
        let tar = self.tar.take().context("the backup is complete already")?;
        let error_context = || format!("{}: cannot be written", self.target.display());
        let mut file = tar.0.into_inner().with_context(error_context)?;
        for (position, bytes) in POSITIONS.into_iter().zip([&*text, signature.as_bytes()]) {
            file.seek(SeekFrom::Start(position)).with_context(error_context)?;
            file.write_all(bytes).with_context(error_context)?;
        }
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

/// A backup whose manifest and entries are checked.
#[derive(Debug)]
pub struct Archive {
    file: File,
    path: PathBuf,
    pub manifest: Manifest,
    /// The positions of the parts in the file, in the order of the manifest.
    positions: Vec<u64>,
}

/// An entry of the archive.
struct Entry {
    name: String,
    bytes: u64,
    position: u64,
}

impl Archive {
    /// Opens a backup and checks its signature, and that it has exactly the entries of its manifest.
    ///
    /// # Errors
    /// Returns one line if the backup is incomplete, is not signed as `trust` requires, or has other entries.
    pub fn open(path: &Path, trust: &Trust) -> Result<Self> {
        let name = path.display();
        let file = File::open(path).with_context(|| format!("{name}: cannot be read"))?;
        let broken = || format!("{name}: not a complete backup");
        let text = match trust {
            Trust::Signer(key) => signed_manifest(&file, key).with_context(|| name.to_string())?,
            Trust::AnyWriter => any_manifest(&file).with_context(broken)?,
        };
        let mut manifest: Manifest = serde_json::from_slice(&text).with_context(broken)?;
        if *trust == Trust::AnyWriter {
            // It was not checked.
            manifest.signed_by = None;
        }
        let entries = entries(&file).with_context(broken)?;
        let parts = manifest.parts.iter().map(Part::entry_name);
        let head = [MANIFEST.to_owned(), SIGNATURE.to_owned()];
        let (expected, first) = match manifest.schema.as_str() {
            SCHEMA => (head.into_iter().chain(parts).collect::<Vec<_>>(), 2),
            UNSIGNED_SCHEMA => (parts.chain([MANIFEST.to_owned()]).collect(), 0),
            other => bail!("{name}: the format `{other}` is not `{SCHEMA}`"),
        };
        for (index, entry) in entries.iter().enumerate() {
            let is_expected = expected.get(index) == Some(&entry.name);
            let is_first = expected.iter().position(|name| *name == entry.name) == Some(index);
            ensure!(
                is_expected && is_first,
                "{name}: has the entry `{}`, which its manifest does not have there",
                entry.name
            );
        }
        ensure!(entries.len() == expected.len(), "{}", broken());
        let positions = entries.iter().skip(first).map(|entry| entry.position);
        let positions = positions.take(manifest.parts.len()).collect();
        Ok(Self { file, path: path.to_owned(), manifest, positions })
    }

    /// Reads the backup completely, and checks the size and the digest of each part.
    ///
    /// # Errors
    /// Returns an error if a part was changed.
    pub fn verify(&self) -> Result<()> {
        let mut parts = self.manifest.parts.iter();
        parts.try_for_each(|part| self.copy_part(part, io::sink()))
    }

    /// Returns the part `name`, if the backup has it.
    pub fn part(&self, name: &str) -> Option<&Part> {
        self.manifest.parts.iter().find(|part| part.name == name)
    }

    /// Returns the checked bytes of a small part.
    ///
    /// # Errors
    /// Returns an error if the part is too large, or differs from its digest.
    pub fn small_part(&self, part: &Part) -> Result<Vec<u8>> {
        ensure!(part.bytes <= SMALL_PART_BYTES_MAX, "{} is too large", part.name);
        let mut bytes = Vec::new();
        self.copy_part(part, &mut bytes)?;
        Ok(bytes)
    }

    /// Returns a checked copy of a part. It is a file of `directory` without a name, so nothing can change it.
    ///
    /// # Errors
    /// Returns an error if the part differs from its digest, or the directory cannot be written.
    pub fn checked_copy(&self, part: &Part, directory: &Path) -> Result<File> {
        let mut file = unnamed_file(directory)
            .with_context(|| format!("{}: cannot be written", directory.display()))?;
        self.copy_part(part, &mut file)?;
        file.rewind()?;
        Ok(file)
    }

    /// Copies a part, and checks the digest of what was copied.
    fn copy_part(&self, part: &Part, mut target: impl Write) -> Result<()> {
        let index = self.manifest.parts.iter().position(|other| other == part);
        let position = index.and_then(|index| self.positions.get(index));
        let position = position.with_context(|| format!("the backup has no {}", part.name))?;
        let mut file = &self.file;
        file.seek(SeekFrom::Start(*position))?;
        let stored = copy_hashed(file.take(part.bytes), &mut target)
            .with_context(|| format!("{}: {}", self.path.display(), part.name))?;
        ensure!(
            stored == (part.bytes, part.sha256.clone()),
            "{}: {} differs from its digest",
            self.path.display(),
            part.name
        );
        Ok(())
    }
}

/// Reads the headers of the entries of an archive. It must end after the last one.
fn entries(mut file: &File) -> io::Result<Vec<Entry>> {
    file.rewind()?;
    let mut archive = tar::Archive::new(file);
    let entry = |entry: io::Result<tar::Entry<'_, &File>>| {
        let entry = entry?;
        let name = entry.path()?.to_string_lossy().into_owned();
        Ok(Entry { name, bytes: entry.size(), position: entry.raw_file_position() })
    };
    let entries = archive.entries_with_seek()?.map(entry).collect::<io::Result<Vec<Entry>>>()?;
    let blocks = |bytes: u64| bytes.div_ceil(HEADER_BYTES).saturating_mul(HEADER_BYTES);
    let end = entries.last().map_or(0, |last| last.position.saturating_add(blocks(last.bytes)));
    if file.metadata()?.len() == end.saturating_add(2 * HEADER_BYTES) {
        Ok(entries)
    } else {
        Err(io::Error::other("the file does not end after its last entry"))
    }
}

/// Returns the text of the manifest, which `key` must have signed. Nothing else of the file is read.
fn signed_manifest(mut file: &File, key: &PublicKey) -> Result<Vec<u8>> {
    let mut entry = |name: &str, length: usize| {
        let (mut header, mut content) = (tar::Header::new_old(), vec![0; length]);
        file.read_exact(header.as_mut_bytes())?;
        file.read_exact(&mut content)?;
        let is_entry = &*header.path_bytes() == name.as_bytes();
        Ok::<_, io::Error>(is_entry.then_some(content))
    };
    let text = entry(MANIFEST, MANIFEST_BYTES).context("not a complete backup")?;
    let Some(text) = text else { bail!("not a signed backup; {ALLOW_UNSIGNED}") };
    let signature = entry(SIGNATURE, SIGNATURE_BYTES).context("not a complete backup")?;
    let signature = signature.and_then(|text| hex::decode(text.trim_ascii_end()).ok());
    let is_valid =
        signature.is_some_and(|signature| key.verify_bytes(&signed(&text), &signature).is_ok());
    ensure!(
        is_valid,
        "the signature is not of the key {}: another service wrote the backup, or it was changed; {ALLOW_UNSIGNED}",
        hex::encode(key.as_bytes())
    );
    Ok(text)
}

const ALLOW_UNSIGNED: &str =
    "--signed-by names another key, and --allow-unsigned accepts any writer";

/// Returns the bytes that the signature of a manifest is over.
fn signed(text: &[u8]) -> Vec<u8> {
    [SIGNED_PREFIX, text].concat()
}

/// Returns the text of the manifest without a check of its signature.
fn any_manifest(mut file: &File) -> Result<Vec<u8>> {
    let entries = entries(file)?;
    let entry = entries.iter().find(|entry| entry.name == MANIFEST);
    let entry = entry.context("it has no manifest")?;
    file.seek(SeekFrom::Start(entry.position))?;
    let mut text = Vec::new();
    file.take(entry.bytes.min(SMALL_PART_BYTES_MAX)).read_to_end(&mut text)?;
    Ok(text)
}

/// Copies all bytes. Returns their number and their SHA-256 in hexadecimal characters.
fn copy_hashed(mut source: impl Read, target: &mut impl Write) -> io::Result<(u64, String)> {
    let (mut hash, mut bytes) = (Sha256::new(), 0_u64);
    let mut buffer = vec![0; BUFFER_BYTES];
    loop {
        let length = match source.read(&mut buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            length => length?,
        };
        let Some(read) = buffer.get(..length).filter(|read| !read.is_empty()) else { break };
        hash.update(read);
        bytes = bytes.saturating_add(u64::try_from(length).unwrap_or(u64::MAX));
        target.write_all(read)?;
    }
    Ok((bytes, hex::encode(hash.finalize())))
}

/// Creates a file of `directory` without a name, which only this process can open.
fn unnamed_file(directory: &Path) -> io::Result<File> {
    DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
    let path = directory.join(format!(".restore-{}", std::process::id()));
    let mut options = OpenOptions::new();
    let file = options.read(true).write(true).create_new(true).mode(0o600).open(&path)?;
    fs::remove_file(&path)?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use tempfile::TempDir;

    use super::*;

    fn manifest() -> Manifest {
        Manifest {
            schema: SCHEMA.to_owned(),
            signed_by: None,
            govern_version: "1.10.0".to_owned(),
            created_at: "2026-11-28T12:00:00.000Z".parse().unwrap(),
            database_version: "15.18".to_owned(),
            dump_version: 15,
            migrations: vec!["m0001_schema".to_owned()],
            parts: Vec::new(),
        }
    }

    fn key(seed: u8) -> SigningKey {
        SigningKey::from_seed([seed; 32])
    }

    fn trust(seed: u8) -> Trust {
        Trust::Signer(key(seed).public().clone())
    }

    /// Writes a backup with two parts, and returns its path and its directory, which is removed with the value.
    fn backup() -> (TempDir, PathBuf) {
        let directory = TempDir::new().unwrap();
        let path = directory.path().join("backup.tar");
        let mut writer = ArchiveWriter::create(&path).unwrap();
        writer.add("database.dump", false, vec![7; 100_000].as_slice()).unwrap();
        writer.add("keys.tar", true, b"secret".as_slice()).unwrap();
        writer.finish(manifest(), &key(1)).unwrap();
        (directory, path)
    }

    fn error(path: &Path, trust: &Trust) -> String {
        let opened = Archive::open(path, trust);
        let error = opened.and_then(|archive| archive.verify()).unwrap_err();
        format!("{error:#}")
    }

    #[test]
    fn written_backup_is_private_and_verified() {
        let (_directory, path) = backup();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let directory = path.parent().unwrap();
        for trust in [trust(1), Trust::AnyWriter] {
            let archive = Archive::open(&path, &trust).unwrap();
            archive.verify().unwrap();
            let names: Vec<_> = archive.manifest.parts.iter().map(Part::entry_name).collect();
            assert_eq!(names, ["database.dump", "keys.tar.age"]);
            let part = |name: &str| archive.part(name).unwrap();
            assert_eq!(archive.small_part(part("keys.tar")).unwrap(), b"secret");
            let mut dump = Vec::new();
            let mut copy = archive.checked_copy(part("database.dump"), directory).unwrap();
            copy.read_to_end(&mut dump).unwrap();
            assert_eq!(dump, vec![7; 100_000]);
        }
        // No temporary file is left, and an existing backup is not replaced.
        assert_eq!(fs::read_dir(directory).unwrap().count(), 1);
        let error = ArchiveWriter::create(&path).unwrap_err().to_string();
        assert!(error.ends_with("exists already"), "{error}");
    }

    #[test]
    fn changed_and_incomplete_backups_are_refused() {
        let (_directory, path) = backup();
        let bytes = fs::read(&path).unwrap();
        let changed = |position: usize| {
            let mut changed = bytes.clone();
            changed[position] ^= 1;
            changed
        };
        let manifest_end = 512 + MANIFEST_BYTES;
        for (stored, expected) in [
            (
                changed(manifest_end + 2 * 512 + 512 + 1_000),
                "database.dump differs from its digest",
            ),
            (changed(600), "the signature is not of the key"),
            // The padding is signed too.
            (changed(manifest_end - 2), "the signature is not of the key"),
            (changed(manifest_end + 512), "the signature is not of the key"),
            (bytes[..50_000].to_vec(), "not a complete backup"),
            (bytes[..bytes.len() - 1_024].to_vec(), "not a complete backup"),
            (bytes[..120_000].to_vec(), "not a complete backup"),
            ([&*bytes, &[0; 512]].concat(), "not a complete backup"),
            (b"text".to_vec(), "not a complete backup"),
        ] {
            fs::write(&path, stored).unwrap();
            let error = error(&path, &trust(1));
            assert!(error.contains(expected), "{expected}: {error}");
        }
    }

    #[test]
    fn second_entry_of_a_name_is_refused() {
        let (_directory, path) = backup();
        let bytes = fs::read(&path).unwrap();
        for name in ["database.dump", "keys.tar.age", "manifest.json", "other"] {
            let mut file = bytes[..bytes.len() - 1_024].to_vec();
            let mut added = tar::Builder::new(Vec::new());
            let mut header = tar::Header::new_gnu();
            header.set_size(4);
            added.append_data(&mut header, name, b"evil".as_slice()).unwrap();
            file.extend(added.into_inner().unwrap());
            fs::write(&path, file).unwrap();
            for trust in [trust(1), Trust::AnyWriter] {
                let error = error(&path, &trust);
                let expected =
                    format!("has the entry `{name}`, which its manifest does not have there");
                assert!(error.ends_with(&expected), "{error}");
            }
        }
    }

    #[test]
    fn unsigned_backup_needs_consent() {
        let (_directory, path) = backup();
        let old = Manifest {
            schema: UNSIGNED_SCHEMA.to_owned(),
            parts: Archive::open(&path, &trust(1)).unwrap().manifest.parts,
            ..manifest()
        };
        let mut tar = tar::Builder::new(Vec::new());
        for (name, content) in [
            ("database.dump", vec![7; 100_000]),
            ("keys.tar.age", b"secret".to_vec()),
            ("manifest.json", serde_json::to_vec(&old).unwrap()),
        ] {
            let mut header = tar::Header::new_gnu();
            header.set_size(u64::try_from(content.len()).unwrap());
            tar.append_data(&mut header, name, &*content).unwrap();
        }
        fs::write(&path, tar.into_inner().unwrap()).unwrap();
        let error = error(&path, &trust(1));
        assert!(error.contains("not a signed backup"), "{error}");
        let archive = Archive::open(&path, &Trust::AnyWriter).unwrap();
        archive.verify().unwrap();
        let part = archive.part("keys.tar").unwrap();
        assert_eq!(archive.small_part(part).unwrap(), b"secret");
    }

    #[test]
    fn abandoned_backup_leaves_no_file() {
        let directory = TempDir::new().unwrap();
        let mut writer = ArchiveWriter::create(&directory.path().join("backup.tar")).unwrap();
        writer.add("database.dump", false, b"half".as_slice()).unwrap();
        drop(writer);
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
    }
}
