//! The form that invites somebody: a plain post.

use contract::{id::TenantId, scope::Role};
use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    api::member::InviteMember,
    problem::Problem,
    text::words,
    ui::{
        field::{HintedField, SelectField, TextField},
        problem::ProblemNote,
    },
    view::member::InviteForm as Typed,
};

/// `refused` is what was typed before, and why nothing came of it.
#[component]
pub(super) fn InviteForm(tenant: TenantId, refused: Option<(Problem, Typed)>) -> impl IntoView {
    use words::member as say;
    let open = refused.is_some();
    let (problem, form) = refused.unzip();
    let form = form.unwrap_or_default();
    let role = if form.role.is_empty() { Role::Viewer.as_str().to_owned() } else { form.role };
    view! {
        <details class="card disclosure" open=open>
            <summary data-key="n">{say::INVITE}</summary>
            <form method="post" action=InviteMember::url() class="stack" data-once="">
                {problem.map(|problem| view! { <ProblemNote problem/> })}
                <input type="hidden" name="tenant" value=tenant.to_string()/>
                <div class="filters">
                    <TextField
                        label=say::EMAIL
                        name="form[email]"
                        kind="email"
                        value=form.email
                        required=true
                    />
                    <SelectField
                        label=say::ROLE
                        name="form[role]"
                        choices=say::ROLES.to_vec()
                        value=role
                    />
                </div>
                <HintedField
                    label=say::NAME
                    hint=say::NAME_HINT
                    name="form[name]"
                    id="name"
                    value=form.name
                    maxlength=200
                />
                <div class="row">
                    <button class="primary">{say::INVITE}</button>
                </div>
            </form>
        </details>
    }
}
