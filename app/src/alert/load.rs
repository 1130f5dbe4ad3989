//! Data of the alert pages.

use std::collections::{BTreeMap, BTreeSet};

use contract::{
    alert::{Alert, AlertFilter, AlertStatus},
    decision::DecisionRecord,
    error::ErrorCode,
    id::{AlertId, DecisionId, UserId},
    json::Value,
    scope::Right,
    time::Timestamp,
};
use governance::{
    Cx,
    access::permission,
    deciding::decision,
    notify::alert::{
        self, Change, ChangedAlerts, Trail,
        selection::{self, SELECTION_MAX, SelectedAlerts, Undo},
    },
};

use super::{
    acknowledge_words,
    view::{
        AlertPage, AlertsPage, SelectionPreview,
        action::{ActionSummary, AlertAction, snooze_until},
        query::{AlertQuery, Selection, SelectionForm},
        row::AlertRow,
        trail::{AlertDelivery, PastChange},
        violation::AlertViolation,
    },
    words,
};
use crate::{
    delivery::words as delivery_words,
    member::names::{Names, known},
    problem::Problem,
    request::{
        counts, current_page as own_page, directory, fields, form_json, into_problem, posted, put,
        take_input, to_problem,
    },
    text::query::parsed,
};

/// The key of the session under which the undo of the last action is stored.
const UNDO: &str = "undo alerts";

fn may_act(cx: &Cx) -> bool {
    cx.role().is_some_and(|role| role.has(Right::Operate))
}

pub(crate) async fn page(cx: &Cx, query: AlertQuery) -> Result<AlertsPage, Problem> {
    let own_page = own_page();
    let rejected: Option<(Problem, SelectionForm)> = take_input(&own_page).await;
    let names = &directory(cx).await?.names;
    let counts = counts(cx).await?;
    let page = AlertsPage {
        open: counts.open_alerts,
        snoozed: counts.snoozed_alerts,
        people: directory(cx).await?.people.clone(),
        policies: crate::decision::load::suggestions(cx).await?.policies,
        refused: rejected.as_ref().map(|(problem, _)| problem.clone()),
        result: result(cx, &own_page, names).await?,
        may_act: may_act(cx),
        mark: counts.mark.to_string(),
        now: Some(cx.now),
        ..AlertsPage::default()
    };
    let filter = match query.filter() {
        Ok(filter) => filter,
        Err(error) => return Ok(AlertsPage { error: Some(error.to_owned()), ..page }),
    };
    let alerts = into_problem(alert::list(cx, &filter).await)?;
    let shown = shown(cx, &query, &alerts.items).await?;
    let records = records(cx, alerts.items.iter().chain(&shown)).await?;
    let row = |alert| row(alert, &records, &filter, names, cx.now);
    let shown = match shown {
        Some(alert) => {
            let reason = reason(&alert);
            let row = AlertRow { reason, ..row(alert) };
            let page = details(cx, row, page.people.clone(), names).await?;
            Some(AlertPage { rejected, ..page })
        }
        None => None,
    };
    let rows: Vec<_> = alerts.items.into_iter().map(row).collect();
    let last = if rows.is_empty() { last(cx).await? } else { None };
    Ok(AlertsPage { rows, shown, total: alerts.total, last, ..page })
}

/// Returns the alert that is shown next to the list: the chosen one, or else the first of the list.
async fn shown(cx: &Cx, query: &AlertQuery, listed: &[Alert]) -> Result<Option<Alert>, Problem> {
    let Ok(id) = query.alert.parse::<AlertId>() else { return Ok(listed.first().cloned()) };
    match listed.iter().find(|alert| alert.id == id) {
        Some(alert) => Ok(Some(alert.clone())),
        None => Ok(Some(into_problem(alert::read(cx, id).await)?)),
    }
}

