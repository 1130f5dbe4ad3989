//! Samples of dialogs and of fields.

use contract::error::FieldError;
use leptos::prelude::*;

use super::HERE;
use crate::{
    gallery::words as strings,
    problem::Problem,
    text::messages,
    ui::{
        field::{HintedField, SelectField, TextArea, TextField},
        form_errors::{ErrorSummaryOf, FormField},
        problem::ProblemNote,
    },
};

#[component]
pub(super) fn Dialogs(title_id: &'static str) -> impl IntoView {
    view! {
        <dialog open=true aria-labelledby=title_id>
            <h4 id=title_id>{strings::DIALOG_TITLE}</h4>
            <p>{strings::DIALOG_TEXT}</p>
            <div class="row end">
                <a class="button" href=HERE>
                    {messages::CANCEL}
                </a>
                <button type="button" class="danger">
                    {strings::DELETE}
                </button>
            </div>
        </dialog>
    }
}

/// `ids` are the IDs of the field with a hint and of the field with an error.
#[component]
pub(super) fn Fields(ids: [&'static str; 2]) -> impl IntoView {
    let [hinted, member] = ids;
    let error = FieldError {
        path: format!("/{member}"),
        code: "format".to_owned(),
        message: strings::LIMIT_ERROR.to_owned(),
    };
    let text = messages::sentence(&format!("{}: {}", strings::LIMIT, strings::LIMIT_ERROR));
    let summary = vec![(member.to_owned(), text)];
    let (label, hint) = (strings::LIMIT, strings::LIMIT_HINT);
    let form_errors = StoredValue::new(vec![error]);
    let limit = FormField { form_errors, name: "limit", member, label, hint };
    view! {
        <ErrorSummaryOf errors=summary />
        <ProblemNote problem=Problem::of_form(strings::LIMIT_ERROR) />
        <form method="get" action=HERE class="stack">
            <TextField label=strings::NAME name="name" />
            <SelectField
                label=strings::SEVERITY
                name="severity"
                choices=strings::SEVERITIES.to_vec()
                value="high"
            />
            <HintedField
                label=strings::EMAIL
                hint=strings::EMAIL_HINT
                name="email"
                id=hinted
                kind="email"
            />
            {limit.line("many".to_owned(), false)}
            <TextArea
                label=strings::REASON
                hint=strings::REASON_HINT
                name="reason"
                id=format!("{hinted}-reason")
                value=""
                maxlength=500
                required=false
            />
            <div class="row">
                <button class="primary">{strings::NEW_DRAFT}</button>
            </div>
        </form>
    }
}
