//! The form of an export of decisions.

use contract::id::TenantId;
use leptos::prelude::*;

use super::{
    act::read_export,
    view::{ExportPage as Form, ExportQuery, zones},
};
use crate::{
    decision::{list::filters::FilterFields, list_words as decision_list_words},
    text::url,
    ui::{
        field::{TextField, options},
        heading::Heading,
        load::load,
        note::{Tone, note},
        panel::Crumb,
        params,
    },
};

/// `/t/{tenant}/decisions/export`
#[component]
pub(crate) fn ExportPage() -> impl IntoView {
    let tenant = params::tenant();
    let query = params::filters(ExportQuery::read);
    load(
        move || (tenant(), query()),
        async |(tenant, query)| {
            let tenant = tenant?;
            Ok((tenant, read_export(tenant, query).await?))
        },
        |(tenant, form)| view! { <ExportContent tenant form /> }.into_any(),
    )
}

#[component]
fn ExportContent(tenant: TenantId, form: Form) -> impl IntoView {
    use super::words as strings;
    let Form { query, error, suggestions } = form;
    let error = error.map(|error| note(Tone::Warn, Some("alert"), error));
    let ExportQuery { filters, zone, format, .. } = query;
    let (from, to) = (filters.from.clone(), filters.to.clone());
    view! {
        <Crumb href=url::decisions(tenant) label=decision_list_words::TITLE />
        <div class="page-head">
            <Heading title=strings::TITLE />
        </div>
        <p class="intro">{strings::INTRO}</p>
        {error}
        <form method="post" action=url::EXPORT class="card export-form stack">
            <input type="hidden" name="tenant" value=tenant.to_string() />
            <fieldset class="bare">
                <legend>{strings::RANGE}</legend>
                <div class="filters">
                    <TextField
                        label=strings::FROM
                        name="from"
                        kind="datetime-local"
                        value=from
                        required=true
                    />
                    <TextField
                        label=strings::TO
                        name="to"
                        kind="datetime-local"
                        value=to
                        required=true
                    />
                    <ZoneField zone />
                </div>
            </fieldset>
            <fieldset class="bare">
                <legend>{strings::FILTERS}</legend>
                <div class="filters">
                    <FilterFields query=filters suggestions />
                </div>
            </fieldset>
            <fieldset class="bare">
                <legend>{strings::FORMAT}</legend>
                <FormatChoice
                    value="csv"
                    label=strings::CSV
                    hint=strings::CSV_HINT
                    selected=format.clone()
                />
                <FormatChoice
                    value="ndjson"
                    label=strings::LINES
                    hint=strings::LINES_HINT
                    selected=format
                />
            </fieldset>
            <div class="row">
                <button class="primary">{strings::DOWNLOAD}</button>
            </div>
        </form>
    }
}

#[component]
fn ZoneField(zone: String) -> impl IntoView {
    use super::words as strings;
    view! {
        <div class="field">
            <label for="zone">{strings::ZONE}</label>
            <select id="zone" name="zone" aria-describedby="zone-hint">
                {options(zones(), &zone)}
            </select>
        </div>
        <small id="zone-hint" class="text-muted text-xs">
            {strings::ZONE_HINT}
        </small>
    }
}

#[component]
fn FormatChoice(
    value: &'static str,
    label: &'static str,
    hint: &'static str,
    selected: String,
) -> impl IntoView {
    view! {
        <label class="checkbox">
            <input type="radio" name="format" value=value checked=selected == value />
            <span>{label} " " <span class="text-muted text-xs">{hint}</span></span>
        </label>
    }
}
