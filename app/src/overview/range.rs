//! The range and the policy of a page with charts, as query parameters.

use page_kit::prelude::*;

pub(crate) const BAD_RANGE: &str =
    "Choose a first day and a last day that is not before it, at most ten years apart.";

const HOUR_MS: i64 = 3_600_000;

const DEFAULT_RANGE: &str = "7d";

/// The unit of charts that show shares, in the address.
const SHARE: &str = "share";

/// The maximum range in days.
const DAYS_MAX: i64 = 3_660;

const RANGES: [(&str, &str); 4] =
    [("24h", "24 hours"), ("7d", "7 days"), ("30d", "30 days"), ("90d", "90 days")];

/// The parameters `range` (`24h`, `7d`, `30d`, `90d` or `custom`; anything else means `7d`), `from` and `to` (the days
/// of a custom range, in the zone of the user), `policy` (anything but an ID means all policies), and `unit` (`share`
/// for the share of each verdict instead of its number).
pub(crate) struct ChartQuery(ListQuery);

impl ChartQuery {
    /// Reads the parameters of the current page, whose path is `path`. `policies` are the choices of the filter.
    pub(crate) fn read(path: String, policies: &[(PolicyId, String)]) -> Self {
        Self::of(path, policies, page::query)
    }

    pub(crate) fn of(
        path: String,
        policies: &[(PolicyId, String)],
        get: impl Fn(&str) -> String,
    ) -> Self {
        let policies = policies.iter().map(|(id, name)| (id.to_string(), name.clone()));
        let filters = std::iter::once(Filter::select("policy", "Policy", policies))
            .chain(["range", "from", "to", "unit"].map(Filter::parameter))
            .collect();
        let is_custom = get("range") == "custom";
        let value = |name: &str| {
            let value = get(name);
            let is_valid = match name {
                "policy" => value.parse::<PolicyId>().is_ok(),
                "range" => ["24h", "30d", "90d", "custom"].contains(&&*value),
                "from" | "to" => is_custom,
                "unit" => value == SHARE,
                _ => false,
            };
            if is_valid { value } else { String::new() }
        };
        Self(ListQuery::new(path, filters, value))
    }

    pub(crate) fn policy(&self) -> Option<PolicyId> {
        self.0.value("policy").parse().ok()
    }

    pub(crate) fn range(&self) -> &str {
        Some(self.0.value("range")).filter(|range| !range.is_empty()).unwrap_or(DEFAULT_RANGE)
    }

    /// Returns whether charts show the share of each verdict.
    pub(crate) fn is_share(&self) -> bool {
        self.0.value("unit") == SHARE
    }

    /// Returns the addresses of the page with counts and with shares.
    pub(crate) fn units(&self) -> [String; 2] {
        ["", SHARE].map(|unit| self.0.address(&[("unit", unit)]))
    }

    /// Returns the start and the end of the range. A range up to now ends with the current part of the user's day.
    /// Returns `None` if the days of a custom range are invalid, out of order, or too far apart.
    pub(crate) fn ends(&self, now: Timestamp) -> Option<(Timestamp, Timestamp)> {
        let (part, days) = match self.range() {
            "24h" => (HOUR_MS, 1),
            "30d" => (DAY_MS, 30),
            "90d" => (DAY_MS, 90),
            "custom" => return self.days(),
            _ => (6 * HOUR_MS, 7),
        };
        let local = time::digits(now).millis();
        let end = now.plus_millis(part - local.rem_euclid(part));
        Some((end.plus_millis(-days * DAY_MS), end))
    }

    fn days(&self) -> Option<(Timestamp, Timestamp)> {
        let from = Timestamp::from_date(self.0.value("from"))?;
        let to = Timestamp::from_date(self.0.value("to"))?.plus_millis(DAY_MS);
        let days = (to.millis() - from.millis()) / DAY_MS;
        let [from, to] = [from, to].map(|midnight| time::instants(midnight)[0]);
        (1..=DAYS_MAX).contains(&days).then_some((from, to))
    }

