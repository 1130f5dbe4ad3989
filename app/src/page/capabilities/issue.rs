//! The form of a new grant: a plain post.

use contract::id::TenantId;
use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    api::capability::IssueGrant,
    text::words,
    ui::{field::TextField, problem::ProblemNote},
    view::capability::{GrantForm, Offer},
};

/// `open` shows the form from the start.
#[component]
pub(super) fn IssueForm(tenant: TenantId, offer: Offer, open: bool) -> impl IntoView {
    let open = open || offer.refused.is_some() || !offer.version.is_empty();
    let (problem, form) = offer.refused.unzip();
    let form = form.unwrap_or(GrantForm { version: offer.version, ..GrantForm::default() });
    let inside = if offer.versions.is_empty() {
        view! { <p class="text-muted">{words::capability::NO_OPEN}</p> }.into_any()
    } else {
        view! {
            <form method="post" action=IssueGrant::url() class="stack" data-once="">
                <input type="hidden" name="tenant" value=tenant.to_string()/>
                <input type="hidden" name="id" value=offer.next.to_string()/>
                <Fields form versions=offer.versions/>
                <p class="text-muted">{words::capability::BINDS}</p>
                <div class="row">
                    <button class="primary">{words::capability::ISSUE}</button>
                </div>
            </form>
        }
        .into_any()
    };
    view! {
        <details class="card disclosure" open=open>
            <summary>{words::capability::ISSUE}</summary>
            {problem.map(|problem| view! { <ProblemNote problem/> })}
            {inside}
        </details>
    }
}

#[component]
fn Fields(form: GrantForm, versions: Vec<(String, String)>) -> impl IntoView {
    use words::capability as say;
    let ticked = form.actions;
    let boxes = say::ACTIONS.map(|(action, says)| {
        let checked = ticked.iter().any(|ticked| ticked == action);
        view! {
            <label class="tick">
                <input type="checkbox" name="form[actions][]" value=action checked=checked/>
                <span>
                    {says} " " <code class="text-muted text-xs">{action}</code>
                </span>
            </label>
        }
    });
    view! {
        <VersionField versions chosen=form.version/>
        <TextField label=say::NAME name="form[name]" value=form.name required=true/>
        <fieldset class="bare">
            <legend class="font-semibold">{say::ALLOWS}</legend>
            <div class="scopes">{boxes.into_iter().collect_view()}</div>
        </fieldset>
        <div class="filters">
            <TextField
                label=say::NOT_BEFORE
                name="form[not_before]"
                kind="datetime-local"
                value=form.not_before
            />
            <TextField
                label=say::EXPIRES
                name="form[expires]"
                kind="datetime-local"
                value=form.expires
            />
            <TextField label=say::MAX_USES name="form[max_uses]" value=form.max_uses/>
        </div>
    }
}

/// The open versions, one of which must be chosen.
#[component]
fn VersionField(versions: Vec<(String, String)>, chosen: String) -> impl IntoView {
    let option = |(word, says): (String, String)| {
        let selected = word == chosen;
        view! { <option value=word selected=selected>{says}</option> }
    };
    let options = versions.into_iter().map(option).collect_view();
    view! {
        <label class="field">
            <span>{words::capability::VERSION}</span>
            <select name="form[version]" required=true>
                <option value="">{words::capability::CHOOSE}</option>
                {options}
            </select>
        </label>
    }
}
