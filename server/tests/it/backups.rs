//! `govern backup` and `govern restore`: from one database to another, with the keys and the log guard.

use std::{fs, sync::Arc};

use governance::proof::transparency_log::{RollbackGuard, Sequencer};
use server::{
    config::{Environment, StoreConfig},
    key_file,
    rollback_guard_file::RollbackGuardFile,
};
use testkit::database::{self, TestDatabase, connect, texts};

use crate::{keys::DataDir, prelude::*};

/// The pepper of test services, as in the file of the secret key.
const SECRET_KEY: &str = "0707070707070707070707070707070707070707070707070707070707070707";

/// Starts a service whose keys, secret key and log guard are in `data`, with decisions, a chain and a registry.
async fn service_in(data: &DataDir) -> TestService {
    data.govern(&["keys", "init"]).await.expect("the keys are created");
    private_file::write(&data.path("secret-key.hex"), SECRET_KEY).expect("a file");
    let provider = data.files();
    let service = TestServiceBuilder { provider, ..TestServiceBuilder::default() }.start().await;
    let guard = Arc::new(RollbackGuardFile::new(&data.directory()));
    let sequencer = Sequencer::new(&service.governance, guard);
    append_pending(&service, &sequencer).await;
    create_registry(&service).await;
    service.active("PAY-01").await;
    service.record("k-1", 12_000).await;
    let linked = chain_request("c-1", json!({}));
    service.key.post("/v1/decisions/record", &linked).await.expect(201);
    append_pending(&service, &sequencer).await;
    service
}

/// The public key that signs the backups of the services of this module.
fn signer(data: &DataDir) -> String {
    let store: StoreConfig = store_config(data.directory(), Environment::Development);
    let key = key_file::backup_key(&store).expect("a secret key").expect("a file");
    let bytes = key.public().as_bytes().iter();
    bytes.fold(String::new(), |text, byte| text + &format!("{byte:02x}"))
}

/// Writes a backup of a database, and returns the path of its file.
async fn back_up(data: &DataDir, url: &str, options: &[&str]) -> Result<String, String> {
    let file = data.path("backup.tar").display().to_string();
    let backup = ["--database-url", url, "backup", "--to", &file];
    data.govern(&[&backup[..], options].concat()).await.map(|()| file)
}

/// Restores a backup to a database.
async fn restore(data: &DataDir, url: &str, file: &str, options: &[&str]) -> Result<(), String> {
    let restore = ["--database-url", url, "restore", "--from", file];
    data.govern(&[&restore[..], options].concat()).await
}

async fn sql(database: &TestDatabase, statement: &str) -> String {
    let superuser = connect(&database.superuser_url).await;
    let rows = texts(&superuser, statement).await.join(" ");
    superuser.close().await.expect("the connection closes");
    rows
}

/// The rows of the tables that matter, in short.
const CONTENT: &str = "select concat_ws(' ', (select count(*) from decisions), \
     (select string_agg(encode(hash, 'hex'), ' ' order by tenant_id, seq) from audit_events), \
     (select root from log_trees), (select count(*) from log_checkpoints), \
     (select string_agg(envelope, ' ') from trust_registries))";

