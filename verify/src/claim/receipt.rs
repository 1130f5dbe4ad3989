//! Claim 1: the receipt says what was signed, and was signed by a key that may.

mod first;
mod integrity;
mod view;

use contract::json::Value;
use receipt::{
    dsse::Envelope,
    key::{ALGORITHM, PayloadType, PublicKey},
};

use super::Claim;
use crate::{
    case::{Bound, Case, Version},
    check::Check,
    code::Code,
    judge::World,
    ring::Signed,
};

pub(crate) fn check(world: &World<'_>) -> Check {
    let mut check = Check::new(Claim::Receipt);
    if world.bundle.cases.is_empty() {
        check.found(Code::FileMissing, "there is no receipt");
    }
    for case in &world.bundle.cases {
        receipt(&mut check, world, case);
    }
    check
}

fn receipt(check: &mut Check, world: &World<'_>, case: &Case) {
    let view = match &case.view {
        Ok(view) => view,
        Err(code) => return check.found(*code, "the receipt cannot be read"),
    };
    match case.version() {
        Ok(Version::First) => first::check(check, world, case, view),
        Ok(Version::Second) => match case.bound() {
            Ok(bound) => second(check, world, case, view, &bound),
            Err(code) => check.found(code, "the statement cannot be read"),
        },
        Ok(Version::Other) | Err(_) => {
            check.found(Code::ReceiptVersionUnsupported, "the receipt is of an unknown version");
        }
    }
}

fn second(check: &mut Check, world: &World<'_>, case: &Case, view: &Value, bound: &Bound<'_>) {
    check.holds();
    if let Err(code) = case.statement_file {
        check.found(code, "the statement cannot be read");
    }
    check.checked("statement");
    let inside = view.get("statement") == Some(bound.value);
    check.require(inside, Code::StatementViewMismatch, "the receipt shows another statement");
    view::check(check, view, bound);
    integrity::check(check, case, view, bound);
    tenant(check, world, &bound.statement.tenant_id);
    signature(check, world, case, view, bound);
    check.not_checked("policy");
    check.not_checked("approval");
}

/// The tenant must be the expected one, if one is expected.
fn tenant(check: &mut Check, world: &World<'_>, tenant: &contract::id::TenantId) {
    let Some(expected) = &world.options.tenant else { return };
    check.checked("tenant");
    check.require(expected == tenant, Code::TenantMismatch, "the receipt is of another tenant");
}

fn signature(check: &mut Check, world: &World<'_>, case: &Case, view: &Value, bound: &Bound<'_>) {
    let Some(kid) = bound.statement.kid else {
        return check.found(Code::Unsigned, "the receipt is not signed");
    };
    if bound.value.get("alg").and_then(Value::as_str) != Some(ALGORITHM) {
        return check.found(Code::AlgorithmUnsupported, "the algorithm is another one");
    }
    let Some(signature) = view.get("signature").and_then(Value::as_str) else {
        // That members are missing is a mismatch of the view; the signature itself is not there.
        return check.found(Code::Unsigned, "the signature was taken off");
    };
    let signed = Signed {
        payload_type: PayloadType::Receipt,
        kid,
        tenant: bound.statement.tenant_id,
        at: Some(bound.statement.recorded_at),
        witnessed: world.seen.witnessed(case.place),
        is_logged: world.seen.is_logged(case.place),
    };
    let text = bound.value.to_canonical();
    world.ring.judge(check, &signed, Code::SignatureInvalid, |key: &PublicKey| {
        key.verify(PayloadType::Receipt, &text, signature).is_ok()
    });
    check.checked("signature");
    check.checked("key");
    envelope(check, world, case, &text, kid, signature);
}

/// The envelope holds the same statement and the same signature, and no other one.
fn envelope(
    check: &mut Check,
    world: &World<'_>,
    case: &Case,
    text: &str,
    kid: &str,
    signature: &str,
) {
    let found = match world.bundle.json(&case.place.receipt_envelope()) {
        Ok(envelope) => Envelope::read(&envelope),
        Err(code) => return check.found(code, "the envelope of the statement cannot be read"),
    };
    let payload = receipt::Canonical::read(text.as_bytes());
    let expected = payload
        .ok()
        .and_then(|payload| Envelope::new(PayloadType::Receipt, payload, [(kid, signature)]).ok());
    let same = found.ok().is_some_and(|found| Some(found) == expected);
    check.require(same, Code::SignatureInvalid, "the envelope holds something else");
}
