//! Check of a checkpoint: the signature of a trusted log and cosignatures of enough trusted
//! witnesses.

use contract::time::Timestamp;
use receipt::transparency_log::{Checkpoint, Note, NoteVerificationError};

use crate::{
    claim_check::ClaimCheck,
    code::{Code, Note as Remark},
    keyring::Keyring,
};

/// A checkpoint with its signatures, not yet verified.
pub(super) struct SignedNote<'a> {
    pub(super) note: Note<'a>,
    pub(super) checkpoint: Checkpoint,
}

pub(super) fn read(note: &str) -> Option<SignedNote<'_>> {
    let note = Note::read(note).ok()?;
    let checkpoint = Checkpoint::read(note.text).ok()?;
    Some(SignedNote { note, checkpoint })
}

/// The result for a checkpoint with a valid log signature.
pub(super) struct CheckpointEvidence {
    /// The time confirmed by witnesses, if the quorum is met.
    pub(super) witnessed_at: Option<Timestamp>,
}

/// Checks the signature of the log. Returns `None` if it is not valid.
pub(super) fn verify(
    check: &mut ClaimCheck,
    keyring: &Keyring<'_>,
    signed: &SignedNote<'_>,
) -> Option<CheckpointEvidence> {
    let origin = &signed.checkpoint.origin;
    let logs = keyring.log_keys(origin);
    if logs.is_empty() {
        check.add_failure(Code::LogUntrusted, format!("log `{origin}` is not trusted"));
        return None;
    }
    check.add_checked("checkpoint");
    if !logs.iter().any(|log| signed.note.verify(log).is_ok()) {
        check.add_failure(Code::CheckpointSignatureInvalid, "the log did not sign the checkpoint");
        return None;
    }
    Some(CheckpointEvidence { witnessed_at: witnessed_at(check, keyring, signed) })
}

/// Returns the time by which a quorum of witnesses had cosigned the checkpoint.
fn witnessed_at(
    check: &mut ClaimCheck,
    keyring: &Keyring<'_>,
    signed: &SignedNote<'_>,
) -> Option<Timestamp> {
    let mut seconds = Vec::new();
    for witness in keyring.witness_keys() {
        match signed.note.verify_cosignature(witness) {
            Ok(time) => seconds.push(time),
            Err(NoteVerificationError::Absent) => {}
            Err(NoteVerificationError::Wrong) => {
                let detail = format!("the cosignature of `{}` is not valid", witness.name());
                check.add_failure(Code::CheckpointSignatureInvalid, detail);
            }
        }
    }
    seconds.sort_unstable();
    let quorum = keyring.quorum();
    if seconds.len() < quorum {
        check.add_failure(
            Code::QuorumNotMet,
            format!("{} of {quorum} required cosignatures", seconds.len()),
        );
        return None;
    }
    let index = quorum.max(1).checked_sub(1)?;
    let time = seconds.get(index)?;
    check.add_note(Remark::Witnessed);
    Timestamp::from_millis(i64::try_from(*time).ok()?.checked_mul(1_000)?)
}
