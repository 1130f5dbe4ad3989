//! The form to invite a user: a plain post.

use contract::{id::TenantId, scope::Role};
use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    member::{act::InviteMember, view::InviteForm as Input},
    problem::Problem,
    ui::{
        create_form::CreateForm,
        field::{HintedField, SelectField, TextField},
    },
};

/// `rejected` is the input of a rejected attempt, with its error.
#[component]
pub(super) fn InviteForm(tenant: TenantId, rejected: Option<(Problem, Input)>) -> impl IntoView {
    use crate::member::words as strings;
    let (problem, form) = rejected.unzip();
    let form = form.unwrap_or_default();
    let role = if form.role.is_empty() { Role::Viewer.as_str().to_owned() } else { form.role };
    view! {
        <CreateForm label=strings::INVITE action=InviteMember::url() tenant problem>
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
        </CreateForm>
    }
}
