//! What users do with alerts: the forms, the server functions and their results.

use contract::alert::AlertFilter;
use governance::notify::alert::{
    self as service, Change, ChangedAlerts,
    selection::{self, Undo},
};
use page_kit::{prelude::*, request::form_json, text::query::parsed};

use super::{
    row::{AlertRow, rows},
    selection::{Selection, SelectionForm},
};

pub(super) const FINAL: &str = "Acknowledging cannot be undone. Your name is recorded.";

/// The key of the session under which the undo of the last action is stored.
const UNDO: &str = "undo alerts";

pub(super) fn alerts(number: usize) -> String {
    count(number, "alert", "alerts")
}

/// How the form of an action is shown.
#[derive(Clone, Copy)]
pub(super) struct FormStyle {
    /// Whether it is the main form of the page.
    pub(super) is_main: bool,
    /// Whether a single key moves the focus to it.
    pub(super) has_keys: bool,
}

impl FormStyle {
    pub(super) const MAIN: Self = Self { is_main: true, has_keys: true };
}

/// Renders the form that assigns the alerts of `target`, its hidden fields.
pub(super) fn assign_form(
    target: AnyView,
    people: &[(UserId, String)],
    assigned_to: Option<UserId>,
    label: String,
    style: FormStyle,
) -> AnyView {
    let current = assigned_to.map(|id| id.to_string()).unwrap_or_default();
    let people = people.iter().map(|(id, name)| (id.to_string(), name.clone()));
    let no_one = (String::new(), "No one".to_owned());
    let choices = options(std::iter::once(no_one).chain(people), &current);
    any_view! {
        <form method="post" action=AssignAlerts::url() class="stack" data-once="">
            {target}
            <label class="field">
                <span>"Assigned to"</span>
                <select name="assignee" data-key=style.has_keys.then_some("i")>
                    {choices}
                </select>
            </label>
            <div class="row">
                <button class=style.is_main.then_some("primary")>{label}</button>
            </div>
        </form>
    }
}

/// Renders the form that snoozes the alerts of `target`. `date` is the entered date of a rejected attempt.
pub(super) fn snooze_form(
    target: AnyView,
    date: String,
    label: String,
    style: FormStyle,
) -> AnyView {
    let times = [
        ("1h", "1 hour"),
        ("4h", "4 hours"),
        ("tomorrow", "Until tomorrow 9:00 (UTC)"),
        ("open", "Not snoozed: open now"),
    ];
    any_view! {
        <form method="post" action=SnoozeAlerts::url() class="stack" data-once="">
            {target}
            <label class="field">
                <span>"Snooze for"</span>
                <select name="until" data-key=style.has_keys.then_some("h")>
                    {options(times, "")}
                </select>
            </label>
            <TextField
                label="Or until (UTC, at most 30 days)"
                name="date"
                kind="datetime-local"
                value=date
            />
            <div class="row">
                <button class=style.is_main.then_some("primary")>{label}</button>
            </div>
        </form>
    }
}

/// Acknowledges the selected alerts, and redirects to the page `back`, which shows the result. An error is
/// shown on `page`. Alerts that the user acknowledged before count as done, so sending a form twice gives the same
/// result.
#[server(prefix = "/console", endpoint = "acknowledge-alerts", output = JsonCodec)]
pub(super) async fn acknowledge_alerts(
    tenant: TenantId,
    #[server(default)] selection: Selection,
    #[server(default)] page: String,
    #[server(default)] back: String,
) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    let result = acknowledge(&cx, &selection).await;
    let form = SelectionForm { selection, back, ..SelectionForm::default() };
    respond(result, &form, &page).await
}

async fn acknowledge(cx: &Cx, selection: &Selection) -> Result<ActionSummary, Problem> {
    let selected = selection.selected(cx)?;
    change(cx, &selected, Change::Acknowledge, AlertAction::Acknowledged).await
}

