//! Addresses of the console's pages.

use std::fmt::Write as _;

use contract::{
    id::{
        AlertId, ApiKeyId, CapabilityId, ChainId, DecisionId, DeliveryId, FormId, PolicyGroupId,
        PolicyId, SubscriptionId, TenantId, UserId,
    },
    policy::ReviewVerdict,
    webhook::DeliveryStatus,
};

/// The state of a policy that is active in shadow mode, in the address of the policy list.
pub const SHADOW: &str = "shadow";

/// The fonts of every page (`style/tokens.css`).
pub const FONTS: [&str; 2] =
    ["/fonts/geist-latin-wght-400-600.woff2", "/fonts/geist-mono-latin-wght-400-600.woff2"];

/// The script of the command palette.
#[cfg(feature = "ssr")]
pub const PALETTE_SCRIPT: &str = "/palette.js";
pub const SESSION_SCRIPT: &str = "/session.js";

pub fn overview(tenant: TenantId) -> String {
    format!("/t/{tenant}")
}

pub fn search(tenant: TenantId) -> String {
    format!("/t/{tenant}/search")
}

pub fn inbox(tenant: TenantId) -> String {
    format!("/t/{tenant}/inbox")
}

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

/// Returns the address of the decision list with the decisions that a policy was evaluated for.
pub fn decisions_by(tenant: TenantId, id: PolicyId) -> String {
    with_query(&decisions(tenant), &[("policy", &id.to_string())])
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
    format!("{page}#rule-{}", percent_encode(code))
}

pub fn new_policy(tenant: TenantId) -> String {
    format!("/t/{tenant}/policies/new")
}

pub fn deactivate(tenant: TenantId, id: PolicyId) -> String {
    format!("{}/deactivate", policy(tenant, id))
}

