//! The form of a new key: a plain post.

use contract::id::{ApiKeyId, TenantId};
use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    api::key::CreateKey,
    problem::Problem,
    text::words,
    ui::{field::TextField, problem::ProblemNote},
    view::key::KeyForm,
};

/// `id` is what its key will have, so that a second press makes no second key. `refused` is what was
/// typed before, and why no key was made of it.
#[component]
pub(super) fn CreateForm(
    tenant: TenantId,
    id: ApiKeyId,
    refused: Option<(Problem, KeyForm)>,
    open: bool,
) -> impl IntoView {
    let open = open || refused.is_some();
    let (problem, form) = refused.unzip();
    let form = form.unwrap_or_default();
    let ticked = form.scopes;
    let groups = words::keys::SCOPES
        .map(|(name, scopes)| view! { <ScopeGroup name scopes ticked=ticked.clone()/> });
    view! {
        <details class="card disclosure" open=open>
            <summary>{words::keys::CREATE}</summary>
            <form method="post" action=CreateKey::url() class="stack" data-once="">
                {problem.map(|problem| view! { <ProblemNote problem/> })}
                <input type="hidden" name="tenant" value=tenant.to_string()/>
                <input type="hidden" name="id" value=id.to_string()/>
                <div class="filters">
                    <TextField label=words::keys::NAME name="name" value=form.name required=true/>
                    <TextField
                        label=words::keys::EXPIRES
                        name="expires"
                        kind="datetime-local"
                        value=form.expires
                    />
                </div>
                <p class="text-muted">{words::keys::SCOPES_SAY}</p>
                <div class="scopes">{groups}</div>
                <div class="row">
                    <button class="primary">{words::keys::CREATE}</button>
                </div>
            </form>
        </details>
    }
}

#[component]
fn ScopeGroup(
    name: &'static str,
    scopes: &'static [(&'static str, &'static str)],
    ticked: Vec<String>,
) -> impl IntoView {
    let boxes = scopes.iter().map(|(scope, says)| {
        let checked = ticked.iter().any(|ticked| ticked == scope);
        view! {
            <label class="tick">
                <input type="checkbox" name="scopes[]" value=*scope checked=checked/>
                <span>
                    {*says} " " <code class="text-muted text-xs">{*scope}</code>
                </span>
            </label>
        }
    });
    view! {
        <fieldset class="bare">
            <legend class="font-semibold">{name}</legend>
            {boxes.collect_view()}
        </fieldset>
    }
}
