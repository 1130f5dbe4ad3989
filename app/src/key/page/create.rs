//! The form to create a key: a plain post.

use contract::id::{ApiKeyId, TenantId};
use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    key::{act::CreateKey, view::KeyForm, words},
    problem::Problem,
    ui::{create_form::CreateForm, field::TextField},
};

/// `id` is the ID of the new key, so that a repeated submission does not create another one. `rejected` is the
/// input of a rejected attempt, with its error.
#[component]
pub(super) fn CreateKeyForm(
    tenant: TenantId,
    id: ApiKeyId,
    rejected: Option<(Problem, KeyForm)>,
    open: bool,
) -> impl IntoView {
    let (problem, form) = rejected.unzip();
    let form = form.unwrap_or_default();
    view! {
        <CreateForm label=words::CREATE action=CreateKey::url() tenant open problem>
            <input type="hidden" name="id" value=id.to_string() />
            <div class="filters">
                <TextField label=words::NAME name="name" value=form.name required=true />
                <TextField
                    label=words::EXPIRES
                    name="expires"
                    kind="datetime-local"
                    value=form.expires
                />
            </div>
            <p class="text-muted">{words::SCOPES_HELP}</p>
            <div class="scopes">{scope_groups(&form.scopes)}</div>
        </CreateForm>
    }
}

/// Renders a box for each grantable scope, by group. The boxes of `selected` are checked.
pub(crate) fn scope_groups(selected: &[String]) -> AnyView {
    let group = |(name, scopes)| view! { <ScopeGroup name scopes selected=selected.to_vec() /> };
    words::SCOPES.map(group).collect_view().into_any()
}

#[component]
fn ScopeGroup(
    name: &'static str,
    scopes: &'static [(&'static str, &'static str)],
    selected: Vec<String>,
) -> impl IntoView {
    let checkboxes = scopes.iter().map(|(scope, label)| {
        let checked = selected.iter().any(|selected| selected == scope);
        view! {
            <label class="checkbox">
                <input type="checkbox" name="scopes[]" value=*scope checked=checked />
                <span>{*label} " " <code class="text-muted text-xs">{*scope}</code></span>
            </label>
        }
    });
    view! {
        <fieldset class="bare">
            <legend class="font-semibold">{name}</legend>
            {checkboxes.collect_view()}
        </fieldset>
    }
}