/// Returns the rows of alerts. Each row shows the worst violation of its decision that matches the rule and
/// the policy of the filter.
async fn rows(
    cx: &Cx,
    alerts: Vec<Alert>,
    filter: &AlertFilter,
    names: &Names,
) -> Result<Vec<AlertRow>, Problem> {
    let records = records(cx, &alerts).await?;
    Ok(alerts.into_iter().map(|alert| row(alert, &records, filter, names, cx.now)).collect())
}

/// Returns the decisions that caused the alerts. They are read with one query.
async fn records(
    cx: &Cx,
    alerts: impl IntoIterator<Item = &Alert>,
) -> Result<BTreeMap<DecisionId, DecisionRecord>, Problem> {
    let ids: BTreeSet<_> = alerts.into_iter().filter_map(|alert| alert.decision_id).collect();
    let ids: Vec<_> = ids.into_iter().collect();
    let records = into_problem(decision::read_all(cx, &ids).await)?.into_iter();
    Ok(records.map(|record| (record.id, record)).collect())
}

fn row(
    alert: Alert,
    records: &BTreeMap<DecisionId, DecisionRecord>,
    filter: &AlertFilter,
    names: &Names,
    now: Timestamp,
) -> AlertRow {
    let record = alert.decision_id.and_then(|id| records.get(&id));
    let violation = record.and_then(|record| {
        let all = &record.result.violations;
        let matching = all.iter().filter(|violation| {
            filter.rule_code.as_ref().is_none_or(|rule| violation.rule_code == *rule)
                && filter.policy_id.is_none_or(|policy| violation.policy_id == policy)
        });
        // A chosen alert need not match the filter.
        let worst = decision::worst_violation(matching).or_else(|| decision::worst_violation(all));
        Some(AlertViolation::new(record, worst?))
    });
    let verdict = record.map(|record| record.decision);
    AlertRow { violation, verdict, ..AlertRow::new(alert, names, now) }
}

/// Returns when the newest alert was created.
async fn last(cx: &Cx) -> Result<Option<Timestamp>, Problem> {
    let newest = AlertFilter { limit: 1, ..AlertFilter::default() };
    Ok(into_problem(alert::list(cx, &newest).await)?.items.first().map(|alert| alert.created_at))
}

/// Returns the page of one alert.
pub(crate) async fn read(cx: &Cx, id: AlertId) -> Result<AlertPage, Problem> {
    let names = &directory(cx).await?.names;
    let page = own_page();
    let alert = into_problem(alert::read(cx, id).await)?;
    let reason = reason(&alert);
    let records = records(cx, [&alert]).await?;
    let row = row(alert, &records, &AlertFilter::default(), names, cx.now);
    let people = directory(cx).await?.people.clone();
    Ok(AlertPage {
        rejected: take_input(&page).await,
        result: result(cx, &page, names).await?,
        ..details(cx, AlertRow { reason, ..row }, people, names).await?
    })
}

/// Returns why the delivery that an alert reports is dead, as a sentence.
fn reason(alert: &Alert) -> Option<String> {
    let reason = alert.data.get("failure_reason").and_then(Value::as_str);
    let reason = reason.and_then(|word| word.parse().ok());
    reason.map(|failure| delivery_words::reason(failure, None))
}

/// Returns one alert with what happened to it, without the last action.
async fn details(
    cx: &Cx,
    row: AlertRow,
    people: Vec<(UserId, String)>,
    names: &Names,
) -> Result<AlertPage, Problem> {
    let Trail { deliveries, changes } = into_problem(alert::trail(cx, row.id).await)?;
    let delivery = |alert::AlertDelivery { id, url, status }| AlertDelivery { id, url, status };
    let change = |alert::PastChange { change, at, by }| {
        let action = match change {
            Change::Acknowledge => AlertAction::Acknowledged,
            Change::Assign(user_id) => {
                AlertAction::Assigned(known(user_id.map(|id| id.to_string()), names))
            }
            Change::Snooze(until) => AlertAction::Snoozed(until),
        };
        PastChange { action, at, by: known(by, names) }
    };
    Ok(AlertPage {
        row,
        deliveries: deliveries.into_iter().map(delivery).collect(),
        changes: changes.into_iter().map(change).collect(),
        may_act: may_act(cx),
        people,
        now: cx.now,
        rejected: None,
        result: None,
    })
}

