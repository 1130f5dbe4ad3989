//! Telling what happened after a decision: the form, in a dialog and as a page.

use contract::id::{DecisionId, TenantId};
use leptos::{prelude::*, server_fn::ServerFn};

use super::params;
use crate::{
    api::outcome::{TellOutcome, read_outcome},
    text::{url, words},
    ui::{
        badge::VerdictBadge,
        field::{SelectField, TextArea, TextField},
        form::Dialog,
        heading::Heading,
        load::load,
        problem::ProblemNote,
    },
    view::outcome::{OutcomePage as Page, Told},
};

/// `…/decisions/{decision}/outcome`
#[component]
pub(crate) fn OutcomePage() -> impl IntoView {
    let (tenant, id) = (params::tenant(), params::decision());
    let page = Resource::new(
        move || (tenant(), id()),
        async |(tenant, id)| read_outcome(tenant?, id?).await,
    );
    view! { {load(page, |page| view! { <Sheet page/> }.into_any())} }
}

#[component]
fn Sheet(page: Page) -> impl IntoView {
    let back = url::decision(page.tenant, page.id);
    let typed = page.kept.as_ref().map(|kept| kept.text.clone()).unwrap_or_default();
    let content = if let Some(told) = page.told {
        view! { <Already told typed back=back.clone()/> }.into_any()
    } else {
        let refused = page.kept.map(|kept| view! { <ProblemNote problem=kept.problem/> });
        view! {
            {refused}
            <OutcomeForm tenant=page.tenant id=page.id note=typed place="page" dialog=None/>
        }
        .into_any()
    };
    view! {
        <nav class="crumbs" aria-label=words::menu::CRUMBS>
            <a href=url::decisions(page.tenant)>{words::decisions::TITLE}</a>
            <span aria-hidden="true">"/"</span>
            <a href=back>{words::decision::title(page.verdict, &page.decision_type)}</a>
        </nav>
        <div class="card sheet roomy stack">
            <Heading title=words::outcome::TITLE/>
            <p class="row">
                <VerdictBadge verdict=page.verdict/>
                <bdi>{page.decision_type}</bdi>
            </p>
            {content}
        </div>
    }
}

/// There is an outcome: which, and what was typed in vain.
#[component]
fn Already(told: Told, typed: String, back: String) -> impl IntoView {
    let typed = (!typed.is_empty()).then(|| {
        view! {
            <p class="text-muted">{words::outcome::YOUR_NOTE}</p>
            <p class="quote">
                <bdi>{typed}</bdi>
            </p>
        }
    });
    view! {
        <p role="status">{words::outcome::already(&told)}</p>
        {typed}
        <p>
            <a class="button" href=back>
                {words::outcome::SHOW_IT}
            </a>
        </p>
    }
}

/// The button that opens the form: a link to its page, which opens as a dialog where scripts run.
#[component]
pub(super) fn OutcomeButton(tenant: TenantId, id: DecisionId) -> impl IntoView {
    let dialog = Dialog::new();
    view! {
        <a
            class="button"
            href=url::outcome(tenant, id)
            on:click=move |event| dialog.open(&event)
        >
            {words::outcome::OPEN}
        </a>
        <dialog node_ref=dialog.node() aria-labelledby="outcome-title">
            <h2 id="outcome-title" tabindex="-1">{words::outcome::TITLE}</h2>
            <OutcomeForm tenant id note=String::new() place="dialog" dialog=Some(dialog)/>
        </dialog>
    }
}

/// A plain post in both places: the page comes back with what was told.
#[component]
fn OutcomeForm(
    tenant: TenantId,
    id: DecisionId,
    note: String,
    place: &'static str,
    dialog: Option<Dialog>,
) -> impl IntoView {
    use words::outcome as say;
    let close = move |event: leptos::ev::MouseEvent| {
        if let Some(dialog) = dialog {
            dialog.close(&event);
        }
    };
    view! {
        <form method="post" action=TellOutcome::url() class="stack">
            <input type="hidden" name="tenant" value=tenant.to_string()/>
            <input type="hidden" name="id" value=id.to_string()/>
            <p>{say::SAYS}</p>
            <SelectField
                label=say::STATUS
                name="form[status]"
                choices=say::STATUSES.to_vec()
                value=""
                required=true
            />
            <TextArea
                label=say::NOTE
                hint=say::NOTE_HINT
                name="form[note]"
                id=format!("outcome-note-{place}")
                value=note
                maxlength=2000
                required=false
            />
            <TextField label=say::REFERENCE name="form[reference_id]"/>
            <TextField label=say::OCCURRED_AT name="form[occurred_at]" kind="datetime-local"/>
            <div class="row end">
                <a class="button" href=url::decision(tenant, id) on:click=close>
                    {words::CANCEL}
                </a>
                <button class="primary">{say::RECORD}</button>
            </div>
        </form>
    }
}
