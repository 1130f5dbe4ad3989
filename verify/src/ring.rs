//! The keys that count for one bundle, and the verdict on a signature (receipts, section 11).

use contract::{id::TenantId, time::Timestamp};
use receipt::{
    key::{PayloadType, PublicKey},
    log::{Checkpoint, NotACheckpoint, Note as SignedNote, Vkey},
    registry::{KeyStatus, RegistryKey, TrustRegistry},
};

use crate::{
    check::Check,
    code::{Code, Note},
    trust::{Pin, Trust},
};

/// The keys that count: what is trusted, and the newest version of the registry reached from it.
#[derive(Debug)]
pub(crate) struct Ring<'a> {
    pub(crate) trust: &'a Trust,
    /// The newest version that was reached from the pinned one.
    pub(crate) newest: Option<TrustRegistry>,
    /// The registry of the bundle. It is not trusted: it only gives bytes to thumbprints.
    pub(crate) in_bundle: Option<TrustRegistry>,
}

/// A signature to be judged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Signed<'a> {
    pub(crate) payload_type: PayloadType,
    pub(crate) kid: &'a str,
    pub(crate) tenant: TenantId,
    /// When it was made; without a time windows are not looked at.
    pub(crate) at: Option<Timestamp>,
    /// When a witness saw it.
    pub(crate) witnessed: Option<Timestamp>,
    /// Whether claim 4 is verified for the object. Only receipts need it.
    pub(crate) is_logged: bool,
}

impl Ring<'_> {
    /// The bytes of `kid`. A thumbprint binds them, wherever they come from.
    pub(crate) fn bytes(&self, kid: &str) -> Option<&PublicKey> {
        let registries = [self.newest.as_ref(), self.in_bundle.as_ref()];
        let mut entries = registries.into_iter().flatten().filter_map(|registry| registry.key(kid));
        let given = self.trust.keys.iter().find(|key| key.kid() == kid);
        given.or_else(|| entries.next().map(|entry| &entry.key))
    }

    /// Judges a signature, which `verify` checks under a key. A bad one is `invalid`.
    pub(crate) fn judge(
        &self,
        check: &mut Check,
        signed: &Signed<'_>,
        invalid: Code,
        verify: impl Fn(&PublicKey) -> bool,
    ) {
        let entry = self.newest.as_ref().and_then(|registry| registry.key(signed.kid));
        match self.bytes(signed.kid) {
            None => {
                check.found(Code::KeyUnknown, format!("nothing is known of key {}", signed.kid));
            }
            Some(key) if !verify(key) => {
                check.found(invalid, format!("the signature is not of key {}", signed.kid));
            }
            Some(_) => self.judge_key(check, signed, entry),
        }
    }

    /// Judges the key of a good signature.
    pub(crate) fn judge_key(
        &self,
        check: &mut Check,
        signed: &Signed<'_>,
        entry: Option<&RegistryKey>,
    ) {
        let fits = |pin: &Pin| pin.purposes.contains(&signed.payload_type);
        let mut pins = self.trust.pins.iter().filter(|pin| pin.kid == signed.kid).peekable();
        let (pinned, for_this) = (pins.peek().is_some(), pins.any(fits));
        if (pinned && !for_this) || (!pinned && entry.is_none()) {
            let purpose = signed.payload_type.purpose();
            check.found(Code::KeyUnknown, format!("{} is not trusted for {purpose}", signed.kid));
            return;
        }
        match entry.map(|entry| in_registry(entry, signed)) {
            Some(Err(code)) => check.found(code, format!("the registry refuses {}", signed.kid)),
            Some(Ok(Some(note))) => check.note(note),
            Some(Ok(None)) | None => {}
        }
    }

    /// The trusted logs called `origin`.
    pub(crate) fn logs(&self, origin: &str) -> Vec<&Vkey> {
        let listed = self.newest.iter().flat_map(|registry| &registry.logs).map(|log| &log.vkey);
        let logs = self.trust.logs.iter().chain(listed);
        logs.filter(|vkey| vkey.name() == origin).collect()
    }

    /// The final checkpoint that the registry lists for the log `origin`; absent while the log is not
    /// frozen.
    ///
    /// # Errors
    /// What is listed is no checkpoint of this log, so no proof can end in it.
    pub(crate) fn final_checkpoint(
        &self,
        origin: &str,
    ) -> Option<Result<Checkpoint, NotACheckpoint>> {
        let logs = self.newest.iter().flat_map(|registry| &registry.logs);
        let mut listed = logs.filter(|log| log.vkey.name() == origin);
        let text = listed.find_map(|log| log.final_checkpoint.as_deref())?;
        let text = SignedNote::read(text).map_or(text, |note| note.text);
        let checkpoint = Checkpoint::read(text);
        Some(
            checkpoint
                .and_then(|read| (read.origin == origin).then_some(read).ok_or(NotACheckpoint)),
        )
    }

    /// The trusted witnesses, each once.
    pub(crate) fn witnesses(&self) -> Vec<&Vkey> {
        let listed = self.newest.iter().flat_map(|registry| &registry.witnesses);
        let mut witnesses: Vec<&Vkey> = Vec::new();
        for vkey in self.trust.witnesses.iter().chain(listed.map(|witness| &witness.vkey)) {
            if !witnesses.iter().any(|known| known.key() == vkey.key()) {
                witnesses.push(vkey);
            }
        }
        witnesses
    }

    /// How many of them must have cosigned.
    pub(crate) fn quorum(&self) -> usize {
        let listed = self.newest.as_ref().map(|registry| registry.witness_quorum);
        let quorum = self.trust.witness_quorum.or(listed).unwrap_or_default();
        usize::try_from(quorum).unwrap_or(usize::MAX)
    }
}

/// What the registry says of a key that made a good signature.
fn in_registry(entry: &RegistryKey, signed: &Signed<'_>) -> Result<Option<Note>, Code> {
    let outside = |tenants: &Vec<TenantId>| !tenants.contains(&signed.tenant);
    if !entry.has_purpose(signed.payload_type.purpose()) {
        return Err(Code::KeyPurpose);
    }
    if entry.tenant_ids.as_ref().is_some_and(outside) {
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
        // The holder of a retired key could have backdated a receipt; only the log shows that it is older.
        KeyStatus::Retired if signed.payload_type == PayloadType::Receipt && !signed.is_logged => {
            Err(Code::KeyRetiredUnanchored)
        }
        KeyStatus::Retired => Ok(Some(Note::KeyRetired)),
        KeyStatus::Revoked { revoked_at, compromised_since, .. } => {
            let until = compromised_since.unwrap_or(*revoked_at);
            let before = signed.witnessed.is_some_and(|seen| seen < until);
            if before { Ok(Some(Note::KeyRevokedLater)) } else { Err(Code::KeyRevoked) }
        }
    }
}
