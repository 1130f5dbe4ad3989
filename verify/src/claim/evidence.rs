//! Claim 7: the evidence manifest is the signed one, and the data matches it.

use contract::{
    json::{Limits, Value},
    verification::Claim,
};
use receipt::{
    CanonicalJson, Digest, object_reader::SignedObjectReader, statement::evidence_manifest,
};

use crate::{
    bundle::receipt::{BoundStatement, BundledReceipt},
    claim_check::ClaimCheck,
    code::Code,
    context::VerificationContext,
};

pub(crate) fn check(cx: &VerificationContext<'_>) -> ClaimCheck {
    let mut check = ClaimCheck::new(Claim::Evidence);
    for receipt in &cx.bundle.receipts {
        let bound =
            check.ok_or_failure(receipt.bound(), "the evidence is not bound to a statement");
        let Some(bound) = bound else { continue };
        check_receipt(&mut check, cx, receipt, &bound);
    }
    check
}

fn check_receipt(
    check: &mut ClaimCheck,
    cx: &VerificationContext<'_>,
    receipt: &BundledReceipt,
    bound: &BoundStatement<'_>,
) {
    let name = receipt.scope.evidence_manifest();
    let Some(digest) = bound.statement.evidence_manifest_digest else {
        let exists = cx.bundle.files.get(&name).is_some();
        check.require(!exists, Code::EvidenceDigestMismatch, "the receipt names no evidence");
        return check.add_failure(Code::NoEvidence, "the decision has no evidence");
    };
    let manifest = check.ok_or_failure(cx.bundle.json(&name), format!("{name} cannot be read"));
    let Some(manifest) = manifest else { return };
    check.mark_present();
    check.add_checked("manifest_digest");
    let canonical = CanonicalJson::from_value(&manifest);
    if canonical.digest != digest {
        check.add_failure(
            Code::EvidenceDigestMismatch,
            "the evidence manifest differs from the signed one",
        );
    }
    match SignedObjectReader::with_schema(&manifest, "service-evidence-manifest/v1")
        .and_then(|m| m.list("items"))
    {
        Err(error) => check.add_parse_failure(error, Code::EvidenceDigestMismatch),
        Ok(items) => check_data(check, cx, receipt, items),
    }
    check_derivation(check, cx, receipt, bound, &canonical);
}

/// Checks the data file of each item against the manifest. Other data files are not allowed.
fn check_data(
    check: &mut ClaimCheck,
    cx: &VerificationContext<'_>,
    receipt: &BundledReceipt,
    items: &[Value],
) {
    check.add_checked("items");
    let mut expected = 0_usize;
    for (position, item) in (0_u32..).zip(items) {
        let Ok(item) = SignedObjectReader::new(item, "items") else {
            check.add_failure(Code::EvidenceItemMismatch, "an item is not an object");
            continue;
        };
        let index = item.member::<u32>("index");
        let in_order = index == Ok(position);
        check.require(in_order, Code::EvidenceItemMismatch, "items are not numbered from 0");
        let Ok(Some(digest)) = item.member::<Option<Digest>>("data_digest") else { continue };
        match cx.bundle.files.get(&receipt.scope.evidence_data(position)) {
            None => {
                check.add_failure(
                    Code::EvidenceWithheld,
                    format!("the data of item {position} is withheld"),
                );
            }
            Some(bytes) => {
                expected = expected.saturating_add(1);
                let matches = Digest::compute(bytes) == digest;
                check.require(
                    matches,
                    Code::EvidenceItemMismatch,
                    "the data of an item does not match its digest",
                );
            }
        }
    }
    let directory = receipt.scope.file_name("evidence", "data/");
    let count = cx.bundle.files.names().filter(|name| name.starts_with(&directory)).count();
    check.require(count == expected, Code::EvidenceItemMismatch, "a data file belongs to no item");
}

/// Checks that the manifest matches the context, if the bundle contains the context.
fn check_derivation(
    check: &mut ClaimCheck,
    cx: &VerificationContext<'_>,
    receipt: &BundledReceipt,
    bound: &BoundStatement<'_>,
    manifest: &CanonicalJson,
) {
    let context = cx.bundle.files.get(&receipt.scope.context()).filter(|bytes| {
        receipt.integrity_digest(bound, "context_digest") == Some(Digest::compute(bytes))
    });
    let preimage = context.and_then(|text| Value::parse(text, &Limits::BUNDLE_FILE).ok());
    match preimage.as_ref().and_then(|preimage| preimage.get("context")) {
        None => check.add_not_checked("derived_from_context"),
        Some(context) => {
            check.add_checked("derived_from_context");
            let matches = evidence_manifest(context).as_ref() == Some(manifest);
            check.require(
                matches,
                Code::EvidenceItemMismatch,
                "the evidence differs from that of the context",
            );
        }
    }
}
