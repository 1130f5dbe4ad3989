//! Claim 1: the receipt shows the signed statement, and a permitted key signed it.

mod integrity;
mod v1;
mod view;

use contract::{id::TenantId, json::Value, verification::Claim};
use receipt::{
    dsse::Envelope,
    key::{ALGORITHM, PayloadType, PublicKey},
};

use crate::{
    bundle::receipt::{BoundStatement, BundledReceipt, ReceiptVersion},
    claim_check::ClaimCheck,
    code::Code,
    context::VerificationContext,
    keyring::SignatureCheck,
};

pub(crate) fn check(cx: &VerificationContext<'_>) -> ClaimCheck {
    let mut check = ClaimCheck::new(Claim::Receipt);
    if cx.bundle.receipts.is_empty() {
        check.add_failure(Code::FileMissing, "there is no receipt");
    }
    for receipt in &cx.bundle.receipts {
        check_receipt(&mut check, cx, receipt);
    }
    check
}

fn check_receipt(check: &mut ClaimCheck, cx: &VerificationContext<'_>, receipt: &BundledReceipt) {
    let view = receipt.view.as_ref().map_err(|code| *code);
    let Some(view) = check.ok_or_failure(view, "the receipt cannot be read") else { return };
    match receipt.version() {
        Ok(ReceiptVersion::First) => v1::check(check, cx, receipt, view),
        Ok(ReceiptVersion::Second) => match receipt.bound() {
            Ok(bound) => check_v2(check, cx, receipt, view, &bound),
            Err(code) => check.add_failure(code, "the statement cannot be read"),
        },
        Ok(ReceiptVersion::Other) | Err(_) => {
            check.add_failure(
                Code::ReceiptVersionUnsupported,
                "the receipt is of an unknown version",
            );
        }
    }
}

fn check_v2(
    check: &mut ClaimCheck,
    cx: &VerificationContext<'_>,
    receipt: &BundledReceipt,
    view: &Value,
    bound: &BoundStatement<'_>,
) {
    check.mark_present();
    if let Err(code) = receipt.statement_file {
        check.add_failure(code, "the statement cannot be read");
    }
    check.add_checked("statement");
    let matches = view.get("statement") == Some(bound.value);
    check.require(matches, Code::StatementViewMismatch, "the receipt shows another statement");
    view::check(check, view, bound);
    integrity::check(check, receipt, view, bound);
    check_tenant(check, cx, bound.statement.tenant_id);
    check_signature(check, cx, receipt, view, bound);
    check.add_not_checked("policy");
    check.add_not_checked("approval");
}

fn check_tenant(check: &mut ClaimCheck, cx: &VerificationContext<'_>, tenant: TenantId) {
    let Some(expected) = cx.options.tenant else { return };
    check.add_checked("tenant");
    let matches = expected == tenant;
    check.require(matches, Code::TenantMismatch, "the receipt belongs to another tenant");
}

fn check_signature(
    check: &mut ClaimCheck,
    cx: &VerificationContext<'_>,
    receipt: &BundledReceipt,
    view: &Value,
    bound: &BoundStatement<'_>,
) {
    let Some(kid) = bound.statement.kid else {
        return check.add_failure(Code::Unsigned, "the receipt is not signed");
    };
    if bound.value.get("alg").and_then(Value::as_str) != Some(ALGORITHM) {
        return check.add_failure(Code::AlgorithmUnsupported, "the algorithm is not supported");
    }
    let Some(signature) = view.get("signature").and_then(Value::as_str) else {
        // The view check reports the missing member as a mismatch; here the signature is missing.
        return check.add_failure(Code::Unsigned, "the signature was removed");
    };
    let signed = SignatureCheck {
        payload_type: PayloadType::Receipt,
        kid,
        tenant: bound.statement.tenant_id,
        at: Some(bound.statement.recorded_at),
        witnessed_at: cx.log_evidence.witnessed_at(receipt.scope),
        is_logged: cx.log_evidence.is_logged(receipt.scope),
    };
    let text = bound.value.to_canonical();
    cx.keyring.check_signature(check, &signed, Code::SignatureInvalid, |key: &PublicKey| {
        key.verify(PayloadType::Receipt, &text, signature).is_ok()
    });
    check.add_checked("signature");
    check.add_checked("key");
    check_envelope(check, cx, receipt, &text, kid, signature);
}

/// Checks that the envelope contains the same statement and only the same signature.
fn check_envelope(
    check: &mut ClaimCheck,
    cx: &VerificationContext<'_>,
    receipt: &BundledReceipt,
    text: &str,
    kid: &str,
    signature: &str,
) {
    let envelope = cx.bundle.json(&receipt.scope.receipt_envelope());
    let envelope = check.ok_or_failure(envelope, "the envelope of the statement cannot be read");
    let Some(envelope) = envelope else { return };
    let payload = receipt::CanonicalJson::parse(text.as_bytes());
    let expected = payload
        .ok()
        .and_then(|payload| Envelope::new(PayloadType::Receipt, payload, [(kid, signature)]).ok());
    let matches = expected.is_some() && Envelope::read(&envelope).ok() == expected;
    check.require(matches, Code::SignatureInvalid, "the envelope has another content");
}
