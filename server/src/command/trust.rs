//! `govern trust`: issues and shows versions of the trust registry.

use std::{fmt::Write as _, path::PathBuf, sync::Arc};

use anyhow::{Result, anyhow};
use clap::{Args, Subcommand};
use contract::time::Timestamp;
use governance::{
    Governance, ServiceOptions,
    base::error::trust::registry_exists,
    proof::{
        transparency_log::Sequencer,
        trust_registry::{self, Revocation, RootChange, Rotation},
    },
};
use receipt::trust_registry::{KeyStatus, RegistryKey, SignedRegistry};

use crate::{
    background,
    command::admin::{CommandResult, OutputForm, open_with, parse_timestamp, print_line},
    config::{StoreConfig, log_origin_of},
    key_file, keys,
    rollback_guard_file::RollbackGuardFile,
    trust_startup,
};
use local_postgres::OwnerKind;

/// `govern trust`.
#[derive(Debug, Subcommand)]
pub enum TrustCommand {
    /// Issue the first version. Creates missing root keys; store them offline.
    Init {
        /// The files of the root keys: Ed25519 as PKCS#8 PEM. Without any, a file next to the data directory is
        /// used.
        #[arg(long, value_name = "FILE")]
        root_key: Vec<PathBuf>,
        /// The number of root keys that must sign each version [default: more than half]
        #[arg(long, value_name = "N")]
        threshold: Option<u32>,
        /// The public address of the service. Its host names the transparency log.
        #[arg(long, env = "GOVERN_PUBLIC_URL", value_parser = crate::config::public_url, hide_env_values = true)]
        public_url: Option<String>,
        #[command(flatten)]
        json: OutputForm,
    },
    /// Issue the next version: with the current signing keys, with other root keys, or with a new expiry
    /// time.
    Rotate {
        #[command(flatten)]
        roots: Roots,
        /// The file of a new receipt key for `GOVERN_SIGNING_KEY_FILE`, which is created if it is missing.
        /// Without it, the current receipt key is listed.
        #[arg(long, value_name = "FILE")]
        to: Option<PathBuf>,
        /// Retire all other keys of the service. Verifiers reject what retired keys sign from now on.
        #[arg(long)]
        retire: bool,
        #[command(flatten)]
        other_roots: OtherRoots,
        #[command(flatten)]
        json: OutputForm,
    },
    /// Issue the next version with keys permanently revoked.
    Revoke {
        /// The thumbprints of the keys. Put `--` before a thumbprint that begins with a hyphen.
        #[arg(required = true, value_name = "KID")]
        kids: Vec<String>,
        /// The reason, which is public.
        #[arg(long)]
        reason: String,
        /// The time since which the keys may be compromised, in RFC 3339 format.
        #[arg(long, value_name = "TIME", value_parser = parse_timestamp)]
        compromised_since: Option<Timestamp>,
        #[command(flatten)]
        roots: Roots,
        #[command(flatten)]
        json: OutputForm,
    },
    /// Show the newest version.
    Show {
        /// Print a trust document for `govern-verify --trust`: the registry, and its root keys as pins.
        #[arg(long, conflicts_with = "json")]
        trust_document: bool,
        /// Print the signed envelope.
        #[arg(long)]
        json: bool,
    },
}

/// The root keys that sign a version.
#[derive(Debug, Args)]
pub struct Roots {
    /// The files of the root keys that sign. Without any, the files at the default
    /// location of `init` are used.
    #[arg(long, value_name = "FILE")]
    root_key: Vec<PathBuf>,
}

/// A change of the root keys. A threshold of the previous roots and a threshold of the new roots must sign.
#[derive(Debug, Args)]
#[group(multiple = true, conflicts_with_all = ["to", "retire"])]
pub struct OtherRoots {
    /// The file of a new root key, which is created if it is missing.
    #[arg(long, value_name = "FILE")]
    add_root: Vec<PathBuf>,
    /// The thumbprint of a root key to remove. Use `=` if it begins with a hyphen.
    #[arg(long, value_name = "KID")]
    retire_root: Vec<String>,
    /// The number of root keys that must sign each version from the next one on.
    #[arg(long, value_name = "N")]
    threshold: Option<u32>,
}

impl OtherRoots {
    const fn is_change_requested(&self) -> bool {
        !self.add_root.is_empty() || !self.retire_root.is_empty() || self.threshold.is_some()
    }

    fn read(self) -> Result<RootChange> {
        let add = self.add_root.iter().map(|file| key_file::key_in(file)).collect::<Result<_>>()?;
        Ok(RootChange { add, retire: self.retire_root, threshold: self.threshold })
    }
}

