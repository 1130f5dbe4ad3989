//! `govern login`: stores the URL and an API key of a service in a profile.

mod prompt;

use clap::Args;
use contract::id::TenantId;

use crate::{
    client::{self, Client},
    exit::{Error, Exit},
    output,
    profile::{self, Connection, Profile, Profiles, parse_url},
};

/// The arguments of `govern login`.
#[derive(Debug, Args)]
pub struct LoginArgs {
    /// The name of the profile
    #[arg(long, env = "GOVERN_PROFILE", value_name = "NAME", default_value = profile::DEFAULT)]
    profile: String,
    /// The URL of the service
    #[arg(long, env = "GOVERN_URL")]
    url: String,
    /// The tenant of the key
    #[arg(long = "tenant", env = "GOVERN_TENANT_ID", value_name = "ID")]
    tenant_id: TenantId,
    /// Read an API key from standard input, without showing it in a terminal
    #[arg(long)]
    key: bool,
    /// Print the profile as JSON, without its key
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(args: LoginArgs) -> Result<Exit, Error> {
    let url = parse_url(&args.url)?;
    let api_key = prompt::api_key().map_err(|error| Error::Input(error.to_string()))?;
    let tenant_id = args.tenant_id;
    let connection =
        Connection { url: url.clone(), tenant_id: Some(tenant_id), api_key: Some(api_key.clone()) };
    check(&connection).await?;
    let path = Profiles::path()?;
    let mut profiles = Profiles::load(&path)?;
    let profile = Profile { url: url.to_string(), tenant_id, api_key };
    profiles.profiles.insert(args.profile.clone(), profile);
    profiles.save(&path)?;
    if args.json {
        let profile = serde_json::json!({"profile": args.profile, "url": url.to_string(), "tenant_id": tenant_id});
        output::print(&profile.to_string());
    } else {
        output::print(&format!("stored profile `{}` in {}", args.profile, path.display()));
    }
    Ok(Exit::Success)
}

/// Checks that the service accepts the key. A key without the scope of the call is valid.
async fn check(connection: &Connection) -> Result<(), Error> {
    let client = Client::new(connection)?;
    match client.get(["policies"]).query("limit", 1).send().await {
        Err(client::Error::Refused(refused)) if refused.body.error.code == "INSUFFICIENT_SCOPE" => Ok(()),
        Err(error) => Err(error.into()),
        Ok(_) => Ok(()),
    }
}
