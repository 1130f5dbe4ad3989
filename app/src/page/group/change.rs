//! Changing a group's own members, and deleting it.

use contract::id::{PolicyGroupId, TenantId};
use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    api::group::{DeleteGroup, EditGroup},
    text::words,
    ui::field::{HintedField, TextArea, TextField},
    view::group::GroupForm,
};

/// The fields of a group, as it is made and as it is changed.
#[component]
pub(in crate::page) fn Fields(form: GroupForm) -> impl IntoView {
    use words::group as say;
    view! {
        <TextField label=say::NAME name="form[name]" value=form.name required=true/>
        <HintedField
            label=say::CODE
            hint=say::CODE_HINT
            name="form[code]"
            id="code"
            value=form.code
            required=true
        />
        <TextArea
            label=say::DESCRIPTION
            hint=say::DESCRIPTION_HINT
            name="form[description]"
            id="description".to_owned()
            value=form.description
            maxlength=2000
            required=false
        />
    }
}

/// `edited` is what was typed before and refused.
#[component]
pub(super) fn EditCard(
    tenant: TenantId,
    id: PolicyGroupId,
    now: GroupForm,
    edited: Option<GroupForm>,
) -> impl IntoView {
    let open = edited.is_some();
    let form = edited.unwrap_or(now);
    view! {
        <details class="card disclosure" open=open>
            <summary>{words::group::EDIT}</summary>
            <form method="post" action=EditGroup::url() class="stack" data-once="">
                <input type="hidden" name="tenant" value=tenant.to_string()/>
                <input type="hidden" name="id" value=id.to_string()/>
                <input type="hidden" name="form[seen]" value=form.seen.clone()/>
                <Fields form/>
                <div class="row">
                    <button class="primary">{words::group::SAVE}</button>
                </div>
            </form>
        </details>
    }
}

/// A group with policies says why it stays.
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
                <input type="hidden" name="tenant" value=tenant.to_string()/>
                <input type="hidden" name="id" value=id.to_string()/>
                <input type="hidden" name="seen" value=seen/>
                <p>{words::group::DELETE_SAYS}</p>
                <div class="row">
                    <button class="danger">{words::group::DELETE}</button>
                </div>
            </form>
        }
        .into_any()
    } else {
        view! { <p>{words::group::NOT_EMPTY}</p> }.into_any()
    };
    view! {
        <details class="card disclosure">
            <summary>{words::group::DELETE}</summary>
            {content}
        </details>
    }
}
