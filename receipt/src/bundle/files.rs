//! The files of a bundle by name.

use std::collections::BTreeMap;

pub(super) const FILES_MAX: usize = 4_096;
/// The maximum size of a bundle in bytes.
pub(super) const BYTES_MAX: usize = 64 << 20;
/// The maximum length of a file name in bytes.
const NAME_MAX: usize = 100;

/// The files of a bundle, sorted by the bytes of their names, which is the order of the archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    files: BTreeMap<String, Vec<u8>>,
    bytes: usize,
}

/// A bundle that exceeds 4,096 files or 64 MiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a bundle has at most 4,096 files and 64 MiB")]
pub struct BundleTooLarge;

/// The reason why a file cannot be added to a bundle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BundleFileError {
    /// The name is not a valid file name.
    #[error("`{0}` is not a valid file name")]
    Name(String),
    /// A file with this name already exists.
    #[error("`{0}` already exists")]
    Duplicate(String),
    /// The name belongs to no claim.
    #[error("`{0}` belongs to no claim")]
    NoClaim(String),
    /// The bundle would be too large.
    #[error(transparent)]
    TooLarge(#[from] BundleTooLarge),
}

impl Files {
    /// Adds a file.
    ///
    /// # Errors
    /// Returns an error if the name is invalid or already used, or if the bundle would become too
    /// large.
    pub fn insert(
        &mut self,
        name: impl Into<String>,
        bytes: impl Into<Vec<u8>>,
    ) -> Result<(), BundleFileError> {
        let (name, bytes) = (name.into(), bytes.into());
        if !is_name(&name) {
            return Err(BundleFileError::Name(name));
        }
        if self.files.contains_key(&name) {
            return Err(BundleFileError::Duplicate(name));
        }
        let total = self.bytes.saturating_add(bytes.len());
        if self.files.len() >= FILES_MAX || total > BYTES_MAX {
            return Err(BundleTooLarge.into());
        }
        self.bytes = total;
        self.files.insert(name, bytes);
        Ok(())
    }

    /// Removes a file and returns its bytes.
    pub fn remove(&mut self, name: &str) -> Option<Vec<u8>> {
        let bytes = self.files.remove(name)?;
        self.bytes = self.bytes.saturating_sub(bytes.len());
        Some(bytes)
    }

    /// Returns the bytes of a file.
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.files.get(name).map(Vec::as_slice)
    }

    /// Returns whether another file of `bytes` leaves at least `files_left` files and `bytes_left` bytes.
    pub fn has_room(&self, bytes: usize, files_left: usize, bytes_left: usize) -> bool {
        let files = self.files.len().saturating_add(1).saturating_add(files_left);
        let bytes = self.bytes.saturating_add(bytes).saturating_add(bytes_left);
        files <= FILES_MAX && bytes <= BYTES_MAX
    }

    /// Returns all files in order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
    }

    /// Returns all names in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }
}

/// Returns whether `name` is a valid file name: at most 100 bytes, segments of
/// `[a-z0-9_][a-z0-9_.-]*`.
fn is_name(name: &str) -> bool {
    let is_first_byte = |byte: &u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_');
    let is_later_byte = |byte: &u8| is_first_byte(byte) || matches!(byte, b'.' | b'-');
    let is_segment = |segment: &str| match segment.as_bytes() {
        [first, rest @ ..] => is_first_byte(first) && rest.iter().all(is_later_byte),
        [] => false,
    };
    name.len() <= NAME_MAX && name.split('/').all(is_segment)
}
