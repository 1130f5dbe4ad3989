//! What the pages of alerts are made of.

use std::collections::BTreeSet;

use contract::{
    alert::{ACKNOWLEDGE_MAX, Acknowledgement, AlertFilter, AlertStatus},
    id::AlertId,
    json::Value,
    scope::Right,
    time::Timestamp,
};
use governance::{Cx, alert, decision, member, permission};

use super::{answer, kept, page as own_page};
use crate::{
    problem::Problem,
    text::words,
    view::{
        alert::{AlertQuery, AlertRow, AlertsPage, Asked, Chosen, Told, groups},
        people::Names,
    },
};

fn may_act(cx: &Cx) -> bool {
    cx.role().is_some_and(|role| role.may(Right::Operate))
}

/// One page of the alerts.
pub(in crate::api) async fn page(cx: &Cx, query: AlertQuery) -> Result<AlertsPage, Problem> {
    let own_page = own_page();
    let refused = kept(&own_page).await.map(|kept| kept.problem);
    let names = answer(member::names(cx).await)?;
    let page = AlertsPage {
        open: answer(open(cx).await)?,
        refused,
        told: told(cx, &own_page, &names).await?,
        may_act: may_act(cx),
        mark: answer(decision::mark(cx).await)?.to_string(),
        now: Some(cx.now),
        ..AlertsPage::default()
    };
    let filter = match query.filter() {
        Ok(filter) => filter,
        Err(fault) => return Ok(AlertsPage { fault: Some(fault.to_owned()), ..page }),
    };
    let found = answer(alert::list(cx, &filter).await)?;
    let rows = found.items.into_iter().map(|alert| AlertRow::new(alert, &names)).collect();
    let last = if page.open == 0 { last(cx).await? } else { None };
    Ok(AlertsPage { rows, total: found.total, last, ..page })
}

/// When the newest alert was raised.
async fn last(cx: &Cx) -> Result<Option<Timestamp>, Problem> {
    let newest = AlertFilter { limit: 1, ..AlertFilter::default() };
    Ok(answer(alert::list(cx, &newest).await)?.items.first().map(|alert| alert.created_at))
}

/// How many alerts nobody has acknowledged.
pub(in crate::api) async fn open(cx: &Cx) -> governance::Result<u64> {
    let status = Some(AlertStatus::Open);
    let filter = AlertFilter { status, limit: 1, ..AlertFilter::default() };
    Ok(alert::list(cx, &filter).await?.total)
}

/// One alert.
pub(in crate::api) async fn read(cx: &Cx, id: AlertId) -> Result<(AlertRow, bool), Problem> {
    let found = answer(alert::read(cx, id).await)?;
    let names = answer(member::names(cx).await)?;
    let reason = found.data.get("failure_reason").and_then(Value::as_str);
    let reason = reason.and_then(|word| word.parse().ok());
    let reason = reason.map(|failure| words::deliveries::reason(failure, None));
    Ok((AlertRow { reason, ..AlertRow::new(found, &names) }, may_act(cx)))
}

/// What acknowledging the chosen alerts comes to: those of them that are open, as many as go at once.
pub(in crate::api) async fn ask(cx: &Cx, chosen: Chosen) -> Result<Asked, Problem> {
    answer(cx.tenant(permission::ACKNOWLEDGE_ALERTS))?;
    let (open, more, before) = if chosen.all.is_empty() {
        let ticked = answer(alert::read_all(cx, &ids(&chosen.ids)).await)?;
        let (open, before): (Vec<_>, Vec<_>) =
            ticked.into_iter().partition(|alert| alert.acknowledged_at.is_none());
        (open, 0, before.len())
    } else {
        let limit = u32::try_from(ACKNOWLEDGE_MAX).unwrap_or(u32::MAX);
        let open = Some(AlertStatus::Open);
        let filter = match chosen.query.filter() {
            Ok(filter) => AlertFilter { status: open, limit, offset: 0, ..filter },
            Err(fault) => return Ok(Asked { fault: Some(fault.to_owned()), ..Asked::default() }),
        };
        let found = answer(alert::list(cx, &filter).await)?;
        let more = found.total.saturating_sub(found.items.len() as u64);
        (found.items, more, 0)
    };
    let ids = open.iter().map(|alert| alert.id).collect();
    let rows = open.into_iter().map(|alert| AlertRow::new(alert, &Names::new())).collect();
    let counts = groups(rows).into_iter().map(|(rule, rows)| (rule, rows.len())).collect();
    Ok(Asked { ids, counts, more, before, fault: None })
}

/// The alerts that a form names, each once.
fn ids(given: &[String]) -> Vec<AlertId> {
    let ids = given.iter().flat_map(|some| some.split(',')).filter_map(|id| id.parse().ok());
    ids.collect::<BTreeSet<AlertId>>().into_iter().collect()
}

/// Acknowledges exactly these alerts. What the person acknowledged before counts as done, so that a form that
/// is sent twice tells the same twice.
pub(in crate::api) async fn acknowledge(
    cx: &Cx,
    given: &[String],
) -> Result<Told<AlertId>, Problem> {
    let ids = ids(given);
    if ids.is_empty() {
        return Err(Problem::of_form(words::acknowledge::NOTHING_SELECTED));
    }
    if ids.len() > ACKNOWLEDGE_MAX {
        return Err(Problem::of_form(words::acknowledge::TOO_MANY));
    }
    let items = answer(alert::acknowledge_all(cx, Acknowledgement { ids }).await)?.items;
    let me = cx.caller.principal();
    let mut told = Told { done: 0, failed: Vec::new(), missing: 0 };
    for item in items {
        match item.alert {
            Some(alert) if alert.acknowledged_by == me => told.done += 1,
            Some(alert) => told.failed.push(alert.id),
            None => told.missing += 1,
        }
    }
    Ok(told)
}

/// What became of several alerts a moment ago.
async fn told(cx: &Cx, page: &str, names: &Names) -> Result<Option<Told<AlertRow>>, Problem> {
    let Some(Told { done, failed, missing }) = super::told::<Told<AlertId>>(page).await else {
        return Ok(None);
    };
    let failed = answer(alert::read_all(cx, &failed).await)?.into_iter();
    let failed = failed.map(|alert| AlertRow::new(alert, names)).collect();
    Ok(Some(Told { done, failed, missing }))
}
