//! `govern keys`: signing keys and their key provider.

use anyhow::{Result, anyhow};
use clap::Subcommand;
use contract::time::Timestamp;
use governance::{
    ServiceOptions,
    proof::{
        signing::{Purpose, StoredKey},
        trust_registry::{self, KeyStatus, SignedRegistry},
    },
};
use serde::Serialize;

use crate::{
    command::admin::{OutputForm, command_error, open_with, print_result},
    config::StoreConfig,
    keys,
};
use local_postgres::OwnerKind;

/// `govern keys`.
#[derive(Debug, Subcommand)]
pub enum KeysCommand {
    /// Create the missing keys.
    Init {
        /// Only the key of this purpose.
        #[arg(long, value_parser = purpose)]
        purpose: Option<Purpose>,
        #[command(flatten)]
        json: OutputForm,
    },
    /// List the keys of the provider, with their status in the trust registry.
    List {
        /// Only the keys of this purpose.
        #[arg(long, value_parser = purpose)]
        purpose: Option<Purpose>,
        #[command(flatten)]
        json: OutputForm,
    },
    /// Create a new key and retain the previous one as a retired key. Processes sign with the new key after
    /// their next start.
    Rotate {
        /// Only the key of this purpose. Without it, the keys of all purposes.
        #[arg(long, value_parser = purpose)]
        purpose: Option<Purpose>,
        #[command(flatten)]
        json: OutputForm,
    },
}

fn purpose(text: &str) -> Result<Purpose, String> {
    Purpose::ALL
        .into_iter()
        .find(|purpose| purpose.as_str() == text)
        .ok_or_else(|| format!("must be one of {}", Purpose::ALL.map(Purpose::as_str).join(", ")))
}

/// A key in the output.
#[derive(Debug, Serialize)]
struct KeyRecord {
    purpose: &'static str,
    kid: String,
    provider: &'static str,
    location: String,
    /// Whether processes sign with it after their next start.
    is_current: bool,
    /// The status in the trust registry: `active`, `retired`, `revoked` or `unlisted`. Absent if the registry
    /// was not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    created_at: Option<Timestamp>,
}

/// The output as a JSON object.
#[derive(Debug, Serialize)]
struct KeyRecords {
    items: Vec<KeyRecord>,
    /// The next steps for the operator.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    next: Vec<&'static str>,
}

impl KeyRecord {
    fn new(key: &StoredKey, status: Option<&'static str>) -> Self {
        Self {
            purpose: key.purpose.as_str(),
            kid: key.material.kid().to_owned(),
            provider: key.provider,
            location: key.location.clone(),
            is_current: key.is_current,
            status,
            created_at: key.created_at,
        }
    }

    fn line(&self) -> String {
        let state = if self.is_current { "current" } else { "replaced" };
        let status = self.status.map(|status| format!("  {status}")).unwrap_or_default();
        let created = self.created_at.map(|at| format!("  {at}")).unwrap_or_default();
        let Self { purpose, kid, provider, location, .. } = self;
        format!("{purpose}  {kid}  {state}{status}  {provider}{created}  {location}")
    }
}

impl KeyRecords {
    fn text(&self) -> String {
        let lines = self.items.iter().map(KeyRecord::line);
        let next = self.next.iter().map(|next| format!("next: {next}"));
        lines.chain(next).collect::<Vec<_>>().join("\n")
    }
}

pub(crate) async fn run(store: StoreConfig, command: KeysCommand) -> Result<()> {
    let provider = keys::provider(&store)?;
    let mut registry = None;
    let (json, purposes, next) = match command {
        KeysCommand::Init { purpose, json } => {
            let purposes = selected_purposes(purpose);
            let created = keys::create_missing(provider.as_ref(), &purposes).await?;
            let next = next_after_init(&created);
            (json, created, next)
        }
        KeysCommand::List { purpose, json } => {
            let options = ServiceOptions::default();
            let service = open_with(&store, OwnerKind::Command, None, options).await?;
            let newest = trust_registry::newest(&service.governance).await;
            service.close().await?;
            registry = Some(newest.map_err(command_error)?);
            (json, selected_purposes(purpose), Vec::new())
        }
        KeysCommand::Rotate { purpose, json } => {
            let purposes = selected_purposes(purpose);
            for purpose in purposes.iter().copied() {
                let create_error = |cause| anyhow!("the {purpose} key cannot be created: {cause}");
                provider.renew(purpose).await.map_err(create_error)?;
            }
            let next = next_after_rotation(&purposes);
            (json, purposes, next)
        }
    };
    let mut items = Vec::new();
    for purpose in purposes {
        let key_error = |cause| anyhow!("the {purpose} key cannot be used: {cause}");
        for key in provider.keys(purpose).await.map_err(key_error)? {
            let newest = registry.as_ref().map(Option::as_deref);
            let status = newest.map(|newest| status(newest, purpose, key.material.kid()));
            items.push(KeyRecord::new(&key, status));
        }
    }
    let records = KeyRecords { items, next };
    print_result(json, &records, || records.text())
}

fn selected_purposes(purpose: Option<Purpose>) -> Vec<Purpose> {
    purpose.map_or_else(|| Purpose::ALL.to_vec(), |purpose| vec![purpose])
}

/// Returns the status of a key in the newest version of the registry.
pub(crate) fn status(
    registry: Option<&SignedRegistry>,
    purpose: Purpose,
    kid: &str,
) -> &'static str {
    let Some(registry) = registry.map(|signed| &signed.registry) else { return "unlisted" };
    if purpose == Purpose::Log {
        let log = registry.logs.iter().find(|log| log.vkey.key().kid() == kid);
        return match log.map(|log| log.valid_until) {
            Some(None) => "active",
            Some(Some(_)) => "retired",
            None => "unlisted",
        };
    }
    match registry.key(kid).map(|key| &key.status) {
        Some(KeyStatus::Active) => "active",
        Some(KeyStatus::Retired) => "retired",
        Some(KeyStatus::Revoked { .. }) => "revoked",
        None => "unlisted",
    }
}

fn next_after_init(created: &[Purpose]) -> Vec<&'static str> {
    let has_listed_purpose = created.iter().any(|purpose| !purpose.payload_types().is_empty());
    if has_listed_purpose {
        vec![
            "run `govern trust init` to list the keys in the trust registry, or `govern trust rotate` if it exists",
        ]
    } else {
        Vec::new()
    }
}

fn next_after_rotation(purposes: &[Purpose]) -> Vec<&'static str> {
    let mut next = Vec::new();
    if purposes.iter().any(|purpose| !purpose.payload_types().is_empty()) {
        next.extend([
            "run `govern trust rotate` to list the new keys in the trust registry, then restart the service",
            "when no process signs with a replaced key, run `govern trust rotate --retire` and delete its private key",
        ]);
    }
    if purposes.contains(&Purpose::Log) {
        next.push("run `govern log freeze` to start a tree with the new log key, then `govern trust rotate` to list it");
    }
    if purposes.contains(&Purpose::Rekor) {
        next.push("restart the service to sign Rekor entries with the new key");
    }
    next
}
