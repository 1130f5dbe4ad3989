//! Addresses of the console's own pages.

use std::fmt::Write as _;

use contract::id::{ApiKeyId, CapabilityId, DecisionId, PolicyGroupId, PolicyId, TenantId, UserId};

/// How governance is going in a tenant.
pub fn overview(tenant: TenantId) -> String {
    format!("/t/{tenant}")
}

/// What needs the person.
pub fn inbox(tenant: TenantId) -> String {
    format!("/t/{tenant}/inbox")
}

/// The list of policies.
pub fn policies(tenant: TenantId) -> String {
    format!("/t/{tenant}/policies")
}

/// One policy.
pub fn policy(tenant: TenantId, id: PolicyId) -> String {
    format!("/t/{tenant}/policies/{id}")
}

/// How a policy and its rules fare.
pub fn analytics(tenant: TenantId, id: PolicyId) -> String {
    format!("{}/analytics", policy(tenant, id))
}

/// One version of a policy.
pub fn version(tenant: TenantId, id: PolicyId, version: u32) -> String {
    format!("/t/{tenant}/policies/{id}/versions/{version}")
}

/// Making a policy.
pub fn new_policy(tenant: TenantId) -> String {
    format!("/t/{tenant}/policies/new")
}

/// Taking a policy out of force.
pub fn deactivate(tenant: TenantId, id: PolicyId) -> String {
    format!("{}/deactivate", policy(tenant, id))
}

/// Changing what stays the same from version to version.
pub fn edit_policy(tenant: TenantId, id: PolicyId) -> String {
    format!("{}/details", policy(tenant, id))
}

/// Writing a draft.
pub fn edit_version(tenant: TenantId, id: PolicyId, number: u32) -> String {
    format!("{}/edit", version(tenant, id, number))
}

/// Judging a version, rule by rule.
pub fn review(tenant: TenantId, id: PolicyId, number: u32) -> String {
    format!("{}/review", version(tenant, id, number))
}

/// The log of decisions.
pub fn decisions(tenant: TenantId) -> String {
    format!("/t/{tenant}/decisions")
}

/// The log under filters that stand in `query` as in an address, after the question mark.
pub fn kept_filter(tenant: TenantId, query: &str) -> String {
    let mark = if query.is_empty() { "" } else { "?" };
    format!("{}{mark}{query}", decisions(tenant))
}

/// Where the log is taken out as a file.
pub const EXPORT: &str = "/console/export";

/// One decision.
pub fn decision(tenant: TenantId, id: DecisionId) -> String {
    format!("/t/{tenant}/decisions/{id}")
}

/// Telling the outcome of a decision.
pub fn outcome(tenant: TenantId, id: DecisionId) -> String {
    format!("/t/{tenant}/decisions/{id}/outcome")
}

/// Trying a context.
pub fn try_page(tenant: TenantId) -> String {
    format!("/t/{tenant}/try")
}

/// Trying the context of a decision again.
pub fn try_again(tenant: TenantId, id: DecisionId) -> String {
    with_query(&try_page(tenant), &[("from", &id.to_string())])
}

/// The API keys.
pub fn keys(tenant: TenantId) -> String {
    format!("/t/{tenant}/keys")
}

/// Revoking an API key.
pub fn revoke_key(tenant: TenantId, id: ApiKeyId) -> String {
    format!("/t/{tenant}/keys/{id}/revoke")
}

/// The authoring grants.
pub fn grants(tenant: TenantId) -> String {
    format!("/t/{tenant}/capabilities")
}

/// The authoring grants, with the form of one on a version.
pub fn grant_on(tenant: TenantId, policy: PolicyId, version: u32) -> String {
    with_query(&grants(tenant), &[("version", &format!("{policy}/{version}"))])
}

/// Carrying a grant to a later version.
pub fn carry_grant(tenant: TenantId, id: CapabilityId) -> String {
    format!("{}/{id}/carry", grants(tenant))
}

/// Revoking a grant.
pub fn revoke_grant(tenant: TenantId, id: CapabilityId) -> String {
    format!("{}/{id}/revoke", grants(tenant))
}

/// The audit log.
pub fn audit(tenant: TenantId) -> String {
    format!("/t/{tenant}/audit")
}

/// The list of policy groups.
pub fn groups(tenant: TenantId) -> String {
    format!("/t/{tenant}/groups")
}

/// One policy group.
pub fn group(tenant: TenantId, id: PolicyGroupId) -> String {
    format!("/t/{tenant}/groups/{id}")
}

/// The members.
pub fn members(tenant: TenantId) -> String {
    format!("/t/{tenant}/members")
}

/// Taking a member out of the tenant.
pub fn remove_member(tenant: TenantId, id: UserId) -> String {
    format!("/t/{tenant}/members/{id}/remove")
}

/// A person's own account.
pub const ACCOUNT: &str = "/account";

/// Where a person chooses a first password.
pub const SETUP: &str = "/setup";

/// The settings.
pub fn settings(tenant: TenantId) -> String {
    format!("/t/{tenant}/settings")
}

/// Changing the setting `word` to `value`.
pub fn change_setting(tenant: TenantId, word: &str, value: &str) -> String {
    with_query(&settings(tenant), &[("change", word), ("to", value)])
}

/// The public receipt of a decision.
pub fn receipt(id: DecisionId) -> String {
    format!("/r/{id}")
}

/// `path` with a query string; pairs without a value are left out.
pub fn with_query(path: &str, pairs: &[(&str, &str)]) -> String {
    let mut url = path.to_owned();
    for (name, value) in pairs.iter().filter(|(_, value)| !value.is_empty()) {
        let mark = if url.len() == path.len() { '?' } else { '&' };
        let _ = write!(url, "{mark}{name}={}", encoded(value));
    }
    url
}

/// Percent-encoding of everything but RFC 3986's unreserved characters.
fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// Where to go after signing in: a path of our own, or `/`.
///
/// A browser reads `//host` and `/\host` as another origin, and drops control characters before it
/// looks; none of these is ours.
pub fn own_path(next: &str) -> &str {
    let foreign = next.starts_with("//") || next.contains('\\') || next.contains(char::is_control);
    if next.starts_with('/') && !foreign { next } else { "/" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_own_paths_are_followed() {
        assert_eq!(own_path("/t/1/policies?q=a"), "/t/1/policies?q=a");
        for next in [
            "",
            "t",
            "//evil.example",
            "/\\evil.example",
            "https://evil.example",
            "/\t/x",
            "/a\r\nb",
        ] {
            assert_eq!(own_path(next), "/", "{next:?}");
        }
    }

    #[test]
    fn a_query_is_encoded_and_skips_what_is_empty() {
        assert_eq!(
            with_query("/a", &[("q", "x & ü"), ("r", ""), ("s", "1")]),
            "/a?q=x%20%26%20%C3%BC&s=1"
        );
        assert_eq!(with_query("/a", &[("q", "")]), "/a");
    }
}
