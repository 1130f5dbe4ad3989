//! Addresses of the console's own pages.

use std::fmt::Write as _;

use contract::{
    id::{
        AlertId, ApiKeyId, CapabilityId, ChainId, DecisionId, DeliveryId, FormId, PolicyGroupId,
        PolicyId, SubscriptionId, TenantId, UserId,
    },
    policy::ReviewVerdict,
    webhook::DeliveryStatus,
};

use crate::view::query::SHADOW;

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

/// The active policies that only watch.
pub fn shadow_policies(tenant: TenantId) -> String {
    with_query(&policies(tenant), &[("state", SHADOW)])
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

/// Recording what a review found.
pub fn record(tenant: TenantId, id: PolicyId, number: u32, verdict: ReviewVerdict) -> String {
    format!("{}/{}", review(tenant, id, number), verdict_word(verdict))
}

/// A verdict of a review in an address.
pub fn verdict_word(verdict: ReviewVerdict) -> &'static str {
    match verdict {
        ReviewVerdict::Accept => "accept",
        ReviewVerdict::Return => "return",
    }
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

/// The bundle of a decision, looked into.
pub fn bundle(tenant: TenantId, id: DecisionId) -> String {
    format!("/t/{tenant}/decisions/{id}/bundle")
}

/// The bundle of a decision as an archive, for anybody who has the id.
pub fn archive(id: DecisionId) -> String {
    format!("/v1/receipts/{id}/bundle")
}

/// What people should look at.
pub fn alerts(tenant: TenantId) -> String {
    format!("/t/{tenant}/alerts")
}

/// One alert.
pub fn alert(tenant: TenantId, id: AlertId) -> String {
    format!("/t/{tenant}/alerts/{id}")
}

/// Acknowledging several alerts.
pub fn acknowledge(tenant: TenantId) -> String {
    format!("/t/{tenant}/alerts/acknowledge")
}

/// Where a page hears what is new.
pub const LIVE: &str = "/console/live";

/// What is new in a tenant since the mark of a page.
pub fn live(tenant: TenantId, since: &str) -> String {
    with_query(LIVE, &[("tenant", &tenant.to_string()), ("since", since)])
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

/// Changing a member's role.
pub fn change_role(tenant: TenantId, id: UserId) -> String {
    format!("/t/{tenant}/members/{id}/role")
}

/// Taking a member out of the tenant.
pub fn remove_member(tenant: TenantId, id: UserId) -> String {
    format!("/t/{tenant}/members/{id}/remove")
}

/// A person's own account.
pub const ACCOUNT: &str = "/account";

/// Where a person chooses a first password.
pub const SETUP: &str = "/setup";

/// Asking for a new password.
pub const RESET: &str = "/reset";

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

/// Where bundles are checked.
pub const VERIFY: &str = "/verify";

/// Checking the bundle of a decision.
pub fn verify(id: DecisionId) -> String {
    format!("{VERIFY}?id={id}")
}

/// The keys that the service publishes, for people.
pub const TRUST: &str = "/trust";

/// One chain of decisions.
pub fn chain(tenant: TenantId, id: ChainId) -> String {
    format!("/t/{tenant}/chains/{id}")
}

/// The decisions of a chain in the log.
pub fn decisions_of(tenant: TenantId, id: ChainId) -> String {
    with_query(&decisions(tenant), &[("chain", &id.to_string())])
}

/// The bundle of a chain, as an archive.
pub fn chain_archive(id: ChainId) -> String {
    format!("/v1/chains/{id}/bundle")
}

/// The key set of the service.
pub const KEY_SET: &str = "/v1/.well-known/signing-keys";

/// The keys that the service publishes, as their registry.
pub const REGISTRY: &str = "/v1/.well-known/trust-registry";

/// The hosted forms.
pub fn forms(tenant: TenantId) -> String {
    format!("/t/{tenant}/forms")
}

/// One hosted form.
pub fn form(tenant: TenantId, id: FormId) -> String {
    format!("/t/{tenant}/forms/{id}/edit")
}

/// One hosted form with its questions as JSON.
pub fn form_as_json(tenant: TenantId, id: FormId) -> String {
    with_query(&form(tenant, id), &[("as", "json")])
}

/// A tab of a hosted form.
pub fn form_tab(tenant: TenantId, id: FormId, tab: &str) -> String {
    with_query(&form(tenant, id), &[("tab", tab)])
}

/// The page of a form for the public.
pub fn hosted_form(id: FormId) -> String {
    format!("/f/{id}")
}

/// The receipt of a submission.
pub fn submission(form: FormId, id: DecisionId) -> String {
    format!("/f/{form}/receipts/{id}")
}

/// The webhooks.
pub fn webhooks(tenant: TenantId) -> String {
    format!("/t/{tenant}/webhooks")
}

/// Making a webhook.
pub fn new_webhook(tenant: TenantId) -> String {
    format!("{}/new", webhooks(tenant))
}

/// Making a webhook like `id` with changes.
pub fn replace_webhook(tenant: TenantId, id: SubscriptionId) -> String {
    with_query(&new_webhook(tenant), &[("from", &id.to_string())])
}

/// What became of each delivery.
pub fn deliveries(tenant: TenantId) -> String {
    format!("{}/deliveries", webhooks(tenant))
}

/// The deliveries that were given up.
pub fn dead_deliveries(tenant: TenantId) -> String {
    with_query(&deliveries(tenant), &[("status", DeliveryStatus::Dead.as_str())])
}

/// The deliveries to a webhook, those of a status or all.
pub fn deliveries_to(tenant: TenantId, id: SubscriptionId, status: &str) -> String {
    with_query(&deliveries(tenant), &[("status", status), ("webhook", &id.to_string())])
}

/// One delivery.
pub fn delivery(tenant: TenantId, id: DeliveryId) -> String {
    format!("{}/{id}", deliveries(tenant))
}

/// `path` with a query string of its `own` pairs, but for those that `others` stand in for.
pub fn with_other(path: &str, own: &[(&str, &str)], others: &[(&str, &str)]) -> String {
    let own = own.iter().filter(|(name, _)| others.iter().all(|(other, _)| other != name));
    let pairs: Vec<(&str, &str)> = own.chain(others).copied().collect();
    with_query(path, &pairs)
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

/// The address that the browser shows: the path with its query.
pub(crate) fn address(url: &leptos_router::location::Url) -> String {
    let query = if url.search().is_empty() { "" } else { "?" };
    format!("{}{query}{}", url.path(), url.search())
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

    #[test]
    fn other_pairs_stand_in_for_its_own() {
        let own = [("status", "dead"), ("cursor", "abc")];
        assert_eq!(with_other("/a", &own, &[]), "/a?status=dead&cursor=abc");
        assert_eq!(with_other("/a", &own, &[("cursor", "")]), "/a?status=dead");
        assert_eq!(with_other("/a", &own, &[("page", "2")]), "/a?status=dead&cursor=abc&page=2");
    }
}
