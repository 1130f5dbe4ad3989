//! Data of the policy form, and its actions.

use contract::{
    id::{PolicyGroupId, PolicyId, TenantId},
    pagination::LIMIT_MAX,
    policy::PolicyPatch,
    read,
};
use governance::{
    Cx, PageRequest,
    access::permission,
    authoring::{
        group,
        policy::{self, rule_input::NewPolicy},
    },
};

use super::view::{PolicyForm, PolicyFormPage};
use crate::{
    problem::Problem,
    request::{form_text, into_problem, redirect, set_errors, set_rejected, take_form},
    text::url,
};

/// Returns the form. Requires permission to write policies.
pub(crate) async fn page(
    cx: &Cx,
    tenant: TenantId,
    id: Option<PolicyId>,
) -> Result<PolicyFormPage, Problem> {
    into_problem(cx.tenant(permission::WRITE_POLICIES).map(drop))?;
    let stored = match id {
        Some(id) => Some(into_problem(policy::read(cx, id, None).await)?),
        None => None,
    };
    let page = match id {
        Some(id) => url::edit_policy(tenant, id),
        None => url::new_policy(tenant),
    };
    let (problem, refused) = take_form(&page).await;
    let (form, errors) = match (refused, &stored) {
        (Some(refused), _) => (refused.form, refused.errors),
        (None, Some(policy)) => (PolicyForm::from(policy), Vec::new()),
        (None, None) => (PolicyForm::default(), Vec::new()),
    };
    Ok(PolicyFormPage {
        tenant,
        policy: id,
        name: stored.map(|policy| policy.name).unwrap_or_default(),
        groups: groups(cx).await?,
        form,
        problem,
        errors,
    })
}

/// Returns the groups to choose from. In a tenant with more groups than the limit, a policy is added to the
/// others through the API.
pub(crate) async fn groups(cx: &Cx) -> Result<Vec<(PolicyGroupId, String)>, Problem> {
    let page = PageRequest { limit: LIMIT_MAX, cursor: None };
    let groups = into_problem(group::list(cx, &page).await)?.items.into_iter();
    let mut groups: Vec<_> = groups.map(|group| (group.id, group.name)).collect();
    groups.sort_by(|(_, a), (_, b)| a.cmp(b));
    Ok(groups)
}

/// Creates the policy with an empty draft, and redirects to the draft's first rule.
pub(crate) async fn create(cx: &Cx, tenant: TenantId, form: PolicyForm) -> Result<(), Problem> {
    let page = url::new_policy(tenant);
    let new = match read::body::<NewPolicy>(&form.draft()) {
        Ok(new) => new,
        Err(errors) => return set_errors(page, form, errors).await,
    };
    match into_problem(policy::create(cx, new).await) {
        Ok(created) => redirect(&url::edit_version(tenant, created.policy.id, 1)),
        Err(problem) => set_rejected(problem, page, form_text(form, Vec::new())).await?,
    }
    Ok(())
}

pub(crate) async fn edit(
    cx: &Cx,
    tenant: TenantId,
    id: PolicyId,
    form: PolicyForm,
) -> Result<(), Problem> {
    let page = url::edit_policy(tenant, id);
    let patch = match read::body::<PolicyPatch>(&form.patch()?) {
        Ok(patch) => patch,
        Err(errors) => return set_errors(page, form, errors).await,
    };
    let seen = read::body(&form.read()?).map_err(|errors| Problem::of_fields(&errors, &[]))?;
    match into_problem(policy::edit(cx, id, patch, Some(seen)).await) {
        Ok(_) => redirect(&url::policy(tenant, id)),
        Err(problem) => set_rejected(problem, page, form_text(form, Vec::new())).await?,
    }
    Ok(())
}
