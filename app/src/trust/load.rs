//! Data of the page with the published signing keys.

use contract::json::Value;
use governance::proof::trust_registry::{self, KeyStatus, RegistryKey, SignedRegistry};

use super::view::{KeyRow, KeyState, LogRow, Registry, TrustPage};
use crate::{
    problem::Problem,
    request::{governance, into_problem},
};

/// Returns the newest version of the trust registry or, without one, the keys that this service signs with.
pub(crate) async fn page() -> Result<TrustPage, Problem> {
    let governance = governance();
    if let Some(newest) = into_problem(trust_registry::newest(&governance).await)? {
        return Ok(registry_page(&newest));
    }
    let set = into_problem(trust_registry::signing_keys(&governance).await)?;
    let keys = set.get("keys").and_then(Value::as_array).unwrap_or_default();
    let kids = keys.iter().filter_map(|key| key.get("kid")?.as_str());
    Ok(TrustPage { keys: kids.map(key_without_registry).collect(), ..TrustPage::default() })
}

fn registry_page(newest: &SignedRegistry) -> TrustPage {
    let registry = &newest.registry;
    let logs = registry
        .logs
        .iter()
        .map(|log| LogRow { origin: log.vkey.name().to_owned(), vkey: log.vkey.to_string() });
    TrustPage {
        registry: Some(Registry {
            id: registry.registry_id.to_string(),
            version: registry.version,
            issued_at: registry.issued_at,
            expires_at: registry.expires_at,
            digest: newest.digest().to_string(),
            threshold: registry.root_threshold,
            roots: registry.root_keys.len(),
        }),
        keys: registry.keys.iter().map(row).collect(),
        logs: logs.collect(),
    }
}

fn row(key: &RegistryKey) -> KeyRow {
    KeyRow {
        kid: key.kid().to_owned(),
        purposes: key.purposes.clone(),
        state: match &key.status {
            KeyStatus::Active => KeyState::Active,
            KeyStatus::Retired => KeyState::Retired,
            KeyStatus::Revoked { revoked_at, reason, compromised_since } => KeyState::Revoked {
                at: *revoked_at,
                reason: reason.clone(),
                since: *compromised_since,
            },
        },
        from: Some(key.valid_from),
        until: key.valid_until,
    }
}

/// Returns a signing key of this process that no registry lists.
fn key_without_registry(kid: &str) -> KeyRow {
    KeyRow {
        kid: kid.to_owned(),
        purposes: Vec::new(),
        state: KeyState::Active,
        from: None,
        until: None,
    }
}
