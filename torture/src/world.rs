//! A service with two tenants, an active policy and pinned keys.

use std::{
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};
use contract::json::{Limits, Value as Json};
use receipt::key::PublicKey;
use serde_json::{Value, json};
use tempfile::TempDir;
use verify::{Trust, TrustDocument};

use crate::{
    http::{Client, request},
    service::Service,
};

const EMAIL: &str = "ratifier@torture.example";
const PASSWORD: &str = "four words of my own";

/// The amount above which the policy denies.
pub(crate) const AMOUNT_MAX: u64 = 500;

/// A tenant and an API key with every scope.
#[derive(Clone, Debug)]
pub(crate) struct Tenant {
    pub(crate) id: String,
    key: String,
}

impl Tenant {
    fn from_json(created: &Value, key: &str) -> Result<Self> {
        let text = |pointer| created.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
        let id = text("/tenant_id").context("a tenant without an ID")?;
        Ok(Self { id, key: text(key).context("a tenant without a key")? })
    }

    /// Returns the same tenant with another API key.
    pub(crate) fn with_key(&self, key: String) -> Self {
        Self { id: self.id.clone(), key }
    }

    /// Returns the headers of a request with the API key.
    pub(crate) fn headers(&self) -> String {
        format!("authorization: Bearer {}\r\n{}", self.key, self.tenant_header())
    }

    fn tenant_header(&self) -> String {
        format!("x-service-tenant-id: {}\r\n", self.id)
    }
}

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
        let mut service = Service::new(program, directory.path(), settings)?;
        service.start().await?;
        Self::of_service(service, directory).await
    }

    /// Creates the tenants and the policy in a running service, whose first start was on an empty database.
    pub(crate) async fn of_service(service: Service, directory: TempDir) -> Result<Self> {
        let first_run = std::fs::read(service.data().join("first-run.json"))?;
        let tenant = Tenant::from_json(&serde_json::from_slice(&first_run)?, "/api_key")?;
        let bootstrap = ["bootstrap", "--tenant", "Stranger", "--email", "admin@stranger.example"];
        let created =
            service.run(&[&bootstrap[..], &["--password", PASSWORD, "--json"]].concat()).await?;
        let stranger =
            Tenant::from_json(&serde_json::from_str(&created)?, "/api_key/plaintext_key")?;
        activate_policy(&service, &tenant).await?;
        let trust = service.run(&["trust", "show", "--trust-document"]).await?;
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
    let permissions = std::fs::Permissions::from_mode(0o755);
    Ok(tempfile::Builder::new().prefix("govern-torture.").permissions(permissions).tempdir()?)
}

/// Creates a policy for all decision types with the API key. A second person ratifies and activates
/// it.
async fn activate_policy(service: &Service, tenant: &Tenant) -> Result<()> {
    let member = ["user", "create", "--tenant", &tenant.id, "--email", EMAIL, "--role", "ratifier"];
    service.run(&[&member[..], &["--password", PASSWORD]].concat()).await?;
    let mut client = Client::new(service.address);
    let credentials = json!({"email": EMAIL, "password": PASSWORD}).to_string();
    let session = client.send(&request("POST", "/v1/session", "", Some(&credentials))).await?;
    let cookie = session.cookie.context("no cookie was set")?;
    let ratifier = format!("cookie: {cookie}\r\n{}", tenant.tenant_header());
    let author = tenant.headers();
    let policy = json!({
        "code": "TORTURE", "name": "Torture", "decision_types": [],
        "rules": [{
            "code": "AMOUNT", "name": "The amount is limited", "severity": "high",
            "rule_type": "threshold", "condition": {"field": "amount", "max": AMOUNT_MAX},
        }],
    });
    let created = request("POST", "/v1/policies", &author, Some(&policy.to_string()));
    let created: Value = client.send(&created).await?.json(201)?;
    let id = created.pointer("/policy/id").and_then(Value::as_str).context("no policy")?;
    let revision = json!({"expected_revision": 1}).to_string();
    for (headers, act, body) in [
        (&author, "submit", "{}"),
        (&ratifier, "ratify", revision.as_str()),
        (&ratifier, "activate", "{}"),
    ] {
        let path = format!("/v1/policies/{id}/versions/1/{act}");
        let response = client.send(&request("POST", &path, headers, Some(body))).await?;
        response.json::<Value>(200).with_context(|| path)?;
    }
    Ok(())
}

async fn signing_keys(service: &Service) -> Result<Vec<PublicKey>> {
    let get = request("GET", "/v1/.well-known/signing-keys", "", None);
    let response = Client::new(service.address).send(&get).await?;
    let jwks = Json::parse(&response.body, &Limits::BUNDLE_FILE)?;
    let keys = jwks.get("keys").and_then(Json::as_array).context("no keys")?;
    Ok(keys.iter().map(PublicKey::from_jwk).collect::<Result<_, _>>()?)
}
