//! One approval: its digest, its ratifier and its signature.

use contract::json::{Limits, Value};
use receipt::{
    Digest,
    approval::PolicyApproval,
    bundle::path,
    dsse::Envelope,
    key::{ALGORITHM, PayloadType, PublicKey},
};

use crate::{
    claim_check::ClaimCheck,
    code::{Code, Note},
    context::VerificationContext,
    keyring::SignatureCheck,
};

pub(super) fn check(
    check: &mut ClaimCheck,
    cx: &VerificationContext<'_>,
    digest: Digest,
) -> Option<PolicyApproval> {
    cx.bundle.files.get(&path::approval(digest))?;
    let value = cx.bundle.json(&path::approval(digest));
    let value = check.ok_or_failure(value, "an approval cannot be read")?;
    let Ok(envelope) = Envelope::read(&value) else {
        check.add_failure(Code::ApprovalMalformed, "an approval is not an envelope");
        return None;
    };
    let payload = Value::parse(envelope.payload.text.as_bytes(), &Limits::BUNDLE_FILE).ok()?;
    let approval = PolicyApproval::read(&payload);
    let approval = check.parsed_or_failure(approval, Code::ApprovalMalformed)?;
    check.add_checked("approval_digest");
    let matches = envelope.payload.digest == digest;
    check.require(matches, Code::ApprovalDigestMismatch, "the digest of an approval differs");
    check.add_checked("maker_checker");
    let is_maker = approval.makers.contains(&approval.ratifier.user_id);
    let allowed = !(approval.maker_checker && is_maker);
    check.require(allowed, Code::RatifierIsAuthor, "the ratifier is an author of the version");
    check_signature(check, cx, &payload, &envelope, &approval);
    Some(approval)
}

fn check_signature(
    check: &mut ClaimCheck,
    cx: &VerificationContext<'_>,
    payload: &Value,
    envelope: &Envelope,
    approval: &PolicyApproval,
) {
    check.add_checked("approval_signature");
    let Some(kid) = approval.kid.as_deref() else {
        let is_unsigned = envelope.signatures.is_empty();
        let code = if is_unsigned { Code::KeyUnknown } else { Code::ApprovalSignatureInvalid };
        return check.add_failure(code, "an approval names no key");
    };
    let alg_matches = payload.get("alg").and_then(Value::as_str) == Some(ALGORITHM);
    let own_count = envelope.signatures.iter().filter(|signature| signature.keyid == kid).count();
    let is_signed_once = alg_matches && own_count == 1;
    check.require(
        is_signed_once,
        Code::ApprovalSignatureInvalid,
        "an approval is not signed by its key",
    );
    if own_count < envelope.signatures.len() {
        check.add_note(Note::AdditionalSignatureUnchecked);
    }
    if !is_signed_once {
        return;
    }
    let signed = SignatureCheck {
        payload_type: PayloadType::PolicyApproval,
        kid,
        tenant: approval.tenant_id,
        at: Some(approval.ratified_at),
        witnessed_at: None,
        is_logged: false,
    };
    cx.keyring.check_signature(
        check,
        &signed,
        Code::ApprovalSignatureInvalid,
        |key: &PublicKey| envelope.verify(PayloadType::PolicyApproval, key).is_ok(),
    );
}
