//! `govern backup`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, Subcommand};
use contract::time::Timestamp;
use governance::base::clock::Clock;
use migration::ServerState;

use crate::{
    backup::{
        self, ArchiveWriter, DATABASE, DumpProgram, GUARD, KEYS, Manifest, Part, Recipients,
        SCHEMA, SecretFiles,
    },
    command::admin::print_result,
    config::StoreConfig,
    rollback_guard_file,
};
use local_postgres::OwnerKind;

/// Arguments of `govern backup`.
#[derive(Debug, Args)]
#[command(subcommand_negates_reqs = true)]
pub struct BackupArgs {
    #[command(subcommand)]
    command: Option<BackupCommand>,
    /// The file to write, or an existing directory, in which the file is named after the time.
    #[arg(long, value_name = "FILE|DIR", required = true)]
    to: Option<PathBuf>,
    /// Encrypt the database and the keys for this public key of `age`, which must be installed. Repeat it for
    /// several recipients; each can decrypt the backup.
    #[arg(long, value_name = "KEY")]
    recipient: Vec<String>,
    /// Encrypt for the public keys in this file, one a line.
    #[arg(long, value_name = "FILE")]
    recipients_file: Vec<PathBuf>,
    /// Write the database and the keys unencrypted. A reader of the file can then sign as the service.
    #[arg(long, conflicts_with_all = ["recipient", "recipients_file", "without_keys"])]
    plain_keys: bool,
    /// Leave the keys out, for example because they are stored elsewhere. Without recipients, the database is then
    /// written unencrypted.
    #[arg(long)]
    without_keys: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// `govern backup verify`.
#[derive(Debug, Subcommand)]
pub enum BackupCommand {
    /// Check that a backup is complete and unchanged. It needs no key and no database.
    Verify {
        /// The backup.
        file: PathBuf,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
}

pub(crate) async fn run(store: StoreConfig, args: BackupArgs) -> Result<()> {
    if let Some(BackupCommand::Verify { file, json }) = args.command {
        let manifest = backup::verify(&file)?;
        return print_result(json, &manifest, || describe(&file, &manifest));
    }
    let recipients = Recipients { keys: args.recipient, files: args.recipients_file };
    ensure!(
        args.plain_keys || args.without_keys || !recipients.is_empty(),
        "a backup contains secret keys; name who can decrypt it with --recipient, leave the keys out with \
         --without-keys, or write them unencrypted with --plain-keys"
    );
    let now = Clock::System.now();
    let target = target(&args.to.context("--to is missing")?, now);
    let database = local_postgres::open(&store.database(), OwnerKind::Command).await?;
    let url = database.superuser_url.clone();
    let written = async {
        let source = Source::read(&store, &url).await?;
        let plan = Plan { store, url, recipients, includes_keys: !args.without_keys, now, source };
        let path = target.clone();
        tokio::task::spawn_blocking(move || write(&path, &plan)).await?
    };
    let written = written.await;
    database.close().await?;
    let manifest = written?;
    print_result(args.json, &manifest, || describe(&target, &manifest))
}

/// Returns the file to write: `to`, or a file in it that is named after the time.
fn target(to: &Path, now: Timestamp) -> PathBuf {
    if !to.is_dir() {
        return to.to_owned();
    }
    let time = now.to_string().replace(':', "-");
    let time = time.split('.').next().unwrap_or_default();
    to.join(format!("govern-{time}Z.tar"))
}

/// The database of a backup.
struct Source {
    server: ServerState,
    migrations: Vec<String>,
}

impl Source {
    /// Checks that the user of `url` can read all rows.
    async fn read(store: &StoreConfig, url: &str) -> Result<Self> {
        let db = migration::connect(url).await.context("the database is unavailable")?;
        let server = migration::server_state(&db).await?;
        let state = migration::schema_state(&db).await?;
        db.close().await?;
        if !server.bypasses_row_security {
            bail!(
                "`{}` cannot read the rows of all tenants; set DATABASE_URL to a user with BYPASSRLS \
                 (docs/OPERATIONS.md, \"Backups\")",
                server.user
            );
        }
        if state.applied.is_empty() {
            let directory = store.data_dir.display();
            bail!("the database is empty; check DATABASE_URL, or GOVERN_DATA_DIR (`{directory}`)");
        }
        Ok(Self { server, migrations: state.applied })
    }
}

struct Plan {
    store: StoreConfig,
    url: String,
    recipients: Recipients,
    includes_keys: bool,
    now: Timestamp,
    source: Source,
}

/// Writes the backup. The guard is read before the database, so the database contains all that the guard says.
fn write(target: &Path, plan: &Plan) -> Result<Manifest> {
    let Plan { store, recipients, source, .. } = plan;
    let dump = DumpProgram::find(store.pg_bin.as_deref(), source.server.major())?;
    let mut archive = ArchiveWriter::create(target)?;
    let is_encrypted = !recipients.is_empty();
    if plan.includes_keys {
        let files = SecretFiles::collect(store)?.to_tar()?;
        let files = if is_encrypted { backup::encrypt(recipients, &files)? } else { files };
        archive.add(KEYS, is_encrypted, files.as_slice())?;
    }
    let guard = store.data_dir.join(rollback_guard_file::NAME);
    if guard.exists() {
        archive.add(GUARD, false, std::fs::File::open(&guard)?)?;
    }
    dump.run(&plan.url, recipients, |output| archive.add(DATABASE, is_encrypted, output))?;
    archive.finish(Manifest {
        schema: SCHEMA.to_owned(),
        govern_version: env!("CARGO_PKG_VERSION").to_owned(),
        created_at: plan.now,
        database_version: source.server.version.clone(),
        dump_version: dump.version,
        migrations: source.migrations.clone(),
        parts: Vec::new(),
    })
}

/// Describes a backup in lines.
fn describe(path: &Path, manifest: &Manifest) -> String {
    let Manifest { govern_version, created_at, database_version, migrations, .. } = manifest;
    let schema = migrations.last().map_or("none", String::as_str);
    let mut lines = vec![
        format!("{}", path.display()),
        format!(
            "written {created_at} by Govern {govern_version}, schema {schema}, PostgreSQL {database_version}"
        ),
    ];
    lines.extend(manifest.parts.iter().map(|part| {
        let Part { name, bytes, sha256, is_encrypted } = part;
        let protection = if *is_encrypted { "encrypted" } else { "plain" };
        format!("{name:<16}{protection:<10}{bytes:>14} bytes  sha256 {sha256}")
    }));
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backup_in_a_directory_is_named_after_the_time() {
        let now: Timestamp = "2026-11-28T13:45:07.123Z".parse().unwrap();
        let directory = std::env::temp_dir();
        assert_eq!(target(&directory, now), directory.join("govern-2026-11-28T13-45-07Z.tar"));
        let file = directory.join("a-backup.tar");
        assert_eq!(target(&file, now), file);
    }
}
