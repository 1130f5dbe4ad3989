//! The trusted keys for one bundle, and the check of signatures and keys (receipts, section 11).

use contract::{id::TenantId, time::Timestamp};
use receipt::{
    key::{PayloadType, PublicKey},
    transparency_log::{Checkpoint, Note as SignedNote, ParseCheckpointError, Vkey},
    trust_registry::{KeyStatus, RegistryKey, TrustRegistry},
};

use crate::{
    claim_check::ClaimCheck,
    code::{Code, Note},
    trust::{Pin, Trust},
};

/// The trusted keys: the trust input and the newest registry version reached from it.
#[derive(Debug)]
pub(crate) struct Keyring<'a> {
    pub(crate) trust: &'a Trust,
    /// The newest version reached from the pinned one.
    pub(crate) newest: Option<TrustRegistry>,
    /// The registry of the bundle. It is not trusted; it only provides the bytes of keys with a
    /// known thumbprint.
    pub(crate) in_bundle: Option<TrustRegistry>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct SignatureCheck<'a> {
    pub(crate) payload_type: PayloadType,
    pub(crate) kid: &'a str,
    pub(crate) tenant: TenantId,
    /// The signing time; without it, validity periods are not checked.
    pub(crate) at: Option<Timestamp>,
    pub(crate) witnessed_at: Option<Timestamp>,
    /// Whether claim 4 is verified for the object. Used for receipts only.
    pub(crate) is_logged: bool,
}

impl Keyring<'_> {
    /// Returns the public key `kid`. The thumbprint binds them, so any source is acceptable.
    pub(crate) fn public_key(&self, kid: &str) -> Option<&PublicKey> {
        let registries = [self.newest.as_ref(), self.in_bundle.as_ref()];
        let mut entries = registries.into_iter().flatten().filter_map(|registry| registry.key(kid));
        let pinned = self.trust.keys.iter().find(|key| key.kid() == kid);
        pinned.or_else(|| entries.next().map(|entry| &entry.key))
    }

    /// Checks a signature and its key. `verify` checks the signature with a key; `invalid` is the
    /// code for an invalid signature.
    pub(crate) fn check_signature(
        &self,
        check: &mut ClaimCheck,
        signed: &SignatureCheck<'_>,
        invalid: Code,
        verify: impl Fn(&PublicKey) -> bool,
    ) {
        match self.public_key(signed.kid) {
            None => {
                check.add_failure(Code::KeyUnknown, format!("key {} is unknown", signed.kid));
            }
            Some(key) if !verify(key) => {
                check.add_failure(
                    invalid,
                    format!("the signature by key {} is not valid", signed.kid),
                );
            }
            Some(_) => self.check_key(check, signed),
        }
    }

    /// Checks the key of a valid signature.
    fn check_key(&self, check: &mut ClaimCheck, signed: &SignatureCheck<'_>) {
        let entry = self.newest.as_ref().and_then(|registry| registry.key(signed.kid));
        let has_purpose = |pin: &Pin| pin.purposes.contains(&signed.payload_type);
        let mut pins = self.trust.pins.iter().filter(|pin| pin.kid == signed.kid).peekable();
        let (pinned, is_permitted) = (pins.peek().is_some(), pins.any(has_purpose));
        if (pinned && !is_permitted) || (!pinned && entry.is_none()) {
            let purpose = signed.payload_type.purpose();
            check.add_failure(
                Code::KeyUnknown,
                format!("key {} is not trusted for {purpose}", signed.kid),
            );
            return;
        }
        match entry.map(|entry| check_entry(entry, signed)) {
            Some(Err(code)) => {
                check.add_failure(code, format!("the registry does not permit key {}", signed.kid));
            }
            Some(Ok(Some(note))) => check.add_note(note),
            Some(Ok(None)) | None => {}
        }
    }

    pub(crate) fn log_keys(&self, origin: &str) -> Vec<&Vkey> {
        let listed = self.newest.iter().flat_map(|registry| &registry.logs).map(|log| &log.vkey);
        let logs = self.trust.logs.iter().chain(listed);
        logs.filter(|vkey| vkey.name() == origin).collect()
    }

    /// Returns the final checkpoint listed for the log `origin`, or `None` if the log is not
    /// frozen.
    ///
    /// # Errors
    /// The listed text is not a checkpoint of this log, so no proof can end in it.
    pub(crate) fn final_checkpoint(
        &self,
        origin: &str,
    ) -> Option<Result<Checkpoint, ParseCheckpointError>> {
        let logs = self.newest.iter().flat_map(|registry| &registry.logs);
        let mut listed = logs.filter(|log| log.vkey.name() == origin);
        let text = listed.find_map(|log| log.final_checkpoint.as_deref())?;
        let text = SignedNote::read(text).map_or(text, |note| note.text);
        let checkpoint = Checkpoint::read(text);
        Some(checkpoint.and_then(|checkpoint| {
            if checkpoint.origin == origin { Ok(checkpoint) } else { Err(ParseCheckpointError) }
        }))
    }

    /// Returns the trusted witness keys without duplicates.
    pub(crate) fn witness_keys(&self) -> Vec<&Vkey> {
        let listed = self.newest.iter().flat_map(|registry| &registry.witnesses);
        let mut witnesses: Vec<&Vkey> = Vec::new();
        for vkey in self.trust.witnesses.iter().chain(listed.map(|witness| &witness.vkey)) {
            if !witnesses.iter().any(|witness| witness.key() == vkey.key()) {
                witnesses.push(vkey);
            }
        }
        witnesses
    }

    /// Returns the number of witnesses that must have cosigned.
    pub(crate) fn quorum(&self) -> usize {
        let listed = self.newest.as_ref().map(|registry| registry.witness_quorum);
        let quorum = self.trust.witness_quorum.or(listed).unwrap_or_default();
        usize::try_from(quorum).unwrap_or(usize::MAX)
    }
}

/// Checks a key against its registry entry, and returns a note for a retired or later revoked key.
fn check_entry(entry: &RegistryKey, signed: &SignatureCheck<'_>) -> Result<Option<Note>, Code> {
    let is_outside = |tenants: &Vec<TenantId>| !tenants.contains(&signed.tenant);
    if !entry.has_purpose(signed.payload_type.purpose()) {
        return Err(Code::KeyPurpose);
    }
    if entry.tenant_ids.as_ref().is_some_and(is_outside) {
        return Err(Code::KeyTenant);
    }
    if signed.at.is_some_and(|at| at < entry.valid_from) {
        return Err(Code::KeyNotYetValid);
    }
    if signed.at.zip(entry.valid_until).is_some_and(|(at, until)| at > until) {
        return Err(Code::KeyExpired);
    }
    match &entry.status {
        KeyStatus::Active => Ok(None),
        // The holder of a retired key could backdate a receipt; only the log proves its age.
        KeyStatus::Retired if signed.payload_type == PayloadType::Receipt && !signed.is_logged => {
            Err(Code::KeyRetiredUnanchored)
        }
        KeyStatus::Retired => Ok(Some(Note::KeyRetired)),
        KeyStatus::Revoked { revoked_at, compromised_since, .. } => {
            let until = compromised_since.unwrap_or(*revoked_at);
            let is_earlier = signed.witnessed_at.is_some_and(|time| time < until);
            if is_earlier { Ok(Some(Note::KeyRevokedLater)) } else { Err(Code::KeyRevoked) }
        }
    }
}
