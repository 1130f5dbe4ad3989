//! The data that an authenticator signs (`WebAuthn` Level 3, section 6.1).

use ciborium::Value as Cbor;

use super::Rejection;

/// The parsed data.
#[derive(Debug)]
pub(super) struct AuthenticatorData {
    /// SHA-256 of the ID of the relying party.
    pub(super) relying_party: [u8; 32],
    flags: u8,
    pub(super) sign_count: u32,
    /// Present only when a passkey is created.
    pub(super) credential: Option<CreatedCredential>,
}

/// The credential of a new passkey (section 6.5.2).
#[derive(Debug)]
pub(super) struct CreatedCredential {
    pub(super) id: Vec<u8>,
    /// `COSE_Key` in CBOR.
    pub(super) public_key: Vec<u8>,
}

const USER_PRESENT: u8 = 1;
const USER_VERIFIED: u8 = 1 << 2;
const BACKUP_ELIGIBLE: u8 = 1 << 3;
const BACKED_UP: u8 = 1 << 4;
const HAS_CREDENTIAL: u8 = 1 << 6;
const HAS_EXTENSIONS: u8 = 1 << 7;

/// The length of the identifier of the authenticator's make.
const AAGUID_LEN: usize = 16;

impl AuthenticatorData {
    /// Parses the data completely.
    pub(super) fn parse(data: &[u8]) -> Result<Self, Rejection> {
        let mut rest = data;
        let relying_party = *take::<32>(&mut rest)?;
        let [flags] = *take::<1>(&mut rest)?;
        let sign_count = u32::from_be_bytes(*take(&mut rest)?);
        let credential =
            if flags & HAS_CREDENTIAL == 0 { None } else { Some(credential(&mut rest)?) };
        if flags & HAS_EXTENSIONS != 0 {
            let extensions = cbor(&mut rest)?;
            extensions.as_map().ok_or(Rejection::Format)?;
        }
        if !rest.is_empty() {
            return Err(Rejection::Format);
        }
        Ok(Self { relying_party, flags, sign_count, credential })
    }

    pub(super) fn is_user_present(&self) -> bool {
        self.flags & USER_PRESENT != 0
    }

    pub(super) fn is_user_verified(&self) -> bool {
        self.flags & USER_VERIFIED != 0
    }

    pub(super) fn is_backup_eligible(&self) -> bool {
        self.flags & BACKUP_ELIGIBLE != 0
    }

    pub(super) fn is_backed_up(&self) -> bool {
        self.flags & BACKED_UP != 0
    }
}

fn credential(rest: &mut &[u8]) -> Result<CreatedCredential, Rejection> {
    take::<AAGUID_LEN>(rest)?;
    let length = usize::from(u16::from_be_bytes(*take(rest)?));
    let (id, key) = rest.split_at_checked(length).ok_or(Rejection::Format)?;
    *rest = key;
    cbor(rest)?;
    let key_len = key.len() - rest.len();
    let public_key = key.get(..key_len).unwrap_or_default().to_vec();
    Ok(CreatedCredential { id: id.to_vec(), public_key })
}

/// Removes the first `N` bytes.
fn take<'d, const N: usize>(rest: &mut &'d [u8]) -> Result<&'d [u8; N], Rejection> {
    let (first, after) = rest.split_first_chunk().ok_or(Rejection::Format)?;
    *rest = after;
    Ok(first)
}

/// The maximum nesting of values from outside: attestation statements contain lists of certificates.
const NESTING_MAX: usize = 8;

/// Reads one value and removes its bytes.
pub(super) fn cbor(rest: &mut &[u8]) -> Result<Cbor, Rejection> {
    ciborium::de::from_reader_with_recursion_limit(rest, NESTING_MAX).map_err(|_| Rejection::Format)
}
