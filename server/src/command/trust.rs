//! `govern trust`: issues the versions of the trust registry, and shows them.

use std::{fmt::Write as _, path::PathBuf, sync::Arc};

use anyhow::{Result, anyhow};
use clap::{Args, Subcommand};
use contract::time::Timestamp;
use governance::{
    Governance,
    log::Sequencer,
    trust::{self, Revocation, RootChange, Rotation},
};
use receipt::registry::{KeyStatus, RegistryKey, SignedRegistry};

use crate::{
    command::admin::{open, tell, told},
    config::{StoreConfig, log_origin_of},
    database::Tenure,
    key_file,
    log_memory::MemoryFile,
    registry, worker,
};

/// `govern trust`.
#[derive(Debug, Subcommand)]
pub enum TrustCommand {
    /// Issue the first version. Root keys that are missing are made; keep them offline.
    Init {
        /// The files of the root keys: Ed25519 as PKCS#8 PEM. Without any, one beside the data folder.
        #[arg(long, value_name = "FILE")]
        root_key: Vec<PathBuf>,
        /// How many of the root keys must sign each version [default: more than half]
        #[arg(long, value_name = "N")]
        threshold: Option<u32>,
        /// The address under which people reach the service: its host names the log.
        #[arg(long, env = "GOVERN_PUBLIC_URL", value_parser = crate::config::public_url)]
        public_url: Option<String>,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// Issue the next version: with the keys that the service has now, with other root keys, or to renew how
    /// long it is current.
    Rotate {
        #[command(flatten)]
        #[expect(missing_docs, reason = "clap would print it; the type says it")]
        roots: Roots,
        /// The file of a new receipt key, which is made when it is missing: for
        /// `GOVERN_SIGNING_KEY_FILE`. Without one, the receipt key that the service has.
        #[arg(long, value_name = "FILE")]
        to: Option<PathBuf>,
        /// Retire all other keys of the service: verifiers refuse what they sign from now on.
        #[arg(long)]
        retire: bool,
        #[command(flatten)]
        #[expect(missing_docs, reason = "clap would print it; the type says it")]
        other_roots: OtherRoots,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// Issue the next version with keys revoked, for good.
    Revoke {
        /// The thumbprints of the keys; after `--` where one begins with a hyphen.
        #[arg(required = true, value_name = "KID")]
        kids: Vec<String>,
        /// Why; everybody can read it.
        #[arg(long)]
        reason: String,
        /// From when on others may have had the keys: an RFC 3339 instant.
        #[arg(long, value_name = "INSTANT", value_parser = instant)]
        compromised_since: Option<Timestamp>,
        #[command(flatten)]
        #[expect(missing_docs, reason = "clap would print it; the type says it")]
        roots: Roots,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// Show the newest version.
    Show {
        /// Print what `govern-verify --trust` takes: the registry, and its root keys as pins.
        #[arg(long, conflicts_with = "json")]
        trust_document: bool,
        /// Print the signed envelope.
        #[arg(long)]
        json: bool,
    },
}

/// Who signs a version.
#[derive(Debug, Args)]
pub struct Roots {
    /// The files of the root keys that sign. Without any, those that lie where `init` makes them.
    #[arg(long, value_name = "FILE")]
    root_key: Vec<PathBuf>,
}

/// Who is to sign versions from now on. Enough roots of the version before and of the next must sign.
#[derive(Debug, Args)]
#[group(multiple = true, conflicts_with_all = ["to", "retire"])]
pub struct OtherRoots {
    /// The file of a key that becomes a root, and is made when it is missing.
    #[arg(long, value_name = "FILE")]
    add_root: Vec<PathBuf>,
    /// The thumbprint of a root that is one no longer; with `=` where it begins with a hyphen.
    #[arg(long, value_name = "KID")]
    retire_root: Vec<String>,
    /// How many root keys must sign each version from the next one on.
    #[arg(long, value_name = "N")]
    threshold: Option<u32>,
}

impl OtherRoots {
    const fn are_asked_for(&self) -> bool {
        !self.add_root.is_empty() || !self.retire_root.is_empty() || self.threshold.is_some()
    }

    fn read(self) -> Result<RootChange> {
        let add = self.add_root.iter().map(|file| key_file::key_in(file)).collect::<Result<_>>()?;
        Ok(RootChange { add, retire: self.retire_root, threshold: self.threshold })
    }
}

fn instant(text: &str) -> Result<Timestamp, String> {
    text.parse().map_err(|_| "must be an RFC 3339 date-time with an offset".to_owned())
}

pub(crate) async fn run(store: StoreConfig, command: TrustCommand) -> Result<()> {
    let opened = open(&store, Tenure::Command).await?;
    let answer = answer(&opened.governance, &store, command).await;
    opened.close().await?;
    print(&answer?)
}

/// What is printed: one JSON text, or words.
enum Answer {
    Json(String),
    Words(String),
}

async fn answer(
    governance: &Governance,
    store: &StoreConfig,
    command: TrustCommand,
) -> Result<Answer> {
    match command {
        TrustCommand::Init { root_key, threshold, public_url, json } => {
            let files =
                if root_key.is_empty() { vec![registry::root_key(store)] } else { root_key };
            let origin =
                store.log_origin.clone().or_else(|| public_url.as_deref().map(log_origin_of));
            if let Some(origin) = origin {
                governance.logs_as(&origin);
            }
            let memory = Arc::new(MemoryFile::of(&store.data_dir));
            worker::begin_log(governance, &Sequencer::new(governance, memory)).await;
            let issued = init(governance, &files, threshold).await?;
            let places: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
            Ok(shown(&issued, json, &format!("\nkeep offline: {}", places.join(" "))))
        }
        TrustCommand::Rotate { roots, other_roots, json, .. } if other_roots.are_asked_for() => {
            let keys = registry::root_keys(store, &roots.root_key)?;
            let change = other_roots.read()?;
            let issued = trust::change_roots(governance, keys, change).await.map_err(told)?;
            Ok(shown(&issued, json, ""))
        }
        TrustCommand::Rotate { roots, to, retire, json, .. } => {
            let keys = registry::root_keys(store, &roots.root_key)?;
            let to = to.as_deref().map(key_file::key_in).transpose()?;
            let rotation = Rotation { to, retires: retire };
            let issued = trust::rotate(governance, &keys, rotation).await.map_err(told)?;
            Ok(shown(&issued, json, ""))
        }
        TrustCommand::Revoke { kids, reason, compromised_since, roots, json } => {
            let keys = registry::root_keys(store, &roots.root_key)?;
            let revocation = Revocation { kids, reason, compromised_since };
            let issued = trust::revoke(governance, &keys, &revocation).await.map_err(told)?;
            Ok(shown(&issued, json, ""))
        }
        TrustCommand::Show { trust_document: true, .. } => {
            let document = trust::trust_document(governance).await.map_err(told)?;
            Ok(Answer::Json(document.to_canonical()))
        }
        TrustCommand::Show { json, .. } => {
            let newest = trust::newest(governance).await.map_err(told)?;
            let newest = newest.ok_or_else(|| {
                anyhow!("there is no trust registry yet; make it with `govern trust init`")
            })?;
            Ok(shown(&newest, json, ""))
        }
    }
}

async fn init(
    governance: &Governance,
    files: &[PathBuf],
    threshold: Option<u32>,
) -> Result<Arc<SignedRegistry>> {
    if trust::newest(governance).await.map_err(told)?.is_some() {
        return Err(told(governance::error::trust::begun().into()));
    }
    let keys = files.iter().map(|file| key_file::key_in(file)).collect::<Result<Vec<_>>>()?;
    let majority = u32::try_from(keys.len() / 2).unwrap_or(u32::MAX).saturating_add(1);
    let threshold = threshold.unwrap_or(majority);
    trust::init(governance, &keys, threshold).await.map_err(told)
}

fn shown(signed: &SignedRegistry, json: bool, more: &str) -> Answer {
    if json {
        return Answer::Json(signed.envelope.to_value().to_canonical());
    }
    let registry = &signed.registry;
    let mut words = format!(
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
        let _ = write!(words, "\n{}", line(key));
    }
    Answer::Words(words + more)
}

fn line(key: &RegistryKey) -> String {
    let status = match &key.status {
        KeyStatus::Active => "active".to_owned(),
        KeyStatus::Retired => "retired".to_owned(),
        KeyStatus::Revoked { revoked_at, reason, .. } => {
            let why = reason.as_ref().map(|reason| format!(" ({reason})")).unwrap_or_default();
            format!("revoked {revoked_at}{why}")
        }
    };
    let until = key.valid_until.map(|until| format!(" to {until}")).unwrap_or_default();
    let purposes = key.purposes.join(",");
    format!("{}  {status}  from {}{until}  {purposes}", key.kid(), key.valid_from)
}

#[expect(clippy::print_stdout, reason = "the answer of a command")]
fn print(answer: &Answer) -> Result<()> {
    match answer {
        Answer::Json(text) => {
            println!("{text}");
            Ok(())
        }
        Answer::Words(words) => tell(false, words, || words.clone()),
    }
}
