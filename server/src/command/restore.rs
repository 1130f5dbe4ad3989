//! `govern restore`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::Args;
use governance::{
    Governance, Pepper, ServiceOptions,
    proof::{
        signing::KeySet,
        transparency_log::{self, InMemoryGuard, RollbackGuard, from_text},
    },
    verification::{self, Check},
};
use migration::SchemaState;

use crate::{
    backup::{self, Archive, DATABASE, GUARD, KEYS, SecretFiles},
    command::{
        admin::{OpenService, OutputForm, command_error, database_error, open_database, report},
        backup::SignerArgs,
    },
    config::StoreConfig,
    key_file, keys,
    rollback_guard_file::{self, RollbackGuardFile},
};
use local_postgres::OwnerKind;

/// Arguments of `govern restore`.
#[derive(Debug, Args)]
pub struct RestoreArgs {
    /// The backup.
    #[arg(long, value_name = "FILE")]
    from: PathBuf,
    #[command(flatten)]
    signer: SignerArgs,
    /// The file with the private key of a recipient, if the backup is encrypted.
    #[arg(long, value_name = "FILE")]
    identity: Option<PathBuf>,
    /// Continue the transparency log. Use it only if the service has signed nothing since the backup, for example
    /// because it was stopped before and moves to another machine. Without it, the log is halted until
    /// `govern log freeze`.
    #[arg(long)]
    continue_log: bool,
    #[command(flatten)]
    json: OutputForm,
}

pub(crate) async fn run(store: StoreConfig, args: RestoreArgs) -> Result<()> {
    let backup = Backup::open(&store, &args)?;
    let database = local_postgres::open(&store.database(), OwnerKind::Service).await?;
    let (keys, pepper) = match prepare(&store, &args, &backup, &database.superuser_url).await {
        Ok(prepared) => prepared,
        Err(error) => {
            database.close().await?;
            return Err(error);
        }
    };
    let service = open_database(&store, database, pepper, keys, ServiceOptions::default()).await?;
    let result = verify(&service, &store, &args, &backup).await;
    service.close().await?;
    let (checks, next) = result?;
    let printed = report(args.json, &checks);
    if let Some(next) = next {
        tracing::warn!("{next}");
    }
    printed
}

/// Restores the keys and the database. An error leaves the database empty.
async fn prepare(
    store: &StoreConfig,
    args: &RestoreArgs,
    backup: &Backup,
    url: &str,
) -> Result<(Option<KeySet>, Pepper)> {
    check_target(url).await?;
    if let Some(files) = &backup.secrets {
        files.write(store)?;
    }
    // Without its keys, the service would not start.
    let keys = keys::load(store).await?;
    let pepper = key_file::pepper(store)?;
    fill(store, args, backup, url).await?;
    Ok((keys, pepper))
}

/// A checked backup with its decrypted secrets.
struct Backup {
    archive: Archive,
    secrets: Option<SecretFiles>,
    /// The log guard of the backup.
    guard: Option<String>,
}

impl Backup {
    /// Checks the backup, and that this version and this machine can use it. Nothing is written.
    fn open(store: &StoreConfig, args: &RestoreArgs) -> Result<Self> {
        let archive = Archive::open(&args.from, &args.signer.trust(store)?)?;
        archive.verify()?;
        let manifest = &archive.manifest;
        let version = &manifest.govern_version;
        SchemaState::new(manifest.migrations.clone()).check().map_err(|error| {
            let reason = migration::describe("", &error);
            anyhow!("the backup was written by Govern {version}: {reason}")
        })?;
        let is_encrypted = manifest.parts.iter().any(|part| part.is_encrypted);
        ensure!(
            !is_encrypted || args.identity.is_some(),
            "the backup is encrypted; name the private key of a recipient with --identity"
        );
        let secrets = match stored(&archive, KEYS)? {
            Some((bytes, true)) => Some(backup::decrypt(identity(args)?, &bytes)?),
            Some((bytes, false)) => Some(bytes),
            None => None,
        };
        let secrets = secrets.map(|tar| SecretFiles::from_tar(&tar)).transpose()?;
        if let Some(files) = &secrets {
            files.check(store)?;
        }
        let guard = stored(&archive, GUARD)?;
        let guard = guard.map(|(bytes, _)| String::from_utf8(bytes)).transpose()?;
        Ok(Self { archive, secrets, guard })
    }
}