/// Assigns the selected alerts to the member with the ID `assignee`, or to no one if it is empty, and redirects as
/// [`acknowledge_alerts`] does.
#[server(prefix = "/console", endpoint = "assign-alerts", output = JsonCodec)]
async fn assign_alerts(
    tenant: TenantId,
    #[server(default)] selection: Selection,
    #[server(default)] assignee: String,
    #[server(default)] page: String,
    #[server(default)] back: String,
) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    let result = assign(&cx, &selection, &assignee).await;
    let form = SelectionForm { selection, back, ..SelectionForm::default() };
    respond(result, &form, &page).await
}

async fn assign(cx: &Cx, selection: &Selection, assignee: &str) -> Result<ActionSummary, Problem> {
    let selected = selection.selected(cx)?;
    let user_id: Option<UserId> = parsed(assignee).map_err(Problem::of_form)?;
    let directory = directory(cx).await?;
    let person = directory.people.iter().find(|(id, _)| Some(*id) == user_id);
    let action = AlertAction::Assigned(person.map(|(_, name)| name.clone()));
    change(cx, &selected, Change::Assign(user_id), action).await
}

/// Snoozes the selected alerts for a choice of the form, or until `date`, and redirects as
/// [`acknowledge_alerts`] does.
#[server(prefix = "/console", endpoint = "snooze-alerts", output = JsonCodec)]
async fn snooze_alerts(
    tenant: TenantId,
    #[server(default)] selection: Selection,
    #[server(default)] until: String,
    #[server(default)] date: String,
    #[server(default)] page: String,
    #[server(default)] back: String,
) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    let result = snooze(&cx, &selection, &until, &date).await;
    respond(result, &SelectionForm { selection, back, date }, &page).await
}

async fn snooze(
    cx: &Cx,
    selection: &Selection,
    choice: &str,
    date: &str,
) -> Result<ActionSummary, Problem> {
    let selected = selection.selected(cx)?;
    let until = snooze_until(choice, date, cx.now).map_err(Problem::of_form)?;
    change(cx, &selected, Change::Snooze(until), AlertAction::Snoozed(until)).await
}

/// Returns the end of a snooze time: the date of the form, or else a choice of the form. `None` opens the
/// alert again.
///
/// # Errors
/// Returns an error message for the user.
fn snooze_until(
    choice: &str,
    date: &str,
    now: Timestamp,
) -> Result<Option<Timestamp>, &'static str> {
    const HOUR_MS: i64 = 3_600_000;
    let date = end_instant(date).map_err(|()| "the date is invalid")?;
    if date.is_some() {
        return Ok(date);
    }
    match choice {
        "1h" => Ok(Some(now.plus_millis(HOUR_MS))),
        "4h" => Ok(Some(now.plus_millis(4 * HOUR_MS))),
        "tomorrow" => {
            let since_midnight = now.millis().rem_euclid(DAY_MS);
            Ok(Some(now.plus_millis(DAY_MS + 9 * HOUR_MS - since_midnight)))
        }
        "open" => Ok(None),
        _ => Err("select a time or enter a date"),
    }
}

/// Undoes the assignment or snooze time that was set at the time `at`, and redirects to `back`, which shows the
/// result or the error.
#[server(prefix = "/console", endpoint = "undo-alerts", output = JsonCodec)]
async fn undo_alerts(
    tenant: TenantId,
    #[server(default)] at: String,
    #[server(default)] back: String,
) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    let result = undo(&cx, &at).await;
    let form = SelectionForm { back: back.clone(), ..SelectionForm::default() };
    respond(result, &form, &back).await
}

/// Undoes the last action of the session, if it is the one at the time `at`.
async fn undo(cx: &Cx, at: &str) -> Result<ActionSummary, Problem> {
    let stored: Option<Undo> = request::get(UNDO).await;
    let undo = stored.filter(|undo| undo.at.to_string() == at);
    let undo = undo.ok_or_else(|| Problem::of_form("this action can no longer be undone"))?;
    let changed = selection::undo(cx, &undo).await.map_err(|error| field_problem(&error))?;
    request::remove(UNDO).await?;
    summary(cx, AlertAction::Undone, ChangedAlerts { inverse: Vec::new(), ..changed }).await
}

