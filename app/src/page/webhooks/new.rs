//! The form of a new webhook, which may begin as a copy of another one.

use contract::error::FieldError;
use leptos::{prelude::*, server_fn::ServerFn};

use super::params;
use crate::{
    api::webhook::{CreateWebhook, read_webhook_form},
    text::{url, words},
    ui::{
        faults::{Area, Line, Summary, fault},
        heading::Heading,
        load::load,
        problem::ProblemNote,
    },
    view::webhook::{WebhookForm, WebhookFormPage as Shown},
};

/// `/t/{tenant}/webhooks/new`
#[component]
pub(crate) fn NewWebhookPage() -> impl IntoView {
    let (tenant, from) = (params::tenant(), params::query("from"));
    let page = Resource::new(
        move || (tenant(), from()),
        async |(tenant, from)| read_webhook_form(tenant?, from).await,
    );
    view! { {load(page, |page| view! { <Sheet page/> }.into_any())} }
}

#[component]
fn Sheet(page: Shown) -> impl IntoView {
    use words::webhooks as say;
    let tenant = page.tenant;
    let title = if page.from.is_some() { say::REPLACE } else { say::NEW };
    let from = page.from.map(|from| {
        view! {
            <input type="hidden" name="from" value=from.to_string()/>
            <p>{say::REPLACE_SAYS}</p>
        }
    });
    let faults = page.faults.clone();
    let tab = words::title_with_faults(title, faults.len());
    view! {
        <nav class="crumbs" aria-label=words::menu::CRUMBS>
            <a href=url::webhooks(tenant)>{say::TITLE}</a>
        </nav>
        <Heading title=tab>{title}</Heading>
        <form
            method="post"
            action=CreateWebhook::url()
            class="card sheet roomy stack"
            novalidate
        >
            {page.problem.map(|problem| view! { <ProblemNote problem/> })}
            {(!faults.is_empty()).then(|| view! { <Summary faults labels=&say::FIELDS/> })}
            <input type="hidden" name="tenant" value=tenant.to_string()/>
            <input type="hidden" name="id" value=page.next.to_string()/>
            {from}
            <Fields form=page.form faults=page.faults/>
            <div class="row end">
                <a class="button" href=url::webhooks(tenant)>
                    {words::CANCEL}
                </a>
                <button class="primary">{say::CREATE}</button>
            </div>
        </form>
    }
}

#[component]
fn Fields(form: WebhookForm, faults: Vec<FieldError>) -> impl IntoView {
    use words::webhooks as say;
    let told = StoredValue::new(faults);
    let [_, severities @ ..] = words::alerts::SEVERITIES;
    let severity = move |(word, name): (&'static str, &'static str)| {
        view! { <option value=word selected=word == form.severity>{name}</option> }
    };
    view! {
        <Line told label=say::URL hint=say::URL_HINT name="url" member="url" value=form.url/>
        <Area
            told
            label=say::TYPES
            hint=say::TYPES_HINT
            name="types"
            member="decision_types"
            value=form.types
        />
        <div class="field">
            <label for="severity_min">{say::SEVERITY}</label>
            <select id="severity_min" name="form[severity]" aria-describedby="severity_min-fault">
                {severities.map(severity)}
            </select>
            {fault(told, "severity_min")}
        </div>
    }
}
