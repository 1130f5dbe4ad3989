//! The rule type `evidence`: items of required kinds whose data matches their hashes.

use contract::{
    evaluation::ReasonCode,
    json::Value,
    read::{FromJson as _, ObjectReader},
};

use super::violation::{FailedCheck, ViolationCollector, count};
use crate::{byte_budget::ResultTooLarge, context_values::ContextValues, input, member, reason};

/// `{required_kinds, verify_hash?}`
#[derive(Debug)]
pub(crate) struct Evidence {
    required_kinds: Vec<String>,
    verify_hash: bool,
}

impl Evidence {
    pub(crate) fn read(members: &mut ObjectReader<'_, '_>) -> Option<Self> {
        let required_kinds = members.required("required_kinds", member::kind_names);
        let verify_hash = members.optional("verify_hash", bool::from_json).unwrap_or(true);
        Some(Self { required_kinds: required_kinds?, verify_hash })
    }

    pub(crate) fn check(
        &self,
        context: &ContextValues<'_>,
        collector: &mut ViolationCollector<'_>,
    ) -> Result<(), ResultTooLarge> {
        for kind in &self.required_kinds {
            if !context.has_evidence(kind) {
                collector.add(missing(kind))?;
            }
        }
        if self.verify_hash {
            for (index, item) in context.evidence().iter().enumerate() {
                if let (Some(hash), Some(digest)) = (item.hash, item.data_digest)
                    && !matches_digest(hash, digest)
                {
                    collector.add(mismatch(index, item, &hash.into(), digest))?;
                }
            }
        }
        Ok(())
    }
}

/// Returns whether a claimed hash equals the digest: hexadecimal in either case, with or without the prefix
/// `sha256:`.
fn matches_digest(hash: &str, digest: &str) -> bool {
    hash.strip_prefix("sha256:").unwrap_or(hash).eq_ignore_ascii_case(digest)
}

fn missing(kind: &str) -> FailedCheck<'static> {
    let kind_value = Value::from(kind);
    let expected = format!("evidence of kind {kind_value}");
    let reason = format!("{expected} is missing");
    FailedCheck::new(ReasonCode::EvidenceMissing, expected, reason).details([("kind", kind_value)])
}

fn mismatch<'v>(
    index: usize,
    item: &input::Evidence<'_>,
    hash: &'v Value,
    digest: &str,
) -> FailedCheck<'v> {
    let item_name = match item.kind {
        Some(kind) => format!("evidence {index} ({})", reason::display(&kind.into())),
        None => format!("evidence {index}"),
    };
    let reason = format!("the hash of {item_name} is not the digest of its data");
    FailedCheck::new(ReasonCode::EvidenceHashMismatch, digest, reason)
        .actual(hash)
        .details([("index", count(index))])
}
