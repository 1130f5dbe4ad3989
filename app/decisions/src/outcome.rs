//! Decision outcomes: the form that records one. An outcome is recorded once.

use contract::outcome::{DecisionOutcome, OutcomeRequest, OutcomeStatus};
use governance::{base::error::invalid, deciding::decision};
use page_kit::{prelude::*, text::verdict::title};

const TITLE: &str = "Record the outcome";

/// `…/decisions/{decision}/outcome`
pub async fn outcome() -> PageResult {
    let (tenant, cx) = page::member().await?;
    let id = page::param("decision")?;
    cx.tenant(permission::RECORD_OUTCOME)?;
    let record = decision::read(&cx, id).await?;
    let outcome = match &record.outcome {
        Some(outcome) => Some(OutcomeDetails::new(outcome.clone(), &directory(&cx).await?.names)),
        None => None,
    };
    let (problem, note) = take_rejected(&url::outcome(tenant, id))
        .await
        .map(|rejected| (rejected.problem, rejected.text))
        .unzip();
    let note = note.unwrap_or_default();
    let back = url::decision(tenant, id);
    let content = match outcome {
        Some(outcome) => already_recorded(&outcome, note, back.clone()),
        None => any_view! {
            {problem.map(problem_note)}
            {form(tenant, id, note)}
        },
    };
    let verdict = record.decision;
    Ok(any_view! {
        <nav class="crumbs" aria-label=messages::CRUMBS>
            <a href=url::decisions(tenant)>"Decisions"</a>
            <span aria-hidden="true">"/"</span>
            <a href=back>{title(verdict, &record.decision_type)}</a>
        </nav>
        <div class="card panel roomy stack">
            <Heading title=TITLE />
            <p class="row">
                <VerdictBadge verdict />
                <bdi>{record.decision_type}</bdi>
            </p>
            {content}
        </div>
    })
}

/// Renders the note that the decision already has an outcome, with the text that was not recorded.
fn already_recorded(outcome: &OutcomeDetails, note: String, back: String) -> AnyView {
    let at = time::minute(outcome.recorded_at);
    let OutcomeDetails { status, by, .. } = outcome;
    let text = format!("Already recorded as {status} by {by} at {at}. It cannot be changed.");
    let note = (!note.is_empty()).then(|| {
        view! {
            <p class="text-muted">"Your note was not recorded:"</p>
            {quote(note)}
        }
    });
    any_view! {
        <p role="status">{text}</p>
        {note}
        <p>
            <a class="button" href=back>
                "Show the decision"
            </a>
        </p>
    }
}

const STATUSES: [(&str, &str); 6] = [
    ("", "Choose"),
    ("accepted", "Accepted: the verdict was followed"),
    ("overridden", "Overridden: someone decided differently"),
    ("escalated", "Escalated: passed to a higher level"),
    ("expired", "Expired: time ran out before anyone acted"),
    ("abandoned", "Abandoned: the request was withdrawn"),
];

fn form(tenant: TenantId, id: DecisionId, note: String) -> AnyView {
    any_view! {
        <form method="post" action=RecordOutcome::url() class="stack">
            <input type="hidden" name="tenant" value=tenant.to_string() />
            <input type="hidden" name="id" value=id.to_string() />
            <p>"Record what happened after the verdict. An outcome cannot be changed later."</p>
            <SelectField
                label="What happened"
                name="form[status]"
                choices=STATUSES.to_vec()
                value=""
                required=true
            />
            <TextArea
                label="Note (optional)"
                hint="Up to 2,000 characters. Visible to everyone in the tenant."
                name="form[note]"
                id="outcome-note".to_owned()
                value=note
                maxlength=2000
                required=false
            />
            <TextField label="Your own reference (optional)" name="form[reference_id]" />
            <TextField
                label="When it happened (UTC, optional)"
                name="form[occurred_at]"
                kind="datetime-local"
            />
            {submit_or_cancel(TITLE, url::decision(tenant, id))}
        </form>
    }
}

/// The input of the form that records an outcome.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct OutcomeForm {
    status: String,
    note: String,
    reference_id: String,
    /// The time at which it happened, in UTC, in the format of a date and time field.
    occurred_at: String,
}

impl OutcomeForm {
    /// Returns the body of the API call: empty fields are left out, and the contract reader validates it.
    fn request(self) -> governance::Result<OutcomeRequest> {
        let occurred_at = match query::instant(&self.occurred_at) {
            Ok(at) => at.map_or_else(String::new, |at| at.to_string()),
            // The reader reports invalid input with its pointer.
            Err(()) => self.occurred_at,
        };
        let mut body = Object::new();
        for (name, text) in [
            ("status", self.status),
            ("note", self.note),
            ("reference_id", self.reference_id),
            ("occurred_at", occurred_at),
        ] {
            let text = text.trim();
            if !text.is_empty() {
                body.insert(name, Value::from(text));
            }
        }
        read::body(&Value::Object(body)).map_err(|errors| invalid(&errors).into())
    }
}

/// Records the outcome and redirects to the decision. Recording a second outcome redirects to the page that
/// shows the first.
#[server(prefix = "/console", endpoint = "tell-outcome", output = JsonCodec)]
async fn record_outcome(
    tenant: TenantId,
    id: DecisionId,
    form: OutcomeForm,
) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    request::act(&url::outcome(tenant, id), form.note.clone(), async {
        decision::outcome::record(&cx, id, form.request()?).await?;
        Ok(url::decision(tenant, id))
    })
    .await
}

/// A recorded outcome with names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct OutcomeDetails {
    pub(crate) status: OutcomeStatus,
    pub(crate) note: Option<String>,
    /// The caller's reference.
    pub(crate) reference_id: Option<String>,
    /// The name of the actor.
    pub(crate) actor: Option<String>,
    pub(crate) occurred_at: Option<Timestamp>,
    pub(crate) recorded_at: Timestamp,
    /// The name of the user or key that recorded it.
    pub(crate) by: String,
}

impl OutcomeDetails {
    /// Creates the details of an outcome; `names` contains the name of the recorder.
    pub(crate) fn new(outcome: DecisionOutcome, names: &Names) -> Self {
        let actor = outcome.actor.as_ref().and_then(actor_name);
        let by = names.get(&outcome.recorded_by).cloned();
        Self {
            status: outcome.status,
            note: outcome.note.filter(|note| !note.is_empty()),
            reference_id: outcome.reference_id,
            actor,
            occurred_at: outcome.occurred_at,
            recorded_at: outcome.recorded_at,
            by: by.unwrap_or(outcome.recorded_by),
        }
    }
}

/// Returns the name of a status.
pub(crate) fn status(status: OutcomeStatus) -> &'static str {
    match status {
        OutcomeStatus::Accepted => "Accepted",
        OutcomeStatus::Overridden => "Overridden",
        OutcomeStatus::Escalated => "Escalated",
        OutcomeStatus::Expired => "Expired",
        OutcomeStatus::Abandoned => "Abandoned",
    }
}
