//! Addresses of an account and of a tenant's members, keys, webhooks, settings and audit log.

use contract::{
    id::{ApiKeyId, DeliveryId, IdentityProviderId, SubscriptionId, TenantId, UserId},
    webhook::DeliveryStatus,
};

use super::query::with_query;

/// Returns the address of the audit log with the changes of settings.
pub fn setting_events(tenant: TenantId) -> String {
    with_query(&audit(tenant), &[("action", "settings.update")])
}

addresses! {
    keys(tenant: TenantId) = "/t/{tenant}/keys";
    revoke_key(tenant: TenantId, id: ApiKeyId) = "/t/{tenant}/keys/{id}/revoke";
    audit(tenant: TenantId) = "/t/{tenant}/audit";
    members(tenant: TenantId) = "/t/{tenant}/members";
    change_role(tenant: TenantId, id: UserId) = "/t/{tenant}/members/{id}/role";
    reset_second_factors(tenant: TenantId, id: UserId) = "/t/{tenant}/members/{id}/second-factors";
    remove_member(tenant: TenantId, id: UserId) = "/t/{tenant}/members/{id}/remove";
    settings(tenant: TenantId) = "/t/{tenant}/settings";
    identity_providers(tenant: TenantId) = "/t/{tenant}/settings/identity-providers";
    new_identity_provider(tenant: TenantId) = "/t/{tenant}/settings/identity-providers/new";
    edit_identity_provider(tenant: TenantId, id: IdentityProviderId)
        = "/t/{tenant}/settings/identity-providers/{id}/edit";
    webhooks(tenant: TenantId) = "/t/{tenant}/webhooks";
    new_webhook(tenant: TenantId) = "/t/{tenant}/webhooks/new";
    deliveries(tenant: TenantId) = "/t/{tenant}/webhooks/deliveries";
    delivery(tenant: TenantId, id: DeliveryId) = "/t/{tenant}/webhooks/deliveries/{id}";
}

/// Returns the address of a tab of the members page.
pub fn members_tab(tenant: TenantId, tab: &str) -> String {
    with_query(&members(tenant), &[("tab", tab)])
}

pub const ACCOUNT: &str = "/account";

/// The address of the form of the time zone.
pub const TIME_ZONE: &str = "/account#time-zone";

/// The address of the second factors on the account page.
pub const SECURITY: &str = "/account#security";

/// The address for setting up an authenticator app.
pub const AUTHENTICATOR: &str = "/account/authenticator";

/// The address that shows new recovery codes once.
pub const RECOVERY_CODES: &str = "/account/recovery-codes";

/// Returns the address for adding a second factor that `tenant` requires. It continues at `next`.
pub fn required_second_factor(tenant: TenantId, next: &str) -> String {
    let tenant = tenant.to_string();
    with_query("/account/second-factor", &[("tenant", &tenant), ("next", next)])
}

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

/// The address for signing in.
pub const LOGIN: &str = "/login";

/// The address at which a user allows the command line to access a tenant.
pub const CLI_LOGIN: &str = "/cli-login";

/// The address of the second factor after the password.
pub const SECOND_FACTOR: &str = "/login/second-factor";

/// The address that signs a user out who signed in with an identity provider.
pub const SIGN_OUT_AT_PROVIDER: &str = "/login/oidc/sign-out";

/// The cookie with the tenant of the last sign-in with an identity provider.
pub const TENANT_COOKIE: &str = "tenant";

/// Returns the address of the sign-in page with the identity providers of a tenant. `problem` is the reason why a sign-in
/// with one of them was rejected.
pub fn sign_in(tenant: TenantId, next: &str, problem: Option<&str>) -> String {
    let tenant = tenant.to_string();
    let problem = problem.unwrap_or_default();
    with_query(LOGIN, &[("tenant", &tenant), ("next", next), ("problem", problem)])
}

/// The address for requesting a password reset.
pub const RESET: &str = "/reset";

/// Returns the address for changing the setting `word` to `value`.
pub fn change_setting(tenant: TenantId, word: &str, value: &str) -> String {
    with_query(&settings(tenant), &[("change", word), ("to", value)])
}

/// Returns the address of the list with the result of a test.
pub fn test_identity_provider(tenant: TenantId, id: IdentityProviderId) -> String {
    with_query(&identity_providers(tenant), &[("test", &id.to_string())])
}

/// Returns the address for creating a webhook that replaces `id`, as a copy with changes.
pub fn replace_webhook(tenant: TenantId, id: SubscriptionId) -> String {
    with_query(&new_webhook(tenant), &[("from", &id.to_string())])
}

pub fn dead_deliveries(tenant: TenantId) -> String {
    with_query(&deliveries(tenant), &[("status", DeliveryStatus::Dead.as_str())])
}

/// Returns the address of the deliveries of a webhook. An empty `status` means every status.
pub fn deliveries_to(tenant: TenantId, id: SubscriptionId, status: &str) -> String {
    with_query(&deliveries(tenant), &[("status", status), ("webhook", &id.to_string())])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::url::{LOG, TRUST, VERIFY};

    #[test]
    fn only_pages_of_signed_in_users_have_local_times() {
        for path in [ACCOUNT, INVITATIONS, "/t/1/decisions", "/console/account"] {
            assert!(has_local_times(path), "{path}");
        }
        for path in ["/r/1", "/f/1", LOG, TRUST, VERIFY, "/login"] {
            assert!(!has_local_times(path), "{path}");
        }
    }
}
