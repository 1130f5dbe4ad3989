//! A chain of decisions, checked.

use contract::{
    chain::{ChainItem, ChainStatus, ChainVerification, SealedChain},
    evaluation::Verdict,
    id::{ChainId, DecisionId, TenantId},
    json::Value,
    time::Timestamp,
};
use serde::{Deserialize, Serialize};

use super::people::acted;

/// How many steps the page shows. The rest are in the log of decisions, under the chain's filter.
pub const SHOWN_MAX: usize = 200;

/// A chain as its page shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainPage {
    /// Its tenant.
    pub tenant: TenantId,
    /// The chain.
    pub id: ChainId,
    /// Whether it takes further steps.
    pub status: ChainStatus,
    /// How many decisions it has.
    pub steps: u32,
    /// What is wrong with it, in the codes of the format.
    pub problems: Vec<String>,
    /// Whether all that is wrong is a key that is not known, which shows nothing either way.
    pub is_undecided: bool,
    /// The first step whose link or signature is wrong.
    pub first_bad: Option<u32>,
    /// Steps below the highest that no decision has: the first and the last of each run.
    pub missing: Vec<(u32, u32)>,
    /// Its seal.
    pub seal: Option<Seal>,
    /// Its first steps, in the order in which they were recorded.
    pub rows: Vec<StepRow>,
}

/// The seal of a chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seal {
    /// When it was made.
    pub at: Option<Timestamp>,
    /// Digests, under what they are of.
    pub digests: Vec<(SealPart, String)>,
    /// Whether it stands in the transparency log.
    pub is_logged: bool,
}

/// What a digest of a seal is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SealPart {
    /// The seal.
    Seal,
    /// The last link.
    Head,
    /// All links.
    Root,
    /// The key.
    Key,
}

/// A step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepRow {
    /// Its number.
    pub step: u32,
    /// Its decision.
    pub decision: DecisionId,
    /// The verdict; absent when the decision is not there any more.
    pub verdict: Option<Verdict>,
    /// When it was recorded.
    pub at: Option<Timestamp>,
    /// Who acted.
    pub actor: Option<String>,
    /// Whether its link holds.
    pub link_holds: bool,
    /// What the signature over the link is worth.
    pub signature: Signature,
    /// Whether its receipt stands in the transparency log.
    pub is_logged: bool,
}

/// What the signature over a link is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Signature {
    /// It is that of a published key.
    Good,
    /// It is not.
    Wrong,
    /// Its key is none of this service, which shows nothing either way.
    Unchecked,
    /// There is none.
    None,
}

impl ChainPage {
    /// The page of what a check of the tenant's chain has found.
    pub fn new(tenant: TenantId, found: ChainVerification, sealed: Option<SealedChain>) -> Self {
        let is_undecided = found.problems == ["KEY_UNKNOWN"];
        let is_bad = |item: &&ChainItem| {
            !item.link_valid || (item.signature_valid == Some(false) && !is_undecided)
        };
        let row = |item: &ChainItem| StepRow::new(item, is_undecided);
        Self {
            tenant,
            id: found.chain_id,
            status: found.status,
            steps: found.steps,
            problems: found.problems,
            is_undecided,
            first_bad: found.items.iter().find(is_bad).map(|item| item.chain_step),
            missing: missing(found.items.iter().map(|item| item.chain_step).collect()),
            seal: sealed.map(Seal::from),
            rows: found.items.iter().take(SHOWN_MAX).map(row).collect(),
        }
    }
}

/// The runs of numbers from 1 on that are not among `steps`.
fn missing(mut steps: Vec<u32>) -> Vec<(u32, u32)> {
    steps.sort_unstable();
    let mut next = 1;
    let mut runs = Vec::new();
    for step in steps {
        if step > next {
            runs.push((next, step - 1));
        }
        next = step.saturating_add(1);
    }
    runs
}

impl StepRow {
    /// The row of a link, in a chain of which some signatures may not have been checked.
    fn new(item: &ChainItem, is_undecided: bool) -> Self {
        Self {
            step: item.chain_step,
            decision: item.decision_id,
            verdict: item.decision,
            at: item.recorded_at,
            actor: item.actor.as_ref().and_then(acted),
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

impl From<SealedChain> for Seal {
    fn from(sealed: SealedChain) -> Self {
        let text = |name| sealed.seal.get(name).and_then(Value::as_str).map(str::to_owned);
        let parts = [
            (SealPart::Seal, Some(sealed.seal_digest.clone())),
            (SealPart::Head, text("head")),
            (SealPart::Root, text("merkle_root")),
            (SealPart::Key, text("kid")),
        ];
        Self {
            at: text("sealed_at").and_then(|at| at.parse().ok()),
            digests: parts.into_iter().filter_map(|(part, text)| Some((part, text?))).collect(),
            is_logged: sealed.transparency_anchor.is_some(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_runs_of_numbers_that_no_step_has() {
        assert_eq!(missing(vec![1, 2, 3]), []);
        assert_eq!(missing(vec![7, 3, 2, 10]), [(1, 1), (4, 6), (8, 9)]);
        assert_eq!(missing(Vec::new()), []);
    }
}
