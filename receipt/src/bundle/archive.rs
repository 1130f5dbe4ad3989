//! The archive: uncompressed POSIX ustar, in one byte form per content.

use super::files::{BYTES_MAX, BundleTooLarge, Files};

/// Headers and data come in blocks of so many bytes.
const BLOCK: usize = 512;
/// An archive ends with so many NUL bytes.
const END: usize = 1_024;

/// Bytes that are no archive in its one form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an archive in its one form")]
pub struct ArchiveMalformed;

/// Writes the archive of `files`.
///
/// # Errors
/// It would be longer than 64 MiB.
pub fn write_archive(files: &Files) -> Result<Vec<u8>, BundleTooLarge> {
    let mut archive = Vec::new();
    for (name, bytes) in files.iter() {
        archive.extend(header(name, bytes.len()));
        archive.extend(bytes);
        archive.resize(archive.len().next_multiple_of(BLOCK), 0);
        if archive.len() > BYTES_MAX {
            return Err(BundleTooLarge);
        }
    }
    archive.resize(archive.len().saturating_add(END), 0);
    if archive.len() > BYTES_MAX { Err(BundleTooLarge) } else { Ok(archive) }
}

/// Reads an archive. Each header is built again from name and size, and must be the same bytes.
///
/// # Errors
/// Anything else than what [`write_archive`] writes.
pub fn read_archive(archive: &[u8]) -> Result<Files, ArchiveMalformed> {
    if archive.len() > BYTES_MAX {
        return Err(ArchiveMalformed);
    }
    let (mut files, mut rest, mut last) = (Files::default(), archive, String::new());
    loop {
        let (block, after) = rest.split_at_checked(BLOCK).ok_or(ArchiveMalformed)?;
        if block.iter().all(|byte| *byte == 0) {
            let ends = rest.len() == END && after.iter().all(|byte| *byte == 0);
            return if ends { Ok(files) } else { Err(ArchiveMalformed) };
        }
        let (name, size) = named(block).ok_or(ArchiveMalformed)?;
        if header(name, size) != block || name <= last.as_str() {
            return Err(ArchiveMalformed);
        }
        let (data, after) = after.split_at_checked(size).ok_or(ArchiveMalformed)?;
        let padding = size.next_multiple_of(BLOCK).saturating_sub(size);
        let (padding, after) = after.split_at_checked(padding).ok_or(ArchiveMalformed)?;
        if padding.iter().any(|byte| *byte != 0) {
            return Err(ArchiveMalformed);
        }
        files.insert(name, data).map_err(|_| ArchiveMalformed)?;
        name.clone_into(&mut last);
        rest = after;
    }
}

/// The name and size that a header gives, as far as they can be read.
fn named(header: &[u8]) -> Option<(&str, usize)> {
    let name = header.get(..100)?;
    let end = name.iter().position(|byte| *byte == 0).unwrap_or(name.len());
    let name = std::str::from_utf8(name.get(..end)?).ok()?;
    let size = std::str::from_utf8(header.get(124..135)?).ok()?;
    let size = usize::from_str_radix(size, 8).ok().filter(|size| *size <= BYTES_MAX)?;
    Some((name, size))
}

/// The one header of a member. (A name of a member fits; a longer one gives no header of 512 bytes.)
fn header(name: &str, size: usize) -> Vec<u8> {
    let mut before = name.as_bytes().to_vec();
    before.resize(before.len().max(100), 0);
    before.extend(b"0000644\x000000000\x000000000\x00");
    before.extend(format!("{size:011o}\0").bytes());
    before.extend(b"00000000000\x00");
    let mut after = b"0".to_vec();
    after.resize(101, 0);
    after.extend(b"ustar\x0000");
    after.resize(173, 0);
    after.extend(b"0000000\x000000000\x00");
    after.resize(356, 0);
    let sum = before.iter().chain(&after).map(|byte| u32::from(*byte));
    // The checksum counts its own eight bytes as spaces.
    let sum = sum.fold(8_u32.saturating_mul(0x20), u32::saturating_add);
    before.extend(format!("{sum:06o}\0 ").bytes());
    before.extend(after);
    before
}
