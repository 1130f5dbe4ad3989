//! Checks of the signing keys: their files, their age and their status in the trust registry.

use contract::time::Timestamp;
use governance::proof::{
    signing::{Purpose, StoredKey},
    trust_registry::SignedRegistry,
};

use super::Finding;
use crate::{
    command::keys::status,
    config::{Environment, ServeConfig, StoreConfig},
    key_file, keys,
};

const KEYS: &str = "keys";
const SECRET_KEY: &str = "secret key";
const REGISTRY: &str = "registry";

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;

/// The age after which a key should be replaced.
const KEY_AGE_DAYS: i64 = 365;

/// The remaining validity of the registry at which it should be renewed.
const REGISTRY_DAYS: i64 = 30;

/// Checks that the keys exist and are usable, without creating any.
pub(super) async fn check_files(
    store: &StoreConfig,
    serve: &ServeConfig,
    now: Timestamp,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut ages = Vec::new();
    let is_development = store.environment == Environment::Development;
    for purpose in needed(serve) {
        let finding = match current(store, purpose).await {
            Ok(Some(key)) => {
                ages.push((purpose, age_days(&key, now)));
                continue;
            }
            Ok(None) if is_development => Finding::warning(
                KEYS,
                format!("there is no {purpose} key"),
                "the service creates it at its next start",
            ),
            Ok(None) => Finding::failed(
                KEYS,
                format!("there is no {purpose} key"),
                "run `govern keys init` once, or copy the keys of another server",
            ),
            Err(error) => Finding::failed(
                KEYS,
                format!("the {purpose} key cannot be used: {error:#}"),
                "correct it; the service does not start",
            ),
        };
        findings.push(finding);
    }
    for (purpose, age) in &ages {
        if let Some(days) = age.filter(|days| *days > KEY_AGE_DAYS) {
            let message = format!("the {purpose} key is {days} days old");
            let action = "replace it (docs/TRUST.md, \"Rotate a key\")";
            findings.push(Finding::warning(KEYS, message, action));
        }
    }
    if findings.is_empty() {
        let oldest = ages.iter().filter_map(|(_, age)| *age).max().unwrap_or_default();
        let message = format!("{} keys, the oldest of {oldest} days", ages.len());
        findings.push(Finding::ok(KEYS, message));
    }
    findings.push(secret_key(store));
    findings
}

/// Returns the purposes whose keys the service needs.
fn needed(serve: &ServeConfig) -> impl Iterator<Item = Purpose> + use<> {
    let has_rekor = serve.rekor_url.is_some();
    Purpose::ALL.into_iter().filter(move |purpose| *purpose != Purpose::Rekor || has_rekor)
}

async fn current(store: &StoreConfig, purpose: Purpose) -> anyhow::Result<Option<StoredKey>> {
    let provider = keys::provider(store)?;
    let keys = provider.keys(purpose).await.map_err(|cause| anyhow::anyhow!("{cause}"))?;
    Ok(keys.into_iter().find(|key| key.is_current))
}

fn age_days(key: &StoredKey, now: Timestamp) -> Option<i64> {
    Some(now.millis().saturating_sub(key.created_at?.millis()) / DAY_MS)
}

/// Checks the file of the secret key, which digests API keys and encrypts webhook secrets.
fn secret_key(store: &StoreConfig) -> Finding {
    let file = key_file::secret_key_file(store);
    let is_missing = !file.exists();
    if store.secret_key_file.is_none() {
        if store.environment == Environment::Production {
            let action = "set it to a file with 32 bytes as hex; the service does not start";
            return Finding::failed(SECRET_KEY, "GOVERN_SECRET_KEY_FILE is not set", action);
        }
        if is_missing {
            let action = "the service creates it at its next start";
            return Finding::warning(SECRET_KEY, "there is no secret key", action);
        }
    }
    match key_file::pepper(store) {
        Ok(_) => {
            let name = file.display();
            Finding::ok(SECRET_KEY, format!("`{name}` is readable by its owner only"))
        }
        Err(error) => {
            let action = if is_missing {
                "restore the file from a backup: without it, no API key is accepted"
            } else {
                "correct it; the service does not start"
            };
            Finding::failed(SECRET_KEY, format!("{error:#}"), action)
        }
    }
}

/// Checks the trust registry: its validity, and that it lists the current keys as active.
pub(super) async fn check_registry(
    store: &StoreConfig,
    serve: &ServeConfig,
    newest: Option<&SignedRegistry>,
    now: Timestamp,
) -> Vec<Finding> {
    let Some(newest) = newest else {
        let message = "there is no trust registry, so bundles prove less";
        return vec![Finding::warning(
            REGISTRY,
            message,
            "run `govern trust init` (docs/TRUST.md)",
        )];
    };
    let mut findings = vec![of_validity(newest.registry.version, newest.registry.expires_at, now)];
    for purpose in needed(serve).filter(|purpose| *purpose != Purpose::Rekor) {
        let Ok(Some(key)) = current(store, purpose).await else { continue };
        let listed = status(Some(newest), purpose, key.material.kid());
        // The key of a log that has no tree yet is listed with its tree.
        let is_expected = listed == "active" || (purpose == Purpose::Log && listed == "unlisted");
        if !is_expected {
            let message = format!("the {purpose} key is {listed} in the trust registry");
            let action =
                "run `govern trust rotate` with the root keys; verifiers reject what it signs";
            findings.push(Finding::failed(REGISTRY, message, action));
        }
    }
    findings
}

fn of_validity(version: u32, expires_at: Timestamp, now: Timestamp) -> Finding {
    let days = expires_at.millis().saturating_sub(now.millis()).div_euclid(DAY_MS);
    let action = "run `govern trust rotate` with the root keys, which renews it";
    if days < 0 {
        let message = format!("version {version} of the trust registry expired at {expires_at}");
        Finding::failed(REGISTRY, message, action)
    } else if days < REGISTRY_DAYS {
        let message = format!("version {version} of the trust registry expires in {days} days");
        Finding::warning(REGISTRY, message, action)
    } else {
        Finding::ok(REGISTRY, format!("version {version} is valid for {days} days"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::Status;

    #[test]
    fn validity_of_the_registry_is_reported_before_it_ends() {
        let now: Timestamp = "2026-11-28T12:00:00.000Z".parse().unwrap();
        for (hours, status) in [
            (24 * 365, Status::Ok),
            (24 * 30, Status::Ok),
            (24 * 30 - 1, Status::Warning),
            (1, Status::Warning),
            (-1, Status::Failed),
        ] {
            let expires_at = now.plus_millis(hours * 60 * 60 * 1_000);
            assert_eq!(of_validity(3, expires_at, now).status, status, "{hours} hours");
        }
    }
}
