//! Receipts of schema version 1, which sign the hex form of the hash and have no statement
//! (receipts, section 5.3).

use contract::{id::TenantId, json::Value};
use receipt::{
    key::{ALGORITHM, PayloadType, PublicKey},
    object_reader::parsed,
};

use crate::{
    bundle::receipt::BundledReceipt,
    claim_check::ClaimCheck,
    code::{Code, Note},
    context::VerificationContext,
    keyring::SignatureCheck,
};

pub(super) fn check(
    check: &mut ClaimCheck,
    cx: &VerificationContext<'_>,
    receipt: &BundledReceipt,
    view: &Value,
) {
    // A statement in a receipt of version 1 indicates a downgrade from a later version.
    if view.get("statement").is_some() || receipt.statement_file != Err(Code::FileMissing) {
        check.add_failure(
            Code::StatementViewMismatch,
            "a receipt of version 1 must not have a statement",
        );
    }
    let tenant = view.get("tenant_id").and_then(Value::as_str).and_then(parsed::<TenantId>);
    let Some(tenant) = tenant else {
        return check
            .add_failure(Code::StatementViewMismatch, "`tenant_id` is missing or malformed");
    };
    super::check_tenant(check, cx, tenant);
    let Ok(hash) = receipt.integrity_hash_v1() else {
        return check.add_failure(Code::IntegrityHashMismatch, "`integrity_hash` is malformed");
    };
    check.add_not_checked("integrity_preimage");
    let text = |name: &str| {
        let outer = view.get(name).or_else(|| view.get("result")?.get(name));
        outer.and_then(Value::as_str)
    };
    let (Some(signature), Some(kid)) = (text("signature"), text("signature_kid")) else {
        return check.add_failure(Code::Unsigned, "the receipt is not signed");
    };
    if !text("signature_algorithm").is_some_and(|name| name.eq_ignore_ascii_case(ALGORITHM)) {
        return check.add_failure(Code::AlgorithmUnsupported, "the algorithm is not supported");
    }
    // Receipts of version 1 may name their key differently; only a trusted registry maps these
    // names.
    let legacy = cx.keyring.newest.as_ref().and_then(|registry| registry.legacy_key(kid));
    let kid = legacy.map_or(kid, |entry| entry.kid());
    let signed = SignatureCheck {
        payload_type: PayloadType::Receipt,
        kid,
        tenant,
        at: None,
        witnessed_at: cx.log_evidence.witnessed_at(receipt.scope),
        is_logged: cx.log_evidence.is_logged(receipt.scope),
    };
    check.mark_present();
    check.add_checked("signature");
    check.add_checked("key");
    check.add_note(Note::ReceiptV1NotBoundToId);
    cx.keyring.check_signature(check, &signed, Code::SignatureInvalid, |key: &PublicKey| {
        key.verify_v1(hash, signature).is_ok()
    });
}
