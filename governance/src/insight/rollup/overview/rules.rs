//! The lists of rules of the overview, each with its own order.

use super::{RULES_MAX, RuleCounts, RuleTotals};
use crate::base::prelude::*;

/// The rules of all lists.
pub(super) struct Rules(pub(super) Vec<RankedRule>);

/// A rule with its rank in each list, and the totals of all rules.
#[derive(Deserialize)]
pub(super) struct RankedRule {
    pub(super) policy_id: PolicyId,
    pub(super) policy_name: String,
    pub(super) version: u32,
    pub(super) rule_code: String,
    pub(super) is_shadow: bool,
    pub(super) evaluated: i64,
    pub(super) violated: i64,
    pub(super) na: i64,
    pub(super) outcomes: i64,
    pub(super) overridden: i64,
    pub(super) top: i64,
    pub(super) overruled: i64,
    pub(super) silent: i64,
    pub(super) violations: i64,
    pub(super) known: i64,
    pub(super) overrides: i64,
}

impl RankedRule {
    fn totals(&self) -> RuleTotals {
        let Self { violations, known, overrides, .. } = *self;
        RuleTotals { violations, outcomes: known, overridden: overrides }
    }

    fn counts(&self) -> RuleCounts {
        RuleCounts {
            policy_id: self.policy_id,
            policy_name: self.policy_name.clone(),
            version: self.version,
            rule_code: self.rule_code.clone(),
            is_shadow: self.is_shadow,
            evaluated: self.evaluated,
            violated: self.violated,
            na: self.na,
            outcomes: self.outcomes,
            overridden: self.overridden,
        }
    }
}

impl Rules {
    pub(super) fn totals(&self) -> RuleTotals {
        self.0.first().map(RankedRule::totals).unwrap_or_default()
    }

    /// Returns the rules that belong to a list, ordered by `rank` and limited to its length.
    pub(super) fn best(
        &self,
        rank: fn(&RankedRule) -> i64,
        belongs: fn(&RankedRule) -> bool,
    ) -> Vec<RuleCounts> {
        let fits = |rule: &&RankedRule| rank(rule) <= RULES_MAX && belongs(rule);
        let mut best: Vec<&RankedRule> = self.0.iter().filter(fits).collect();
        best.sort_by_key(|rule| rank(rule));
        best.into_iter().map(RankedRule::counts).collect()
    }
}
