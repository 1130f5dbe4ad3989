//! The counts of the decision list: decisions by time, verdict, policy and violated rule.

use contract::{evaluation::Verdict, id::PolicyId, time::Timestamp};
use serde::{Deserialize, Serialize};

use crate::{decision::list_words as words, text::query::DecisionQuery};

/// The counts of the decision list. They are sums of hourly counts, and apply only some of the filters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionCounts {
    /// The counted time span, of complete hours.
    pub from: Timestamp,
    pub to: Timestamp,
    /// The length of the time span of a bar in milliseconds.
    pub step_ms: i64,
    /// Whether the time span leaves out a part of the range of the list.
    pub is_shortened: bool,
    /// Whether some recorded decisions are not counted yet.
    pub is_behind: bool,
    pub bars: Vec<CountedBar>,
    /// The policies with the most decisions.
    pub policies: Vec<(PolicyId, String, i64)>,
    /// The rules that are violated most often.
    pub rules: Vec<(String, i64)>,
}

/// The decisions of a part of the time span.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountedBar {
    pub from: Timestamp,
    pub to: Timestamp,
    /// The decisions with each verdict.
    pub decisions: Vec<(Verdict, i64)>,
}

impl CountedBar {
    pub fn decisions(&self, verdict: Verdict) -> i64 {
        let counted = self.decisions.iter().find(|(counted, _)| *counted == verdict);
        counted.map_or(0, |(_, decisions)| *decisions)
    }
}

impl DecisionCounts {
    /// Returns the number of decisions with a verdict.
    pub fn decisions(&self, verdict: Verdict) -> i64 {
        self.bars.iter().map(|bar| bar.decisions(verdict)).sum()
    }

    /// Returns whether no decision is counted.
    pub fn is_empty(&self) -> bool {
        self.bars.iter().all(|bar| bar.decisions.is_empty())
    }

    /// Returns whether the counts describe the list of `query`. A list of single decisions has no counts.
    pub fn describe(query: &DecisionQuery) -> bool {
        [&query.correlation_id, &query.chain, &query.idempotency_key]
            .iter()
            .all(|filter| filter.is_empty())
    }

    /// Returns a sentence for each way in which the counts differ from the list of `query`.
    pub fn notes(&self, query: &DecisionQuery) -> Vec<String> {
        let applied = ["verdict", "policy", "version"];
        let set = query.values().into_iter().filter(|(_, value)| !value.is_empty());
        let ignored = set.filter(|(name, _)| !applied.contains(name));
        let ignored: Vec<_> = ignored.map(|(name, _)| words::filter_name(name)).collect();
        let verdict_ignored = !query.verdict.is_empty() && !self.rules.is_empty();
        let notes = [
            (!ignored.is_empty()).then(|| words::not_applied(&ignored)),
            verdict_ignored.then(|| words::RULES_OF_ALL_VERDICTS.to_owned()),
            self.is_shortened.then(|| words::shortened(self.to.millis() - self.from.millis())),
            self.is_behind.then(|| words::INCOMPLETE.to_owned()),
        ];
        notes.into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_name_the_filters_that_counts_do_not_apply() {
        let at = |text: &str| text.parse().unwrap();
        let counts = DecisionCounts {
            from: at("2026-11-13T09:00:00Z"),
            to: at("2026-11-20T10:00:00Z"),
            step_ms: 1,
            is_shortened: true,
            is_behind: false,
            bars: Vec::new(),
            policies: Vec::new(),
            rules: vec![("A".to_owned(), 1)],
        };
        let mut query = DecisionQuery { policy: "p".to_owned(), ..DecisionQuery::default() };
        assert_eq!(counts.notes(&query), ["Only the last 7 days of the range are counted."]);
        (query.verdict, query.actor, query.rule) = ("DENY".into(), "a".into(), "A".into());
        assert_eq!(
            counts.notes(&query)[..2],
            [
                "The counts do not apply these filters: Violated rule, Actor ID.",
                "The counts of rules include every verdict."
            ]
        );
        query.chain = "c".to_owned();
        assert!(!DecisionCounts::describe(&query));
    }
}
