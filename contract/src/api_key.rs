//! API keys: bearer credentials of a tenant's programs.

use crate::{
    id::{ApiKeyId, TenantId},
    json::Value,
    read::{FieldErrors, JsonPath, name, schema, unique_list},
    scope::Scope,
    time::Timestamp,
};

/// An API key, without its secret.
#[wire(Eq)]
pub struct ApiKey {
    /// The ID of the API key.
    pub id: ApiKeyId,
    /// The tenant of the key.
    pub tenant_id: TenantId,
    /// The name of the key. Audit events show this name.
    pub name: String,
    /// A preview to distinguish keys: the fixed prefix, an ellipsis and the last few characters.
    pub key_preview: String,
    /// The scopes of the key.
    pub scopes: Vec<Scope>,
    /// The time at which the key expires; `null` if it does not expire.
    #[wire(null, required)]
    pub expires_at: Option<Timestamp>,
    /// The time of the last use, to the minute; `null` before the first use.
    #[wire(null, required)]
    pub last_used_at: Option<Timestamp>,
    /// Whether the key is not revoked. Expiry does not change this value; see `expires_at`.
    pub is_active: bool,
    /// The time at which the key was created.
    pub created_at: Timestamp,
    /// The ID of the user or API key that created the key, or of the user who took it over in a transfer.
    /// `null` for a key that the command line created before owners were required.
    #[wire(null, required)]
    pub created_by: Option<String>,
    /// The time at which the key was revoked; `null` if it is not revoked.
    #[wire(null, required)]
    pub revoked_at: Option<Timestamp>,
    /// The ID of the user or API key that revoked the key; `null` if the command line did.
    #[wire(null, required)]
    pub revoked_by: Option<String>,
}

/// The body of `POST /v1/api-keys`.
#[body(Eq)]
pub struct ApiKeyDraft {
    /// The name of the key, 1 to 200 characters.
    #[json(with = name)]
    pub name: String,
    /// At least one scope, each once. Every scope except `tenants:provision` is allowed. An API key can
    /// create keys with a subset of its own scopes only.
    #[json(with = unique_list(Scope::ALL.len(), scope))]
    pub scopes: Vec<Scope>,
    /// The expiry time, in the future. Absent or `null` means that the key does not expire. A key that
    /// expires can only create keys that expire no later.
    pub expires_at: Option<Timestamp>,
}

/// Reads a scope that can be granted.
fn scope(value: &Value, at: &JsonPath<'_>, errors: &mut FieldErrors) -> Option<Scope> {
    let grantable = || Scope::ALL.iter().filter(|scope| scope.is_grantable());
    let schema = || schema::string_enum(grantable().map(|scope| scope.as_str()));
    let known = || grantable().map(|scope| scope.as_str()).collect::<Vec<_>>().join(", ");
    let error = || ("enum", format!("must be one of {}", known()));
    let scope: Scope = errors.accept(at, schema, || value.as_str()?.parse().ok(), error)?;
    if !scope.is_grantable() {
        errors.push(at, "not_grantable", format!("`{scope}` cannot be granted to a tenant's key"));
        return None;
    }
    Some(scope)
}

/// A created API key. The plaintext is shown only once.
#[wire(derive_more::Debug, Eq)]
#[debug("ApiKeyCreated {{ key: {key:?}, .. }}")]
pub struct ApiKeyCreated {
    /// The created key.
    pub key: ApiKey,
    /// The bearer token: `svc_` and a base64url token. Only its digest is stored.
    pub plaintext_key: String,
}
