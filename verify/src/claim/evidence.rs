//! Claim 7: the evidence manifest is the one that was signed, and data match it.

use contract::json::{Limits, Value};
use receipt::{Canonical, Digest, fields::Fields, statement::evidence_manifest};

use super::Claim;
use crate::{
    case::{Bound, Case},
    check::Check,
    code::Code,
    judge::World,
};

pub(crate) fn check(world: &World<'_>) -> Check {
    let mut check = Check::new(Claim::Evidence);
    for case in &world.bundle.cases {
        match case.bound() {
            Ok(bound) => receipt(&mut check, world, case, &bound),
            Err(code) => check.found(code, "the evidence is bound by no statement"),
        }
    }
    check
}

fn receipt(check: &mut Check, world: &World<'_>, case: &Case, bound: &Bound<'_>) {
    let name = case.place.evidence_manifest();
    let Some(digest) = bound.statement.evidence_manifest_digest else {
        let shown = world.bundle.files.get(&name).is_some();
        check.require(!shown, Code::EvidenceDigestMismatch, "the receipt knows of no evidence");
        return check.found(Code::NoEvidence, "the decision had no evidence");
    };
    let manifest = match world.bundle.json(&name) {
        Ok(manifest) => manifest,
        Err(code) => return check.found(code, format!("{name} cannot be read")),
    };
    check.holds();
    check.checked("manifest_digest");
    let canonical = Canonical::of(&manifest);
    if canonical.digest != digest {
        check.found(Code::EvidenceDigestMismatch, "the manifest is not the one that was signed");
    }
    match Fields::of_schema(&manifest, "service-evidence-manifest/v1").and_then(|m| m.list("items"))
    {
        Err(fault) => check.malformed(fault, Code::EvidenceDigestMismatch),
        Ok(items) => data(check, world, case, items),
    }
    derived(check, world, case, bound, &canonical);
}

/// Each item that had data: the member must be what the manifest names. Nothing else may be there.
fn data(check: &mut Check, world: &World<'_>, case: &Case, items: &[Value]) {
    check.checked("items");
    let mut expected = 0_usize;
    for (place, item) in (0_u32..).zip(items) {
        let Ok(item) = Fields::of(item, "items") else {
            check.found(Code::EvidenceItemMismatch, "an item is no object");
            continue;
        };
        let index = item.whole::<u32>("index");
        let in_order = index == Ok(place);
        check.require(in_order, Code::EvidenceItemMismatch, "items are not numbered from 0");
        let Ok(Some(digest)) = item.maybe::<Digest>("data_digest") else { continue };
        match world.bundle.files.get(&case.place.evidence_data(place)) {
            None => check.found(Code::EvidenceWithheld, format!("the data of item {place}")),
            Some(bytes) => {
                expected = expected.saturating_add(1);
                let same = Digest::of(bytes) == digest;
                check.require(same, Code::EvidenceItemMismatch, "data do not match their digest");
            }
        }
    }
    let folder = case.place.member("evidence", "data/");
    let there = world.bundle.files.names().filter(|name| name.starts_with(&folder)).count();
    check.require(there == expected, Code::EvidenceItemMismatch, "data that no item names");
}

/// When the context is there too, the manifest must follow from it.
fn derived(
    check: &mut Check,
    world: &World<'_>,
    case: &Case,
    bound: &Bound<'_>,
    manifest: &Canonical,
) {
    let context =
        world.bundle.files.get(&case.place.context()).filter(|bytes| {
            case.integrity_digest(bound, "context_digest") == Some(Digest::of(bytes))
        });
    let preimage = context.and_then(|text| Value::parse(text, &Limits::BUNDLE_MEMBER).ok());
    match preimage.as_ref().and_then(|preimage| preimage.get("context")) {
        None => check.not_checked("derived_from_context"),
        Some(context) => {
            check.checked("derived_from_context");
            let same = evidence_manifest(context).as_ref() == Some(manifest);
            check.require(same, Code::EvidenceItemMismatch, "the context had other evidence");
        }
    }
}
