//! The first start in development: creates a tenant, an admin and a key, and saves their credentials.

use std::path::PathBuf;

use anyhow::{Result, anyhow};
use governance::{
    Governance,
    access::operator::{self, Bootstrap},
    demo,
};
use serde::{Deserialize, Serialize};

use crate::{
    config::{Environment, ServeConfig, StoreConfig},
    key_file::FIRST_RUN,
};

/// The credentials of the first start, saved in the data directory and readable by its owner only.
#[derive(Debug, Serialize, Deserialize)]
pub struct FirstRun {
    pub url: String,
    /// The email address of the admin.
    pub email: String,
    pub password: String,
    pub tenant_id: String,
    /// An API key with every scope that can be granted.
    pub api_key: String,
}

pub fn file(store: &StoreConfig) -> PathBuf {
    store.data_dir.join(FIRST_RUN)
}

/// Creates the first tenant of an empty database in development, and fills it with the demo if requested.
/// Returns the credentials if they were created now. In production it does nothing, because `govern
/// bootstrap` creates the tenant there.
///
/// The credentials are saved before the tenant is created. If the process is killed in between, the file
/// exists without a tenant and the next start replaces it. Every tenant therefore has saved credentials.
///
/// # Errors
/// Returns an error if the database is unavailable or the data directory cannot be written.
pub async fn prepare(
    governance: &Governance,
    store: &StoreConfig,
    serve: &ServeConfig,
) -> Result<Option<FirstRun>> {
    if store.environment != Environment::Development {
        return Ok(None);
    }
    let created = if operator::is_empty(governance).await? {
        Some(Box::pin(bootstrap(governance, store, serve)).await?)
    } else {
        None
    };
    if serve.demo
        && let Some(saved) = read(store)?
    {
        Box::pin(demo::fill(governance, saved.tenant_id.parse()?, &saved.api_key)).await?;
    }
    Ok(created)
}

async fn bootstrap(
    governance: &Governance,
    store: &StoreConfig,
    serve: &ServeConfig,
) -> Result<FirstRun> {
    let password = operator::random_password(governance.entropy());
    let start = Bootstrap {
        tenant: "Acme".to_owned(),
        email: "admin@acme.example".to_owned(),
        password: password.clone(),
    };
    let plan = operator::plan(governance, start).await?;
    let outcome = plan.result();
    let first_run = FirstRun {
        url: serve.url(),
        email: outcome.email.clone(),
        password,
        tenant_id: outcome.tenant_id.to_string(),
        api_key: outcome.api_key.plaintext_key.clone(),
    };
    private_file::write(&file(store), &serde_json::to_string_pretty(&first_run)?)?;
    operator::bootstrap(governance, plan).await?;
    Ok(first_run)
}

/// Reads the saved credentials, if the file exists.
fn read(store: &StoreConfig) -> Result<Option<FirstRun>> {
    let path = file(store);
    let Some(file) = private_file::read(&path)? else { return Ok(None) };
    let first_run = serde_json::from_str(&file.text);
    first_run.map(Some).map_err(|error| anyhow!("{}: {error}", path.display()))
}

/// Returns the hint for a database without a tenant.
///
/// # Errors
/// Returns an error if the database is unavailable.
pub async fn hint(governance: &Governance) -> Result<Option<&'static str>> {
    Ok(operator::is_empty(governance).await?.then_some(
        "No tenant exists; create one with `govern bootstrap --tenant NAME --email ADDRESS`.",
    ))
}

/// Returns the message after a start: the credentials if this start created them, and otherwise the path of
/// their file. In production it contains no credentials.
pub fn greeting(store: &StoreConfig, serve: &ServeConfig, created: Option<&FirstRun>) -> String {
    let url = serve.url();
    let path = file(store);
    let Some(created) = created else {
        let is_saved = store.environment == Environment::Development && path.exists();
        let saved_note = if is_saved {
            format!("\n\n  The credentials of the first start are in {}.", path.display())
        } else {
            String::new()
        };
        return format!("\n  Govern is ready at {url}{saved_note}\n");
    };
    format!(
        "\n  Govern is ready at {url}\n\n    email     {}\n    password  {}\n    tenant    {}\n    \
         API key   {}\n\n  These credentials are shown once and stored in {}.\n",
        created.email,
        created.password,
        created.tenant_id,
        created.api_key,
        path.display(),
    )
}
