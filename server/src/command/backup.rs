//! `govern backup`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, Subcommand};
use contract::time::Timestamp;
use governance::base::clock::Clock;
use migration::ServerState;
use receipt::key::{PublicKey, SigningKey};

use crate::{
    backup::{
        self, Archive, ArchiveWriter, DATABASE, DumpProgram, GUARD, KEYS, Manifest, Part,
        Recipients, SCHEMA, SecretFiles, Trust,
    },
    command::admin::{OutputForm, database_error, print_result},
    config::StoreConfig,
    key_file, rollback_guard_file,
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
    #[command(flatten)]
    json: OutputForm,
}

/// `govern backup verify`.
#[derive(Debug, Subcommand)]
#[expect(clippy::large_enum_variant, reason = "a process has one value")]
pub enum BackupCommand {
    /// Check that a backup is complete, and as the service has signed it. It needs no database.
    Verify {
        /// The backup.
        file: PathBuf,
        #[command(flatten)]
        signer: SignerArgs,
        #[command(flatten)]
        json: OutputForm,
    },
    /// Print the public key that signs the backups of this service. A restore on a machine without the secret key needs
    /// it.
    Key {
        #[command(flatten)]
        json: OutputForm,
    },
}

/// Whose backups are accepted.
#[derive(Debug, Args)]
pub struct SignerArgs {
    /// The public key that must have signed the backup, as `govern backup key` prints it. By default, the key of the
    /// secret key file.
    #[arg(long, value_name = "KEY", value_parser = public_key)]
    signed_by: Option<PublicKey>,
    /// Accept a backup without a valid signature. Who can write to the place of the backup then chooses the keys and
    /// the SQL that a restore runs.
    #[arg(long, conflicts_with = "signed_by")]
    allow_unsigned: bool,
}

impl SignerArgs {
    /// Returns whose backups are accepted.
    ///
    /// # Errors
    /// Returns an error if no key is named and this machine has no secret key.
    pub(crate) fn trust(&self, store: &StoreConfig) -> Result<Trust> {
        if self.allow_unsigned {
            tracing::warn!("the signature of the backup is not checked, so its writer is unknown");
            return Ok(Trust::AnyWriter);
        }
        if let Some(key) = &self.signed_by {
            return Ok(Trust::Signer(key.clone()));
        }
        let key = key_file::backup_key(store)?;
        let key = key.context(
            "this machine has no secret key to check the signature of the backup with; name the public key that \
             `govern backup key` prints on the server with --signed-by, or set GOVERN_SECRET_KEY_FILE",
        )?;
        Ok(Trust::Signer(key.public().clone()))
    }
}

fn public_key(text: &str) -> Result<PublicKey, String> {
    let mut bytes = [0; 32];
    let decoded = hex::decode_to_slice(text, &mut bytes).ok();
    let key = decoded.and_then(|()| PublicKey::from_bytes(&bytes).ok());
    key.ok_or_else(|| "must be a public key of 64 hexadecimal characters".to_owned())
}

/// Returns the key that signs the backups of this service.
fn signing_key(store: &StoreConfig) -> Result<SigningKey> {
    key_file::backup_key(store)?.with_context(|| {
        let file = key_file::secret_key_file(store);
        format!("{} does not exist; the secret key signs backups", file.display())
    })
}

pub(crate) async fn run(store: StoreConfig, args: BackupArgs) -> Result<()> {
    match args.command {
        Some(BackupCommand::Verify { file, signer, json }) => {
            let archive = Archive::open(&file, &signer.trust(&store)?)?;
            archive.verify()?;
            let manifest = &archive.manifest;
            return print_result(json, manifest, || describe(&file, manifest));
        }
        Some(BackupCommand::Key { json }) => {
            let key = hex::encode(signing_key(&store)?.public().as_bytes());
            return print_result(json, &serde_json::json!({"key": key}), || key.clone());
        }
        None => {}
    }
    let key = signing_key(&store)?;
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
        let includes_keys = !args.without_keys;
        let plan = Plan { store, url, recipients, includes_keys, now, source, key };
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
        let read = async {
            let db = migration::connect(url).await?;
            let server = migration::server_state(&db).await?;
            let state = migration::schema_state(&db).await?;
            db.close().await.map(|()| (server, state))
        };
        let (server, state) = read.await.map_err(|error| database_error(url, &error))?;
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
    key: SigningKey,
}

/// Writes the backup. The guard is read before the database, so the database contains all that the guard says.
fn write(target: &Path, plan: &Plan) -> Result<Manifest> {
    let Plan { store, recipients, source, .. } = plan;
    let dump = DumpProgram::find(store.pg_bin.as_deref(), source.server.major())?;
    let mut archive = ArchiveWriter::create(target)?;
    let is_encrypted = !recipients.is_empty();
    if plan.includes_keys {
        let root_key = key_file::root_key_of_development(store);
        if root_key.exists() {
            tracing::warn!(
                "{} is not part of the backup; keep a copy elsewhere",
                root_key.display()
            );
        }
        let files = SecretFiles::collect(store)?.to_tar()?;
        let files = if is_encrypted { backup::encrypt(recipients, &files)? } else { files };
        archive.add(KEYS, is_encrypted, files.as_slice())?;
    }
    let guard = store.data_dir.join(rollback_guard_file::NAME);
    if guard.exists() {
        archive.add(GUARD, false, std::fs::File::open(&guard)?)?;
    }
    dump.run(&plan.url, recipients, |output| archive.add(DATABASE, is_encrypted, output))?;
    let manifest = Manifest {
        schema: SCHEMA.to_owned(),
        signed_by: None,
        govern_version: env!("CARGO_PKG_VERSION").to_owned(),
        created_at: plan.now,
        database_version: source.server.version.clone(),
        dump_version: dump.version,
        migrations: source.migrations.clone(),
        parts: Vec::new(),
    };
    archive.finish(manifest, &plan.key)
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
    lines.extend(manifest.signed_by.iter().map(|key| format!("signed by {key}")));
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
