//! The policies of a group: the list, and the forms to add and remove one.

use contract::{
    id::{PolicyGroupId, TenantId},
    pagination::Page,
    text::isolated,
};
use leptos::{prelude::*, server_fn::ServerFn};

use crate::{
    group::{act::MovePolicy, words},
    policy::{list_words as policy_list_words, view::PolicyRow},
    text::url,
    ui::{badge::ModeBadge, list::older_than},
};

#[component]
pub(super) fn Policies(
    tenant: TenantId,
    group: PolicyGroupId,
    policies: Page<PolicyRow>,
    /// Codes and names of the policies that can be added.
    others: Vec<(String, String)>,
    /// The code of a rejected attempt.
    rejected_code: String,
    may_write: bool,
) -> impl IntoView {
    let older = older_than(&url::group(tenant, group), policies.next_cursor);
    let row = move |row| view! { <Row tenant group row may_write /> };
    let list = if policies.items.is_empty() {
        view! { <p class="text-muted pad">{words::NO_POLICIES}</p> }.into_any()
    } else {
        let head = words::POLICIES_HEAD.into_iter().take(if may_write { 4 } else { 3 });
        view! {
            <table class="list inset">
                <caption class="sr-only">{words::POLICIES}</caption>
                <thead>
                    <tr>{head.map(|head| view! { <th scope="col">{head}</th> }).collect_view()}</tr>
                </thead>
                <tbody>{policies.items.into_iter().map(row).collect_view()}</tbody>
            </table>
        }
        .into_any()
    };
    let add = may_write.then(|| view! { <AddForm tenant group others rejected_code /> });
    view! {
        <div class="stack">
            <section class="card">
                <h2>{words::POLICIES}</h2>
                {list}
            </section>
            {older}
            {add}
        </div>
    }
}

#[component]
fn Row(tenant: TenantId, group: PolicyGroupId, row: PolicyRow, may_write: bool) -> impl IntoView {
    use crate::group::words::POLICIES_HEAD as HEAD;
    let active = match row.active_version {
        Some(version) => {
            let href = url::version(tenant, row.id, version);
            view! {
                <a class="tabular-nums" href=href>
                    "v"
                    {version}
                </a>
            }
            .into_any()
        }
        None => {
            view! { <span class="text-muted">{policy_list_words::NOT_ACTIVE}</span> }.into_any()
        }
    };
    let label = words::remove(&row.name);
    let remove_cell = may_write.then(|| {
        view! {
            <td data-label=HEAD[3]>
                <form method="post" action=MovePolicy::url() data-once="">
                    <input type="hidden" name="form[tenant]" value=tenant.to_string() />
                    <input type="hidden" name="form[group]" value=group.to_string() />
                    <input type="hidden" name="form[policy]" value=row.id.to_string() />
                    <button aria-label=label>{words::REMOVE}</button>
                </form>
            </td>
        }
    });
    view! {
        <tr>
            <th scope="row" data-label=HEAD[0]>
                <a href=url::policy(tenant, row.id) data-row="">
                    <bdi>{row.name}</bdi>
                </a>
                <bdi class="font-mono text-muted">{row.code}</bdi>
            </th>
            <td data-label=HEAD[1]>{active}</td>
            <td data-label=HEAD[2]>
                <ModeBadge shadow=row.shadow_mode />
            </td>
            {remove_cell}
        </tr>
    }
}

/// The form to add a policy by its code. The field suggests the policies that are not in the group.
#[component]
fn AddForm(
    tenant: TenantId,
    group: PolicyGroupId,
    others: Vec<(String, String)>,
    rejected_code: String,
) -> impl IntoView {
    let option = |(code, name): (String, String)| {
        view! { <option value=code>{isolated(&name).into_owned()}</option> }
    };
    view! {
        <form method="post" action=MovePolicy::url() class="card stack" data-once="">
            <input type="hidden" name="form[tenant]" value=tenant.to_string() />
            <input type="hidden" name="form[group]" value=group.to_string() />
            <div class="filters">
                <label class="field">
                    <span>{words::ADD_CODE}</span>
                    <input
                        name="form[code]"
                        value=rejected_code
                        list="other-policies"
                        autocomplete="off"
                        spellcheck="false"
                        required=true
                    />
                </label>
                <button>{words::ADD}</button>
            </div>
            <datalist id="other-policies">{others.into_iter().map(option).collect_view()}</datalist>
            <p class="text-muted text-xs">{words::ADD_HINT}</p>
        </form>
    }
}
