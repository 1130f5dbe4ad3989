//! Confirmation pages of actions on several alerts: the selected alerts, and the form. The selection is posted to the
//! page, so it is in no address.

use contract::alert::ACKNOWLEDGE_MAX;
use governance::notify::alert::selection;
use page_kit::{prelude::*, request::posted};

use super::{
    action::{
        AcknowledgeAlerts, FINAL, FormStyle, alerts, assign_form, snooze_form, unchanged_list,
    },
    detail::BACK,
    row::{AlertRow, AlertViolation, GroupName, groups, rows},
    selection::SelectionForm,
};

/// `/t/{tenant}/alerts/acknowledge`
pub async fn acknowledge() -> PageResult {
    let title = |number| format!("Acknowledge {}?", alerts(number));
    confirmation(title, |selected| {
        let label = format!("Acknowledge {}", alerts(selected.number));
        any_view! {
            <form method="post" action=AcknowledgeAlerts::url() class="stack" data-once="">
                {selected.target}
                <p>"Only the alerts listed here will be acknowledged." " " {FINAL}</p>
                <div class="row">
                    <button class="primary">{label}</button>
                    <kbd aria-hidden="true">"Ctrl+Enter"</kbd>
                </div>
            </form>
        }
    })
    .await
}

/// `/t/{tenant}/alerts/assign`
pub async fn assign() -> PageResult {
    let title = |number| format!("Assign {}", alerts(number));
    confirmation(title, |selected| {
        assign_form(
            selected.target,
            &selected.people,
            None,
            title(selected.number),
            FormStyle::MAIN,
        )
    })
    .await
}

/// `/t/{tenant}/alerts/snooze`
pub async fn snooze() -> PageResult {
    let title = |number| format!("Snooze {}", alerts(number));
    confirmation(title, |selected| {
        snooze_form(selected.target, selected.date, title(selected.number), FormStyle::MAIN)
    })
    .await
}

/// What the form of an action needs of the selection.
struct Selected {
    /// The number of alerts that the action changes.
    number: usize,
    /// The hidden fields of the form: the same selection, and where an error and the result are shown.
    target: AnyView,
    /// The members to whom alerts can be assigned, with their names.
    people: Vec<(UserId, String)>,
    /// The entered date of a rejected attempt.
    date: String,
}

/// The alerts of a selection.
#[derive(Default)]
struct Preview {
    /// The alerts that the action changes, newest first.
    rows: Vec<AlertRow>,
    /// The selected alerts that stay as they are: they are acknowledged, or have changed since the selection.
    changed: Vec<AlertRow>,
    /// The number of further alerts that match.
    more: u64,
    people: Vec<(UserId, String)>,
    /// The error in the selection, as a sentence.
    error: Option<String>,
}

impl Preview {
    /// Reads the alerts of a form. Its selection by ID then contains only the alerts that the action changes.
    async fn read(cx: &Cx, form: &mut SelectionForm) -> Result<Self, Problem> {
        if form.selection.is_empty() {
            return Ok(Self::default());
        }
        let selected = match form.selection.selected(cx) {
            Ok(selected) => selected,
            Err(problem) => return Ok(Self { error: Some(problem.message), ..Self::default() }),
        };
        let list = selection::list(cx, &selected).await?;
        let directory = directory(cx).await?;
        let filter = form.selection.query.filter(1).unwrap_or_default();
        let number = list.unchanged.len();
        let alerts = [list.unchanged, list.changed].concat();
        let mut rows = rows(cx, alerts, &filter, &directory.names).await?;
        let changed = rows.split_off(number);
        if form.selection.all.is_empty() {
            form.selection.only = String::new();
            form.selection.ids = rows.iter().map(|row| row.alert.id.to_string()).collect();
        }
        Ok(Self { rows, changed, more: list.more, people: directory.people.clone(), error: None })
    }

