//! Receipts of schema version 1: a signature over the hex of the hash, and no statement (receipts,
//! section 5.3).

use contract::{id::TenantId, json::Value};
use receipt::{
    fields::exact,
    key::{ALGORITHM, PayloadType, PublicKey},
};

use crate::{
    case::Case,
    check::Check,
    code::{Code, Note},
    judge::World,
    ring::Signed,
};

pub(super) fn check(check: &mut Check, world: &World<'_>, case: &Case, view: &Value) {
    // A receipt of version 1 has no statement: one that has was made look older than it is.
    if view.get("statement").is_some() || case.statement_file != Err(Code::FileMissing) {
        check.found(Code::StatementViewMismatch, "a receipt of version 1 has no statement");
    }
    let tenant = view.get("tenant_id").and_then(Value::as_str).and_then(exact::<TenantId>);
    let Some(tenant) = tenant else {
        return check.found(Code::StatementViewMismatch, "`tenant_id` is missing or malformed");
    };
    super::tenant(check, world, &tenant);
    let Ok(hash) = case.integrity_hash_v1() else {
        return check.found(Code::IntegrityHashMismatch, "`integrity_hash` is malformed");
    };
    check.not_checked("integrity_preimage");
    let text = |name: &str| {
        let outer = view.get(name).or_else(|| view.get("result")?.get(name));
        outer.and_then(Value::as_str)
    };
    let (Some(signature), Some(kid)) = (text("signature"), text("signature_kid")) else {
        return check.found(Code::Unsigned, "the receipt is not signed");
    };
    if !text("signature_algorithm").is_some_and(|name| name.eq_ignore_ascii_case(ALGORITHM)) {
        return check.found(Code::AlgorithmUnsupported, "the algorithm is another one");
    }
    // Old receipts may name their key in another way; only a trusted registry says which one it is.
    let legacy = world.ring.newest.as_ref().and_then(|registry| registry.legacy_key(kid));
    let kid = legacy.map_or(kid, |entry| entry.kid());
    let signed = Signed {
        payload_type: PayloadType::Receipt,
        kid,
        tenant,
        at: None,
        witnessed: world.seen.witnessed(case.place),
        is_logged: world.seen.is_logged(case.place),
    };
    check.holds();
    check.checked("signature");
    check.checked("key");
    check.note(Note::ReceiptV1NotBoundToId);
    world.ring.judge(check, &signed, Code::SignatureInvalid, |key: &PublicKey| {
        key.verify_v1(hash, signature).is_ok()
    });
}
