//! The first start on an empty database: a tenant, an admin and a key, told once and kept.

use std::path::PathBuf;

use anyhow::{Result, anyhow};
use governance::{
    Governance, demo,
    operator::{self, Bootstrap},
};
use serde::{Deserialize, Serialize};

use crate::{
    config::{Environment, ServeConfig, StoreConfig},
    key_file::write_private,
};

/// How to come in; kept in the data folder, readable by its owner alone.
#[derive(Debug, Serialize, Deserialize)]
pub struct FirstRun {
    /// Where the service is.
    pub url: String,
    /// The admin's e-mail address.
    pub email: String,
    /// The admin's password.
    pub password: String,
    /// The tenant.
    pub tenant_id: String,
    /// A key with every scope that can be granted.
    pub api_key: String,
}

/// Where the credentials are kept.
pub fn file(store: &StoreConfig) -> PathBuf {
    store.data_dir.join("first-run.json")
}

/// Makes the first tenant of an empty database, and fills it with the demo when asked to. In production
/// nobody is let in by a password that a process made up: there, `govern bootstrap` makes the tenant.
///
/// The credentials are kept before the tenant is made: a process that is killed in between leaves a
/// file without a tenant, which the next start writes anew, but never a tenant that nobody can enter.
///
/// # Errors
/// When the store is away or the data folder cannot be written.
pub async fn prepare(
    governance: &Governance,
    store: &StoreConfig,
    serve: &ServeConfig,
) -> Result<()> {
    let is_ours = store.environment == Environment::Development;
    if is_ours && operator::is_empty(governance).await? {
        bootstrap(governance, store, serve).await?;
    }
    if serve.demo
        && let Some(told) = read(store)?
    {
        demo::fill(governance, told.tenant_id.parse()?, &told.api_key).await?;
    }
    Ok(())
}

async fn bootstrap(
    governance: &Governance,
    store: &StoreConfig,
    serve: &ServeConfig,
) -> Result<()> {
    let password = operator::random_password(governance.chance());
    let start = Bootstrap {
        tenant: "Acme".to_owned(),
        email: "admin@acme.example".to_owned(),
        password: password.clone(),
    };
    let plan = operator::plan(governance, start).await?;
    let made = plan.outcome();
    let told = FirstRun {
        url: serve.url(),
        email: made.email.clone(),
        password,
        tenant_id: made.tenant_id.to_string(),
        api_key: made.api_key.plaintext_key.clone(),
    };
    write_private(&file(store), &serde_json::to_string_pretty(&told)?)?;
    operator::bootstrap(governance, plan).await?;
    Ok(())
}

/// The kept credentials, if there are any.
fn read(store: &StoreConfig) -> Result<Option<FirstRun>> {
    let place = file(store);
    let Ok(text) = std::fs::read_to_string(&place) else { return Ok(None) };
    let told = serde_json::from_str(&text);
    told.map(Some).map_err(|error| anyhow!("{}: {error}", place.display()))
}

/// What is said of a store that holds no tenant.
const EMPTY: &str = "There is no tenant yet; make one with `govern bootstrap --tenant NAME --email \
                     ADDRESS --password PASSWORD`.";

/// How to come in for the first time, while nobody can.
///
/// # Errors
/// When the store is away.
pub async fn hint(governance: &Governance) -> Result<Option<&'static str>> {
    Ok(operator::is_empty(governance).await?.then_some(EMPTY))
}

/// What a person reads when the service has started.
///
/// # Errors
/// When the kept credentials cannot be read.
pub fn greeting(store: &StoreConfig, serve: &ServeConfig) -> Result<String> {
    let Some(told) = read(store)? else {
        return Ok(format!("\n  Govern is ready at {}\n", serve.url()));
    };
    Ok(format!(
        "\n  Govern is ready at {}\n\n    e-mail    {}\n    password  {}\n    tenant    {}\n    \
         API key   {}\n\n  These are kept in {}.\n",
        serve.url(),
        told.email,
        told.password,
        told.tenant_id,
        told.api_key,
        file(store).display(),
    ))
}
