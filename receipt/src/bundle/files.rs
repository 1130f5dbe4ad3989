//! The members of a bundle by name.

use std::collections::BTreeMap;

/// How many members a bundle may have.
pub(super) const MEMBERS_MAX: usize = 4_096;
/// How many bytes a bundle may have.
pub(super) const BYTES_MAX: usize = 64 << 20;
/// How long a name may be.
const NAME_MAX: usize = 100;

/// The members of a bundle, in the order of the archive: by the bytes of their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Files {
    members: BTreeMap<String, Vec<u8>>,
    bytes: usize,
}

/// A bundle beyond the limits: 4,096 members, 64 MiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a bundle has at most 4,096 members and 64 MiB")]
pub struct BundleTooLarge;

/// Why a member cannot be in a bundle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileRefused {
    /// The name is not of the form that members have.
    #[error("`{0}` cannot be the name of a member")]
    Name(String),
    /// There is a member of this name.
    #[error("`{0}` is there already")]
    Duplicate(String),
    /// The name belongs to no claim.
    #[error("`{0}` belongs to no claim")]
    NoClaim(String),
    /// The bundle would be too large.
    #[error(transparent)]
    TooLarge(#[from] BundleTooLarge),
}

impl Files {
    /// Adds a member.
    ///
    /// # Errors
    /// Its name is none or is taken, or there are too many members or bytes.
    pub fn insert(
        &mut self,
        name: impl Into<String>,
        bytes: impl Into<Vec<u8>>,
    ) -> Result<(), FileRefused> {
        let (name, bytes) = (name.into(), bytes.into());
        if !is_name(&name) {
            return Err(FileRefused::Name(name));
        }
        if self.members.contains_key(&name) {
            return Err(FileRefused::Duplicate(name));
        }
        let total = self.bytes.saturating_add(bytes.len());
        if self.members.len() >= MEMBERS_MAX || total > BYTES_MAX {
            return Err(BundleTooLarge.into());
        }
        self.bytes = total;
        self.members.insert(name, bytes);
        Ok(())
    }

    /// Takes a member out.
    pub fn remove(&mut self, name: &str) -> Option<Vec<u8>> {
        let bytes = self.members.remove(name)?;
        self.bytes = self.bytes.saturating_sub(bytes.len());
        Some(bytes)
    }

    /// The bytes of a member.
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.members.get(name).map(Vec::as_slice)
    }

    /// All members, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.members.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
    }

    /// All names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.members.keys().map(String::as_str)
    }
}

/// Whether `name` is one of a member: at most 100 bytes, segments of `[a-z0-9_][a-z0-9_.-]*`.
fn is_name(name: &str) -> bool {
    let begins = |byte: &u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_');
    let goes_on = |byte: &u8| begins(byte) || matches!(byte, b'.' | b'-');
    let is_segment = |segment: &str| match segment.as_bytes() {
        [first, rest @ ..] => begins(first) && rest.iter().all(goes_on),
        [] => false,
    };
    name.len() <= NAME_MAX && name.split('/').all(is_segment)
}
