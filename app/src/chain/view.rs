//! A verified decision chain.

use contract::{
    chain::{ChainItem, ChainSeal, ChainStatus, ChainVerification},
    evaluation::Verdict,
    id::{ChainId, DecisionId, TenantId},
    json::Value,
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

use crate::member::names::actor_name;

/// The number of steps that the page shows. The decision list shows all of them with the chain's filter.
pub const SHOWN_MAX: usize = 200;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainPage {
    pub tenant: TenantId,
    pub id: ChainId,
    pub status: ChainStatus,
    /// The number of decisions in the chain.
    pub steps: u32,
    /// The codes of the errors found.
    pub problems: Vec<String>,
    /// Whether the only error is an unknown key: signatures are then neither valid nor invalid.
    pub is_undecided: bool,
    /// The first step with an invalid link or signature.
    pub first_bad: Option<u32>,
    /// The step numbers below the highest one that no decision has, as ranges of first and last number.
    pub missing: Vec<(u32, u32)>,
    pub seal: Option<Seal>,
    /// Its first steps, in the order of recording.
    pub rows: Vec<StepRow>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seal {
    /// The time of sealing.
    pub at: Option<Timestamp>,
    /// The digests, with the kind of each.
    pub digests: Vec<(SealPart, String)>,
    /// Whether it is anchored in the transparency log.
    pub is_logged: bool,
}

/// The kind of a digest of a seal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SealPart {
    /// The digest of the seal.
    Seal,
    /// The last link.
    Head,
    /// All links.
    Root,
    /// The key ID.
    Key,
}

impl SealPart {
    pub const fn label(self) -> &'static str {
        match self {
            Self::Seal => "Seal digest",
            Self::Head => "Last link",
            Self::Root => "Root over all links",
            Self::Key => "Key ID",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepRow {
    pub step: u32,
    pub decision: DecisionId,
    /// The verdict; absent if the decision was not found.
    pub verdict: Option<Verdict>,
    /// The time of recording.
    pub at: Option<Timestamp>,
    /// The name of the actor.
    pub actor: Option<String>,
    /// Whether its link is valid.
    pub link_holds: bool,
    pub signature: Signature,
    /// Whether its receipt is anchored in the transparency log.
    pub is_logged: bool,
}

/// The result of checking the signature of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Signature {
    /// Valid, with a published key.
    Good,
    Wrong,
    /// Not checked, because the service does not have the key.
    Unchecked,
    /// The link is not signed.
    None,
}

impl ChainPage {
    /// Creates the page from the verification of one of the tenant's chains.
    pub fn new(tenant: TenantId, verification: ChainVerification, seal: Option<ChainSeal>) -> Self {
        let is_undecided = verification.problems == ["KEY_UNKNOWN"];
        let is_bad = |item: &&ChainItem| {
            !item.link_valid || (item.signature_valid == Some(false) && !is_undecided)
        };
        let row = |item: &ChainItem| StepRow::new(item, is_undecided);
        Self {
            tenant,
            id: verification.chain_id,
            status: verification.status,
            steps: verification.steps,
            problems: verification.problems,
            is_undecided,
            first_bad: verification.items.iter().find(is_bad).map(|item| item.chain_step),
            missing: missing(verification.items.iter().map(|item| item.chain_step).collect()),
            seal: seal.map(Seal::from),
            rows: verification.items.iter().take(SHOWN_MAX).map(row).collect(),
        }
    }
}

/// Returns the ranges of numbers from 1 that are not among `steps`.
fn missing(mut steps: Vec<u32>) -> Vec<(u32, u32)> {
    steps.sort_unstable();
    let mut next = 1;
    let mut ranges = Vec::new();
    for step in steps {
        if step > next {
            ranges.push((next, step - 1));
        }
        next = step.saturating_add(1);
    }
    ranges
}

impl StepRow {
    /// Creates the row of a link. `is_undecided` means that some signatures could not be checked.
    fn new(item: &ChainItem, is_undecided: bool) -> Self {
        Self {
            step: item.chain_step,
            decision: item.decision_id,
            verdict: item.decision,
            at: item.recorded_at,
            actor: item.actor.as_ref().and_then(actor_name),
            link_holds: item.link_valid,
            signature: match item.signature_valid {
                Some(true) => Signature::Good,
                Some(false) if is_undecided => Signature::Unchecked,
                Some(false) => Signature::Wrong,
                None => Signature::None,
            },
            is_logged: item.anchored,
        }
    }
}

impl From<ChainSeal> for Seal {
    fn from(chain_seal: ChainSeal) -> Self {
        let text = |name| chain_seal.seal.get(name).and_then(Value::as_str).map(str::to_owned);
        let parts = [
            (SealPart::Seal, Some(chain_seal.seal_digest.clone())),
            (SealPart::Head, text("head")),
            (SealPart::Root, text("merkle_root")),
            (SealPart::Key, text("kid")),
        ];
        Self {
            at: text("sealed_at").and_then(|at| at.parse().ok()),
            digests: parts.into_iter().filter_map(|(part, text)| Some((part, text?))).collect(),
            is_logged: chain_seal.transparency_anchor.is_some(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_returns_the_ranges_of_absent_step_numbers() {
        assert_eq!(missing(vec![1, 2, 3]), []);
        assert_eq!(missing(vec![7, 3, 2, 10]), [(1, 1), (4, 6), (8, 9)]);
        assert_eq!(missing(Vec::new()), []);
    }
}
