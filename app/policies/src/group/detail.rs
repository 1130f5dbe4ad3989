//! The page of one policy group: its policies and its settings.

use contract::{group::PolicyGroup, pagination::Page, policy::PolicyFilter};
use governance::authoring::{group, policy};
use page_kit::prelude::*;

use super::{GroupForm, fields, may_write};

/// The rejected action on a group's page, with the input.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
enum Rejected {
    /// A change of the group itself.
    Edit(GroupForm),
    /// Adding a policy. Contains the entered code.
    Add(String),
    /// An action without fields.
    #[default]
    Act,
}

/// `/t/{tenant}/groups/{group}`
pub async fn group() -> PageResult {
    let (tenant, cx) = page::member().await?;
    let id = page::param("group")?;
    let group = group::read(&cx, id).await?;
    let policies = policy::of_group(&cx, id, &page_at(page::query("cursor"))).await?;
    let may_write = may_write(&cx);
    let others = if may_write { others(&cx, id).await? } else { Vec::new() };
    let (problem, input) = take_input(&url::group(tenant, id)).await.unzip();
    let (form, typed_code) = match input {
        Some(Rejected::Edit(form)) => (Some(form), String::new()),
        Some(Rejected::Add(code)) => (None, code),
        _ => (None, String::new()),
    };
    let description = group.description.clone();
    let description = description.map(|text| fact("Description", view! { <bdi>{text}</bdi> }));
    let is_empty = policies.items.is_empty();
    let changes = may_write.then(|| {
        let current = GroupForm::from(&group);
        let seen = current.seen.clone();
        view! {
            {edit_card(tenant, id, current, form)}
            {delete_card(tenant, id, seen, is_empty)}
        }
    });
    let (name, code) = (group.name.clone(), group.code.clone());
    Ok(any_view! {
        <Crumb href=url::groups(tenant) label=super::TITLE />
        <div class="page-head">
            <Heading title=isolated(&group.name)>
                <bdi>{name}</bdi>
            </Heading>
            <bdi class="font-mono text-muted">{code}</bdi>
        </div>
        {problem.map(problem_note)}
        <div class="with-rail">
            {members(tenant, &group, policies, may_write.then_some((others, typed_code)))}
            <aside class="rail">
                <section class="card">
                    <h2>"About"</h2>
                    <dl>{description} <dt>"Changed"</dt> <dd>{minute(group.updated_at)}</dd></dl>
                </section>
                {changes}
            </aside>
        </div>
    })
}

/// Returns the newest policies outside the group, as suggestions. The field accepts the code of any policy.
async fn others(cx: &Cx, id: PolicyGroupId) -> Result<Vec<(String, String)>, Problem> {
    let newest = PageRequest { limit: LIMIT_MAX, cursor: None };
    let policies = policy::list(cx, PolicyFilter::default(), &newest).await?.items.into_iter();
    let others = policies.filter(|policy| policy.policy_group_id != Some(id));
    Ok(others.map(|policy| (policy.code, policy.name)).collect())
}

/// Renders the policies of a group. Users who can change the group also get the other policies and the code of a
/// rejected attempt to add one.
fn members(
    tenant: TenantId,
    group: &PolicyGroup,
    policies: Page<Policy>,
    add: Option<(Vec<(String, String)>, String)>,
) -> AnyView {
    let id = group.id;
    let mut table = Table::new("Policies")
        .column("Policy", |policy: &Policy| {
            view! {
                <a href=url::policy(tenant, policy.id) data-row="">
                    <bdi>{policy.name.clone()}</bdi>
                </a>
                <bdi class="font-mono text-muted">{policy.code.clone()}</bdi>
            }
        })
        .column("Active", |policy| match policy.active_version {
            Some(version) => any_view! {
                <a class="tabular-nums" href=url::version(tenant, policy.id, version)>
                    "v"
                    {version}
                </a>
            },
            None => any_view! { <span class="text-muted">"None"</span> },
        })
        .column("Mode", |policy| mode_badge(policy.shadow_mode));
    if add.is_some() {
        table = table.column("Action", |policy| {
            let label = format!("Remove: {}", isolated(&policy.name));
            view! {
                <form method="post" action=MovePolicy::url() data-once="">
                    <input type="hidden" name="form[tenant]" value=tenant.to_string() />
                    <input type="hidden" name="form[group]" value=id.to_string() />
                    <input type="hidden" name="form[policy]" value=policy.id.to_string() />
                    <button aria-label=label>"Remove"</button>
                </form>
            }
        });
    }
    let list = if policies.items.is_empty() {
        any_view! { <p class="text-muted pad">"No policy belongs to this group yet."</p> }
    } else {
        table.of(&policies.items)
    };
    any_view! {
        <div class="stack">
            <section class="card">
                <h2>"Policies"</h2>
                {list}
            </section>
            {older_than(&url::group(tenant, id), policies.next_cursor)}
            {add.map(|(others, code)| add_form(tenant, id, others, code))}
        </div>
    }
}