/// Returns the address of the audit log with the changes of settings.
pub fn setting_events(tenant: TenantId) -> String {
    with_query(&audit(tenant), &[("action", "settings.update")])
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

pub fn decisions(tenant: TenantId) -> String {
    format!("/t/{tenant}/decisions")
}

/// Returns the address of the decision list with the filters of a query string.
pub fn kept_filter(tenant: TenantId, query: &str) -> String {
    let mark = if query.is_empty() { "" } else { "?" };
    format!("{}{mark}{query}", decisions(tenant))
}

/// The address that receives the form of an export.
pub const EXPORT: &str = "/console/export";

/// Returns the address of the form of an export.
pub fn export_page(tenant: TenantId) -> String {
    format!("{}/export", decisions(tenant))
}

pub fn decision(tenant: TenantId, id: DecisionId) -> String {
    format!("/t/{tenant}/decisions/{id}")
}

pub fn outcome(tenant: TenantId, id: DecisionId) -> String {
    format!("/t/{tenant}/decisions/{id}/outcome")
}

/// Returns the address of the contents of a decision's bundle.
pub fn bundle(tenant: TenantId, id: DecisionId) -> String {
    format!("/t/{tenant}/decisions/{id}/bundle")
}

/// Returns the address of the bundle of a decision as an archive. It is public for callers who know the ID.
pub fn archive(id: DecisionId) -> String {
    format!("/v1/receipts/{id}/bundle")
}

pub fn alerts(tenant: TenantId) -> String {
    format!("/t/{tenant}/alerts")
}

pub fn alert(tenant: TenantId, id: AlertId) -> String {
    format!("/t/{tenant}/alerts/{id}")
}

pub fn acknowledge(tenant: TenantId) -> String {
    format!("/t/{tenant}/alerts/acknowledge")
}

pub fn assign(tenant: TenantId) -> String {
    format!("{}/assign", alerts(tenant))
}

pub fn snooze(tenant: TenantId) -> String {
    format!("{}/snooze", alerts(tenant))
}

/// The pages that show a posted selection, as routes.
#[cfg(feature = "ssr")]
pub const POSTED_PAGES: [&str; 3] =
    ["/t/{tenant}/alerts/acknowledge", "/t/{tenant}/alerts/assign", "/t/{tenant}/alerts/snooze"];

/// The address of the event stream of the pages.
pub const LIVE: &str = "/console/live";

/// The address that returns the time left of the session.
pub const SESSION: &str = "/console/session";

/// Returns the address of the event stream of a tenant, starting at the mark of a page.
pub fn live(tenant: TenantId) -> String {
    with_query(LIVE, &[("tenant", &tenant.to_string())])
}

/// Returns the address of the dry run of a context.
pub fn try_page(tenant: TenantId) -> String {
    format!("/t/{tenant}/try")
}

/// Returns the address of the dry run of the context of a decision.
pub fn try_again(tenant: TenantId, id: DecisionId) -> String {
    with_query(&try_page(tenant), &[("from", &id.to_string())])
}

pub fn keys(tenant: TenantId) -> String {
    format!("/t/{tenant}/keys")
}

pub fn revoke_key(tenant: TenantId, id: ApiKeyId) -> String {
    format!("/t/{tenant}/keys/{id}/revoke")
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

pub fn audit(tenant: TenantId) -> String {
    format!("/t/{tenant}/audit")
}

pub fn groups(tenant: TenantId) -> String {
    format!("/t/{tenant}/groups")
}

pub fn group(tenant: TenantId, id: PolicyGroupId) -> String {
    format!("/t/{tenant}/groups/{id}")
}

pub fn members(tenant: TenantId) -> String {
    format!("/t/{tenant}/members")
}

/// Returns the address of a tab of the members page.
pub fn members_tab(tenant: TenantId, tab: &str) -> String {
    with_query(&members(tenant), &[("tab", tab)])
}

pub fn change_role(tenant: TenantId, id: UserId) -> String {
    format!("/t/{tenant}/members/{id}/role")
}

pub fn remove_member(tenant: TenantId, id: UserId) -> String {
    format!("/t/{tenant}/members/{id}/remove")
}

pub const ACCOUNT: &str = "/account";

/// The address of the form of the time zone.
pub const TIME_ZONE: &str = "/account#time-zone";

/// Returns whether times at `path` are in the zone of the signed-in user: on pages of tenants and of the account, and
/// in their requests to the server. Public pages show the same text to everyone.
pub fn has_local_times(path: &str) -> bool {
    [ACCOUNT, INVITATIONS].contains(&path)
        || ["/t/", "/console/"].iter().any(|start| path.starts_with(start))
}

/// The address of the invitations of the signed-in user.
pub const INVITATIONS: &str = "/invitations";

/// The address for choosing a first password.
pub const SETUP: &str = "/setup";

/// The address for requesting a password reset.
pub const RESET: &str = "/reset";

pub fn settings(tenant: TenantId) -> String {
    format!("/t/{tenant}/settings")
}

/// Returns the address for changing the setting `word` to `value`.
pub fn change_setting(tenant: TenantId, word: &str, value: &str) -> String {
    with_query(&settings(tenant), &[("change", word), ("to", value)])
}

/// Returns the address of the public receipt of a decision.
pub fn receipt(id: DecisionId) -> String {
    format!("/r/{id}")
}

pub const VERIFY: &str = "/verify";

pub fn verify(id: DecisionId) -> String {
    format!("{VERIFY}?id={id}")
}

/// The address of the transparency log.
pub const LOG: &str = "/log";

/// Returns the address of the entry of a digest in the transparency log.
pub fn log_entry(digest: &str) -> String {
    with_query(LOG, &[("digest", digest)])
}

/// The latest checkpoint of the transparency log, a signed note.
pub const CHECKPOINT: &str = "/v1/log/checkpoint";

/// The proof of the latest checkpoint that was submitted to Rekor.
pub const REKOR: &str = "/v1/log/rekor";

/// The address of the published signing keys.
pub const TRUST: &str = "/trust";

pub fn chains(tenant: TenantId) -> String {
    format!("/t/{tenant}/chains")
}

pub fn chain(tenant: TenantId, id: ChainId) -> String {
    format!("/t/{tenant}/chains/{id}")
}

/// Returns the address of the decision list with the decisions of a chain.
pub fn decisions_of(tenant: TenantId, id: ChainId) -> String {
    with_query(&decisions(tenant), &[("chain", &id.to_string())])
}

pub fn chain_archive(id: ChainId) -> String {
    format!("/v1/chains/{id}/bundle")
}

pub const KEY_SET: &str = "/v1/.well-known/signing-keys";

pub const REGISTRY: &str = "/v1/.well-known/trust-registry";

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

/// Returns the address of the public page of a form.
pub fn hosted_form(id: FormId) -> String {
    format!("/f/{id}")
}

/// Returns the address of the receipt of a form submission.
pub fn submission(form: FormId, id: DecisionId) -> String {
    format!("/f/{form}/receipts/{id}")
}

pub fn webhooks(tenant: TenantId) -> String {
    format!("/t/{tenant}/webhooks")
}

pub fn new_webhook(tenant: TenantId) -> String {
    format!("{}/new", webhooks(tenant))
}

/// Returns the address for creating a webhook that replaces `id`, as a copy with changes.
pub fn replace_webhook(tenant: TenantId, id: SubscriptionId) -> String {
    with_query(&new_webhook(tenant), &[("from", &id.to_string())])
}

pub fn deliveries(tenant: TenantId) -> String {
    format!("{}/deliveries", webhooks(tenant))
}

pub fn dead_deliveries(tenant: TenantId) -> String {
    with_query(&deliveries(tenant), &[("status", DeliveryStatus::Dead.as_str())])
}

/// Returns the address of the deliveries of a webhook. An empty `status` means every status.
pub fn deliveries_to(tenant: TenantId, id: SubscriptionId, status: &str) -> String {
    with_query(&deliveries(tenant), &[("status", status), ("webhook", &id.to_string())])
}

pub fn delivery(tenant: TenantId, id: DeliveryId) -> String {
    format!("{}/{id}", deliveries(tenant))
}

/// Returns `path` with a query string of its `own` pairs; `others` replace pairs of the same name.
pub fn with_other(path: &str, own: &[(&str, &str)], others: &[(&str, &str)]) -> String {
    let own = own.iter().filter(|(name, _)| others.iter().all(|(other, _)| other != name));
    let pairs: Vec<(&str, &str)> = own.chain(others).copied().collect();
    with_query(path, &pairs)
}

/// Returns `path` with a query string. Pairs with an empty value are left out.
pub fn with_query(path: &str, pairs: &[(&str, &str)]) -> String {
    let mut url = path.to_owned();
    for (name, value) in pairs.iter().filter(|(_, value)| !value.is_empty()) {
        let mark = if url.len() == path.len() { '?' } else { '&' };
        let _ = write!(url, "{mark}{name}={}", percent_encode(value));
    }
    url
}

/// Returns the address in the browser: the path and its query.
pub(crate) fn address(url: &leptos_router::location::Url) -> String {
    let query = if url.search().is_empty() { "" } else { "?" };
    format!("{}{query}{}", url.path(), url.search())
}

/// Percent-encodes everything except RFC 3986's unreserved characters.
fn percent_encode(text: &str) -> String {
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

/// Returns the address to open after sign-in: `next` if it is a path of this service, else `/`.
///
/// A browser treats `//host` and `/\host` as another origin, and removes control characters before it parses
/// an address. Both are rejected.
pub fn own_path(next: &str) -> &str {
    let is_foreign =
        next.starts_with("//") || next.contains('\\') || next.contains(char::is_control);
    if next.starts_with('/') && !is_foreign { next } else { "/" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_of_signed_in_users_have_local_times() {
        for path in [ACCOUNT, INVITATIONS, "/t/1/decisions", "/console/account"] {
            assert!(has_local_times(path), "{path}");
        }
        for path in ["/r/1", "/f/1", LOG, TRUST, VERIFY, "/login"] {
            assert!(!has_local_times(path), "{path}");
        }
    }

    #[test]
    fn own_path_accepts_only_paths_of_this_service() {
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
    fn a_query_is_encoded_and_omits_empty_values() {
        assert_eq!(
            with_query("/a", &[("q", "x & ü"), ("r", ""), ("s", "1")]),
            "/a?q=x%20%26%20%C3%BC&s=1"
        );
        assert_eq!(with_query("/a", &[("q", "")]), "/a");
    }

    #[test]
    fn other_pairs_replace_own_pairs() {
        let own = [("status", "dead"), ("cursor", "abc")];
        assert_eq!(with_other("/a", &own, &[]), "/a?status=dead&cursor=abc");
        assert_eq!(with_other("/a", &own, &[("cursor", "")]), "/a?status=dead");
        assert_eq!(with_other("/a", &own, &[("page", "2")]), "/a?status=dead&cursor=abc&page=2");
    }
}