pub(crate) async fn run(store: StoreConfig, command: TrustCommand) -> Result<()> {
    let public_url = match &command {
        TrustCommand::Init { public_url, .. } => public_url.as_deref(),
        _ => None,
    };
    let log_origin = store.log_origin.clone().or_else(|| public_url.map(log_origin_of));
    let options = ServiceOptions { log_origin, ..ServiceOptions::default() };
    store.database().check(OwnerKind::Command)?;
    let keys = keys::load(&store).await?;
    let service = open_with(&store, OwnerKind::Command, keys, options).await?;
    let line = execute(&service.governance, &store, command).await;
    service.close().await?;
    print_line(&line?)
}

/// Returns the output of the command.
async fn execute(
    governance: &Governance,
    store: &StoreConfig,
    command: TrustCommand,
) -> CommandResult<String> {
    Ok(match command {
        TrustCommand::Init { root_key, threshold, json, .. } => {
            let files =
                if root_key.is_empty() { vec![key_file::root_key(store)] } else { root_key };
            let rollback_guard = Arc::new(RollbackGuardFile::new(&store.data_dir));
            background::ensure_log(governance, &Sequencer::new(governance, rollback_guard)).await;
            let issued = init(governance, &files, threshold).await?;
            let paths: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
            describe(&issued, json, &format!("\nstore offline: {}", paths.join(" ")))
        }
        TrustCommand::Rotate { roots, other_roots, json, .. }
            if other_roots.is_change_requested() =>
        {
            let keys = trust_startup::root_keys(store, &roots.root_key)?;
            let change = other_roots.read()?;
            let issued = trust_registry::change_roots(governance, keys, change).await?;
            describe(&issued, json, "")
        }
        TrustCommand::Rotate { roots, to, retire, json, .. } => {
            let keys = trust_startup::root_keys(store, &roots.root_key)?;
            let to = to.as_deref().map(key_file::key_in).transpose()?;
            let rotation = Rotation { to, retires: retire };
            let issued = trust_registry::rotate(governance, &keys, rotation).await?;
            describe(&issued, json, "")
        }
        TrustCommand::Revoke { kids, reason, compromised_since, roots, json } => {
            let keys = trust_startup::root_keys(store, &roots.root_key)?;
            let revocation = Revocation { kids, reason, compromised_since };
            let issued = trust_registry::revoke(governance, &keys, &revocation).await?;
            describe(&issued, json, "")
        }
        TrustCommand::Show { trust_document: true, .. } => {
            trust_registry::trust_document(governance).await?.to_canonical()
        }
        TrustCommand::Show { json, .. } => {
            let newest = trust_registry::newest(governance).await?;
            let newest = newest.ok_or_else(|| {
                anyhow!("no trust registry exists; create one with `govern trust init`")
            })?;
            describe(&newest, OutputForm { json }, "")
        }
    })
}

async fn init(
    governance: &Governance,
    files: &[PathBuf],
    threshold: Option<u32>,
) -> CommandResult<Arc<SignedRegistry>> {
    if trust_registry::newest(governance).await?.is_some() {
        return Err(governance::Error::from(registry_exists()).into());
    }
    let keys = files.iter().map(|file| key_file::key_in(file)).collect::<Result<Vec<_>>>()?;
    let majority = u32::try_from(keys.len() / 2).unwrap_or(u32::MAX).saturating_add(1);
    let threshold = threshold.unwrap_or(majority);
    Ok(trust_registry::init(governance, &keys, threshold).await?)
}

fn describe(signed: &SignedRegistry, form: OutputForm, suffix: &str) -> String {
    if form.json {
        return signed.envelope.to_value().to_canonical();
    }
    let registry = &signed.registry;
    let mut text = format!(
        "trust registry {} version {}\ndigest {}\nissued {}, current until {}\nsigned by {} of {} \
         root keys",
        registry.registry_id,
        registry.version,
        signed.digest(),
        registry.issued_at,
        registry.expires_at,
        registry.root_threshold,
        registry.root_keys.len(),
    );
    for key in &registry.keys {
        let _ = write!(text, "\n{}", line(key));
    }
    text + suffix
}

fn line(key: &RegistryKey) -> String {
    let status = match &key.status {
        KeyStatus::Active => "active".to_owned(),
        KeyStatus::Retired => "retired".to_owned(),
        KeyStatus::Revoked { revoked_at, reason, .. } => {
            let reason = reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
            format!("revoked {revoked_at}{reason}")
        }
    };
    let until = key.valid_until.map(|until| format!(" to {until}")).unwrap_or_default();
    let purposes = key.purposes.join(",");
    format!("{}  {status}  from {}{until}  {purposes}", key.kid(), key.valid_from)
}
