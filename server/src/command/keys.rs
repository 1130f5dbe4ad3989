//! `govern keys`: the keys that sign, in their key provider.

use anyhow::{Result, anyhow};
use clap::Subcommand;
use contract::time::Timestamp;
use governance::{
    signing::{KeyProvider, Purpose, StoredKey},
    trust::{self, KeyStatus, SignedRegistry},
};
use serde::Serialize;

use crate::{
    command::admin::{open_with, tell, told},
    config::StoreConfig,
    database::Tenure,
    keys,
};

/// `govern keys`.
#[derive(Debug, Subcommand)]
pub enum KeysCommand {
    /// Make the keys that are missing.
    Init {
        /// Only the key of this purpose.
        #[arg(long, value_parser = purpose)]
        purpose: Option<Purpose>,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// List the keys of the provider, with their status in the trust registry.
    List {
        /// Only the keys of this purpose.
        #[arg(long, value_parser = purpose)]
        purpose: Option<Purpose>,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// Make a new key, and retain the one before it as a retired key. Processes sign with it after their
    /// next start.
    Rotate {
        /// Only the key of this purpose; without it, the keys of all purposes.
        #[arg(long, value_parser = purpose)]
        purpose: Option<Purpose>,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
}

fn purpose(text: &str) -> Result<Purpose, String> {
    let known = || Purpose::ALL.map(Purpose::as_str).join(", ");
    Purpose::ALL
        .into_iter()
        .find(|purpose| purpose.as_str() == text)
        .ok_or_else(|| format!("must be one of {}", known()))
}

/// A key as it is printed.
#[derive(Debug, Serialize)]
struct KeyRecord {
    purpose: &'static str,
    kid: String,
    provider: &'static str,
    location: String,
    /// Whether processes sign with it after their next start.
    is_current: bool,
    /// In the trust registry: `active`, `retired`, `revoked` or `unlisted`. Absent where the registry was
    /// not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    created_at: Option<Timestamp>,
}

/// The JSON object that is printed.
#[derive(Debug, Serialize)]
struct KeyRecords {
    items: Vec<KeyRecord>,
    /// What to do next.
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
        let place = if self.is_current { "current" } else { "replaced" };
        let status = self.status.map(|status| format!("  {status}")).unwrap_or_default();
        let created = self.created_at.map(|at| format!("  {at}")).unwrap_or_default();
        let Self { purpose, kid, provider, location, .. } = self;
        format!("{purpose}  {kid}  {place}{status}  {provider}{created}  {location}")
    }
}

impl KeyRecords {
    fn words(&self) -> String {
        let lines = self.items.iter().map(KeyRecord::line);
        let next = self.next.iter().map(|next| format!("next: {next}"));
        lines.chain(next).collect::<Vec<_>>().join("\n")
    }
}

pub(crate) async fn run(store: StoreConfig, command: KeysCommand) -> Result<()> {
    let provider = keys::provider(&store)?;
    let (json, records) = match command {
        KeysCommand::Init { purpose, json } => {
            let made = keys::create_missing(provider.as_ref(), &chosen(purpose)).await?;
            (json, records(provider.as_ref(), &made, |_, _| None, next_after_init(&made)).await?)
        }
        KeysCommand::List { purpose, json } => {
            let opened = open_with(&store, Tenure::Command, None).await?;
            let newest = trust::newest(&opened.governance).await;
            opened.close().await?;
            let newest = newest.map_err(told)?;
            let newest = newest.as_deref();
            let status = |purpose, kid: &str| Some(status(newest, purpose, kid));
            (json, records(provider.as_ref(), &chosen(purpose), status, Vec::new()).await?)
        }
        KeysCommand::Rotate { purpose, json } => {
            let purposes = chosen(purpose);
            for purpose in purposes.iter().copied() {
                let unmade = |cause| anyhow!("the {purpose} key cannot be made: {cause}");
                provider.renew(purpose).await.map_err(unmade)?;
            }
            (json, records(provider.as_ref(), &purposes, |_, _| None, next_after(&purposes)).await?)
        }
    };
    tell(json, &records, || records.words())
}

fn chosen(purpose: Option<Purpose>) -> Vec<Purpose> {
    purpose.map_or_else(|| Purpose::ALL.to_vec(), |purpose| vec![purpose])
}

/// The keys of `purposes`, with the status that `status` finds for a purpose and a key id.
async fn records(
    provider: &dyn KeyProvider,
    purposes: &[Purpose],
    status: impl Fn(Purpose, &str) -> Option<&'static str>,
    next: Vec<&'static str>,
) -> Result<KeyRecords> {
    let mut items = Vec::new();
    for purpose in purposes.iter().copied() {
        let unusable = |cause| anyhow!("the {purpose} key cannot be used: {cause}");
        for key in provider.keys(purpose).await.map_err(unusable)? {
            items.push(KeyRecord::new(&key, status(purpose, key.material.kid())));
        }
    }
    Ok(KeyRecords { items, next })
}

/// The status of a key in the newest version of the registry.
fn status(registry: Option<&SignedRegistry>, purpose: Purpose, kid: &str) -> &'static str {
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

fn next_after_init(made: &[Purpose]) -> Vec<&'static str> {
    let signs = made.iter().any(|purpose| !purpose.payload_types().is_empty());
    if signs {
        vec![
            "`govern trust init` lists the keys in the trust registry, or `govern trust rotate` where there is one",
        ]
    } else {
        Vec::new()
    }
}

fn next_after(purposes: &[Purpose]) -> Vec<&'static str> {
    let mut next = Vec::new();
    if purposes.iter().any(|purpose| !purpose.payload_types().is_empty()) {
        next.extend([
            "`govern trust rotate` lists the new keys in the trust registry; then restart the service",
            "`govern trust rotate --retire` once no process signs with a replaced key; then delete its private half",
        ]);
    }
    if purposes.contains(&Purpose::Log) {
        next.push("`govern log freeze` begins a tree with the new log key, and `govern trust rotate` lists it");
    }
    if purposes.contains(&Purpose::Rekor) {
        next.push("restart the service to sign entries at Rekor with the new key");
    }
    next
}
