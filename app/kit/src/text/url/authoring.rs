//! Addresses of policies, their versions, groups, authoring capabilities and forms.

use contract::{
    id::{CapabilityId, FormId, PolicyGroupId, PolicyId, TenantId},
    policy::ReviewVerdict,
};
use percent_encoding::utf8_percent_encode;

use super::query::{RESERVED, with_query};

/// The state of a policy that is active in shadow mode, in the address of the policy list.
pub const SHADOW: &str = "shadow";

addresses! {
    policies(tenant: TenantId) = "/t/{tenant}/policies";
    policy(tenant: TenantId, id: PolicyId) = "/t/{tenant}/policies/{id}";
    analytics(tenant: TenantId, id: PolicyId) = "/t/{tenant}/policies/{id}/analytics";
    version(tenant: TenantId, id: PolicyId, version: u32)
        = "/t/{tenant}/policies/{id}/versions/{version}";
    new_policy(tenant: TenantId) = "/t/{tenant}/policies/new";
    deactivate(tenant: TenantId, id: PolicyId) = "/t/{tenant}/policies/{id}/deactivate";
    /// Returns the address for changing the settings of a policy that do not belong to a version.
    edit_policy(tenant: TenantId, id: PolicyId) = "/t/{tenant}/policies/{id}/details";
    edit_version(tenant: TenantId, id: PolicyId, number: u32)
        = "/t/{tenant}/policies/{id}/versions/{number}/edit";
    /// Returns the address for reviewing a version, rule by rule.
    review(tenant: TenantId, id: PolicyId, number: u32)
        = "/t/{tenant}/policies/{id}/versions/{number}/review";
    /// Returns the address for comparing a version with another, by default with the active version.
    compare(tenant: TenantId, id: PolicyId, number: u32)
        = "/t/{tenant}/policies/{id}/versions/{number}/compare";
    /// Returns the address of the authoring capabilities.
    grants(tenant: TenantId) = "/t/{tenant}/capabilities";
    /// Returns the address for carrying a capability over to a later version.
    carry_grant(tenant: TenantId, id: CapabilityId) = "/t/{tenant}/capabilities/{id}/carry";
    revoke_grant(tenant: TenantId, id: CapabilityId) = "/t/{tenant}/capabilities/{id}/revoke";
    groups(tenant: TenantId) = "/t/{tenant}/groups";
    group(tenant: TenantId, id: PolicyGroupId) = "/t/{tenant}/groups/{id}";
    forms(tenant: TenantId) = "/t/{tenant}/forms";
    form(tenant: TenantId, id: FormId) = "/t/{tenant}/forms/{id}/edit";
}

/// Returns the address of the policies that are active in shadow mode.
pub fn shadow_policies(tenant: TenantId) -> String {
    with_query(&policies(tenant), &[("state", SHADOW)])
}

/// Returns the address of a tab of the page of a policy.
pub fn policy_tab(tenant: TenantId, id: PolicyId, tab: &str) -> String {
    with_query(&policy(tenant, id), &[("tab", tab)])
}

/// Returns the address of a rule of a version: the page of the list that contains it, at the rule.
pub fn rule(tenant: TenantId, id: PolicyId, number: u32, code: &str) -> String {
    let page = with_query(&version(tenant, id, number), &[("rule", code)]);
    format!("{page}#rule-{}", utf8_percent_encode(code, RESERVED))
}

/// The address that the form of comments posts to.
pub const COMMENT: &str = "/console/comment";

/// Returns the address for confirming and recording a review.
pub fn record(tenant: TenantId, id: PolicyId, number: u32, verdict: ReviewVerdict) -> String {
    format!("{}/{}", review(tenant, id, number), verdict_word(verdict))
}

/// Returns the path segment of a review verdict.
pub fn verdict_word(verdict: ReviewVerdict) -> &'static str {
    match verdict {
        ReviewVerdict::Accept => "accept",
        ReviewVerdict::Return => "return",
    }
}

/// Returns the address of the authoring capabilities, with the form of a new one for a version.
pub fn grant_on(tenant: TenantId, policy: PolicyId, version: u32) -> String {
    with_query(&grants(tenant), &[("version", &format!("{policy}/{version}"))])
}

pub fn form_as_json(tenant: TenantId, id: FormId) -> String {
    with_query(&form(tenant, id), &[("as", "json")])
}

pub fn form_tab(tenant: TenantId, id: FormId, tab: &str) -> String {
    with_query(&form(tenant, id), &[("tab", tab)])
}