/// Changes the selected alerts.
async fn change(
    cx: &Cx,
    selected: &selection::Selection,
    change: Change,
    action: AlertAction,
) -> Result<ActionSummary, Problem> {
    let changed =
        selection::change(cx, selected, change).await.map_err(|error| field_problem(&error))?;
    summary(cx, action, changed).await
}

/// Converts an error; field errors name the fields of the forms.
fn field_problem(error: &governance::Error) -> Problem {
    let labels = [("/user_id", "Assigned to"), ("/until", "Time")];
    request::labelled(error, &labels)
}

/// Summarizes a change, and stores in the session what undoes it.
async fn summary(
    cx: &Cx,
    action: AlertAction,
    changed: ChangedAlerts,
) -> Result<ActionSummary, Problem> {
    let mut summary = ActionSummary { action, done: 0, failed: Vec::new(), missing: 0, undo: None };
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
        let is_retained = request::put(UNDO, Undo { at: cx.now, changes: changed.inverse }).await?;
        summary.undo = is_retained.then_some(cx.now);
    }
    Ok(summary)
}

/// Responds to an action: redirects to `form.back`, which shows the result, or to `page`, which shows the error
/// and the form.
async fn respond(
    result: Result<ActionSummary, Problem>,
    form: &SelectionForm,
    page: &str,
) -> Result<(), Problem> {
    if let Ok(summary) = &result {
        request::set_result(&form.back, summary).await?;
    }
    request::respond(result, &form.back, page, form_json(form)).await
}

/// What a user did with alerts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum AlertAction {
    Acknowledged,
    /// Assigned to the person with this name, or to no one.
    Assigned(Option<String>),
    /// Snoozed until this time, or opened again.
    Snoozed(Option<Timestamp>),
    /// Restored as before an assignment or snooze time.
    Undone,
}

impl AlertAction {
    /// Returns what was done with one alert, for example "Assigned to I. Roy".
    pub(super) fn event(&self) -> String {
        match self {
            Self::Acknowledged => "Acknowledged".to_owned(),
            Self::Assigned(Some(name)) => assigned_to(name),
            Self::Assigned(None) => "Assigned to no one".to_owned(),
            Self::Snoozed(Some(until)) => format!("Snoozed until {}", time::minute(*until)),
            Self::Snoozed(None) => "Opened again".to_owned(),
            Self::Undone => "Restored".to_owned(),
        }
    }

    /// Returns the result of the action on `done` alerts, as a sentence.
    fn sentence(&self, done: usize) -> String {
        let alerts = if done == 1 { "Alert".to_owned() } else { alerts(done) };
        match self {
            Self::Acknowledged => format!("{alerts} acknowledged."),
            Self::Assigned(Some(name)) => format!("{alerts} assigned to {name}."),
            Self::Assigned(None) => format!("{alerts} assigned to no one."),
            Self::Snoozed(Some(until)) => {
                format!("{alerts} snoozed until {}.", time::minute(*until))
            }
            Self::Snoozed(None) => format!("{alerts} opened again."),
            Self::Undone => format!("{alerts} restored."),
        }
    }
}

fn assigned_to(name: &str) -> String {
    format!("Assigned to {}", isolated(name))
}

/// The result of an action on several alerts, which the session keeps for the next page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct ActionSummary {
    action: AlertAction,
    /// The number of alerts to which the action was applied.
    done: usize,
    /// The alerts that changed first, so that the action left them as they are.
    failed: Vec<AlertId>,
    /// The number of alerts that were not found.
    missing: usize,
    /// The time of the action, if it can be undone.
    undo: Option<Timestamp>,
}

