//! The form that records the outcome of a decision.

use contract::id::{DecisionId, TenantId};
use leptos::{prelude::*, server_fn::ServerFn};

use super::{
    act::{RecordOutcome, read_outcome},
    view::{OutcomeDetails, OutcomePage as Page},
    words,
};
use crate::{
    decision::{list_words as decision_list_words, words as decision_words},
    text::{messages, url},
    ui::{
        badge::VerdictBadge,
        field::{SelectField, TextArea, TextField},
        heading::Heading,
        load::load,
        params,
        problem::ProblemNote,
        quote::quote,
    },
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
            <OutcomeForm tenant=page.tenant id=page.id note />
        }
        .into_any()
    };
    view! {
        <nav class="crumbs" aria-label=messages::CRUMBS>
            <a href=url::decisions(page.tenant)>{decision_list_words::TITLE}</a>
            <span aria-hidden="true">"/"</span>
            <a href=back>{decision_words::title(page.verdict, &page.decision_type)}</a>
        </nav>
        <div class="card panel roomy stack">
            <Heading title=words::TITLE />
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
            <p class="text-muted">{words::YOUR_NOTE}</p>
            {quote(note)}
        }
    });
    view! {
        <p role="status">{outcome.already_recorded()}</p>
        {note}
        <p>
            <a class="button" href=back>
                {words::SHOW_DECISION}
            </a>
        </p>
    }
}

#[component]
fn OutcomeForm(tenant: TenantId, id: DecisionId, note: String) -> impl IntoView {
    use super::words as strings;
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
                id="outcome-note".to_owned()
                value=note
                maxlength=2000
                required=false
            />
            <TextField label=strings::REFERENCE name="form[reference_id]" />
            <TextField label=strings::OCCURRED_AT name="form[occurred_at]" kind="datetime-local" />
            <div class="row end">
                <a class="button" href=url::decision(tenant, id)>
                    {messages::CANCEL}
                </a>
                <button class="primary">{strings::RECORD}</button>
            </div>
        </form>
    }
}
