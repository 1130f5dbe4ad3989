//! Deactivating a policy: the active version, the consequences, and the reason.

use contract::policy::ReasonBody;
use governance::authoring::policy;
use page_kit::prelude::*;

use super::{
    ACTIVE, GOVERNS, NO_ACTIVE,
    detail::{Detail, VersionRow},
    governed_types,
};
use crate::version_page::action::{REASON, REASON_HINT, reason as checked_reason};

/// `/t/{tenant}/policies/{policy}/deactivate`
pub async fn deactivate() -> PageResult {
    let (tenant, cx) = page::member().await?;
    let id = page::param("policy")?;
    cx.tenant(permission::DEACTIVATE)?;
    let rejected = take_rejected(&url::deactivate(tenant, id)).await;
    let (problem, reason) = rejected.map(|rejected| (rejected.problem, rejected.text)).unzip();
    let detail = Detail::read(&cx, id).await?;
    let title = format!("Deactivate {}", isolated(&detail.policy.name));
    let form = match detail.active() {
        None => any_view! { <p>{NO_ACTIVE}</p> },
        Some(active) => form(&detail, active, reason.unwrap_or_default()),
    };
    Ok(any_view! {
        <Panel title problem back=url::policy(tenant, id) back_label="Back to the policy">
            {form}
        </Panel>
    })
}

fn form(detail: &Detail, active: &VersionRow, reason: String) -> AnyView {
    let (tenant, id, number) = (detail.tenant, detail.policy.id, active.version.version);
    let (code, types) = (detail.policy.code.clone(), governed_types(&detail.policy));
    let href = url::version(tenant, id, number);
    any_view! {
        <dl class="facts">
            {fact("Policy", view! { <bdi class="font-mono">{code}</bdi> })} <dt>{ACTIVE}</dt> <dd>
                <p>
                    <a href=href>"v" {number}</a>
                    ", since "
                    {minute(active.last_at())}
                </p>
            </dd> {fact(GOVERNS, view! { <bdi>{types}</bdi> })}
        </dl>
        <form method="post" action=DeactivatePolicy::url() class="stack" data-once="">
            <input type="hidden" name="tenant" value=tenant.to_string() />
            <input type="hidden" name="policy" value=id.to_string() />
            <input type="hidden" name="version" value=number />
            <p>
                "This policy stops affecting decisions immediately. Decisions of a type that no other policy governs are rejected. A ratified version can be activated again."
            </p>
            <TextArea
                label=REASON
                hint=REASON_HINT
                name="reason"
                id="deactivate-reason".to_owned()
                value=reason
                maxlength=500
                required=true
            />
            {submit("danger", format!("Deactivate v{number}"))}
        </form>
    }
}

/// Deactivates a policy if `version` is still the active version, and redirects to it.
#[server(prefix = "/console", endpoint = "deactivate-policy", output = JsonCodec)]
async fn deactivate_policy(
    tenant: TenantId,
    policy: PolicyId,
    version: u32,
    reason: String,
) -> Result<(), Problem> {
    let cx = request::human(tenant).await?;
    request::act(&url::deactivate(tenant, policy), reason.clone(), async {
        let reason = checked_reason(reason.trim().replace("\r\n", "\n"))?;
        policy::deactivate(&cx, policy, ReasonBody { reason }, Some(version)).await?;
        Ok(url::policy(tenant, policy))
    })
    .await
}
