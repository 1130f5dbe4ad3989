//! The provenance of the policies of a decision: the source clauses of their rules, and their ratification.

use governance::deciding::decision::provenance::{Approval, PolicyProvenance};
use islands::explanation::{ExplainedStatus, PolicyExplanation};
use page_kit::prelude::*;

use crate::clause::view::Clauses;

pub const TITLE: &str = "From clause to outcome";
pub const NO_OUTCOME: &str = "No outcome recorded yet.";

/// A policy of the snapshot with the results of its rules.
pub struct PolicyLine {
    pub policy: PolicyProvenance,
    pub is_shadow: bool,
    /// All its rules in authored order.
    pub rules: Vec<RuleLine>,
    clauses: Option<Clauses>,
    /// The name of the ratifier, or the ID if the name is unknown; empty without an approval.
    pub ratifier: String,
}

/// A rule and its source clauses.
pub struct RuleLine {
    pub rule: Rule,
    pub status: RuleStatus,
    /// The location and the beginning of each clause.
    pub clauses: Vec<(String, String)>,
}

/// The result of a rule in the decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleStatus {
    /// A check failed.
    Violated,
    /// Its gate did not match.
    NotApplicable,
    /// Every check passed.
    Passed,
    Inactive,
}

impl PolicyLine {
    /// Combines a policy of the snapshot with the results of its rules. `names` are the names of users.
    pub fn new(
        mut policy: PolicyProvenance,
        explained: &[PolicyExplanation],
        names: &Names,
    ) -> Self {
        let rules = std::mem::take(&mut policy.rules);
        let clauses = policy.codification.take().map(|record| Clauses::of(record, &rules));
        let explained = explained.iter().find(|one| one.policy == policy.policy_id);
        let line = |rule| RuleLine::new(rule, clauses.as_ref(), explained);
        let ratifier = policy.approval.as_ref().map(|approval| approval.ratifier.to_string());
        Self {
            is_shadow: explained.is_some_and(|policy| policy.shadow),
            rules: rules.into_iter().map(line).collect(),
            ratifier: ratifier.map(|id| names.get(&id).cloned().unwrap_or(id)).unwrap_or_default(),
            clauses,
            policy,
        }
    }

    /// Returns the origin of its rules. An ancestor tenant does not share its clauses.
    pub fn origin(&self) -> String {
        let Some(clauses) = self.clauses.as_ref().filter(|_| !self.is_inherited()) else {
            let text = if self.is_inherited() {
                "Inherited from a parent tenant. Its clauses are not visible here."
            } else {
                "Written without codification. No clauses are stored."
            };
            return text.to_owned();
        };
        let rest = match clauses.without_rule().len() {
            0 => "every clause is mapped to a rule".to_owned(),
            number => format!("{} not mapped to a rule", count(number, "clause", "clauses")),
        };
        format!("Codified from {}; {rest}.", isolated(&clauses.document))
    }

    fn is_inherited(&self) -> bool {
        self.policy.inherited_from.is_some()
    }

    /// Renders the name of the version, with a link if it belongs to the tenant.
    pub fn title(&self, tenant: TenantId, name: impl IntoView + 'static) -> AnyView {
        if self.is_inherited() {
            return name.into_any();
        }
        let href = url::version(tenant, self.policy.policy_id, self.policy.version);
        any_view! { <a href=href>{name}</a> }
    }

    /// Returns the ratification of the version.
    ///
    /// # Errors
    /// Returns the reason why there is none.
    pub fn approval(&self) -> Result<&Approval, &'static str> {
        if self.policy.approval_digest.is_none() {
            return Err(
                "No approval recorded. The version was activated before approvals were stored.",
            );
        }
        let missing = "The snapshot refers to an approval that is not stored here.";
        self.policy.approval.as_ref().ok_or(missing)
    }
}

impl RuleLine {
    fn new(rule: Rule, clauses: Option<&Clauses>, explained: Option<&PolicyExplanation>) -> Self {
        let sources = clauses.map(|clauses| clauses.behind(&rule.code)).unwrap_or_default();
        let shown = |text: &str| beginning(text, CLAUSE_SHOWN);
        let clauses =
            sources.into_iter().map(|clause| (clause.locator, shown(&clause.text))).collect();
        Self { status: RuleStatus::of(&rule, explained), clauses, rule }
    }

    /// Renders the clauses of the rule, or the source that it cites. `class` is that of a text without clauses.
    pub fn sources(&self, class: Option<&'static str>) -> AnyView {
        let clause = |(locator, text): &(String, String)| {
            view! {
                <p>
                    <bdi class="font-semibold">{locator.clone()}</bdi>
                    " "
                    <bdi>{text.clone()}</bdi>
                </p>
            }
        };
        if !self.clauses.is_empty() {
            return self.clauses.iter().map(clause).collect_view().into_any();
        }
        match citation(&self.rule) {
            Some(cited) => {
                any_view! { <p class=class>"No clause. Cited source: " <bdi>{cited}</bdi></p> }
            }
            None => any_view! { <p class=class>"No clause"</p> },
        }
    }
}

impl RuleStatus {
    fn of(rule: &Rule, explained: Option<&PolicyExplanation>) -> Self {
        if !rule.is_active() {
            return Self::Inactive;
        }
        let rules = explained.map(|policy| &*policy.rules).unwrap_or_default();
        match rules.iter().find(|one| one.code == rule.code).map(|one| &one.status) {
            Some(ExplainedStatus::Violated(_)) => Self::Violated,
            Some(ExplainedStatus::NotApplicable(_)) => Self::NotApplicable,
            Some(ExplainedStatus::Passed) | None => Self::Passed,
        }
    }
}

/// Formats the cited source: "Code of conduct, section 4.2".
fn citation(rule: &Rule) -> Option<String> {
    let source = rule.source_ref.as_ref()?;
    let parts: Vec<&str> =
        [&source.document, &source.section].into_iter().flatten().map(String::as_str).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// The number of characters of a clause that a page shows.
const CLAUSE_SHOWN: usize = 90;

/// Returns the first characters of a text, up to the end of a word, if there is one.
fn beginning(text: &str, shown: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(shown) else { return text.to_owned() };
    let start = text.get(..end).unwrap_or_default();
    let start = start.rsplit_once(' ').map_or(start, |(whole_words, _)| whole_words);
    format!("{}…", start.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_without_a_clause_shows_the_cited_source() {
        let rule = |json: serde_json::Value| serde_json::from_value::<Rule>(json).unwrap();
        let base = serde_json::json!({"code": "A", "rule_type": "presence", "severity": "high",
            "condition": {}, "source_ref": {"document": "Code", "section": "§ 1"}});
        let mut bare = base.clone();
        bare["source_ref"] = serde_json::Value::Null;
        bare["is_active"] = false.into();
        let results = [base, bare].map(|json| {
            let line = RuleLine::new(rule(json), None, None);
            (citation(&line.rule), line.status)
        });
        assert_eq!(
            results,
            [(Some("Code, § 1".to_owned()), RuleStatus::Passed), (None, RuleStatus::Inactive)]
        );
    }

    #[test]
    fn the_beginning_of_a_text_ends_with_a_word() {
        assert_eq!(beginning("each payment", 8), "each…");
        assert_eq!(beginning("ääää", 2), "ää…");
        assert_eq!(beginning("short", 5), "short");
    }
}
