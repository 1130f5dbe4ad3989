//! The form to invite a user: a plain post.

use contract::{id::TenantId, scope::Role};
use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    member::{act::InviteMember, view::InviteForm as Input},
    problem::Problem,
    ui::{
        field::{HintedField, SelectField, TextField},
        panel::submit,
        problem::ProblemNote,
    },
};

/// `rejected` is the input of a rejected attempt, with its error.
#[component]
pub(super) fn InviteForm(tenant: TenantId, rejected: Option<(Problem, Input)>) -> impl IntoView {
    use crate::member::words as strings;
    let open = rejected.is_some();
    let (problem, form) = rejected.unzip();
    let form = form.unwrap_or_default();
    let role = if form.role.is_empty() { Role::Viewer.as_str().to_owned() } else { form.role };
    view! {
        <details class="card disclosure" open=open>
            <summary data-key="n">{strings::INVITE}</summary>
            <form method="post" action=InviteMember::url() class="stack" data-once="">
                {problem.map(|problem| view! { <ProblemNote problem /> })}
                <input type="hidden" name="tenant" value=tenant.to_string() />
                <div class="filters">
                    <TextField
                        label=strings::EMAIL
                        name="form[email]"
                        kind="email"
                        value=form.email
                        required=true
                    />
                    <SelectField
                        label=strings::ROLE
                        name="form[role]"
                        choices=strings::ROLES.to_vec()
                        value=role
                    />
                </div>
                <HintedField
                    label=strings::NAME
                    hint=strings::NAME_HINT
                    name="form[name]"
                    id="name"
                    value=form.name
                    maxlength=200
                />
                {submit("primary", strings::INVITE)}
            </form>
        </details>
    }
}
