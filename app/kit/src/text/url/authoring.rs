//! Addresses of policies, their versions, groups, authoring capabilities and forms.

use contract::{
    id::{CapabilityId, FormId, PolicyGroupId, PolicyId, TenantId},
    policy::ReviewVerdict,
};
use percent_encoding::utf8_percent_encode;

use super::query::{RESERVED, with_query};

/// The state of a policy that is active in shadow mode, in the address of the policy list.
pub const SHADOW: &str = "shadow";

pub fn policies(tenant: TenantId) -> String {
    format!("/t/{tenant}/policies")
}

/// Returns the address of the policies that are active in shadow mode.
pub fn shadow_policies(tenant: TenantId) -> String {
    with_query(&policies(tenant), &[("state", SHADOW)])
}

pub fn policy(tenant: TenantId, id: PolicyId) -> String {
    format!("/t/{tenant}/policies/{id}")
}

/// Returns the address of a tab of the page of a policy.
pub fn policy_tab(tenant: TenantId, id: PolicyId, tab: &str) -> String {
    with_query(&policy(tenant, id), &[("tab", tab)])
}

pub fn analytics(tenant: TenantId, id: PolicyId) -> String {
    format!("{}/analytics", policy(tenant, id))
}

pub fn version(tenant: TenantId, id: PolicyId, version: u32) -> String {
    format!("/t/{tenant}/policies/{id}/versions/{version}")
}

/// Returns the address of a rule of a version: the page of the list that contains it, at the rule.
pub fn rule(tenant: TenantId, id: PolicyId, number: u32, code: &str) -> String {
    let page = with_query(&version(tenant, id, number), &[("rule", code)]);
    format!("{page}#rule-{}", utf8_percent_encode(code, RESERVED))
}

pub fn new_policy(tenant: TenantId) -> String {
    format!("/t/{tenant}/policies/new")
}

pub fn deactivate(tenant: TenantId, id: PolicyId) -> String {
    format!("{}/deactivate", policy(tenant, id))
}

/// Returns the address for changing the settings of a policy that do not belong to a version.
pub fn edit_policy(tenant: TenantId, id: PolicyId) -> String {
    format!("{}/details", policy(tenant, id))
}

pub fn edit_version(tenant: TenantId, id: PolicyId, number: u32) -> String {
    format!("{}/edit", version(tenant, id, number))
}

/// Returns the address for reviewing a version, rule by rule.
pub fn review(tenant: TenantId, id: PolicyId, number: u32) -> String {
    format!("{}/review", version(tenant, id, number))
}

/// Returns the address for comparing a version with another, by default with the active version.
pub fn compare(tenant: TenantId, id: PolicyId, number: u32) -> String {
    format!("{}/compare", version(tenant, id, number))
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

/// Returns the address of the authoring capabilities.
pub fn grants(tenant: TenantId) -> String {
    format!("/t/{tenant}/capabilities")
}

/// Returns the address of the authoring capabilities, with the form of a new one for a version.
pub fn grant_on(tenant: TenantId, policy: PolicyId, version: u32) -> String {
    with_query(&grants(tenant), &[("version", &format!("{policy}/{version}"))])
}

/// Returns the address for carrying a capability over to a later version.
pub fn carry_grant(tenant: TenantId, id: CapabilityId) -> String {
    format!("{}/{id}/carry", grants(tenant))
}

pub fn revoke_grant(tenant: TenantId, id: CapabilityId) -> String {
    format!("{}/{id}/revoke", grants(tenant))
}

pub fn groups(tenant: TenantId) -> String {
    format!("/t/{tenant}/groups")
}

pub fn group(tenant: TenantId, id: PolicyGroupId) -> String {
    format!("/t/{tenant}/groups/{id}")
}

pub fn forms(tenant: TenantId) -> String {
    format!("/t/{tenant}/forms")
}

pub fn form(tenant: TenantId, id: FormId) -> String {
    format!("/t/{tenant}/forms/{id}/edit")
}

pub fn form_as_json(tenant: TenantId, id: FormId) -> String {
    with_query(&form(tenant, id), &[("as", "json")])
}

pub fn form_tab(tenant: TenantId, id: FormId, tab: &str) -> String {
    with_query(&form(tenant, id), &[("tab", tab)])
}