/// Returns a preview of an action on the alerts that were posted to this page, or whose form was rejected.
pub(crate) async fn preview(cx: &Cx) -> Result<SelectionPreview, Problem> {
    into_problem(cx.tenant(permission::ACKNOWLEDGE_ALERTS))?;
    let page = own_page();
    let (problem, mut form) = match posted::<SelectionForm>().await? {
        Some(form) => (None, form),
        None => {
            take_input(&page).await.map(|(problem, form)| (Some(problem), form)).unwrap_or_default()
        }
    };
    let preview =
        SelectionPreview { page, problem, now: Some(cx.now), ..SelectionPreview::default() };
    if form.selection.is_empty() {
        return Ok(SelectionPreview { form, ..preview });
    }
    let selected = match selected(cx, &form.selection) {
        Ok(selected) => selected,
        Err(problem) => {
            return Ok(SelectionPreview { form, error: Some(problem.message), ..preview });
        }
    };
    let list = into_problem(selection::list(cx, &selected).await)?;
    let names = &directory(cx).await?.names;
    let filter = form.selection.query.filter().unwrap_or_default();
    let number = list.unchanged.len();
    let mut rows = rows(cx, [list.unchanged, list.changed].concat(), &filter, names).await?;
    let changed = rows.split_off(number);
    if form.selection.all.is_empty() {
        form.selection.only = String::new();
        form.selection.ids = rows.iter().map(|row| row.id.to_string()).collect();
    }
    Ok(SelectionPreview {
        form,
        rows,
        changed,
        more: list.more,
        people: directory(cx).await?.people.clone(),
        ..preview
    })
}

/// Returns the selection of a form for the service. A form without a time selects at the current time.
fn selected(cx: &Cx, selection: &Selection) -> Result<selection::Selection, Problem> {
    let alerts = if selection.all.is_empty() {
        let ids = selection.alert_ids();
        match ids.len() {
            0 => return Err(Problem::of_form(acknowledge_words::NOTHING_SELECTED)),
            1..=SELECTION_MAX => SelectedAlerts::Ids(ids),
            _ => return Err(Problem::of_form(acknowledge_words::TOO_MANY)),
        }
    } else {
        let filter = selection.query.filter().map_err(Problem::of_form)?;
        let status = filter.status.filter(|status| *status != AlertStatus::Acknowledged);
        let status = status.or(Some(AlertStatus::Open));
        SelectedAlerts::Matching(AlertFilter { status, ..filter })
    };
    let at = selection.at.parse().map_or(cx.now, |at: Timestamp| at.min(cx.now));
    Ok(selection::Selection { alerts, at })
}

/// Acknowledges the selected alerts. Alerts that the user acknowledged before count as done, so sending a form
/// twice gives the same result.
pub(crate) async fn acknowledge(
    cx: &Cx,
    selection: &Selection,
) -> Result<ActionSummary<AlertId>, Problem> {
    let selected = selected(cx, selection)?;
    let changed = selection::change(cx, &selected, Change::Acknowledge).await;
    summary(cx, AlertAction::Acknowledged, into_problem(changed)?).await
}

/// Assigns the selected alerts to the member with the ID `assignee`, or to no one if it is empty.
pub(crate) async fn assign(
    cx: &Cx,
    selection: &Selection,
    assignee: &str,
) -> Result<ActionSummary<AlertId>, Problem> {
    let selected = selected(cx, selection)?;
    let user_id: Option<UserId> = parsed(assignee).map_err(Problem::of_form)?;
    let changed = selection::change(cx, &selected, Change::Assign(user_id)).await;
    let changed = changed.map_err(|error| field_problem(&error))?;
    let people = directory(cx).await?.people.clone();
    let name = people.into_iter().find(|(id, _)| Some(*id) == user_id).map(|(_, name)| name);
    summary(cx, AlertAction::Assigned(name), changed).await
}

