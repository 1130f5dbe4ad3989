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

/// Makes the first tenant of an empty database in development, and fills it with the demo when asked to.
/// In production an empty database is left alone: there, `govern bootstrap` makes the tenant. Returns the
/// credentials if they were made now.
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
) -> Result<Option<FirstRun>> {
    if store.environment != Environment::Development {
        return Ok(None);
    }
    let made = if operator::is_empty(governance).await? {
        Some(Box::pin(bootstrap(governance, store, serve)).await?)
    } else {
        None
    };
    if serve.demo
        && let Some(told) = read(store)?
    {
        Box::pin(demo::fill(governance, told.tenant_id.parse()?, &told.api_key)).await?;
    }
    Ok(made)
}

async fn bootstrap(
    governance: &Governance,
    store: &StoreConfig,
    serve: &ServeConfig,
) -> Result<FirstRun> {
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
    Ok(told)
}

/// The kept credentials, if there are any.
fn read(store: &StoreConfig) -> Result<Option<FirstRun>> {
    let place = file(store);
    let Ok(text) = std::fs::read_to_string(&place) else { return Ok(None) };
    let told = serde_json::from_str(&text);
    told.map(Some).map_err(|error| anyhow!("{}: {error}", place.display()))
}

/// What is said of a store that holds no tenant.
const EMPTY: &str =
    "There is no tenant yet; make one with `govern bootstrap --tenant NAME --email ADDRESS`.";

/// How to come in for the first time, while nobody can.
///
/// # Errors
/// When the store is away.
pub async fn hint(governance: &Governance) -> Result<Option<&'static str>> {
    Ok(operator::is_empty(governance).await?.then_some(EMPTY))
}

/// Returns what a person reads when the service has started: the credentials at the start that made them,
/// and afterwards only where they are. In production there are none.
pub fn greeting(store: &StoreConfig, serve: &ServeConfig, made: Option<&FirstRun>) -> String {
    let url = serve.url();
    let place = file(store);
    let Some(made) = made else {
        let is_kept = store.environment == Environment::Development && place.exists();
        let kept = if is_kept {
            format!("\n\n  The credentials of the first start are in {}.", place.display())
        } else {
            String::new()
        };
        return format!("\n  Govern is ready at {url}{kept}\n");
    };
    format!(
        "\n  Govern is ready at {url}\n\n    e-mail    {}\n    password  {}\n    tenant    {}\n    \
         API key   {}\n\n  These are shown once and kept in {}.\n",
        made.email,
        made.password,
        made.tenant_id,
        made.api_key,
        place.display(),
    )
}
