//! `govern key`: API keys of tenants, and operator keys.

use anyhow::Result;
use clap::{Args, Subcommand};
use contract::{
    api_key::ApiKey,
    id::{ApiKeyId, TenantId},
    scope::Scope,
    time::Timestamp,
};
use governance::{
    Governance, PageRequest,
    access::operator::key::{self, KeyRequest, OperatorKeyRecord},
};
use serde::Serialize;
use serde_json::json;

use crate::{
    command::admin::{CommandResult, OutputForm, open, output, parse_timestamp, print_line},
    config::StoreConfig,
};
use local_postgres::OwnerKind;

/// `govern key`.
#[derive(Debug, Subcommand)]
pub enum KeyCommand {
    /// Create an API key of a tenant.
    Create {
        /// The ID of the tenant.
        #[arg(long)]
        tenant: TenantId,
        /// The name of the key.
        #[arg(long)]
        name: String,
        /// The email address of the member who owns the key. The key is revoked when the member is removed or
        /// loses rights.
        #[arg(long)]
        owner: String,
        /// The scopes of the key, separated by commas.
        #[arg(long, value_delimiter = ',', value_parser = scope, required = true)]
        scopes: Vec<Scope>,
        /// The time at which the key expires, in RFC 3339 format.
        #[arg(long, value_parser = parse_timestamp)]
        expires_at: Option<Timestamp>,
        #[command(flatten)]
        json: OutputForm,
    },
    /// Create an operator key, which can create tenants and belongs to no tenant.
    CreateOperator {
        /// The name of the key.
        #[arg(long)]
        name: String,
        #[command(flatten)]
        json: OutputForm,
    },
    /// List keys, newest first, including revoked ones.
    List {
        /// The owner of the keys.
        #[command(flatten)]
        owner: KeyOwner,
        #[command(flatten)]
        json: OutputForm,
    },
    /// Revoke a key immediately and permanently.
    Revoke {
        /// The owner of the key.
        #[command(flatten)]
        owner: KeyOwner,
        /// The ID of the key.
        #[arg(long)]
        id: ApiKeyId,
        #[command(flatten)]
        json: OutputForm,
    },
}

/// The owner of keys.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct KeyOwner {
    /// The keys of the tenant with this ID.
    #[arg(long)]
    tenant: Option<TenantId>,
    /// The operator keys.
    #[arg(long)]
    operator: bool,
}

fn scope(text: &str) -> Result<Scope, String> {
    text.parse().map_err(|()| "is not a scope".to_owned())
}

/// A key in the output.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum KeyRecord {
    Tenant(ApiKey),
    Operator(OperatorKeyRecord),
}

impl KeyRecord {
    fn line(&self) -> String {
        let (id, preview, name, scopes, revoked_at) = match self {
            Self::Tenant(key) => (key.id, &key.key_preview, &key.name, &key.scopes, key.revoked_at),
            Self::Operator(key) => {
                (key.id, &key.key_preview, &key.name, &key.scopes, key.revoked_at)
            }
        };
        let scopes: Vec<&str> = scopes.iter().map(|scope| scope.as_str()).collect();
        let revoked = revoked_at.map(|at| format!(", revoked {at}")).unwrap_or_default();
        format!("{id}  {preview}  {name}: {}{revoked}", scopes.join(","))
    }
}

pub(crate) async fn run(store: StoreConfig, command: KeyCommand) -> Result<()> {
    let service = open(&store, OwnerKind::Command).await?;
    let line = execute(&service.governance, command).await;
    service.close().await?;
    print_line(&line?)
}

/// Returns the output of the command.
async fn execute(governance: &Governance, command: KeyCommand) -> CommandResult<String> {
    Ok(match command {
        KeyCommand::Create { tenant, name, owner, scopes, expires_at, json } => {
            let request = KeyRequest { name: &name, owner: &owner, scopes: &scopes, expires_at };
            let created = key::create_key(governance, tenant, request).await?;
            output(json, &json!(created), || created.plaintext_key.clone())?
        }
        KeyCommand::CreateOperator { name, json } => {
            let created = key::create_for_operator(governance, &name).await?;
            output(json, &json!(created), || created.plaintext_key.clone())?
        }
        KeyCommand::List { owner, json } => {
            let items = list(governance, &owner).await?;
            let lines = || items.iter().map(KeyRecord::line).collect::<Vec<_>>().join("\n");
            output(json, &json!({"items": items}), lines)?
        }
        KeyCommand::Revoke { owner, id, json } => {
            let record = match owner.tenant {
                Some(tenant) => KeyRecord::Tenant(key::revoke_key(governance, tenant, id).await?),
                None => KeyRecord::Operator(key::revoke_of_operator(governance, id).await?),
            };
            output(json, &json!(record), || record.line())?
        }
    })
}

/// Returns all keys of a tenant, page by page, or all operator keys.
async fn list(governance: &Governance, owner: &KeyOwner) -> governance::Result<Vec<KeyRecord>> {
    let Some(tenant) = owner.tenant else {
        let keys = key::list_of_operator(governance).await?;
        return Ok(keys.into_iter().map(KeyRecord::Operator).collect());
    };
    let mut keys = Vec::new();
    let mut page = PageRequest { limit: contract::pagination::LIMIT_MAX, cursor: None };
    loop {
        let next_page = key::list_keys(governance, tenant, &page).await?;
        keys.extend(next_page.items.into_iter().map(KeyRecord::Tenant));
        match next_page.next_cursor {
            Some(cursor) => page.cursor = Some(cursor),
            None => return Ok(keys),
        }
    }
}