/// Snoozes the selected alerts for a choice of the form, or until `date`.
pub(crate) async fn snooze(
    cx: &Cx,
    selection: &Selection,
    choice: &str,
    date: &str,
) -> Result<ActionSummary<AlertId>, Problem> {
    let selected = selected(cx, selection)?;
    let until = snooze_until(choice, date, cx.now).map_err(Problem::of_form)?;
    let changed = selection::change(cx, &selected, Change::Snooze(until)).await;
    let changed = changed.map_err(|error| field_problem(&error))?;
    summary(cx, AlertAction::Snoozed(until), changed).await
}

/// Undoes the last action of the session, if it is the one at the time `at`.
pub(crate) async fn undo(cx: &Cx, at: &str) -> Result<ActionSummary<AlertId>, Problem> {
    let stored: Option<Undo> = crate::request::get(UNDO).await;
    let undo = stored.filter(|undo| undo.at.to_string() == at);
    let undo = undo.ok_or_else(|| Problem::of_form(words::NO_UNDO))?;
    let changed = selection::undo(cx, &undo).await.map_err(|error| field_problem(&error))?;
    crate::request::remove(UNDO).await?;
    summary(cx, AlertAction::Undone, ChangedAlerts { inverse: Vec::new(), ..changed }).await
}

/// Converts an error; field errors name the fields of the forms.
fn field_problem(error: &governance::Error) -> Problem {
    let errors = fields(error);
    errors.map_or_else(|| to_problem(error), |errors| Problem::of_fields(&errors, &words::FIELDS))
}

/// Summarizes a change, and stores in the session what undoes it.
async fn summary(
    cx: &Cx,
    action: AlertAction,
    changed: ChangedAlerts,
) -> Result<ActionSummary<AlertId>, Problem> {
    let mut summary = ActionSummary::new(action);
    let me = cx.caller.principal();
    for (id, result) in changed.results {
        match result {
            Ok(alert) if alert.acknowledged_at.is_none() || alert.acknowledged_by == me => {
                summary.done += 1;
            }
            Err(refusal) if refusal.code == ErrorCode::NotFound => summary.missing += 1,
            Ok(_) | Err(_) => summary.failed.push(id),
        }
    }
    if !changed.inverse.is_empty() {
        let is_retained = put(UNDO, Undo { at: cx.now, changes: changed.inverse }).await?;
        summary.undo = is_retained.then_some(cx.now);
    }
    Ok(summary)
}

/// Responds to an action: redirects to `form.back`, which shows the result, or to `page`, which shows the error
/// and the form.
pub(crate) async fn respond(
    result: Result<ActionSummary<AlertId>, Problem>,
    form: &SelectionForm,
    page: &str,
) -> Result<(), Problem> {
    if let Ok(summary) = &result {
        crate::request::set_result(&form.back, summary).await?;
    }
    crate::request::respond(result, &form.back, page, form_json(form)).await
}

/// Returns the result of the last action.
async fn result(
    cx: &Cx,
    page: &str,
    names: &Names,
) -> Result<Option<ActionSummary<AlertRow>>, Problem> {
    let Some(ActionSummary { action, done, failed, missing, undo }) =
        crate::request::take_result::<ActionSummary<AlertId>>(page).await
    else {
        return Ok(None);
    };
    let failed = into_problem(alert::read_all(cx, &failed).await)?;
    let failed = rows(cx, failed, &AlertFilter::default(), names).await?;
    Ok(Some(ActionSummary { action, done, failed, missing, undo }))
}
