//! Identity providers of a tenant, with which its members sign in by `OpenID` Connect.

use crate::{
    id::{IdentityProviderId, TenantId},
    json::Value,
    read::{FieldErrors, FieldPatch, JsonPath, list, name, schema, text},
    scope::Role,
    time::Timestamp,
};

/// The maximum number of identity providers of a tenant.
pub const IDENTITY_PROVIDERS_MAX: u64 = 20;

/// The maximum number of values that a provider maps to roles.
pub const ROLE_MAPPINGS_MAX: usize = 100;

/// An identity provider: an `OpenID` Connect issuer that signs members of the tenant in.
#[wire(Eq)]
pub struct IdentityProvider {
    /// The ID of the provider.
    pub id: IdentityProviderId,
    /// The tenant of the provider.
    pub tenant_id: TenantId,
    /// The name on the sign-in button.
    pub name: String,
    /// The issuer. It cannot be changed, because it identifies the accounts.
    pub issuer: String,
    /// The ID of Govern at the provider.
    pub client_id: String,
    /// Whether a client secret is stored. The secret itself is never returned.
    pub has_client_secret: bool,
    /// The requested scopes in addition to `openid`.
    pub scopes: Vec<String>,
    /// The domains of the email addresses that may sign in; empty means all domains.
    pub email_domains: Vec<String>,
    /// Whether an address of `email_domains` counts as verified if the provider sends no `email_verified`.
    pub trusts_email_domains: bool,
    /// The claim whose values are mapped to roles; absent if the provider does not manage roles.
    pub role_claim: Option<String>,
    /// The roles of the values of `role_claim`. The first matching entry applies.
    pub role_mapping: Vec<RoleMapping>,
    /// The role without a matching entry; absent means that such a person is refused.
    pub default_role: Option<Role>,
    /// Whether members can sign in with the provider.
    pub is_enabled: bool,
    /// The redirect URI to register at the provider.
    pub redirect_uri: String,
    /// The back-channel logout URI to register at the provider.
    pub backchannel_logout_uri: String,
    /// The post-logout redirect URI to register at the provider.
    pub post_logout_redirect_uri: String,
    /// The time at which the provider was created.
    pub created_at: Timestamp,
    /// The time of the last change.
    pub updated_at: Timestamp,
}

/// A value of the role claim with its role.
#[wire(Eq, FromJson)]
pub struct RoleMapping {
    /// A value of the role claim, such as the name of a group.
    #[json(with = name)]
    pub value: String,
    /// The role of a person with this value.
    pub role: Role,
}

/// The body of `POST /v1/admin/identity-providers`.
#[body(derive_more::Debug, Eq)]
#[debug("IdentityProviderDraft {{ name: {name:?}, .. }}")]
pub struct IdentityProviderDraft {
    /// The name on the sign-in button, 1 to 100 characters.
    #[json(with = text(1, 100))]
    pub name: String,
    /// The issuer, exactly as the provider announces it: an `https://` address.
    #[json(with = text(1, 2_048))]
    pub issuer: String,
    /// The ID of Govern at the provider.
    #[json(with = text(1, 255))]
    pub client_id: String,
    /// The client secret; absent for a client that uses only PKCE.
    #[json(with = text(1, 1_000))]
    pub client_secret: Option<String>,
    /// The scopes to request in addition to `openid`; absent means `email` and `profile`.
    #[json(with = list(20, scope))]
    pub scopes: Option<Vec<String>>,
    /// The domains of the email addresses that may sign in; absent or empty means all domains.
    #[json(with = list(100, domain))]
    pub email_domains: Option<Vec<String>>,
    /// Whether an address of `email_domains` counts as verified if the provider sends no `email_verified`; absent
    /// means `false`.
    pub trusts_email_domains: Option<bool>,
    /// The claim whose values are mapped to roles, such as `groups`; absent if the provider does not manage roles.
    #[json(with = text(1, 200))]
    pub role_claim: Option<String>,
    /// The roles of the values of `role_claim`. The first matching entry applies.
    #[json(with = list(ROLE_MAPPINGS_MAX, RoleMapping::from_json))]
    pub role_mapping: Option<Vec<RoleMapping>>,
    /// The role without a matching entry; absent means that such a person is refused.
    pub default_role: Option<Role>,
    /// Whether members can sign in with the provider; absent means `true`.
    pub is_enabled: Option<bool>,
}

/// The body of `PATCH /v1/admin/identity-providers/{id}`. Absent members are unchanged.
#[body(derive_more::Debug, Default, Eq)]
#[debug("IdentityProviderPatch {{ name: {name:?}, .. }}")]
#[json(nulls)]
pub struct IdentityProviderPatch {
    /// The name on the sign-in button, 1 to 100 characters.
    #[json(with = text(1, 100))]
    pub name: Option<String>,
    /// The ID of Govern at the provider.
    #[json(with = text(1, 255))]
    pub client_id: Option<String>,
    /// The client secret; `null` removes it.
    #[json(with = text(1, 1_000))]
    pub client_secret: FieldPatch<String>,
    /// The scopes to request in addition to `openid`.
    #[json(with = list(20, scope))]
    pub scopes: Option<Vec<String>>,
    /// The domains of the email addresses that may sign in; empty means all domains.
    #[json(with = list(100, domain))]
    pub email_domains: Option<Vec<String>>,
    /// Whether an address of `email_domains` counts as verified if the provider sends no `email_verified`.
    pub trusts_email_domains: Option<bool>,
    /// The claim whose values are mapped to roles; `null` if the provider does not manage roles.
    #[json(with = text(1, 200))]
    pub role_claim: FieldPatch<String>,
    /// The roles of the values of `role_claim`. The first matching entry applies.
    #[json(with = list(ROLE_MAPPINGS_MAX, RoleMapping::from_json))]
    pub role_mapping: Option<Vec<RoleMapping>>,
    /// The role without a matching entry; `null` means that such a person is refused.
    pub default_role: FieldPatch<Role>,
    /// Whether members can sign in with the provider.
    pub is_enabled: Option<bool>,
}

/// The result of reading the configuration of a provider.
#[wire(Eq)]
pub struct IdentityProviderTest {
    /// Whether members could sign in with this configuration.
    pub is_usable: bool,
    /// What is wrong; absent if the configuration is usable.
    pub problem: Option<String>,
    /// The number of keys that verify signatures of the provider.
    pub signing_keys: u32,
    /// Whether the provider announces a page that signs out.
    pub has_end_session: bool,
    /// Whether the provider announces back-channel logout.
    pub has_backchannel_logout: bool,
}

/// Reads a scope: characters that need no quotes in the `scope` parameter (RFC 6749, section 3.3).
fn scope(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<String> {
    if errors.describes(|| schema::string_pattern("^[!#-\\[\\]-~]{1,100}$")) {
        return None;
    }
    let scope = text(1, 100)(value, at, errors)?;
    let is_valid = scope.bytes().all(|byte| matches!(byte, b'!' | b'#'..=b'[' | b']'..=b'~'));
    if !is_valid {
        errors.push(at, "format", "must have only visible ASCII characters without quotes");
    }
    is_valid.then_some(scope)
}

/// Reads a domain of email addresses, such as `acme.example`, in lower case.
fn domain(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<String> {
    if errors.describes(|| schema::string_pattern("^[A-Za-z0-9.-]{1,253}$")) {
        return None;
    }
    let domain = text(1, 253)(value, at, errors)?.to_ascii_lowercase();
    let is_valid = domain.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".-".contains(&byte));
    if !is_valid {
        errors.push(at, "format", "must be a domain such as `acme.example`");
    }
    is_valid.then_some(domain)
}
