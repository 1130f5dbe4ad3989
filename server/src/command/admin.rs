//! Sub-commands for tenants and users, and helpers of all sub-commands.

use std::io::Write as _;

use anyhow::{Context, Result, anyhow, ensure};
use clap::{Args, Subcommand};
use contract::{id::TenantId, scope::Role, settings::SignInPolicy, time::Timestamp};
use governance::{
    Governance, GovernanceConfig, Pepper, ServiceOptions,
    access::operator::{self, Bootstrap},
    authoring::settings,
    base::{
        clock::{Clock, Entropy},
        database::{ConnectError, connect},
    },
    proof::signing::KeySet,
    verification::{self, Check},
};
use serde::Serialize;

use crate::{
    command::password::PasswordArgs, config::StoreConfig, key_file, keys,
    rollback_guard_file::RollbackGuardFile,
};
use local_postgres::OwnerKind;

/// The form of the output of a command.
#[derive(Clone, Copy, Debug, Args)]
pub struct OutputForm {
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Arguments of `govern bootstrap`.
#[derive(Debug, Args)]
pub struct BootstrapArgs {
    /// The name of the tenant.
    #[arg(long)]
    tenant: String,
    /// The email address of the admin.
    #[arg(long)]
    email: String,
    #[command(flatten)]
    password: PasswordArgs,
    #[command(flatten)]
    json: OutputForm,
}

/// `govern user`.
#[derive(Debug, Subcommand)]
pub enum UserCommand {
    /// Create a user who belongs to a tenant.
    Create {
        /// The ID of the tenant.
        #[arg(long)]
        tenant: TenantId,
        /// The email address.
        #[arg(long)]
        email: String,
        #[command(flatten)]
        password: PasswordArgs,
        /// The role.
        #[arg(long, value_parser = role)]
        role: Role,
        #[command(flatten)]
        json: OutputForm,
    },
    /// Verify the email address of an account that a tenant created, so that other tenants can invite the
    /// account. Verify it only if the person who knows the password owns the address.
    Verify {
        /// The ID of the tenant that created the account.
        #[arg(long)]
        tenant: TenantId,
        /// The email address.
        #[arg(long)]
        email: String,
        #[command(flatten)]
        json: OutputForm,
    },
    /// Add the owner of a verified account to a tenant, without an invitation.
    Add {
        /// The ID of the tenant.
        #[arg(long)]
        tenant: TenantId,
        /// The email address.
        #[arg(long)]
        email: String,
        /// The role.
        #[arg(long, value_parser = role)]
        role: Role,
        #[command(flatten)]
        json: OutputForm,
    },
    /// Remove all passkeys, the authenticator app and the recovery codes of a user who has lost them. Run it only if the
    /// person who asks owns the address.
    ResetSecondFactors {
        /// The ID of the tenant that the account is confined to; absent for a verified account.
        #[arg(long)]
        tenant: Option<TenantId>,
        /// The email address.
        #[arg(long)]
        email: String,
        #[command(flatten)]
        json: OutputForm,
    },
}

/// `govern tenant`.
#[derive(Debug, Subcommand)]
pub enum TenantCommand {
    /// Create a tenant.
    Create {
        /// The name of the tenant.
        #[arg(long)]
        name: String,
        /// The parent tenant, whose inheritable policies also apply to the new tenant.
        #[arg(long)]
        parent: Option<TenantId>,
        #[command(flatten)]
        json: OutputForm,
    },
    /// Permit all sign-ins in a tenant again, when no admin can sign in with its identity provider or with a passkey.
    PermitSignIn {
        /// The ID of the tenant.
        #[arg(long)]
        tenant: TenantId,
        #[command(flatten)]
        json: OutputForm,
    },
}

/// `govern db`.
#[derive(Debug, Subcommand)]
pub enum DbCommand {
    /// Print a libpq URL of the database for psql and pgbench, while the service runs.
    Url,
    /// Verify the audit logs, receipts, chains, the transparency log and the trust registry. It reads everything.
    Verify {
        #[command(flatten)]
        json: OutputForm,
    },
}

fn role(text: &str) -> Result<Role, String> {
    text.parse().map_err(|()| format!("must be one of {}", Role::NAMES.join(", ")))
}

pub(crate) fn parse_timestamp(text: &str) -> Result<Timestamp, String> {
    text.parse().map_err(|_| "must be an RFC 3339 date-time with an offset".to_owned())
}

/// The service with an open database.
pub(crate) struct OpenService {
    pub(crate) governance: Governance,
    database: local_postgres::Database,
}

impl OpenService {
    /// Restarts the private `PostgreSQL` whenever it stops, as long as the future is polled.
    pub(crate) async fn watch(&self) -> std::convert::Infallible {
        self.database.watch().await
    }

