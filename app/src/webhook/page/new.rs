//! The form to create a webhook, optionally as a copy of another one.

use contract::error::FieldError;
use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    alert::words as alert_words,
    text::{messages, url},
    ui::{
        field::options,
        form_errors::{ErrorSummary, FormField, field_error, invalid},
        heading::Heading,
        load::load,
        panel::{Crumb, submit_or_cancel},
        params,
        problem::ProblemNote,
    },
    webhook::{
        act::{CreateWebhook, read_webhook_form},
        view::{WebhookForm, WebhookFormPage as FormView},
    },
};

/// `/t/{tenant}/webhooks/new`
#[component]
pub(crate) fn NewWebhookPage() -> impl IntoView {
    let (tenant, from) = (params::tenant(), params::query("from"));
    load(
        move || (tenant(), from()),
        async |(tenant, from)| read_webhook_form(tenant?, from).await,
        |page| view! { <NewWebhookContent page /> }.into_any(),
    )
}

#[component]
fn NewWebhookContent(page: FormView) -> impl IntoView {
    use crate::webhook::words as strings;
    let tenant = page.tenant;
    let title = if page.from.is_some() { strings::REPLACE } else { strings::NEW };
    let from = page.from.map(|from| {
        view! {
            <input type="hidden" name="from" value=from.to_string() />
            <p>{strings::REPLACE_HELP}</p>
        }
    });
    let errors = page.errors.clone();
    let tab = messages::title_with_errors(title, errors.len());
    view! {
        <Crumb href=url::webhooks(tenant) label=strings::TITLE />
        <Heading title=tab>{title}</Heading>
        <form method="post" action=CreateWebhook::url() class="card panel roomy stack" novalidate>
            {page.problem.map(|problem| view! { <ProblemNote problem /> })}
            {(!errors.is_empty())
                .then(|| view! { <ErrorSummary errors labels=&strings::FIELDS /> })}
            <input type="hidden" name="tenant" value=tenant.to_string() />
            <input type="hidden" name="id" value=page.next.to_string() />
            {from}
            <Fields form=page.form errors=page.errors />
            {submit_or_cancel(strings::CREATE, url::webhooks(tenant))}
        </form>
    }
}

#[component]
fn Fields(form: WebhookForm, errors: Vec<FieldError>) -> impl IntoView {
    use crate::webhook::words as strings;
    let form_errors = StoredValue::new(errors);
    let field = |name, member, label, hint| FormField { form_errors, name, member, label, hint };
    let [_, severities @ ..] = alert_words::SEVERITIES;
    view! {
        {field("url", "url", strings::URL, strings::URL_HINT).line(form.url, false)}
        {field("types", "decision_types", strings::TYPES, strings::TYPES_HINT).area(form.types)}
        <div class="field">
            <label for="severity_min">{strings::SEVERITY}</label>
            <select
                id="severity_min"
                name="form[severity]"
                aria-describedby="severity_min-error"
                aria-invalid=invalid(form_errors, "severity_min")
            >
                {options(severities, &form.severity)}
            </select>
            {field_error(form_errors, "severity_min")}
        </div>
        <div class="field">
            <label for="envelope">{strings::ENVELOPE}</label>
            <select
                id="envelope"
                name="form[envelope]"
                aria-describedby="envelope-hint envelope-error"
                aria-invalid=invalid(form_errors, "envelope")
            >
                {options(strings::ENVELOPES, &form.envelope)}
            </select>
            <small id="envelope-hint" class="text-muted">
                {strings::ENVELOPE_HINT}
            </small>
            {field_error(form_errors, "envelope")}
        </div>
    }
}
