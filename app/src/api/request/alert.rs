//! Data of the alert pages.

use std::collections::BTreeSet;

use contract::{
    alert::{ACKNOWLEDGE_MAX, AcknowledgeRequest, AlertFilter, AlertStatus},
    id::AlertId,
    json::Value,
    scope::Right,
    time::Timestamp,
};
use governance::{
    Cx,
    access::{member, permission},
    deciding::decision,
    notify::alert,
};

use super::{current_page as own_page, into_problem, take_rejected};
use crate::{
    problem::Problem,
    text::messages,
    view::{
        alert::{
            AcknowledgePreview, AcknowledgeSummary, AlertQuery, AlertRow, AlertsPage, Selection,
            groups,
        },
        names::Names,
    },
};

fn may_act(cx: &Cx) -> bool {
    cx.role().is_some_and(|role| role.has(Right::Operate))
}

pub(in crate::api) async fn page(cx: &Cx, query: AlertQuery) -> Result<AlertsPage, Problem> {
    let own_page = own_page();
    let refused = take_rejected(&own_page).await.map(|rejected| rejected.problem);
    let names = into_problem(member::names(cx).await)?;
    let page = AlertsPage {
        open: into_problem(open(cx).await)?,
        refused,
        result: result(cx, &own_page, &names).await?,
        may_act: may_act(cx),
        mark: into_problem(decision::mark(cx).await)?.to_string(),
        now: Some(cx.now),
        ..AlertsPage::default()
    };
    let filter = match query.filter() {
        Ok(filter) => filter,
        Err(fault) => return Ok(AlertsPage { fault: Some(fault.to_owned()), ..page }),
    };
    let alerts = into_problem(alert::list(cx, &filter).await)?;
    let rows = alerts.items.into_iter().map(|alert| AlertRow::new(alert, &names)).collect();
    let last = if page.open == 0 { last(cx).await? } else { None };
    Ok(AlertsPage { rows, total: alerts.total, last, ..page })
}

/// Returns when the newest alert was created.
async fn last(cx: &Cx) -> Result<Option<Timestamp>, Problem> {
    let newest = AlertFilter { limit: 1, ..AlertFilter::default() };
    Ok(into_problem(alert::list(cx, &newest).await)?.items.first().map(|alert| alert.created_at))
}

/// Returns the number of unacknowledged alerts.
pub(in crate::api) async fn open(cx: &Cx) -> governance::Result<u64> {
    let status = Some(AlertStatus::Open);
    let filter = AlertFilter { status, limit: 1, ..AlertFilter::default() };
    Ok(alert::list(cx, &filter).await?.total)
}

/// Returns one alert, and whether the user can acknowledge it.
pub(in crate::api) async fn read(cx: &Cx, id: AlertId) -> Result<(AlertRow, bool), Problem> {
    let alert = into_problem(alert::read(cx, id).await)?;
    let names = into_problem(member::names(cx).await)?;
    let reason = alert.data.get("failure_reason").and_then(Value::as_str);
    let reason = reason.and_then(|word| word.parse().ok());
    let reason = reason.map(|failure| messages::deliveries::reason(failure, None));
    Ok((AlertRow { reason, ..AlertRow::new(alert, &names) }, may_act(cx)))
}

/// Returns a preview of acknowledging the selected alerts: the open ones among them, up to the limit of one
/// request.
pub(in crate::api) async fn preview(
    cx: &Cx,
    selection: Selection,
) -> Result<AcknowledgePreview, Problem> {
    into_problem(cx.tenant(permission::ACKNOWLEDGE_ALERTS))?;
    let (open, more, already) = if selection.all.is_empty() {
        let ticked = into_problem(alert::read_all(cx, &ids(&selection.ids)).await)?;
        let (open, already): (Vec<_>, Vec<_>) =
            ticked.into_iter().partition(|alert| alert.acknowledged_at.is_none());
        (open, 0, already.len())
    } else {
        let limit = u32::try_from(ACKNOWLEDGE_MAX).unwrap_or(u32::MAX);
        let open = Some(AlertStatus::Open);
        let filter = match selection.query.filter() {
            Ok(filter) => AlertFilter { status: open, limit, offset: 0, ..filter },
            Err(fault) => {
                return Ok(AcknowledgePreview {
                    fault: Some(fault.to_owned()),
                    ..AcknowledgePreview::default()
                });
            }
        };
        let matching = into_problem(alert::list(cx, &filter).await)?;
        let more = matching.total.saturating_sub(matching.items.len() as u64);
        (matching.items, more, 0)
    };
    let ids = open.iter().map(|alert| alert.id).collect();
    let rows = open.into_iter().map(|alert| AlertRow::new(alert, &Names::new())).collect();
    let counts = groups(rows).into_iter().map(|(rule, rows)| (rule, rows.len())).collect();
    Ok(AcknowledgePreview { ids, counts, more, before: already, fault: None })
}

/// Returns the distinct alert ids of a form.
fn ids(values: &[String]) -> Vec<AlertId> {
    let ids = values.iter().flat_map(|value| value.split(',')).filter_map(|id| id.parse().ok());
    ids.collect::<BTreeSet<AlertId>>().into_iter().collect()
}

/// Acknowledges exactly these alerts. Alerts that the user acknowledged before count as done, so sending a
/// form twice gives the same result.
pub(in crate::api) async fn acknowledge(
    cx: &Cx,
    values: &[String],
) -> Result<AcknowledgeSummary<AlertId>, Problem> {
    let ids = ids(values);
    if ids.is_empty() {
        return Err(Problem::of_form(messages::acknowledge::NOTHING_SELECTED));
    }
    if ids.len() > ACKNOWLEDGE_MAX {
        return Err(Problem::of_form(messages::acknowledge::TOO_MANY));
    }
    let items = into_problem(alert::acknowledge_all(cx, AcknowledgeRequest { ids }).await)?.items;
    let me = cx.caller.principal();
    let mut summary = AcknowledgeSummary { done: 0, failed: Vec::new(), missing: 0 };
    for item in items {
        match item.alert {
            Some(alert) if alert.acknowledged_by == me => summary.done += 1,
            Some(alert) => summary.failed.push(alert.id),
            None => summary.missing += 1,
        }
    }
    Ok(summary)
}

/// Returns the result of the last acknowledgement.
async fn result(
    cx: &Cx,
    page: &str,
    names: &Names,
) -> Result<Option<AcknowledgeSummary<AlertRow>>, Problem> {
    let Some(AcknowledgeSummary { done, failed, missing }) =
        super::take_result::<AcknowledgeSummary<AlertId>>(page).await
    else {
        return Ok(None);
    };
    let failed = into_problem(alert::read_all(cx, &failed).await)?.into_iter();
    let failed = failed.map(|alert| AlertRow::new(alert, names)).collect();
    Ok(Some(AcknowledgeSummary { done, failed, missing }))
}