    /// Closes the connections, and stops the private `PostgreSQL` if this process started it.
    pub(crate) async fn close(self) -> Result<()> {
        self.database.close().await
    }
}

/// Opens the database, migrates its schema and builds the service.
pub(crate) async fn open(store: &StoreConfig, owner: OwnerKind) -> Result<OpenService> {
    // Without a database, no keys are created.
    store.database().check(owner)?;
    let keys = keys::load(store).await?;
    open_with(store, owner, keys, ServiceOptions::default()).await
}

/// Opens the service like [`open`], with the given signing keys and options.
pub(crate) async fn open_with(
    store: &StoreConfig,
    owner: OwnerKind,
    keys: Option<KeySet>,
    options: ServiceOptions,
) -> Result<OpenService> {
    store.database().check(owner)?;
    let pepper = key_file::pepper(store)?;
    let database = local_postgres::open(&store.database(), owner).await?;
    open_database(store, database, pepper, keys, options).await
}

/// Migrates the schema of an open database and builds the service.
pub(crate) async fn open_database(
    store: &StoreConfig,
    database: local_postgres::Database,
    pepper: Pepper,
    keys: Option<KeySet>,
    options: ServiceOptions,
) -> Result<OpenService> {
    migrate_schema(&database.owner_url).await?;
    let governance = Governance::new(GovernanceConfig {
        database: connect(&database.app_url, store.database_connections)
            .await
            .map_err(|error| connect_error(&database.app_url, error))?,
        clock: Clock::System,
        entropy: Entropy::System,
        pepper,
        keys,
        options,
    });
    Ok(OpenService { governance, database })
}

pub(crate) async fn migrate(store: StoreConfig) -> Result<()> {
    let database = local_postgres::open(&store.database(), OwnerKind::Command).await?;
    let result = migrate_schema(&database.owner_url).await;
    database.close().await?;
    result
}

/// Applies the pending migrations of this version.
pub(crate) async fn migrate_schema(owner_url: &str) -> Result<()> {
    let state = migration::run(owner_url).await.map_err(|error| database_error(owner_url, &error));
    let state = state.context("the database schema cannot be migrated")?;
    if let Some(newest) = state.newer.last() {
        tracing::warn!(
            newest,
            "a newer version has migrated the database; this version works until the upgrade is complete"
        );
    }
    Ok(())
}

/// Converts an error of the database of `url` to one line without its credentials and without SQL.
pub(crate) fn database_error(url: &str, error: &migration::DbErr) -> anyhow::Error {
    anyhow!("{}", migration::describe(url, error))
}

/// Converts the error of a connection of the service like [`database_error`].
pub(crate) fn connect_error(url: &str, error: ConnectError) -> anyhow::Error {
    match error {
        ConnectError::Database(error) => database_error(url, &error),
        error => error.into(),
    }
}

pub(crate) async fn bootstrap(store: StoreConfig, args: BootstrapArgs) -> Result<()> {
    let BootstrapArgs { tenant, email, password, json } = args;
    let password = password.read()?;
    let service = open(&store, OwnerKind::Setup).await?;
    let created = async {
        let plan =
            operator::plan(&service.governance, Bootstrap { tenant, email, password }).await?;
        operator::bootstrap(&service.governance, plan).await
    };
    let created = created.await;
    service.close().await?;
    let created = created.map_err(command_error)?;
    print_result(json, &created, || {
        format!(
            "tenant {}\nadmin {}\nkey {}",
            created.tenant_id, created.email, created.api_key.plaintext_key
        )
    })
}

pub(crate) async fn user(store: StoreConfig, command: UserCommand) -> Result<()> {
    let service = open(&store, OwnerKind::Command).await?;
    let line = execute_user_command(&service.governance, command).await;
    service.close().await?;
    print_line(&line?)
}

/// Returns the output of the command.
async fn execute_user_command(
    governance: &Governance,
    command: UserCommand,
) -> CommandResult<String> {
    let membership = |email: &str, role: Role, tenant: TenantId| {
        format!("{email} is {} of {tenant}", role.with_article())
    };
    Ok(match command {
        UserCommand::Create { tenant, email, password, role, json } => {
            let password = password.read()?;
            let created = operator::create_user(governance, tenant, &email, password, role).await?;
            let text = || membership(&created.email, created.role, created.tenant_id);
            output(json, &created, text)?
        }
        UserCommand::Verify { tenant, email, json } => {
            let verified = operator::verify_user(governance, tenant, &email).await?;
            output(json, &verified, || format!("{} is verified", verified.email))?
        }
        UserCommand::Add { tenant, email, role, json } => {
            let added = operator::add_user(governance, tenant, &email, role).await?;
            output(json, &added, || membership(&added.email, added.role, added.tenant_id))?
        }
        UserCommand::ResetSecondFactors { tenant, email, json } => {
            let reset = operator::reset_second_factors(governance, tenant, &email).await?;
            output(json, &reset, || {
                let state = if reset.had_second_factor { "was removed" } else { "did not exist" };
                format!("the second factor of {} {state}", reset.email)
            })?
        }
    })
}

pub(crate) async fn tenant(store: StoreConfig, command: TenantCommand) -> Result<()> {
    let service = open(&store, OwnerKind::Command).await?;
    match command {
        TenantCommand::Create { name, parent, json } => {
            let created = operator::create_tenant(&service.governance, &name, parent).await;
            service.close().await?;
            let created = created.map_err(command_error)?;
            print_result(json, &created, || format!("{} is {}", created.name, created.tenant_id))
        }
        TenantCommand::PermitSignIn { tenant, json } => {
            let result = settings::permit_all_sign_ins(&service.governance, tenant).await;
            service.close().await?;
            result.map_err(command_error)?;
            let permitted = PermittedSignIn { tenant_id: tenant, sign_in: SignInPolicy::Any };
            print_result(json, &permitted, || format!("all sign-ins are permitted in {tenant}"))
        }
    }
}

/// The output of `govern tenant permit-sign-in`.
#[derive(Serialize)]
struct PermittedSignIn {
    tenant_id: TenantId,
    sign_in: SignInPolicy,
}

pub(crate) async fn db(store: StoreConfig, command: DbCommand) -> Result<()> {
    if let DbCommand::Verify { json } = command {
        return verify(&store, json).await;
    }
    let database = local_postgres::open(&store.database(), OwnerKind::Command).await?;
    let url = database.superuser_url.clone();
    database.close().await?;
    print_line(&url)
}

async fn verify(store: &StoreConfig, json: OutputForm) -> Result<()> {
    let service = open(store, OwnerKind::Command).await?;
    let guard = RollbackGuardFile::new(&store.data_dir);
    let checks = verification::verify(&service.governance.operator(), &guard).await;
    service.close().await?;
    report(json, &checks.map_err(command_error)?)
}

/// Prints the checks as a table.
///
/// # Errors
/// Returns an error if a check has found a problem.
pub(crate) fn report(json: OutputForm, checks: &[Check]) -> Result<()> {
    let line = |check: &Check| {
        let status = if check.has_passed() { "OK" } else { "FAILED" };
        let problems = check.problems.iter().map(|problem| format!("\n        {problem}"));
        format!("{status:<8}{:<18}{}{}", check.name, check.checked, problems.collect::<String>())
    };
    let table = || checks.iter().map(line).collect::<Vec<_>>().join("\n");
    print_result(json, &serde_json::json!({"items": checks}), table)?;
    let failed = checks.iter().filter(|check| !check.has_passed()).count();
    ensure!(failed == 0, "{failed} of {} checks failed", checks.len());
    Ok(())
}

/// Converts an error to the error of a command. For a refusal, it contains only the message.
pub(crate) fn command_error(error: governance::Error) -> anyhow::Error {
    match &error {
        governance::Error::Refused(refusal) => {
            let (code, message) = (refusal.code.as_str(), refusal.message.clone());
            anyhow!(RefusedError { code, message })
        }
        _ => anyhow!(error),
    }
}

/// The result of a command, whose `?` converts the errors of use cases with [`command_error`].
pub(crate) type CommandResult<T> = Result<T, CommandError>;

/// The error of a command.
pub(crate) struct CommandError(anyhow::Error);

impl From<governance::Error> for CommandError {
    fn from(error: governance::Error) -> Self {
        Self(command_error(error))
    }
}

impl From<anyhow::Error> for CommandError {
    fn from(error: anyhow::Error) -> Self {
        Self(error)
    }
}

impl From<CommandError> for anyhow::Error {
    fn from(error: CommandError) -> Self {
        error.0
    }
}

/// A refusal of a use case.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct RefusedError {
    /// The code of the API.
    pub code: &'static str,
    message: String,
}

/// The error of an output that cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("standard output cannot be written: {0}")]
pub struct OutputError(#[from] std::io::Error);

impl OutputError {
    /// Returns whether the output is a pipe that is no longer read.
    pub fn is_closed_pipe(&self) -> bool {
        self.0.kind() == std::io::ErrorKind::BrokenPipe
    }
}

/// Prints a line on standard output.
pub(crate) fn print_line(line: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).map_err(OutputError::from)?;
    Ok(())
}

pub(crate) fn print_result<T: Serialize>(
    form: OutputForm,
    value: &T,
    text: impl FnOnce() -> String,
) -> Result<()> {
    print_line(&output(form, value, text)?)
}

/// Returns the output of a command: a JSON object, or text.
pub(crate) fn output<T: Serialize>(
    form: OutputForm,
    value: &T,
    text: impl FnOnce() -> String,
) -> Result<String> {
    if form.json {
        serde_json::to_string(value).context("the output cannot be serialized")
    } else {
        Ok(text())
    }
}
