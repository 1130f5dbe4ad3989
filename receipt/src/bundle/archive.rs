//! The archive form of a bundle: uncompressed POSIX ustar with exactly one encoding per content.

use super::files::{BYTES_MAX, BundleTooLarge, Files};

/// Block size of headers and data, in bytes.
const BLOCK: usize = 512;
/// Number of NUL bytes at the end of an archive.
const END: usize = 1_024;

/// Bytes that are not an archive in canonical form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an archive in canonical form")]
pub struct ParseArchiveError;

/// Writes the archive of `files`.
///
/// # Errors
/// Returns an error if the archive would exceed 64 MiB.
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

/// Reads an archive. Every header must equal the header that is rebuilt from its name and size.
///
/// # Errors
/// Returns an error for any bytes that [`write_archive`] does not produce.
pub fn read_archive(archive: &[u8]) -> Result<Files, ParseArchiveError> {
    if archive.len() > BYTES_MAX {
        return Err(ParseArchiveError);
    }
    let (mut files, mut rest, mut previous_name) = (Files::default(), archive, String::new());
    loop {
        let (block, rest_of_archive) = rest.split_at_checked(BLOCK).ok_or(ParseArchiveError)?;
        if block.iter().all(|byte| *byte == 0) {
            let ends = rest.len() == END && rest_of_archive.iter().all(|byte| *byte == 0);
            return if ends { Ok(files) } else { Err(ParseArchiveError) };
        }
        let (name, size) = parse_header(block).ok_or(ParseArchiveError)?;
        if header(name, size) != block || name <= previous_name.as_str() {
            return Err(ParseArchiveError);
        }
        let (data, rest_of_archive) =
            rest_of_archive.split_at_checked(size).ok_or(ParseArchiveError)?;
        let padding = size.next_multiple_of(BLOCK).saturating_sub(size);
        let (padding, rest_of_archive) =
            rest_of_archive.split_at_checked(padding).ok_or(ParseArchiveError)?;
        if padding.iter().any(|byte| *byte != 0) {
            return Err(ParseArchiveError);
        }
        files.insert(name, data).map_err(|_| ParseArchiveError)?;
        name.clone_into(&mut previous_name);
        rest = rest_of_archive;
    }
}

/// Returns the name and size in a header, if they can be parsed.
fn parse_header(header: &[u8]) -> Option<(&str, usize)> {
    let name = header.get(..100)?;
    let end = name.iter().position(|byte| *byte == 0).unwrap_or(name.len());
    let name = std::str::from_utf8(name.get(..end)?).ok()?;
    let size = std::str::from_utf8(header.get(124..135)?).ok()?;
    let size = usize::from_str_radix(size, 8).ok().filter(|size| *size <= BYTES_MAX)?;
    Some((name, size))
}

/// Returns the header of a file. Valid names fit; a longer name gives a header of more than 512
/// bytes, which matches no block.
fn header(name: &str, size: usize) -> Vec<u8> {
    let mut header = name.as_bytes().to_vec();
    header.resize(header.len().max(100), 0);
    header.extend(b"0000644\x000000000\x000000000\x00");
    header.extend(format!("{size:011o}\0").bytes());
    header.extend(b"00000000000\x00");
    let mut tail = b"0".to_vec();
    tail.resize(101, 0);
    tail.extend(b"ustar\x0000");
    tail.resize(173, 0);
    tail.extend(b"0000000\x000000000\x00");
    tail.resize(356, 0);
    let sum = header.iter().chain(&tail).map(|byte| u32::from(*byte));
    // The checksum counts its own eight bytes as spaces.
    let sum = sum.fold(8_u32.saturating_mul(0x20), u32::saturating_add);
    header.extend(format!("{sum:06o}\0 ").bytes());
    header.extend(tail);
    header
}
