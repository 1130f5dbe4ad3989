//! A service with two tenants, an active policy and pinned keys.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use contract::json::{Limits, Value as Json};
use harness::{Client, Ratifier, Request, Service, Tenant};
use receipt::key::PublicKey;
use serde_json::json;
use tempfile::TempDir;
use verify::{Trust, TrustDocument};

/// Settings of every service: no connection limit is reached, and the log has a name.
const SETTINGS: [(&str, &str); 2] =
    [("GOVERN_CONNECTIONS_PER_CLIENT", "100000"), ("GOVERN_LOG_ORIGIN", "torture.example/log/1")];

/// The amount above which the policy denies.
pub(crate) const AMOUNT_MAX: u64 = 500;

/// A running service, and what an auditor has to know about it.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) service: Service,
    /// The tenant whose decisions are recorded.
    pub(crate) tenant: Tenant,
    /// A tenant that must not see them.
    pub(crate) stranger: Tenant,
    /// The trust document of the operator, exported before the first fault.
    pub(crate) trust: Trust,
    /// The published signing keys before the first fault.
    pub(crate) keys: Vec<PublicKey>,
    directory: TempDir,
}

impl World {
    /// Starts a service on an empty database in a new directory, with additional settings.
    pub(crate) async fn create(program: &Path, settings: &[(&str, String)]) -> Result<Self> {
        Self::create_in(program, settings, directory()?).await
    }

    /// Starts a service on an empty database in `directory`.
    pub(crate) async fn create_in(
        program: &Path,
        settings: &[(&str, String)],
        directory: TempDir,
    ) -> Result<Self> {
        let service = self::service(program, directory.path(), settings)?;
        service.start()?;
        Self::of_service(service, directory).await
    }

    /// Creates the tenants and the policy in a running service, whose first start was on an empty database.
    pub(crate) async fn of_service(service: Service, directory: TempDir) -> Result<Self> {
        let tenant = Tenant::first(&service)?;
        let stranger = Tenant::create(&service, "Stranger", "admin@stranger.example")?;
        activate_policy(&service, &tenant)?;
        let trust = service.run(&["trust", "show", "--trust-document"])?;
        let trust = Trust::new(TrustDocument::read(trust.as_bytes())?)?;
        let keys = signing_keys(&service).await?;
        Ok(Self { service, tenant, stranger, trust, keys, directory })
    }

    /// Returns a directory next to the data directory.
    pub(crate) fn directory(&self, name: &str) -> Result<PathBuf> {
        let path = self.directory.path().join(name);
        std::fs::create_dir_all(&path)?;
        Ok(path)
    }
}

/// Creates a temporary directory that the user of the database can enter.
pub(crate) fn directory() -> Result<TempDir> {
    harness::directory("govern-torture.")
}

/// Returns a service in `directory` that is not started yet, with additional settings.
pub(crate) fn service(
    program: &Path,
    directory: &Path,
    settings: &[(&str, String)],
) -> Result<Service> {
    let own = SETTINGS.map(|(name, value)| (name, value.to_owned()));
    Service::new(program, directory, &[&own[..], settings].concat())
}

/// Creates a policy for all decision types with the API key. A second person ratifies and activates
/// it.
fn activate_policy(service: &Service, tenant: &Tenant) -> Result<()> {
    let policy = json!({
        "code": "TORTURE", "name": "Torture", "decision_types": [],
        "rules": [{
            "code": "AMOUNT", "name": "The amount is limited", "severity": "high",
            "rule_type": "threshold", "condition": {"field": "amount", "max": AMOUNT_MAX},
        }],
    });
    Ratifier::create(service, tenant)?.activate(tenant, &policy).map(drop)
}

async fn signing_keys(service: &Service) -> Result<Vec<PublicKey>> {
    let get = Request::new("GET", "/v1/.well-known/signing-keys", "", None);
    let response = Client::new(service.address).send(&get).await?;
    let jwks = Json::parse(&response.decoded_body()?, &Limits::BUNDLE_FILE)?;
    let keys = jwks.get("keys").and_then(Json::as_array).context("no keys")?;
    Ok(keys.iter().map(PublicKey::from_jwk).collect::<Result<_, _>>()?)
}