fn identity(args: &RestoreArgs) -> Result<&Path> {
    args.identity.as_deref().context("--identity is missing")
}

/// Returns the bytes of a small part, and whether they are encrypted.
fn stored(archive: &Archive, name: &str) -> Result<Option<(Vec<u8>, bool)>> {
    let Some(part) = archive.part(name) else { return Ok(None) };
    Ok(Some((archive.small_part(part)?, part.is_encrypted)))
}

/// Checks that the database of `url` is empty and can be written.
async fn check_target(url: &str) -> Result<()> {
    if let Some(role) = migration::roles::named_in(url) {
        bail!(
            "`{role}` cannot become the other roles; set DATABASE_URL to the user who created the roles, or to \
             another who can become each of them"
        );
    }
    let server = async {
        let db = migration::connect(url).await?;
        let server = migration::server_state(&db).await?;
        db.close().await.map(|()| server)
    };
    let server = server.await.map_err(|error| database_error(url, &error))?;
    ensure!(!server.is_replica, "the database is a replica; restore into a primary");
    ensure!(
        server.is_empty,
        "the database is not empty; restore into a new one, and keep this one until the new one is verified"
    );
    Ok(())
}

/// Restores the dump into the empty database of `url`.
async fn fill(store: &StoreConfig, args: &RestoreArgs, backup: &Backup, url: &str) -> Result<()> {
    let prepared = migration::prepare_roles(url).await;
    prepared.map_err(|error| database_error(url, &error)).context("the roles cannot be created")?;
    let part = backup.archive.part(DATABASE).context("the backup has no database")?;
    let mut dump = backup.archive.checked_copy(part, &store.data_dir)?;
    let (url, pg_bin) = (url.to_owned(), store.pg_bin.clone());
    let identity = part.is_encrypted.then(|| identity(args)).transpose()?.map(Path::to_owned);
    let version = backup.archive.manifest.dump_version;
    let restoring = tokio::task::spawn_blocking(move || {
        let identity = identity.as_deref();
        backup::restore_database(pg_bin.as_deref(), version, &url, identity, &mut dump)
    });
    restoring.await?
}

/// Verifies what was restored, stores the log guard, and halts the log unless it continues. Returns the next step.
async fn verify(
    service: &OpenService,
    store: &StoreConfig,
    args: &RestoreArgs,
    backup: &Backup,
) -> Result<(Vec<Check>, Option<String>)> {
    let file = RollbackGuardFile::new(&store.data_dir);
    let has_survived = store.data_dir.join(rollback_guard_file::NAME).exists();
    let of_backup = InMemoryGuard::default();
    if let Some(text) = &backup.guard {
        let heads = from_text(text).map_err(|cause| anyhow::anyhow!("the log guard: {cause}"))?;
        of_backup.save(&heads).map_err(|cause| anyhow::anyhow!("the log guard: {cause}"))?;
        if !has_survived {
            file.save(&heads).map_err(|cause| anyhow::anyhow!("the log guard: {cause}"))?;
        }
    }
    let guard: &dyn RollbackGuard = if has_survived { &file } else { &of_backup };
    let checks = verification::verify(&service.governance.operator(), guard).await;
    let next = halt_log(&service.governance, args.continue_log).await?;
    Ok((checks.map_err(command_error)?, next))
}

/// Halts the log unless it continues. Returns the next step.
async fn halt_log(governance: &Governance, continues: bool) -> Result<Option<String>> {
    if continues {
        return Ok(None);
    }
    let halted = transparency_log::halt(&governance.operator()).await.map_err(command_error)?;
    Ok(halted.map(|origin| {
        format!(
            "the log {origin} is halted, because entries after the backup may exist; next: run \
             `govern log freeze` and `govern trust rotate` (docs/OPERATIONS.md, \"Restore\")"
        )
    }))
}
