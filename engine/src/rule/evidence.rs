//! `evidence`: items of required kinds, whose data match their hashes.

use contract::{
    evaluation::ReasonCode,
    json::Value,
    read::{self, Members},
};

use crate::{
    facts::Facts,
    input, member, reason,
    report::{Failure, Report, count},
};

/// `{required_kinds, verify_hash?}`
#[derive(Debug)]
pub(crate) struct Evidence {
    required_kinds: Vec<String>,
    verify_hash: bool,
}

impl Evidence {
    pub(crate) fn read(members: &mut Members<'_, '_>) -> Option<Self> {
        let required_kinds = members.required("required_kinds", member::names_of_kinds);
        let verify_hash = members.optional("verify_hash", read::boolean).unwrap_or(true);
        Some(Self { required_kinds: required_kinds?, verify_hash })
    }

    pub(crate) fn check(&self, facts: &Facts<'_>, report: &mut Report<'_>) {
        for kind in &self.required_kinds {
            if !facts.evidence().iter().any(|item| item.kind == Some(kind)) {
                report.add(missing(kind));
            }
        }
        if self.verify_hash {
            for (index, item) in facts.evidence().iter().enumerate() {
                if let (Some(hash), Some(digest)) = (item.hash, item.data_digest)
                    && !same(hash, digest)
                {
                    report.add(mismatch(index, item, hash, digest));
                }
            }
        }
    }
}

/// Whether a claimed hash is the digest: hexadecimal in either case, perhaps after `sha256:`.
fn same(hash: &str, digest: &str) -> bool {
    hash.strip_prefix("sha256:").unwrap_or(hash).eq_ignore_ascii_case(digest)
}

fn missing(kind: &str) -> Failure {
    let kind_value = Value::from(kind);
    let expected = format!("evidence of kind {kind_value}");
    let reason = format!("{expected} is missing");
    Failure::new(ReasonCode::EvidenceMissing, expected, reason).details([("kind", kind_value)])
}

fn mismatch(index: usize, item: &input::Evidence<'_>, hash: &str, digest: &str) -> Failure {
    let told = match item.kind {
        Some(kind) => format!("evidence {index} ({})", reason::shown(&kind.into())),
        None => format!("evidence {index}"),
    };
    let reason = format!("the hash of {told} is not the digest of its data");
    Failure::new(ReasonCode::EvidenceHashMismatch, digest, reason)
        .actual(&hash.into())
        .details([("index", count(index))])
}
