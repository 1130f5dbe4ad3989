//! The filters of decisions, declared once for the address, the menus, the fields of an export, and the service.

use contract::{decision::DecisionFilter, policy::PolicyFilter};
use governance::{authoring::policy, deciding::decision::worst_violation};
use page_kit::{
    prelude::*,
    text::{
        query::{BAD_FROM, BAD_TO},
        time::{field, minute},
        verdict::SEVERITIES,
    },
};

const RANGE: &str = "Time range";

/// The time ranges that end now, as in the address, their labels, and their length in hours.
const RANGES: [(&str, &str, i64); 4] = [
    ("1h", "Last hour", 1),
    ("24h", "Last 24 hours", 24),
    ("7d", "Last 7 days", 168),
    ("30d", "Last 30 days", 720),
];
const OUTCOMES: [(&str, &str); 6] = [
    ("accepted", "Accepted"),
    ("overridden", "Overridden"),
    ("escalated", "Escalated"),
    ("expired", "Expired"),
    ("abandoned", "Abandoned"),
    ("none", "None reported"),
];
const SHADOW: [(&str, &str); 2] = [("true", "Verdict changed"), ("false", "Verdict not changed")];

/// The menu of the filters without a menu of their own.
const MORE: &str = "More filters";

/// The values that the filters suggest.
#[derive(Clone, Debug, Default)]
pub(crate) struct Suggestions {
    /// The policies to choose from, with their names.
    pub(crate) policies: Vec<(PolicyId, String)>,
    decision_types: Vec<String>,
    /// The codes of violated rules.
    rules: Vec<String>,
    actors: Vec<String>,
}

impl Suggestions {
    /// Returns the policies to choose from and their decision types. Most tenants have fewer policies than the
    /// limit; decisions of other policies are found by their rule or type.
    pub(crate) async fn read(cx: &Cx) -> Result<Self, Problem> {
        let page = PageRequest { limit: LIMIT_MAX, cursor: None };
        let policies = policy::list(cx, PolicyFilter::default(), &page).await?.items.into_iter();
        Ok(Self::new(policies.map(|policy| (policy.id, policy.name, policy.decision_types))))
    }

    /// Creates the suggestions of the policies, with their names and decision types.
    pub(super) fn new(policies: impl IntoIterator<Item = (PolicyId, String, Vec<String>)>) -> Self {
        let mut suggestions = Self::default();
        for (id, name, decision_types) in policies {
            suggestions.policies.push((id, name));
            suggestions.decision_types.extend(decision_types);
        }
        suggestions.policies.sort_by(|(_, a), (_, b)| a.cmp(b));
        suggestions.add(&[]);
        suggestions
    }

    /// Adds the types, rules and actors of listed decisions.
    pub(super) fn add(&mut self, records: &[DecisionRecord]) {
        self.decision_types.extend(records.iter().map(|record| record.decision_type.clone()));
        let tops = records.iter().filter_map(|record| worst_violation(&record.result.violations));
        self.rules.extend(tops.map(|violation| violation.rule_code.clone()));
        let actors = records.iter().filter_map(|record| record.actor.as_ref()?.id.clone());
        self.actors.extend(actors);
        for values in [&mut self.decision_types, &mut self.rules, &mut self.actors] {
            values.sort_unstable();
            values.dedup();
        }
    }
}

/// The filters of a page with decisions.
#[derive(Debug)]
pub(crate) struct DecisionQuery {
    pub(crate) list: ListQuery,
    /// The earliest time of recording. A range that ends now has one too: later pages of the list keep the start of the
    /// first.
    pub(crate) from: String,
    /// The ID of a decision to open. A value that remains here is not a valid ID.
    pub(super) open: String,
}

