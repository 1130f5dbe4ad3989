//! The parts of the decision list other than its rows: counts from the rollups, the values of filters, the user's
//! saved filters, and the mark of the page.

use std::sync::LazyLock;

use contract::{decision::DecisionFilter, time::DAY_MS};

use super::{Bucket, Span, json, load_current};
use crate::{
    access::permission,
    base::{prelude::*, sql::assemble},
    deciding::{
        decision::{ActivityMark, MARK},
        saved_filter::SavedFilter,
    },
};

/// The number of days that are counted for a list without a start.
const DAYS_DEFAULT: i64 = 7;

/// The maximum number of days that are counted.
const DAYS_MAX: i64 = 31;

/// The maximum number of policies and of rules with their counts.
const COUNTS_MAX: i64 = 6;

/// The maximum number of policies to choose from.
const POLICIES_MAX: i64 = 200;

/// The parts of the decision list other than its rows. Records that only filters of the list exclude are counted
/// too: the rollups contain only policy, version, verdict and hour.
#[derive(Clone, Debug, PartialEq)]
pub struct DecisionListParts {
    /// The counted time span, of complete hours.
    pub span: Span,
    /// Whether the span leaves out a part of the requested range.
    pub is_shortened: bool,
    /// Whether some recorded decisions are not counted yet.
    pub is_behind: bool,
    /// The decisions of the filter's policy and version by bucket and verdict. Entries without decisions are omitted.
    pub verdicts: Vec<(Bucket, Verdict, i64)>,
    /// The tenant's own policies with the most decisions of the filter's verdict, in descending order.
    pub by_policy: Vec<(PolicyId, String, i64)>,
    /// The rules of the filter's policy and version that are violated most often, in descending order.
    pub by_rule: Vec<(String, i64)>,
    /// The newest policies to choose from, by name, with their decision types.
    pub policies: Vec<(PolicyId, String, Vec<String>)>,
    /// The user's saved filters, by name.
    pub saved_filters: Vec<SavedFilter>,
    /// The mark of the page. The rows must be read after it.
    pub mark: ActivityMark,
}

/// Returns the parts of the decision list other than its rows. Aggregates new records first. If there are none, it
/// runs one query.
///
/// # Errors
/// `HUMAN_REQUIRED` for an API key.
pub async fn decision_list(cx: &Cx, filter: &DecisionFilter) -> Result<DecisionListParts> {
    cx.human()?;
    cx.tenant(permission::SAVE_FILTERS)?;
    cx.tenant(permission::READ_POLICIES)?;
    cx.tenant(permission::READ_ALERTS)?;
    let tenant = cx.tenant(permission::READ_DECISIONS)?;
    let (span, is_shortened) = span(filter.recorded_from, filter.recorded_to, cx.now);
    let current = load_current(&tenant, &SELECT_PARTS, values(cx, span, filter)?).await?;
    let (row, is_behind) = current.or_bug("a tenant without its head row")?;
    let verdicts: Vec<(i64, Verdict, i64)> = json(&row, 2)?;
    let verdict = |(index, verdict, decisions)| (span.bucket(index), verdict, decisions);
    let saved: Vec<(SavedFilterId, String, String)> = json(&row, 6)?;
    let saved_filter = |(id, name, query)| SavedFilter { id, name, query };
    Ok(DecisionListParts {
        span,
        is_shortened,
        is_behind,
        verdicts: verdicts.into_iter().map(verdict).collect(),
        by_policy: json(&row, 3)?,
        by_rule: json(&row, 4)?,
        policies: json(&row, 5)?,
        saved_filters: saved.into_iter().map(saved_filter).collect(),
        mark: ActivityMark::from_column(&row.try_get_by_index::<String>(1)?)?,
    })
}

/// Returns the span to count, and whether it leaves out a part of the range.
fn span(from: Option<Timestamp>, to: Option<Timestamp>, now: Timestamp) -> (Span, bool) {
    // The end of a range is included in it.
    let to = to.map_or(now, |to| to.min(now)).plus_millis(1);
    let earliest = to.plus_millis(-DAYS_MAX * DAY_MS);
    let (from, is_shortened) = match from {
        None => (to.plus_millis(-DAYS_DEFAULT * DAY_MS), true),
        Some(from) if from < earliest => (earliest, true),
        // A range that starts in the future, or after its end, has no decisions.
        Some(from) => (from.min(to), false),
    };
    (Span::new(from, to), is_shortened)
}

static SELECT_PARTS: LazyLock<String> =
    LazyLock::new(|| assemble(include_str!("decision_list.sql"), &[("mark", MARK)]));

fn values(cx: &Cx, span: Span, filter: &DecisionFilter) -> Result<[sea_orm::Value; 9]> {
    // A number above the range of the column selects nothing.
    let version = filter.version.map(|version| i32::try_from(version).unwrap_or(-1));
    let verdict = filter.decision.map(|verdict| verdict.as_str().to_owned());
    Ok([
        timestamp_value(span.from),
        timestamp_value(span.to),
        (span.step_ms / 1_000).into(),
        filter.policy_id.map(|policy| policy.0).into(),
        version.into(),
        verdict.into(),
        COUNTS_MAX.into(),
        POLICIES_MAX.into(),
        cx.human()?.user_id.0.into(),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_covers_the_range_up_to_31_days() {
        let time = |text: &str| Some(text.parse::<Timestamp>().unwrap());
        let now = time("2026-11-20T09:30:00Z").unwrap();
        for (from, to, expected) in [
            (None, None, "2026-11-13T09:00:00.000Z 2026-11-20T10:00:00.000Z true"),
            (
                time("2026-11-20T08:30:00Z"),
                None,
                "2026-11-20T08:00:00.000Z 2026-11-20T10:00:00.000Z false",
            ),
            (
                time("2026-01-01T00:00:00Z"),
                time("2026-11-01T00:00:00Z"),
                "2026-10-01T00:00:00.000Z 2026-11-01T01:00:00.000Z true",
            ),
            (
                time("2026-12-01T00:00:00Z"),
                time("2026-12-02T00:00:00Z"),
                "2026-11-20T09:00:00.000Z 2026-11-20T10:00:00.000Z false",
            ),
        ] {
            let (span, is_shortened) = span(from, to, now);
            assert_eq!(format!("{} {} {is_shortened}", span.from, span.to), expected);
        }
    }
}
