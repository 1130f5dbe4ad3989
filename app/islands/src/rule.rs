//! A rule in a list, and the parts of long lists.

use contract::{fold::contains_folded, rule::SourceRef};

use crate::{prelude::*, text::rule};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RuleLine {
    pub code: String,
    pub name: Option<String>,
    pub rule_type: RuleType,
    pub severity: Severity,
    /// Its gate and condition as a sentence.
    pub sentence: Sentence,
    pub description: Option<String>,
    /// Whether it takes part in evaluations.
    pub is_active: bool,
    pub source: Option<SourceRef>,
}

impl From<&Rule> for RuleLine {
    fn from(rule: &Rule) -> Self {
        Self {
            code: rule.code.clone(),
            name: rule.name.clone(),
            rule_type: rule.rule_type,
            severity: rule.severity,
            sentence: rule::sentence(rule),
            description: rule.description.clone(),
            is_active: rule.is_active(),
            source: rule.source_ref.clone(),
        }
    }
}

impl RuleLine {
    /// Returns whether its code or name contains a folded text.
    pub fn contains(&self, text: &str) -> bool {
        let name = self.name.as_deref().unwrap_or_default();
        [self.code.as_str(), name].iter().any(|part| contains_folded(part, text))
    }
}

/// The maximum number of rules on a page.
pub const RULES_PER_PAGE: u32 = 100;

/// The part of a list of rules that a page shows: the part with a number, or the part with a rule.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RulePosition {
    /// The number of the part; the first for anything else than a number.
    pub number: String,
    /// The code of a rule. It takes precedence over the number.
    pub code: String,
}

/// A part of the rules of a version.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RulePage {
    pub rules: Vec<RuleLine>,
    /// The number of the part, starting at 1.
    pub number: u32,
    /// The number of all rules.
    pub total: u32,
}

impl RulePage {
    /// Creates a page with all rules.
    pub fn all(rules: Vec<RuleLine>) -> Self {
        let total = u32::try_from(rules.len()).unwrap_or(u32::MAX);
        Self { rules, number: 1, total }
    }

    /// Returns the part of a page with all rules that contains `position`.
    #[must_use]
    pub fn at(self, position: &RulePosition) -> Self {
        let per_page = usize::try_from(RULES_PER_PAGE).unwrap_or(usize::MAX);
        let index = self.rules.iter().position(|rule| rule.code == position.code);
        let by_code = index.and_then(|index| u32::try_from(index / per_page + 1).ok());
        let number = by_code.or_else(|| position.number.parse().ok()).unwrap_or(1);
        let number = number.clamp(1, self.parts());
        let skipped = usize::try_from((number - 1) * RULES_PER_PAGE).unwrap_or(usize::MAX);
        let rules = self.rules.into_iter().skip(skipped).take(per_page).collect();
        Self { rules, number, total: self.total }
    }

    /// Returns the number of all rules as text.
    pub fn count(&self) -> String {
        count(usize::try_from(self.total).unwrap_or(usize::MAX), "rule", "rules")
    }

    /// Returns the number of parts, at least 1.
    pub fn parts(&self) -> u32 {
        self.total.div_ceil(RULES_PER_PAGE).max(1)
    }

    /// Returns the numbers of the first and the last rule of the part.
    pub fn range(&self) -> (u32, u32) {
        let first = (self.number - 1) * RULES_PER_PAGE + 1;
        (first, (first + RULES_PER_PAGE - 1).min(self.total))
    }

    pub fn is_paged(&self) -> bool {
        self.total > RULES_PER_PAGE
    }
}

pub const INACTIVE: &str = "Inactive";

/// Renders the links to the parts of a list of rules.
pub fn pager(path: &str, page: &RulePage) -> AnyView {
    let mark = if path.contains('?') { '&' } else { '?' };
    let link = |number: u32| {
        let href = format!("{path}{mark}rules={number}");
        let current = (number == page.number).then_some("page");
        view! {
            <a class="button" href=href aria-current=current>
                {number}
            </a>
        }
    };
    let (first, last) = page.range();
    let total = counted(u64::from(page.total));
    any_view! {
        <nav class="row rule-pages" aria-label="Pages of rules">
            <span class="text-muted text-xs">{format!("Rules {first} to {last} of {total}")}</span>
            {(1..=page.parts()).map(link).collect_view()}
        </nav>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(count: u32) -> RulePage {
        let rule = |number| RuleLine {
            code: format!("R{number}"),
            name: None,
            rule_type: RuleType::Presence,
            severity: Severity::Low,
            sentence: Sentence::default(),
            description: None,
            is_active: true,
            source: None,
        };
        RulePage::all((1..=count).map(rule).collect())
    }

    fn at(number: &str, code: &str) -> RulePosition {
        RulePosition { number: number.to_owned(), code: code.to_owned() }
    }

    #[test]
    fn a_part_contains_100_rules() {
        assert_eq!(page(100).parts(), 1);
        for (number, code, range) in [
            ("", "", (1, 100)),
            ("3", "", (201, 250)),
            ("0", "", (1, 100)),
            ("99", "", (201, 250)),
            ("x", "", (1, 100)),
            ("1", "R101", (101, 200)),
            ("2", "unknown", (101, 200)),
        ] {
            let part = page(250).at(&at(number, code));
            assert_eq!(part.range(), range, "{number:?} {code:?}");
            assert_eq!(part.rules[0].code, format!("R{}", range.0));
        }
        assert_eq!(page(0).at(&RulePosition::default()).range(), (1, 0));
    }
}