impl DecisionQuery {
    /// Reads the filters of the page `path`. `get` returns parameters; its times are kept as they are.
    pub(crate) fn read(
        path: String,
        suggestions: Suggestions,
        get: impl Fn(&str) -> String,
    ) -> Self {
        let Suggestions { policies, decision_types, rules, actors } = suggestions;
        let policies = policies.into_iter().map(|(id, name)| (id.to_string(), name));
        let filters = [
            Filter::verdicts(DecisionFilter::DECISION, "Verdict")
                .invalid("Verdict: select a value from the list."),
            Filter::choice(DecisionFilter::SEVERITY, "Severity", SEVERITIES)
                .invalid("Severity: select a value from the list."),
            Filter::suggest(DecisionFilter::DECISION_TYPE, "Type", decision_types),
            Filter::select(DecisionFilter::POLICY_ID, "Policy", policies)
                .with_part("version")
                .invalid("Policy: select a value from the list."),
            Filter::text(DecisionFilter::VERSION, "Version")
                .in_menu("Policy")
                .invalid("Version: enter a whole number, for example 3."),
            Filter::suggest(DecisionFilter::RULE_CODE, "Violated rule", rules),
            Filter::choice(DecisionFilter::OUTCOME, "Outcome", OUTCOMES)
                .invalid("Outcome: select a value from the list."),
            Filter::choice(DecisionFilter::SHADOW_CONVERTED, "Shadow mode", SHADOW)
                .invalid("Shadow mode: select a value from the list."),
            Filter::text(DecisionFilter::CORRELATION_ID, messages::CORRELATION_ID).in_menu(MORE),
            Filter::suggest(DecisionFilter::ACTOR_ID, "Actor ID", actors).in_menu(MORE).first(),
            Filter::text(DecisionFilter::CHAIN_ID, "Chain ID")
                .in_menu(MORE)
                .invalid("Chain: enter a valid chain ID of 36 characters."),
            Filter::text(DecisionFilter::IDEMPOTENCY_KEY, "Idempotency key").in_menu(MORE),
        ];
        let times = ["range", "from", "to"].map(Filter::parameter);
        let from = get("from");
        let has_ends = !(from.is_empty() && get("to").is_empty());
        let is_range = range(&get("range")).is_some() && (!get("cursor").is_empty() || !has_ends);
        // The first page computes the start of a range again.
        let value = |name: &str| match name {
            "range" if !is_range => String::new(),
            "from" if is_range => String::new(),
            _ => get(name),
        };
        let list = ListQuery::new(path, filters.into_iter().chain(times).collect(), value);
        let query = Self { list, from, open: get("open") };
        match query.range_text() {
            Some(text) => {
                let clear = query.without_range("");
                Self { list: query.list.with_chip(RANGE, text, clear), ..query }
            }
            None => query,
        }
    }

    fn range(&self) -> &str {
        self.list.value("range")
    }

    /// Returns the address without the time range, with another range that ends now.
    fn without_range(&self, range: &str) -> String {
        self.list.address(&[("from", ""), ("to", ""), ("range", range)])
    }

    /// Returns the start of the range that ends `now`; without a range, 24 hours ago.
    pub(crate) fn range_start(&self, now: Timestamp) -> Timestamp {
        let hours = range(self.range()).map_or(24, |(_, _, hours)| *hours);
        now.plus_millis(-hours * 3_600_000)
    }

    /// Returns the filters with the start of the range as a time. On later pages of the list, the start remains
    /// the same.
    pub(super) fn starting_from(self, now: Timestamp) -> Self {
        if self.range().is_empty() || !self.from.is_empty() {
            return self;
        }
        Self { from: self.range_start(now).to_string(), ..self }
    }

    /// Returns the address of the page that starts at `cursor`.
    pub(super) fn at(&self, cursor: &str) -> String {
        if self.range().is_empty() {
            return self.list.at(cursor);
        }
        self.list.address(&[("from", &self.from), ("cursor", cursor)])
    }

    /// Returns the names and values of the filters other than the time range that are set.
    pub(super) fn values(&self) -> Vec<(&'static str, &str)> {
        self.list.set().into_iter().map(|(_, name)| (name, self.list.value(name))).collect()
    }

    /// Returns the filters as a query string.
    pub(super) fn saved_filter(&self) -> String {
        self.list.query_string().trim_start_matches('?').to_owned()
    }

    /// Returns the filter for the service.
    ///
    /// # Errors
    /// Returns an error message for the user.
    pub(super) fn filter(&self) -> Result<DecisionFilter, &'static str> {
        Ok(DecisionFilter {
            recorded_from: instant(&self.from).map_err(|()| BAD_FROM)?,
            recorded_to: end_instant(self.list.value("to")).map_err(|()| BAD_TO)?,
            ..self.filter_of_any_time()?
        })
    }

    /// Returns the filter for the service without the time range.
    ///
    /// # Errors
    /// Returns an error message for the user.
    pub(crate) fn filter_of_any_time(&self) -> Result<DecisionFilter, &'static str> {
        if !self.open.is_empty() {
            return Err(
                "Enter a valid decision ID, for example 8f1c2a4e-0b7d-4c3a-9e61-5d2f7a90b1c2.",
            );
        }
        let filter: DecisionFilter = self.list.filter()?;
        if filter.policy_id.is_none() && filter.version.is_some() {
            return Err("Version: also select a policy.");
        }
        Ok(filter)
    }

    /// Returns the decision whose ID is to be opened.
    pub(super) fn opened(&self) -> Option<DecisionId> {
        self.open.parse().ok()
    }

    /// Returns the time range as text, for example "Last 7 days" or "from 20 Nov 2026 10:00 UTC".
    fn range_text(&self) -> Option<String> {
        if let Some((_, label, _)) = range(self.range()) {
            return Some((*label).to_owned());
        }
        let shown = |text: &str| text.parse().map_or_else(|_| text.to_owned(), minute);
        match (self.list.value("from"), self.list.value("to")) {
            ("", "") => None,
            (from, "") => Some(format!("from {}", shown(from))),
            ("", to) => Some(format!("until {}", shown(to))),
            (from, to) => Some(format!("{} to {}", shown(from), shown(to))),
        }
    }

    /// Renders the time ranges that end now as links, and a form for another range. The current range is marked.
    pub(super) fn range_bar(&self) -> AnyView {
        let [from, to] = ["from", "to"].map(|name| self.list.value(name));
        let is_custom = self.range().is_empty() && !(from.is_empty() && to.is_empty());
        let link = |range: &'static str, label: &'static str| {
            let current = (!is_custom && self.range() == range).then_some("true");
            view! {
                <a href=self.without_range(range) aria-current=current>
                    {label}
                </a>
            }
        };
        let ranges = RANGES.map(|(range, label, _)| link(range, label));
        let [from, to] = [from, to].map(|text| if is_custom { field(text) } else { String::new() });
        let fields = view! {
            <TextField label="From (UTC)" name="from" kind="datetime-local" value=from />
            <TextField label="To (UTC)" name="to" kind="datetime-local" value=to />
        };
        let names = ["range", "from", "to"];
        any_view! {
            <div class="range-bar">
                <nav class="segmented" aria-label=RANGE>
                    {link("", "All time")}
                    {ranges}
                </nav>
                {self
                    .list
                    .form_menu("filter-menu", "Custom range", &names, false, fields.into_any())}
            </div>
        }
    }
}

