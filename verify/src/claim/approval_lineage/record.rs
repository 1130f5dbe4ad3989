//! One approval: its digest, who ratified it, and the signature of the key that it names.

use contract::json::{Limits, Value};
use receipt::{
    Digest,
    approval::StoredApproval,
    bundle::path,
    dsse::Envelope,
    key::{ALGORITHM, PayloadType, PublicKey},
};

use crate::{
    check::Check,
    code::{Code, Note},
    judge::World,
    ring::Signed,
};

/// An approval that could be read.
#[derive(Debug)]
pub(super) struct Record {
    pub(super) approval: StoredApproval,
}

pub(super) fn judge(check: &mut Check, world: &World<'_>, digest: Digest) -> Option<Record> {
    let value = match world.bundle.json(&path::approval(digest)) {
        Ok(value) => value,
        Err(Code::FileMissing) => return None,
        Err(code) => {
            check.found(code, "an approval cannot be read");
            return None;
        }
    };
    let Ok(envelope) = Envelope::read(&value) else {
        check.found(Code::ApprovalMalformed, "an approval is no envelope");
        return None;
    };
    let payload = Value::parse(envelope.payload.text.as_bytes(), &Limits::BUNDLE_MEMBER).ok()?;
    let approval = match StoredApproval::read(&payload) {
        Ok(approval) => approval,
        Err(fault) => {
            super::unread(check, fault);
            return None;
        }
    };
    check.checked("approval_digest");
    let named = envelope.payload.digest == digest;
    check.require(named, Code::ApprovalDigestMismatch, "an approval has another digest");
    check.checked("maker_checker");
    let own = approval.makers.contains(&approval.ratifier.user_id);
    let allowed = !(approval.maker_checker && own);
    check.require(allowed, Code::RatifierIsAuthor, "a maker ratified their own work");
    signature(check, world, &payload, &envelope, &approval);
    Some(Record { approval })
}

fn signature(
    check: &mut Check,
    world: &World<'_>,
    payload: &Value,
    envelope: &Envelope,
    approval: &StoredApproval,
) {
    check.checked("approval_signature");
    let Some(kid) = approval.kid.as_deref() else {
        let unsigned = envelope.signatures.is_empty();
        let code = if unsigned { Code::KeyUnknown } else { Code::ApprovalSignatureInvalid };
        return check.found(code, "an approval names no key");
    };
    let alg = payload.get("alg").and_then(Value::as_str) == Some(ALGORITHM);
    let own = envelope.signatures.iter().filter(|signature| signature.keyid == kid);
    let own = own.count();
    let good = alg && own == 1;
    check.require(good, Code::ApprovalSignatureInvalid, "an approval is not signed by its key");
    if own < envelope.signatures.len() {
        check.note(Note::AdditionalSignatureUnchecked);
    }
    if !good {
        return;
    }
    let signed = Signed {
        payload_type: PayloadType::PolicyApproval,
        kid,
        tenant: approval.tenant_id,
        at: Some(approval.ratified_at),
        witnessed: None,
        is_logged: false,
    };
    world.ring.judge(check, &signed, Code::ApprovalSignatureInvalid, |key: &PublicKey| {
        envelope.verify(PayloadType::PolicyApproval, key).is_ok()
    });
}
