//! The form that issues a capability: a plain post.

use contract::id::TenantId;
use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    capability::{
        act::IssueGrant,
        view::{GrantForm, IssueFormData},
        words,
    },
    ui::{
        create_form::CreateForm,
        field::{TextField, options},
    },
};

/// `open` shows the form expanded.
#[component]
pub(super) fn IssueForm(tenant: TenantId, form_data: IssueFormData, open: bool) -> impl IntoView {
    let open = open || !form_data.version.is_empty();
    let (problem, form) = form_data.refused.unzip();
    let form = form.unwrap_or(GrantForm { version: form_data.version, ..GrantForm::default() });
    let unavailable = form_data.versions.is_empty().then_some(words::NO_OPEN);
    view! {
        <CreateForm label=words::ISSUE action=IssueGrant::url() tenant open problem unavailable>
            <input type="hidden" name="id" value=form_data.next.to_string() />
            <Fields form versions=form_data.versions />
            <p class="text-muted">{words::BINDING_NOTE}</p>
        </CreateForm>
    }
}

#[component]
fn Fields(form: GrantForm, versions: Vec<(String, String)>) -> impl IntoView {
    use crate::capability::words as strings;
    let selected = form.actions;
    let checkboxes = strings::ACTIONS.map(|(action, label)| {
        let checked = selected.iter().any(|selected| selected == action);
        view! {
            <label class="checkbox">
                <input type="checkbox" name="form[actions][]" value=action checked=checked />
                <span>{label} " " <code class="text-muted text-xs">{action}</code></span>
            </label>
        }
    });
    view! {
        <VersionField versions current=form.version />
        <TextField label=strings::NAME name="form[name]" value=form.name required=true />
        <fieldset class="bare">
            <legend class="font-semibold">{strings::ALLOWS}</legend>
            <div class="scopes">{checkboxes.into_iter().collect_view()}</div>
        </fieldset>
        <div class="filters">
            <TextField
                label=strings::NOT_BEFORE
                name="form[not_before]"
                kind="datetime-local"
                value=form.not_before
            />
            <TextField
                label=strings::EXPIRES
                name="form[expires]"
                kind="datetime-local"
                value=form.expires
            />
            <TextField label=strings::MAX_USES name="form[max_uses]" value=form.max_uses />
        </div>
    }
}

/// The open versions. One of them must be selected.
#[component]
fn VersionField(versions: Vec<(String, String)>, current: String) -> impl IntoView {
    view! {
        <label class="field">
            <span>{words::VERSION}</span>
            <select name="form[version]" required=true>
                <option value="">{words::CHOOSE}</option>
                {options(versions, &current)}
            </select>
        </label>
    }
}
