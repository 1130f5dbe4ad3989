//! `govern login`: stores the URL and an API key of a service in a profile.

mod browser;
mod prompt;

use std::io::IsTerminal as _;

use clap::Args;
use contract::id::TenantId;
use url::Url;

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
    /// The URL of the service, or of any page of the tenant in the console
    #[arg(long, env = "GOVERN_URL")]
    url: String,
    /// The tenant of the key [default: the tenant in the URL]
    #[arg(long = "tenant", env = "GOVERN_TENANT_ID", value_name = "ID")]
    tenant_id: Option<TenantId>,
    /// Read an existing API key from standard input, without opening a browser
    #[arg(long)]
    key: bool,
    /// Print the profile as JSON, without its key
    #[arg(long)]
    json: bool,
}

pub(crate) async fn run(args: LoginArgs) -> Result<Exit, Error> {
    let (url, tenant_in_url) = service_and_tenant(&args.url)?;
    let tenant_id = args.tenant_id.or(tenant_in_url).ok_or_else(|| {
        Error::Input(
            "use --tenant, or the URL of a page of the tenant: https://…/t/ID/…".to_owned(),
        )
    })?;
    if !args.key && std::io::stdin().is_terminal() {
        browser::open_keys(&url, tenant_id);
    }
    let api_key = prompt::api_key().map_err(|error| Error::Input(error.to_string()))?;
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

/// Returns the URL of the service, and the tenant if `text` is the URL of a page of the console.
fn service_and_tenant(text: &str) -> Result<(Url, Option<TenantId>), Error> {
    let mut url = parse_url(text)?;
    url.set_query(None);
    url.set_fragment(None);
    let path = url.path().to_owned();
    let Some((before, page)) = path.split_once("/t/") else { return Ok((url, None)) };
    let tenant = page.split('/').next().and_then(|id| id.parse().ok());
    if tenant.is_some() {
        url.set_path(before);
    }
    Ok((url, tenant))
}

/// Checks that the service accepts the key. A key without the scope of the call is valid.
async fn check(connection: &Connection) -> Result<(), Error> {
    let client = Client::new(connection)?;
    match client.get(["policies"]).query("limit", 1).send().await {
        Err(client::Error::Refused(refused)) if refused.body.error.code == "INSUFFICIENT_SCOPE" => {
            Ok(())
        }
        Err(error) => Err(error.into()),
        Ok(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tenant_is_read_from_the_url_of_a_page() {
        let id = "00000000-0000-4000-8000-000000000001";
        let read = |text: &str| {
            let (url, tenant) = service_and_tenant(text).expect("a URL");
            (url.to_string(), tenant.map(|tenant| tenant.to_string()))
        };
        let service = |url: &str, tenant: Option<&str>| (url.to_owned(), tenant.map(str::to_owned));
        assert_eq!(read("https://a.example"), service("https://a.example/", None));
        let page = format!("https://a.example/govern/t/{id}/keys?cursor=1#x");
        assert_eq!(read(&page), service("https://a.example/govern", Some(id)));
        assert_eq!(read("https://a.example/t/x"), service("https://a.example/t/x", None));
        assert!(service_and_tenant("a.example").is_err());
    }
}
