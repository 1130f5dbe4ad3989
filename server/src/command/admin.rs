//! The sub-commands that make tenants and people.

use anyhow::{Context, Result, anyhow};
use clap::{Args, Subcommand};
use contract::{id::TenantId, scope::Role};
use governance::{
    Governance, Setup,
    clock::{Chance, Clock},
    operator::{self, Bootstrap},
    signing::KeySet,
};
use serde::Serialize;

use crate::{
    command::password::PasswordArgs,
    config::StoreConfig,
    database::{self, Tenure},
    key_file, keys,
};

/// Arguments of `govern bootstrap`.
#[derive(Debug, Args)]
pub struct BootstrapArgs {
    /// The tenant's name.
    #[arg(long)]
    tenant: String,
    /// The admin's e-mail address.
    #[arg(long)]
    email: String,
    #[command(flatten)]
    password: PasswordArgs,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// `govern user`.
#[derive(Debug, Subcommand)]
pub enum UserCommand {
    /// Make a person who belongs to a tenant.
    Create {
        /// The tenant's id.
        #[arg(long)]
        tenant: TenantId,
        /// The e-mail address.
        #[arg(long)]
        email: String,
        #[command(flatten)]
        #[expect(missing_docs, reason = "clap would print it; the type says it")]
        password: PasswordArgs,
        /// The role.
        #[arg(long, value_parser = role)]
        role: Role,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// Prove the address of an account that a tenant made, so that other tenants can invite it. Verify it only
    /// when the person who knows its password owns the address.
    Verify {
        /// The id of the tenant that made the account.
        #[arg(long)]
        tenant: TenantId,
        /// The e-mail address.
        #[arg(long)]
        email: String,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// Make the holder of a proven account a member of a tenant, without an invitation.
    Add {
        /// The tenant's id.
        #[arg(long)]
        tenant: TenantId,
        /// The e-mail address.
        #[arg(long)]
        email: String,
        /// The role.
        #[arg(long, value_parser = role)]
        role: Role,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
}

/// `govern tenant`.
#[derive(Debug, Subcommand)]
pub enum TenantCommand {
    /// Make a tenant.
    Create {
        /// The tenant's name.
        #[arg(long)]
        name: String,
        /// The tenant whose inheritable policies shall govern it too.
        #[arg(long)]
        parent: Option<TenantId>,
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
}

/// `govern db`.
#[derive(Debug, Subcommand)]
pub enum DbCommand {
    /// Print a libpq URL of the database for psql and pgbench, while the service runs.
    Url,
}

fn role(text: &str) -> Result<Role, String> {
    text.parse().map_err(|()| format!("must be one of {}", Role::WORDS.join(", ")))
}

/// An open store, and the service over it.
pub(crate) struct Opened {
    pub(crate) governance: Governance,
    database: database::Database,
}

impl Opened {
    /// Starts a private `PostgreSQL` again whenever it has stopped, for as long as it is awaited.
    pub(crate) async fn watch(&self) -> std::convert::Infallible {
        self.database.watch().await
    }

    /// Closes the connections, and stops the private `PostgreSQL` if this process started it.
    pub(crate) async fn close(self) -> Result<()> {
        self.database.close().await
    }
}

/// Opens the store, brings its schema up to date, and builds the service over it.
pub(crate) async fn open(store: &StoreConfig, tenure: Tenure) -> Result<Opened> {
    let keys = keys::load(store).await?;
    open_with(store, tenure, keys).await
}

/// The same with these keys.
pub(crate) async fn open_with(
    store: &StoreConfig,
    tenure: Tenure,
    keys: Option<KeySet>,
) -> Result<Opened> {
    let database = database::open(&store.database(), tenure).await?;
    migration::run(&database.owner_url).await.context("the schema cannot be brought up to date")?;
    let governance = Governance::new(Setup {
        database: governance::database::connect(&database.app_url).await?,
        clock: Clock::System,
        chance: Chance::System,
        pepper: key_file::pepper(store)?,
        keys,
    });
    Ok(Opened { governance, database })
}

pub(crate) async fn migrate(store: StoreConfig) -> Result<()> {
    let database = database::open(&store.database(), Tenure::Command).await?;
    let migrated = migration::run(&database.owner_url).await;
    database.close().await?;
    migrated.context("the schema cannot be brought up to date")
}

pub(crate) async fn bootstrap(store: StoreConfig, args: BootstrapArgs) -> Result<()> {
    let BootstrapArgs { tenant, email, password, json } = args;
    let password = password.read()?;
    let opened = open(&store, Tenure::Command).await?;
    let made = async {
        let plan =
            operator::plan(&opened.governance, Bootstrap { tenant, email, password }).await?;
        operator::bootstrap(&opened.governance, plan).await
    };
    let made = made.await.map_err(told);
    opened.close().await?;
    let made = made?;
    tell(json, &made, || {
        format!(
            "tenant {}\nadmin {}\nkey {}",
            made.tenant_id, made.email, made.api_key.plaintext_key
        )
    })
}

pub(crate) async fn user(store: StoreConfig, command: UserCommand) -> Result<()> {
    let opened = open(&store, Tenure::Command).await?;
    let done = user_in(&opened.governance, command).await;
    opened.close().await?;
    done
}

async fn user_in(governance: &Governance, command: UserCommand) -> Result<()> {
    match command {
        UserCommand::Create { tenant, email, password, role, json } => {
            let password = password.read()?;
            let made = operator::create_user(governance, tenant, &email, password, role).await;
            let made = made.map_err(told)?;
            tell(json, &made, || format!("{} is a {} of {}", made.email, made.role, made.tenant_id))
        }
        UserCommand::Verify { tenant, email, json } => {
            let verified = operator::verify_user(governance, tenant, &email).await.map_err(told)?;
            tell(json, &verified, || format!("{} is proven", verified.email))
        }
        UserCommand::Add { tenant, email, role, json } => {
            let added = operator::add_user(governance, tenant, &email, role).await;
            let added = added.map_err(told)?;
            tell(json, &added, || {
                format!("{} is a {} of {}", added.email, added.role, added.tenant_id)
            })
        }
    }
}

pub(crate) async fn tenant(store: StoreConfig, command: TenantCommand) -> Result<()> {
    let TenantCommand::Create { name, parent, json } = command;
    let opened = open(&store, Tenure::Command).await?;
    let made = operator::create_tenant(&opened.governance, &name, parent).await;
    opened.close().await?;
    let made = made.map_err(told)?;
    tell(json, &made, || format!("{} is {}", made.name, made.tenant_id))
}

pub(crate) async fn db(store: StoreConfig, command: DbCommand) -> Result<()> {
    let DbCommand::Url = command;
    let database = database::open(&store.database(), Tenure::Command).await?;
    let url = database.keeper_url.clone();
    database.close().await?;
    tell(false, &url, || url.clone())
}

/// A refusal as a command tells it: the sentence, and which value it is about.
pub(crate) fn told(error: governance::Error) -> anyhow::Error {
    match &error {
        governance::Error::Refused(refusal) => anyhow!("{}", refusal.message),
        _ => anyhow!(error),
    }
}

#[expect(clippy::print_stdout, reason = "the answer of a command")]
pub(crate) fn tell<T: Serialize>(
    json: bool,
    made: &T,
    words: impl FnOnce() -> String,
) -> Result<()> {
    if json {
        println!("{}", serde_json::to_string(made).context("the answer cannot be written")?);
    } else {
        println!("{}", words());
    }
    Ok(())
}