/// Renders the result of the last action of the page at `address`: what was done with how many alerts, with a button
/// that undoes it and returns to `own`, and each alert that had changed first. With scripts, the notice of a complete
/// action is a toast (`public/page.js`). Without scripts, it stays on the page.
pub(super) async fn last_result(
    cx: &Cx,
    tenant: TenantId,
    address: &str,
    own: &str,
    names: &Names,
) -> Result<Option<AnyView>, Problem> {
    let Some(summary) = request::take_result::<ActionSummary>(address).await else {
        return Ok(None);
    };
    let ActionSummary { action, done, failed, missing, undo } = summary;
    let failed = service::read_all(cx, &failed).await?;
    let failed = rows(cx, failed, &AlertFilter::default(), names).await?;
    let is_complete = failed.is_empty() && missing == 0;
    let (tone, drawing) = if is_complete { ("allow", Icon::Allow) } else { ("warn", Icon::Warn) };
    let are_acknowledged =
        action == AlertAction::Acknowledged && failed.iter().all(|row| row.acknowledged.is_some());
    let lead = if are_acknowledged { already_acknowledged } else { conflicts };
    let failures = (!failed.is_empty()).then(|| unchanged_list(tenant, lead(failed.len()), failed));
    let missing =
        (missing > 0).then(|| view! { <p>{format!("{} not found.", alerts(missing))}</p> });
    let undo = undo.map(|at| {
        let back = ("back", own.to_owned());
        let fields = vec![("tenant", tenant.to_string()), ("at", at.to_string()), back];
        view! {
            <form method="post" action=UndoAlerts::url() data-once="" data-undo="">
                {hidden(fields)}
                <button data-key="z">{messages::UNDO}</button>
            </form>
        }
    });
    let notice = view! {
        <div class=format!("note {tone}") role="status" data-toast=is_complete.then_some("")>
            {icon(drawing)}
            <div>
                <p class="font-semibold">{action.sentence(done)}</p>
                {failures}
                {missing}
            </div>
            {undo}
        </div>
    };
    Ok(Some(notice.into_any()))
}

/// Returns the lead of the list of alerts that an action left as they are.
fn conflicts(failed: usize) -> String {
    let (has, it_was) = if failed == 1 { ("has", "It was") } else { ("have", "They were") };
    format!("{} {has} changed in the meantime. {it_was} not changed again:", alerts(failed))
}

/// Returns the lead of the list of alerts that another user has acknowledged first.
fn already_acknowledged(failed: usize) -> String {
    let were = if failed == 1 { "was" } else { "were" };
    format!("{} {were} already acknowledged by someone else:", alerts(failed))
}

/// Renders the alerts that an action leaves as they are, with what happened to each.
pub(super) fn unchanged_list(tenant: TenantId, lead: String, rows: Vec<AlertRow>) -> AnyView {
    let row = |row: AlertRow| {
        let (title, href) = (row.title(), url::alert(tenant, row.alert.id));
        let state = match (row.acknowledged, row.snoozed_until) {
            (Some((by, at)), _) => attribution(by, at),
            (None, Some(until)) => {
                any_view! { <span>"Snoozed until" " " {minute(until)}</span> }
            }
            (None, None) => {
                let assignee = row.assignee.map(|name| assigned_to(&name));
                assignee.unwrap_or_else(|| "Not assigned".to_owned()).into_any()
            }
        };
        view! {
            <li>
                <a href=href>
                    <bdi class="breaks">{title}</bdi>
                </a>
                " "
                {state}
            </li>
        }
    };
    any_view! {
        <p>{lead}</p>
        <ul>{rows.into_iter().map(row).collect_view()}</ul>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snooze_time_ends_after_hours_tomorrow_at_nine_or_at_a_date() {
        let now: Timestamp = "2026-11-20T23:04:11.302Z".parse().unwrap();
        let until = |choice, date| {
            snooze_until(choice, date, now).map(|until| until.map(|until| until.to_string()))
        };
        let time = |text: &str| Ok(Some(text.to_owned()));
        assert_eq!(until("1h", ""), time("2026-11-21T00:04:11.302Z"));
        assert_eq!(until("4h", ""), time("2026-11-21T03:04:11.302Z"));
        assert_eq!(until("tomorrow", ""), time("2026-11-21T09:00:00.000Z"));
        assert_eq!(until("open", ""), Ok(None));
        assert_eq!(until("1h", "2026-12-01T08:00"), time("2026-12-01T08:00:00.000Z"));
        assert!(until("1h", "soon").is_err() && until("", "").is_err());
    }
}