/// Renders the form to add a policy by its code. The field suggests the policies that are not in the group.
fn add_form(
    tenant: TenantId,
    group: PolicyGroupId,
    others: Vec<(String, String)>,
    code: String,
) -> AnyView {
    let option = |(code, name): (String, String)| {
        view! { <option value=code>{isolated(&name).into_owned()}</option> }
    };
    any_view! {
        <form method="post" action=MovePolicy::url() class="card stack" data-once="">
            <input type="hidden" name="form[tenant]" value=tenant.to_string() />
            <input type="hidden" name="form[group]" value=group.to_string() />
            <div class="filters">
                <label class="field">
                    <span>"Code of a policy to add"</span>
                    <input
                        name="form[code]"
                        value=code
                        list="other-policies"
                        autocomplete="off"
                        spellcheck="false"
                        required=true
                    />
                </label>
                <button>"Add"</button>
            </div>
            <datalist id="other-policies">{others.into_iter().map(option).collect_view()}</datalist>
            <p class="text-muted text-xs">
                "A policy belongs to at most one group. Adding it here removes it from its current group."
            </p>
        </form>
    }
}

/// Renders the form to edit a group, with the input of a rejected attempt.
fn edit_card(
    tenant: TenantId,
    id: PolicyGroupId,
    current: GroupForm,
    rejected: Option<GroupForm>,
) -> AnyView {
    let open = rejected.is_some();
    let form = rejected.unwrap_or(current);
    any_view! {
        <details class="card disclosure" open=open>
            <summary>"Edit details"</summary>
            <form method="post" action=EditGroup::url() class="stack" data-once="">
                <input type="hidden" name="tenant" value=tenant.to_string() />
                <input type="hidden" name="id" value=id.to_string() />
                <input type="hidden" name="form[seen]" value=form.seen.clone() />
                {fields(form)}
                {submit("primary", "Save")}
            </form>
        </details>
    }
}

/// Renders the form to delete a group, or a note that the group still has policies.
fn delete_card(tenant: TenantId, id: PolicyGroupId, seen: String, is_empty: bool) -> AnyView {
    let content = if is_empty {
        any_view! {
            <form method="post" action=DeleteGroup::url() class="stack" data-once="">
                <input type="hidden" name="tenant" value=tenant.to_string() />
                <input type="hidden" name="id" value=id.to_string() />
                <input type="hidden" name="seen" value=seen />
                <p>
                    "Requests that select this group are rejected from then on. Its code can be used again."
                </p>
                {submit("danger", "Delete this group")}
            </form>
        }
    } else {
        any_view! { <p>"The group contains policies. Remove them first."</p> }
    };
    any_view! {
        <details class="card disclosure">
            <summary>"Delete this group"</summary>
            {content}
        </details>
    }
}

/// Changes the code, name and description of a group and redirects to it.
#[server(prefix = "/console", endpoint = "edit-group", output = JsonCodec)]
async fn edit_group(tenant: TenantId, id: PolicyGroupId, form: GroupForm) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    let page = url::group(tenant, id);
    request::act(&page, request::form_json(&Rejected::Edit(form.clone())), async {
        group::edit(&cx, id, form.patch()?, Some(form.read()?)).await?;
        Ok(page.clone())
    })
    .await
}

/// Deletes a group without policies, unless it has changed since the user read it, and redirects to the list.
#[server(prefix = "/console", endpoint = "delete-group", output = JsonCodec)]
async fn delete_group(tenant: TenantId, id: PolicyGroupId, seen: String) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    let form = GroupForm { seen, ..GroupForm::default() };
    request::act(&url::group(tenant, id), request::form_json(&Rejected::Act), async {
        group::delete(&cx, id, Some(form.read()?)).await?;
        Ok(url::groups(tenant))
    })
    .await
}

/// The form that adds a policy to a group, or removes one.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct MoveForm {
    tenant: TenantId,
    group: PolicyGroupId,
    /// The policy to remove.
    #[serde(default)]
    policy: Option<PolicyId>,
    /// The code of the policy to add.
    #[serde(default)]
    code: String,
}

/// Adds a policy to a group, or removes one from it, and redirects to the group.
#[server(prefix = "/console", endpoint = "move-policy", output = JsonCodec)]
async fn move_policy(form: MoveForm) -> Result<(), Problem> {
    let cx = request::human(form.tenant).await?;
    let page = url::group(form.tenant, form.group);
    let result = relocate(&cx, &form).await;
    let input = form.policy.map_or(Rejected::Add(form.code), |_| Rejected::Act);
    request::respond(result, &page, &page, request::form_json(&input)).await
}

/// Removes the policy of a form from the group, or adds the policy with the entered code.
async fn relocate(cx: &Cx, form: &MoveForm) -> Result<Policy, Problem> {
    let (policy, group) = match form.policy {
        Some(policy) => (policy, Value::Null),
        None => (find_by_code(cx, form.code.trim()).await?, form.group.to_string().into()),
    };
    let in_group =
        |group: Value| request::read_form(Object::from([("policy_group_id", group)]), &[]);
    // The form shows the policy to remove as a member of the group.
    let seen = form.policy.map(|_| in_group(form.group.to_string().into())).transpose()?;
    Ok(policy::edit(cx, policy, in_group(group)?, seen).await?)
}

/// Returns the policy with a code. Codes are unique regardless of letter case.
async fn find_by_code(cx: &Cx, code: &str) -> Result<PolicyId, Problem> {
    let mut page = PageRequest { limit: LIMIT_MAX, cursor: None };
    loop {
        let filter = PolicyFilter { q: Some(code.to_owned()), ..PolicyFilter::default() };
        let policies = policy::list(cx, filter, &page).await?;
        let exact = policies.items.iter().find(|policy| policy.code.eq_ignore_ascii_case(code));
        if let Some(policy) = exact {
            return Ok(policy.id);
        }
        page.cursor = policies.next_cursor;
        if page.cursor.is_none() {
            return Err(Problem::of_form("Code of a policy to add: no policy has this code."));
        }
    }
}
