//! What the form of a policy is made of, and what is done with it.

use contract::{
    id::{PolicyGroupId, PolicyId, TenantId},
    page::LIMIT_MAX,
    policy::PolicyPatch,
    read,
};
use governance::{
    Cx, PageRequest, group, permission,
    policy::{self, authored::NewPolicy},
};

use super::{answer, form_text, go, keep, keep_faults, kept_form};
use crate::{
    problem::Problem,
    text::url,
    view::policy_form::{PolicyForm, PolicyFormPage},
};

/// The form, for whoever may send it.
pub(in crate::api) async fn page(
    cx: &Cx,
    tenant: TenantId,
    id: Option<PolicyId>,
) -> Result<PolicyFormPage, Problem> {
    answer(cx.tenant(permission::WRITE_POLICIES).map(drop))?;
    let stored = match id {
        Some(id) => Some(answer(policy::read(cx, id, None).await)?),
        None => None,
    };
    let page = match id {
        Some(id) => url::edit_policy(tenant, id),
        None => url::new_policy(tenant),
    };
    let (problem, refused) = kept_form(&page).await;
    let (form, faults) = match (refused, &stored) {
        (Some(refused), _) => (refused.form, refused.faults),
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
        faults,
    })
}

/// The groups to choose from; whoever has more than fit puts a policy into one by the API.
async fn groups(cx: &Cx) -> Result<Vec<(PolicyGroupId, String)>, Problem> {
    let page = PageRequest { limit: LIMIT_MAX, cursor: None };
    let groups = answer(group::list(cx, &page).await)?.items.into_iter();
    let mut groups: Vec<_> = groups.map(|group| (group.id, group.name)).collect();
    groups.sort_by(|(_, a), (_, b)| a.cmp(b));
    Ok(groups)
}

/// Makes the policy with an empty draft, and leads to the draft's first rule.
pub(in crate::api) async fn create(
    cx: &Cx,
    tenant: TenantId,
    form: PolicyForm,
) -> Result<(), Problem> {
    let page = url::new_policy(tenant);
    let new = match read::body::<NewPolicy>(&form.draft()) {
        Ok(new) => new,
        Err(faults) => return keep_faults(page, form, faults).await,
    };
    match answer(policy::create(cx, new).await) {
        Ok(made) => go(&url::edit_version(tenant, made.policy.id, 1)),
        Err(problem) => keep(problem, page, form_text(form, Vec::new())).await?,
    }
    Ok(())
}

/// Changes the policy.
pub(in crate::api) async fn edit(
    cx: &Cx,
    tenant: TenantId,
    id: PolicyId,
    form: PolicyForm,
) -> Result<(), Problem> {
    let page = url::edit_policy(tenant, id);
    let patch = match read::body::<PolicyPatch>(&form.patch()?) {
        Ok(patch) => patch,
        Err(faults) => return keep_faults(page, form, faults).await,
    };
    let seen = read::body(&form.read()?).map_err(|errors| Problem::of_fields(&errors, &[]))?;
    match answer(policy::edit(cx, id, patch, Some(seen)).await) {
        Ok(_) => go(&url::policy(tenant, id)),
        Err(problem) => keep(problem, page, form_text(form, Vec::new())).await?,
    }
    Ok(())
}
