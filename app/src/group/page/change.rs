//! Editing and deleting a policy group.

use contract::id::{PolicyGroupId, TenantId};
use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    group::{
        act::{DeleteGroup, EditGroup},
        view::GroupForm,
        words,
    },
    ui::{
        field::{HintedField, TextArea, TextField},
        panel::submit,
    },
};

/// The fields of a group, used to create and to edit one.
#[component]
pub(crate) fn Fields(form: GroupForm) -> impl IntoView {
    use crate::group::words as strings;
    view! {
        <TextField label=strings::NAME name="form[name]" value=form.name required=true />
        <HintedField
            label=strings::CODE
            hint=strings::CODE_HINT
            name="form[code]"
            id="code"
            value=form.code
            required=true
        />
        <TextArea
            label=strings::DESCRIPTION
            hint=strings::DESCRIPTION_HINT
            name="form[description]"
            id="description".to_owned()
            value=form.description
            maxlength=2000
            required=false
        />
    }
}

/// The form to edit a group. `rejected` is the input of a rejected attempt.
#[component]
pub(super) fn EditCard(
    tenant: TenantId,
    id: PolicyGroupId,
    current: GroupForm,
    rejected: Option<GroupForm>,
) -> impl IntoView {
    let open = rejected.is_some();
    let form = rejected.unwrap_or(current);
    view! {
        <details class="card disclosure" open=open>
            <summary>{words::EDIT}</summary>
            <form method="post" action=EditGroup::url() class="stack" data-once="">
                <input type="hidden" name="tenant" value=tenant.to_string() />
                <input type="hidden" name="id" value=id.to_string() />
                <input type="hidden" name="form[seen]" value=form.seen.clone() />
                <Fields form />
                {submit("primary", words::SAVE)}
            </form>
        </details>
    }
}

/// The form to delete a group, or a note that the group still has policies.
#[component]
pub(super) fn DeleteCard(
    tenant: TenantId,
    id: PolicyGroupId,
    seen: String,
    is_empty: bool,
) -> impl IntoView {
    let content = if is_empty {
        view! {
            <form method="post" action=DeleteGroup::url() class="stack" data-once="">
                <input type="hidden" name="tenant" value=tenant.to_string() />
                <input type="hidden" name="id" value=id.to_string() />
                <input type="hidden" name="seen" value=seen />
                <p>{words::DELETE_HELP}</p>
                {submit("danger", words::DELETE)}
            </form>
        }
        .into_any()
    } else {
        view! { <p>{words::NOT_EMPTY}</p> }.into_any()
    };
    view! {
        <details class="card disclosure">
            <summary>{words::DELETE}</summary>
            {content}
        </details>
    }
}