fn range(name: &str) -> Option<&'static (&'static str, &'static str, i64)> {
    RANGES.iter().find(|(range, ..)| *range == name)
}

#[cfg(test)]
mod tests {
    use contract::{decision::OutcomeFilter, rule::Severity};

    use super::*;

    fn read(pairs: &[(&str, &str)]) -> DecisionQuery {
        DecisionQuery::read("/d".to_owned(), Suggestions::default(), |name| {
            let value = pairs.iter().find(|(own, _)| *own == name);
            value.map_or_else(String::new, |(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn filters_are_formatted_as_query_parameters() {
        let query = read(&[("verdict", "DENY"), ("rule", "PAY-004")]);
        assert_eq!(query.at("abc"), "/d?verdict=DENY&rule=PAY-004&cursor=abc");
        assert_eq!(query.saved_filter(), "verdict=DENY&rule=PAY-004");
        assert_eq!(read(&[]).saved_filter(), "");
        assert!(query.list.is_filtered() && !read(&[("cursor", "abc")]).list.is_filtered());
    }

    #[test]
    fn a_range_keeps_its_start_on_later_pages() {
        let now: Timestamp = "2026-11-22T10:00:00Z".parse().unwrap();
        let first = read(&[("range", "24h"), ("verdict", "DENY")]).starting_from(now);
        assert_eq!(first.list.address(&[]), "/d?verdict=DENY&range=24h");
        assert_eq!(first.from, "2026-11-21T10:00:00.000Z");
        let next = first.at("abc");
        assert_eq!(next, "/d?verdict=DENY&range=24h&from=2026-11-21T10%3A00%3A00.000Z&cursor=abc");
        let later = now.plus_millis(60_000);
        let page =
            read(&[("range", "24h"), ("from", "2026-11-21T10:00:00.000Z"), ("cursor", "abc")]);
        assert_eq!(page.starting_from(later).from, first.from);
    }

    #[test]
    fn an_entered_time_replaces_a_range() {
        let query = read(&[("range", "24h"), ("from", "2026-11-20")]);
        assert_eq!((query.range(), &*query.from), ("", "2026-11-20"));
        assert_eq!(read(&[("range", "9y")]).range(), "");
        assert_eq!(query.without_range("7d"), "/d?range=7d");
    }

    #[test]
    fn severity_outcome_and_shadow_mode_are_parsed() {
        let pairs = [("severity", "high"), ("outcome", "none"), ("shadow", "true")];
        let filter = read(&pairs).filter().unwrap();
        assert_eq!(filter.severity, Some(Severity::High));
        assert_eq!(filter.outcome, Some(OutcomeFilter::None));
        assert_eq!(filter.shadow_converted, Some(true));
        assert_eq!(read(&pairs).saved_filter(), "severity=high&outcome=none&shadow=true");
        for (name, error) in [
            ("severity", "Severity: select a value from the list."),
            ("outcome", "Outcome: select a value from the list."),
            ("shadow", "Shadow mode: select a value from the list."),
        ] {
            assert_eq!(read(&[(name, "x")]).filter(), Err(error));
        }
    }

    #[test]
    fn a_version_requires_a_policy() {
        let policy = "00000000-0000-4000-8000-000000000000";
        let filter = read(&[("version", "3"), ("policy", policy)]).filter().unwrap();
        assert_eq!(filter.version, Some(3));
        assert_eq!(read(&[("version", "3")]).filter(), Err("Version: also select a policy."));
    }
}