    /// Renders the filter by policy: the active one as a chip, and a menu to choose another.
    pub(crate) fn policies(&self) -> AnyView {
        any_view! { <div class="chip-bar">{self.0.chips()} {self.0.menus()}</div> }
    }

    /// Renders the available ranges: links, and a menu with two date fields for a custom range. The current one is
    /// marked.
    pub(crate) fn ranges(&self) -> AnyView {
        let is_custom = self.range() == "custom";
        let link = |(range, word): (&'static str, &'static str)| {
            let [policy, unit] = ["policy", "unit"].map(|name| (name, self.0.value(name)));
            let href = url::with_query(self.0.path(), &[policy, ("range", range), unit]);
            view! {
                <a href=href aria-current=(self.range() == range).then_some("page")>
                    {word}
                </a>
            }
        };
        let day = |label: &'static str, name: &'static str| {
            let value = self.0.value(name).to_owned();
            view! { <TextField label name kind="date" value required=true /> }
        };
        let days = any_view! {
            <input type="hidden" name="range" value="custom" />
            {day("From day (UTC)", "from")}
            {day("To day (UTC)", "to")}
        };
        let names = ["range", "from", "to"];
        any_view! {
            <div class="range-bar">
                <nav aria-label="Range" class="segmented">
                    {RANGES.map(link).collect_view()}
                </nav>
                {self.0.form_menu("filter-menu end", "Custom", &names, is_custom, days)}
            </div>
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(values: &[(&str, &str)]) -> ChartQuery {
        ChartQuery::of("/t".to_owned(), &[], |name| {
            let value = values.iter().find(|(other, _)| *other == name);
            value.map_or_else(String::new, |(_, value)| (*value).to_owned())
        })
    }

    fn ends(range: &str, from: &str, to: &str) -> Option<String> {
        let now = "2026-11-20T09:30:00Z".parse().unwrap();
        let ends = query(&[("range", range), ("from", from), ("to", to)]).ends(now);
        ends.map(|(from, to)| format!("{from} {to}"))
    }

    #[test]
    fn a_range_ends_with_the_current_part_of_the_day() {
        for (range, expected) in [
            ("24h", "2026-11-19T10:00:00.000Z 2026-11-20T10:00:00.000Z"),
            ("7d", "2026-11-13T12:00:00.000Z 2026-11-20T12:00:00.000Z"),
            ("1y", "2026-11-13T12:00:00.000Z 2026-11-20T12:00:00.000Z"),
            ("30d", "2026-10-22T00:00:00.000Z 2026-11-21T00:00:00.000Z"),
            ("90d", "2026-08-23T00:00:00.000Z 2026-11-21T00:00:00.000Z"),
        ] {
            assert_eq!(ends(range, "", "").unwrap(), expected);
        }
    }

    #[test]
    fn a_custom_range_includes_its_last_day_and_must_be_valid() {
        let expected = "2026-11-01T00:00:00.000Z 2026-11-03T00:00:00.000Z";
        assert_eq!(ends("custom", "2026-11-01", "2026-11-02").unwrap(), expected);
        for (from, to) in
            [("2026-11-02", "2026-11-01"), ("", "2026-11-01"), ("2000-01-01", "2026-11-01")]
        {
            assert_eq!(ends("custom", from, to), None);
        }
    }

    #[test]
    fn an_address_contains_only_valid_parameters() {
        let policy = "0198a1b2-0000-7000-8000-000000000001";
        let shares = |values: &[(&str, &str)]| {
            let [_, shares] = query(values).units();
            shares
        };
        assert_eq!(
            shares(&[("policy", policy), ("range", "7d"), ("from", "2026-11-01")]),
            format!("/t?policy={policy}&unit=share")
        );
        assert_eq!(shares(&[("range", "24h"), ("policy", "PAY")]), "/t?range=24h&unit=share");
    }
}
