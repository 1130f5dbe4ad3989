//! The form to record the outcome of a decision, as a dialog and as a page.

use contract::id::{DecisionId, TenantId};
use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    api::outcome::{RecordOutcome, read_outcome},
    markup::quote::quote,
    text::{messages, url},
    ui::{
        badge::VerdictBadge,
        field::{SelectField, TextArea, TextField},
        form::Dialog,
        heading::Heading,
        load::load,
        params,
        problem::ProblemNote,
    },
    view::outcome::{OutcomeDetails, OutcomePage as Page},
};

/// `…/decisions/{decision}/outcome`
#[component]
pub(crate) fn OutcomePage() -> impl IntoView {
    let (tenant, id) = (params::tenant(), params::decision());
    load(
        move || (tenant(), id()),
        async |(tenant, id)| read_outcome(tenant?, id?).await,
        |page| view! { <OutcomeContent page /> }.into_any(),
    )
}

#[component]
fn OutcomeContent(page: Page) -> impl IntoView {
    let back = url::decision(page.tenant, page.id);
    let note = page.rejected.as_ref().map(|rejected| rejected.text.clone()).unwrap_or_default();
    let content = if let Some(outcome) = page.outcome {
        view! { <AlreadyRecorded outcome note back=back.clone() /> }.into_any()
    } else {
        let problem =
            page.rejected.map(|rejected| view! { <ProblemNote problem=rejected.problem /> });
        view! {
            {problem}
            <OutcomeForm tenant=page.tenant id=page.id note id_suffix="page" dialog=None />
        }
        .into_any()
    };
    view! {
        <nav class="crumbs" aria-label=messages::menu::CRUMBS>
            <a href=url::decisions(page.tenant)>{messages::decisions::TITLE}</a>
            <span aria-hidden="true">"/"</span>
            <a href=back>{messages::decision::title(page.verdict, &page.decision_type)}</a>
        </nav>
        <div class="card panel roomy stack">
            <Heading title=messages::outcome::TITLE />
            <p class="row">
                <VerdictBadge verdict=page.verdict />
                <bdi>{page.decision_type}</bdi>
            </p>
            {content}
        </div>
    }
}

/// The note that the decision already has an outcome, with the text that was not recorded.
#[component]
fn AlreadyRecorded(outcome: OutcomeDetails, note: String, back: String) -> impl IntoView {
    let note = (!note.is_empty()).then(|| {
        view! {
            <p class="text-muted">{messages::outcome::YOUR_NOTE}</p>
            {quote(note)}
        }
    });
    view! {
        <p role="status">{outcome.already_recorded()}</p>
        {note}
        <p>
            <a class="button" href=back>
                {messages::outcome::SHOW_DECISION}
            </a>
        </p>
    }
}

/// The button that opens the form. It is a link to a page; scripts open a dialog instead.
#[component]
pub(super) fn OutcomeButton(tenant: TenantId, id: DecisionId) -> impl IntoView {
    let dialog = Dialog::new();
    view! {
        <a class="button" href=url::outcome(tenant, id) on:click=move |event| dialog.open(&event)>
            {messages::outcome::OPEN}
        </a>
        <dialog node_ref=dialog.node() aria-labelledby="outcome-title">
            <h2 id="outcome-title" tabindex="-1">
                {messages::outcome::TITLE}
            </h2>
            <OutcomeForm tenant id note=String::new() id_suffix="dialog" dialog=Some(dialog) />
        </dialog>
    }
}

/// `id_suffix` makes the field IDs unique: the dialog and the page use the same form.
#[component]
fn OutcomeForm(
    tenant: TenantId,
    id: DecisionId,
    note: String,
    id_suffix: &'static str,
    dialog: Option<Dialog>,
) -> impl IntoView {
    use messages::outcome as strings;
    let close = move |event: leptos::ev::MouseEvent| {
        if let Some(dialog) = dialog {
            dialog.close(&event);
        }
    };
    view! {
        <form method="post" action=RecordOutcome::url() class="stack">
            <input type="hidden" name="tenant" value=tenant.to_string() />
            <input type="hidden" name="id" value=id.to_string() />
            <p>{strings::HELP}</p>
            <SelectField
                label=strings::STATUS
                name="form[status]"
                choices=strings::STATUSES.to_vec()
                value=""
                required=true
            />
            <TextArea
                label=strings::NOTE
                hint=strings::NOTE_HINT
                name="form[note]"
                id=format!("outcome-note-{id_suffix}")
                value=note
                maxlength=2000
                required=false
            />
            <TextField label=strings::REFERENCE name="form[reference_id]" />
            <TextField label=strings::OCCURRED_AT name="form[occurred_at]" kind="datetime-local" />
            <div class="row end">
                <a class="button" href=url::decision(tenant, id) on:click=close>
                    {messages::CANCEL}
                </a>
                <button class="primary">{strings::RECORD}</button>
            </div>
        </form>
    }
}