    /// Returns why the action changes no alert.
    fn reason(&self, form: &SelectionForm) -> &str {
        if let Some(error) = &self.error {
            error
        } else if form.selection.is_empty() && self.changed.is_empty() {
            "Select alerts in the list first."
        } else if self.changed.iter().all(|row| row.acknowledged.is_some()) {
            "No open alerts are selected. They may already have been acknowledged."
        } else {
            "Every selected alert is already acknowledged or has changed."
        }
    }
}

/// Renders a confirmation page of the alerts that were posted to it, or whose form was rejected: the affected alerts,
/// those that stay unchanged, and the form of the action. Without affected alerts, it shows the reason.
async fn confirmation(
    title: impl Fn(usize) -> String,
    form: impl FnOnce(Selected) -> AnyView,
) -> PageResult {
    let (tenant, cx) = page::member().await?;
    cx.tenant(permission::ACKNOWLEDGE_ALERTS)?;
    let own = request::current_page();
    let (problem, mut posted) = match posted::<SelectionForm>().await? {
        Some(form) => (None, form),
        None => {
            take_input(&own).await.map(|(problem, form)| (Some(problem), form)).unwrap_or_default()
        }
    };
    let mut preview = Preview::read(&cx, &mut posted).await?;
    let back = match url::own_path(&posted.back) {
        "/" => url::alerts(tenant),
        own => own.to_owned(),
    };
    let number = preview.rows.len();
    let (title, content) = if number == 0 {
        let reason = preview.reason(&posted).to_owned();
        ("No alerts selected".to_owned(), any_view! { <p>{reason}</p> })
    } else {
        let fields = [("page", own), ("back", back.clone()), ("tenant", tenant.to_string())];
        let target = hidden(posted.selection.fields(fields));
        let people = std::mem::take(&mut preview.people);
        (title(number), form(Selected { number, target, people, date: posted.date }))
    };
    let unaffected = (!preview.changed.is_empty()).then(|| {
        let lead = unaffected(preview.changed.len());
        unchanged_list(tenant, lead, preview.changed)
    });
    let more = (preview.more > 0).then(|| {
        let more = counted(preview.more);
        let text = format!(
            "These are the newest {ACKNOWLEDGE_MAX}. {more} more match and stay unchanged."
        );
        view! { <p>{text}</p> }
    });
    let affected = affected(tenant, preview.rows, cx.now);
    Ok(any_view! {
        <Panel title problem back back_label=BACK is_confirmation=true>
            {unaffected}
            {more}
            {affected}
            {content}
        </Panel>
    })
}

/// Returns the lead of the list of selected alerts that the action will not change.
fn unaffected(number: usize) -> String {
    let (is, stays) = if number == 1 { ("is", "stays") } else { ("are", "stay") };
    format!(
        "{} of your selection {is} acknowledged or changed in the meantime, and {stays} unchanged:",
        alerts(number)
    )
}

/// Renders the alerts that the action changes, by rule.
fn affected(tenant: TenantId, rows: Vec<AlertRow>, now: Timestamp) -> AnyView {
    /// The maximum number of affected alerts that are shown without opening their groups.
    const OPEN_MAX: usize = 20;
    let is_open = rows.len() <= OPEN_MAX;
    let row = |row: AlertRow| {
        let policy = row.violation.as_ref().map(AlertViolation::policy_name);
        view! {
            <li>
                <a href=url::alert(tenant, row.alert.id)>
                    <bdi class="breaks">{row.title()}</bdi>
                </a>
                " "
                <span class="text-xs text-muted">
                    {policy} " " {age(row.alert.created_at, now)}
                </span>
            </li>
        }
    };
    let group = |(name, rows): (GroupName, Vec<AlertRow>)| {
        let count = alerts(rows.len());
        view! {
            <details open=is_open>
                <summary>{name.view()} " " <span class="text-muted">{count}</span></summary>
                <ul>{rows.into_iter().map(row).collect_view()}</ul>
            </details>
        }
    };
    groups(rows).into_iter().map(group).collect_view().into_any()
}
