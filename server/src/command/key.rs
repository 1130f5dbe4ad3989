//! `govern key`: the API keys of tenants, and the operator's own.

use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use contract::{
    api_key::ApiKey,
    id::{ApiKeyId, TenantId},
    scope::Scope,
    time::Timestamp,
};
use governance::{
    Governance, PageRequest,
    operator::key::{self, KeyRequest, OperatorKeyRecord},
};
use serde::Serialize;

use crate::{
    command::admin::{open, tell, told},
    config::StoreConfig,
    database::Tenure,
};

/// `govern key`.
#[derive(Debug, Subcommand)]
pub enum KeyCommand {
    /// Make an API key of a tenant.
    Create {
        /// The tenant's id.
        #[arg(long)]
        tenant: TenantId,
        /// The key's name.
        #[arg(long)]
        name: String,
        /// The e-mail address of the member for whom the key acts. It is revoked when that member is removed or
        /// loses rights.
        #[arg(long)]
        owner: String,
        /// The key's scopes, separated by commas.
        #[arg(long, value_delimiter = ',', value_parser = scope, required = true)]
        scopes: Vec<Scope>,
        /// From then on the key is refused: an RFC 3339 instant.
        #[arg(long, value_parser = instant)]
        expires_at: Option<Timestamp>,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// Make an operator's key, which makes tenants and belongs to none.
    CreateOperator {
        /// The key's name.
        #[arg(long)]
        name: String,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// List keys, revoked ones too, newest first.
    List {
        /// Whose key it is.
        #[command(flatten)]
        of: Whose,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// Revoke a key, at once and for good.
    Revoke {
        /// Whose key it is.
        #[command(flatten)]
        of: Whose,
        /// The key's id.
        #[arg(long)]
        id: ApiKeyId,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
}

/// Whose keys are meant.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct Whose {
    /// Those of the tenant with this id.
    #[arg(long)]
    tenant: Option<TenantId>,
    /// The operator's own.
    #[arg(long)]
    operator: bool,
}

fn scope(text: &str) -> Result<Scope, String> {
    text.parse().map_err(|()| "is no scope".to_owned())
}

fn instant(text: &str) -> Result<Timestamp, String> {
    text.parse().map_err(|_| "must be an RFC 3339 date-time with an offset".to_owned())
}

/// A key as the command line tells of it.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Record {
    OfTenant(ApiKey),
    OfOperator(OperatorKeyRecord),
}

/// What `govern key list` prints.
#[derive(Debug, Serialize)]
struct Records {
    items: Vec<Record>,
}

impl Record {
    fn line(&self) -> String {
        let (id, preview, name, scopes, revoked_at) = match self {
            Self::OfTenant(key) => {
                (key.id, &key.key_preview, &key.name, &key.scopes, key.revoked_at)
            }
            Self::OfOperator(key) => {
                (key.id, &key.key_preview, &key.name, &key.scopes, key.revoked_at)
            }
        };
        let scopes: Vec<&str> = scopes.iter().map(|scope| scope.as_str()).collect();
        let revoked = revoked_at.map(|at| format!(", revoked {at}")).unwrap_or_default();
        format!("{id}  {preview}  {name}: {}{revoked}", scopes.join(","))
    }
}

pub(crate) async fn run(store: StoreConfig, command: KeyCommand) -> Result<()> {
    let opened = open(&store, Tenure::Command).await?;
    let answer = answer(&opened.governance, command).await;
    opened.close().await?;
    let (json, text, words) = answer?;
    tell(json, &text, || words)
}

/// Whether the answer is wanted as JSON, and how it reads in both forms.
type Answer = (bool, serde_json::Value, String);

async fn answer(governance: &Governance, command: KeyCommand) -> Result<Answer> {
    match command {
        KeyCommand::Create { tenant, name, owner, scopes, expires_at, json } => {
            let request = KeyRequest { name: &name, owner: &owner, scopes: &scopes, expires_at };
            let made = key::create_key(governance, tenant, request).await.map_err(told)?;
            Ok((json, value(&made)?, made.plaintext_key))
        }
        KeyCommand::CreateOperator { name, json } => {
            let made = key::create_for_operator(governance, &name).await.map_err(told)?;
            Ok((json, value(&made)?, made.plaintext_key))
        }
        KeyCommand::List { of, json } => {
            let items = list(governance, &of).await.map_err(told)?;
            let lines: Vec<String> = items.iter().map(Record::line).collect();
            Ok((json, value(&Records { items })?, lines.join("\n")))
        }
        KeyCommand::Revoke { of, id, json } => {
            let record = match of.tenant {
                Some(tenant) => key::revoke_key(governance, tenant, id).await.map(Record::OfTenant),
                None => key::revoke_of_operator(governance, id).await.map(Record::OfOperator),
            };
            let record = record.map_err(told)?;
            Ok((json, value(&record)?, record.line()))
        }
    }
}

/// All keys of a tenant, page after page, or the operator's.
async fn list(governance: &Governance, of: &Whose) -> governance::Result<Vec<Record>> {
    let Some(tenant) = of.tenant else {
        let keys = key::list_of_operator(governance).await?;
        return Ok(keys.into_iter().map(Record::OfOperator).collect());
    };
    let mut keys = Vec::new();
    let mut page = PageRequest { limit: contract::page::LIMIT_MAX, cursor: None };
    loop {
        let read = key::list_keys(governance, tenant, &page).await?;
        keys.extend(read.items.into_iter().map(Record::OfTenant));
        match read.next_cursor {
            Some(cursor) => page.cursor = Some(cursor),
            None => return Ok(keys),
        }
    }
}

fn value<T: Serialize>(answer: &T) -> Result<serde_json::Value> {
    serde_json::to_value(answer).context("the answer cannot be written")
}