#[tokio::test(flavor = "multi_thread")]
async fn backup_is_restored_and_verified_on_another_machine() {
    let (from, to) = (DataDir::new("backup-from"), DataDir::new("backup-to"));
    let service = service_in(&from).await;
    let url = &service.database.superuser_url;
    let error = back_up(&from, url, &[]).await.expect_err("the keys would be readable");
    assert!(error.starts_with("a backup contains secret keys"), "{error}");
    let plain = ["--plain-keys"];
    let app = back_up(&from, &service.database.app_url, &plain).await;
    let error = app.expect_err("the role sees no rows");
    assert!(error.starts_with("`govern_app` cannot read the rows of all tenants"), "{error}");
    let file = back_up(&from, url, &plain).await.expect("the backup is written");
    from.govern(&["backup", "verify", &file]).await.expect("the backup is complete");

    let restored = database::unmigrated().await;
    let restore = async |url: &str, options: &[&str]| restore(&to, url, &file, options).await;
    let (superuser, owner) = (&restored.superuser_url, &restored.owner_url);
    let error = restore(superuser, &[]).await.expect_err("the machine has no key");
    assert!(error.starts_with("this machine has no secret key"), "{error}");
    let signed = ["--signed-by", &*signer(&from)];
    let error = restore(owner, &signed).await.expect_err("it could not verify what it restored");
    assert!(error.starts_with("`govern_owner` cannot become the other roles"), "{error}");
    restore(superuser, &signed).await.expect("the restore is verified");
    assert_eq!(sql(&restored, CONTENT).await, sql(&service.database, CONTENT).await);
    for name in ["keys/receipt.pem", "keys/log.pem", "secret-key.hex", "log-memory.json"] {
        let (before, after) = (fs::read(from.path(name)), fs::read(to.path(name)));
        assert_eq!(before.expect("a file"), after.expect("a restored file"), "{name}");
    }
    // Without a statement of the operator, the log does not continue.
    assert_eq!(sql(&restored, "select is_halted::text from log_trees").await, "true");
    let verify = ["--database-url", &restored.superuser_url, "db", "verify"];
    to.govern(&verify).await.expect("it is still intact");

    let error = restore(superuser, &signed).await.expect_err("the database has rows now");
    assert!(error.starts_with("the database is not empty"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn restore_continues_the_log_only_if_the_guard_agrees() {
    let (from, moved, old) = (
        DataDir::new("backup-moved-from"),
        DataDir::new("backup-moved"),
        DataDir::new("backup-old"),
    );
    let service = service_in(&from).await;
    let url = &service.database.superuser_url;
    let file = back_up(&from, url, &["--plain-keys"]).await.expect("the backup is written");

    let database = database::unmigrated().await;
    let signer = signer(&from);
    let continued = ["--signed-by", &signer, "--continue-log"];
    let continued = restore(&moved, &database.superuser_url, &file, &continued).await;
    continued.expect("the restore is verified");
    assert_eq!(sql(&database, "select is_halted::text from log_trees").await, "false");

    // The service has signed more after the backup, and its guard has survived.
    let guard = RollbackGuardFile::new(&from.directory());
    let mut heads = guard.load().expect("a guard");
    for head in &mut heads {
        head.size += 1;
    }
    RollbackGuardFile::new(&old.directory()).save(&heads).expect("a guard");
    let database = database::unmigrated().await;
    let rollback = restore(&old, &database.superuser_url, &file, &["--signed-by", &signer]).await;
    let error = rollback.expect_err("the restore is a rollback");
    assert_eq!(error, "1 of 6 checks failed");
    let guard = RollbackGuardFile::new(&old.directory());
    assert_eq!(guard.load().expect("a guard"), heads, "the guard that survived is not replaced");
}

#[tokio::test(flavor = "multi_thread")]
async fn encrypted_backup_needs_the_identity_of_a_recipient() {
    let (from, to) = (DataDir::new("backup-age-from"), DataDir::new("backup-age-to"));
    let service = service_in(&from).await;
    let identity = from.path("identity.txt").display().to_string();
    let other = from.path("other.txt").display().to_string();
    let recipient = new_identity(&identity);
    new_identity(&other);
    let url = &service.database.superuser_url;
    let file = back_up(&from, url, &["--recipient", &recipient]).await;
    let file = file.expect("the backup is written");
    let stored = fs::read(&file).expect("a file");
    let key = fs::read(from.path("keys/receipt.pem")).expect("a key");
    assert!(!stored.windows(key.len()).any(|part| part == key), "the key is readable");

    let database = database::unmigrated().await;
    let signer = signer(&from);
    let restore_with = async |identity: &[&str]| {
        let options = [&["--signed-by", &signer][..], identity].concat();
        restore(&to, &database.superuser_url, &file, &options).await
    };
    let error = restore_with(&[]).await.expect_err("the backup is encrypted");
    assert!(error.starts_with("the backup is encrypted"), "{error}");
    let error = restore_with(&["--identity", &other]).await.expect_err("not a recipient");
    assert!(error.starts_with("`age` failed"), "{error}");
    assert!(!to.path("keys").exists(), "a failed restore writes nothing");
    restore_with(&["--identity", &identity]).await.expect("the restore is verified");
    assert_eq!(sql(&database, CONTENT).await, sql(&service.database, CONTENT).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn backup_that_another_service_wrote_is_refused_before_it_is_used() {
    let (from, to) = (DataDir::new("backup-forged-from"), DataDir::new("backup-forged-to"));
    let service = service_in(&from).await;
    let url = &service.database.superuser_url;
    let file = back_up(&from, url, &["--plain-keys"]).await.expect("the backup is written");

    // The machine of the restore has the secret key of another service.
    private_file::write(&to.path("secret-key.hex"), &SECRET_KEY.replace('7', "8")).expect("a file");
    let error = to.govern(&["backup", "verify", &file]).await.expect_err("another writer");
    assert!(error.contains("the signature is not of the key"), "{error}");
    let database = database::unmigrated().await;
    let forged = restore(&to, &database.superuser_url, &file, &[]).await;
    let error = forged.expect_err("another writer");
    assert!(error.contains("the signature is not of the key"), "{error}");
    assert!(!to.path("keys").exists(), "nothing is written");
    let tables = "select count(*)::text from pg_tables where schemaname = 'public'";
    assert_eq!(sql(&database, tables).await, "0");
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_create_no_database() {
    let data = DataDir::new("no-database");
    let file = data.path("backup.tar").display().to_string();
    let commands: [&[&str]; 6] = [
        &["backup", "--to", &file, "--without-keys"],
        &["keys", "list"],
        &["migrate"],
        &["db", "url"],
        &["log", "show"],
        &["trust", "show"],
    ];
    private_file::write(&data.path("secret-key.hex"), SECRET_KEY).expect("a file");
    for command in commands {
        let error = data.govern(command).await.expect_err("there is no database");
        assert!(error.contains("has no database; set DATABASE_URL"), "{command:?}: {error}");
    }
    // The service of this directory has another database.
    RollbackGuardFile::new(&data.directory()).save(&[]).expect("a guard");
    let names = ["bootstrap", "--tenant", "Acme", "--email", "a@acme.example"];
    let bootstrap = [&names[..], &["--password", "long enough pa55"]].concat();
    let error = data.govern(&bootstrap).await.expect_err("the service has another database");
    assert!(error.contains("has another database; set DATABASE_URL"), "{error}");
    assert!(!data.path("postgres").exists() && !data.path("postgres.path").exists());
}

/// Creates a key pair of `age`, and returns its public key.
fn new_identity(path: &str) -> String {
    let output = std::process::Command::new("age-keygen").args(["--output", path]).output();
    let output = output.expect("age is installed (scripts/setup test)");
    let text = String::from_utf8(output.stderr).expect("text");
    text.trim().rsplit(' ').next().expect("the public key").to_owned()
}
