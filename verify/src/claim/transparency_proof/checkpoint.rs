//! The checkpoint: signed by a trusted log, and cosigned by enough trusted witnesses.

use contract::time::Timestamp;
use receipt::log::{Checkpoint, Note as SignedNote, NoteInvalid};

use crate::{
    check::Check,
    code::{Code, Note},
    ring::Ring,
};

/// A checkpoint with its signatures.
pub(super) struct Signed<'a> {
    pub(super) note: SignedNote<'a>,
    pub(super) checkpoint: Checkpoint,
}

pub(super) fn read(note: &str) -> Option<Signed<'_>> {
    let note = SignedNote::read(note).ok()?;
    let checkpoint = Checkpoint::read(note.text).ok()?;
    Some(Signed { note, checkpoint })
}

/// A checkpoint that its log signed.
pub(super) struct Seen {
    /// The time that witnesses give, if there are enough of them.
    pub(super) at: Option<Timestamp>,
}

/// Checks the signature of the log. `None` when it is not good.
pub(super) fn verify(check: &mut Check, ring: &Ring<'_>, signed: &Signed<'_>) -> Option<Seen> {
    let origin = &signed.checkpoint.origin;
    let logs = ring.logs(origin);
    if logs.is_empty() {
        check.found(Code::LogUntrusted, format!("log `{origin}` is not trusted"));
        return None;
    }
    check.checked("checkpoint");
    if !logs.iter().any(|log| signed.note.verify(log).is_ok()) {
        check.found(Code::CheckpointSignatureInvalid, "the log did not sign the checkpoint");
        return None;
    }
    Some(Seen { at: witnesses(check, ring, signed) })
}

/// The time by which enough witnesses had seen the checkpoint.
fn witnesses(check: &mut Check, ring: &Ring<'_>, signed: &Signed<'_>) -> Option<Timestamp> {
    let mut seconds = Vec::new();
    for witness in ring.witnesses() {
        match signed.note.verify_cosignature(witness) {
            Ok(at) => seconds.push(at),
            Err(NoteInvalid::Absent) => {}
            Err(NoteInvalid::Wrong) => {
                let detail = format!("the cosignature of `{}` is not its own", witness.name());
                check.found(Code::CheckpointSignatureInvalid, detail);
            }
        }
    }
    seconds.sort_unstable();
    let quorum = ring.quorum();
    if seconds.len() < quorum {
        check.found(Code::QuorumNotMet, format!("{} of {quorum} witnesses", seconds.len()));
        return None;
    }
    let place = quorum.max(1).checked_sub(1)?;
    let at = seconds.get(place)?;
    check.note(Note::Witnessed);
    Timestamp::from_millis(i64::try_from(*at).ok()?.checked_mul(1_000)?)
}
