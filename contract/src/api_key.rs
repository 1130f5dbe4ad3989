//! API keys: what programs of a tenant call with.

use serde::{Deserialize, Serialize};

use crate::{
    id::{ApiKeyId, TenantId},
    json::Value,
    read::{At, Errors, Members, Read, distinct, instant, name, schema},
    scope::Scope,
    time::Timestamp,
};

/// An API key, without its secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ApiKey {
    /// The id.
    pub id: ApiKeyId,
    /// Its tenant.
    pub tenant_id: TenantId,
    /// What people call it; audit trails name it so.
    pub name: String,
    /// Enough to tell keys apart: the fixed prefix, an ellipsis, the last few characters.
    pub key_preview: String,
    /// What it may do.
    pub scopes: Vec<Scope>,
    /// From then on it is refused; `null` when it does not expire.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub expires_at: Option<Timestamp>,
    /// When it was last used, to the minute; `null` before its first use.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub last_used_at: Option<Timestamp>,
    /// Whether it has not been revoked. Expiry is told by `expires_at` alone.
    pub is_active: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// The person or the key that made it; after a transfer the person who took it over; `null` for a key
    /// that the command line made before owners were required.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub created_by: Option<String>,
    /// When it was revoked; `null` while it is not.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub revoked_at: Option<Timestamp>,
    /// The person or the key that revoked it; `null` when the command line did.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub revoked_by: Option<String>,
}

/// The body of `POST /v1/api-keys`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ApiKeyDraft {
    /// 1 to 200 characters.
    pub name: String,
    /// At least one scope, each once; every one but `tenants:provision`. A key makes keys of a subset of its
    /// own scopes.
    pub scopes: Vec<Scope>,
    /// An instant in the future; absent or `null` when the key shall not expire. A key that expires makes
    /// keys that expire no later than itself.
    pub expires_at: Option<Timestamp>,
}

impl Read for ApiKeyDraft {
    fn read(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Self> {
        let mut members = Members::of(value, at, errors)?;
        let name = members.required("name", name);
        let scopes = members.required("scopes", distinct(Scope::ALL.len(), scope));
        let expires_at = members.optional("expires_at", instant);
        members.finish()?;
        Some(Self { name: name?, scopes: scopes?, expires_at })
    }
}

/// A scope that can be granted.
fn scope(value: &Value, at: &At<'_>, errors: &mut Errors) -> Option<Scope> {
    let grantable = || Scope::ALL.iter().filter(|scope| scope.grantable());
    if errors.describes(|| schema::words(grantable().map(|scope| scope.as_str()))) {
        return None;
    }
    let Some(scope) = value.as_str().and_then(|text| text.parse::<Scope>().ok()) else {
        let known: Vec<&str> = grantable().map(|scope| scope.as_str()).collect();
        errors.push(at, "enum", format!("must be one of {}", known.join(", ")));
        return None;
    };
    if !scope.grantable() {
        errors.push(at, "not_grantable", format!("`{scope}` cannot be granted to a tenant's key"));
        return None;
    }
    Some(scope)
}

/// A key that was just made, and the only sight of its plaintext.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ApiKeyCreated {
    /// The key.
    pub key: ApiKey,
    /// What callers send: `svc_` and a base64url token. Only its digest is kept.
    pub plaintext_key: String,
}

impl std::fmt::Debug for ApiKeyCreated {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ApiKeyCreated").field("key", &self.key).finish_non_exhaustive()
    }
}
