//! `govern login` and `govern logout`: the URL and an API key of a service in a profile.

mod browser;
mod callback;
mod code;
mod prompt;

use std::io::IsTerminal as _;

use clap::{Args, builder::PossibleValuesParser};
use contract::{id::TenantId, scope::Scope, time::Timestamp};
use serde_json::json;
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
    /// The tenant of an existing key [default: the tenant in the URL]
    #[arg(long = "tenant", env = "GOVERN_TENANT_ID", value_name = "ID")]
    tenant_id: Option<TenantId>,
    #[command(flatten)]
    source: KeySource,
    /// A scope that the page selects; repeat it for more [default: policies:read and decisions:evaluate]
    #[arg(long = "scope", value_name = "SCOPE", conflicts_with = "key", value_parser = scopes())]
    scopes: Vec<String>,
    /// Print the profile as JSON, without its key
    #[arg(long)]
    json: bool,
}

/// Where the key comes from.
#[derive(Debug, Args)]
#[group(multiple = false)]
struct KeySource {
    /// Read an existing API key from standard input, without the browser
    #[arg(long)]
    key: bool,
    /// Open the browser although standard input is not a terminal
    #[arg(long)]
    browser: bool,
    /// Print the address, and read the code that the page shows, for a machine without a browser
    #[arg(long)]
    no_browser: bool,
}

fn scopes() -> PossibleValuesParser {
    let grantable = Scope::ALL.iter().filter(|scope| scope.is_grantable());
    PossibleValuesParser::new(grantable.map(|scope| scope.as_str()))
}

/// The arguments of `govern logout`.
#[derive(Debug, Args)]
pub struct LogoutArgs {
    /// The name of the profile
    #[arg(long, env = "GOVERN_PROFILE", value_name = "NAME", default_value = profile::DEFAULT)]
    profile: String,
    /// Remove only the profile, although `govern login` created its key on this machine
    #[arg(long)]
    keep_key: bool,
    /// Print the removed profile as JSON, without its key
    #[arg(long)]
    json: bool,
}

/// A key that was received from the browser or from standard input.
struct StoredKey {
    tenant_id: TenantId,
    api_key: String,
    /// The name of a new key.
    name: Option<String>,
    expires_at: Option<Timestamp>,
    /// The ID of this machine, for a new key.
    created_on: Option<String>,
}

pub(crate) async fn run(args: LoginArgs) -> Result<Exit, Error> {
    let (url, tenant_in_url) = service_and_tenant(&args.url)?;
    let path = Profiles::path()?;
    // A file that cannot be read is reported before a key is created.
    let mut profiles = Profiles::load(&path)?;
    let KeySource { key, browser, no_browser } = args.source;
    let reads_key = key || (!browser && !no_browser && !std::io::stdin().is_terminal());
    let key = if reads_key {
        existing_key(&url, args.tenant_id.or(tenant_in_url)).await?
    } else if no_browser {
        code::sign_in(&url, &args.scopes).await?
    } else {
        browser::sign_in(&url, &args.scopes).await?
    };
    let StoredKey { tenant_id, api_key, name, expires_at, created_on: key_created_on } = key;
    let profile = Profile { url: url.to_string(), tenant_id, api_key, key_created_on };
    profiles.profiles.insert(args.profile.clone(), profile);
    profiles.save(&path)?;
    if args.json {
        let profile = json!({
            "profile": args.profile, "url": url.to_string(), "tenant_id": tenant_id, "key_name": name,
            "expires_at": expires_at,
        });
        output::print_json(&profile.to_string())?;
        return Ok(Exit::Success);
    }
    output::print(&format!("stored profile `{}` in {}", args.profile, path.display()))?;
    if let Some(name) = name {
        let expiry = expires_at.map(|at| format!(", valid until {at}")).unwrap_or_default();
        output::print(&format!("API key `{name}` of tenant {tenant_id}{expiry}"))?;
    }
    Ok(Exit::Success)
}

/// Removes a profile, and revokes its key if nothing else uses it as far as this machine knows.
pub(crate) async fn log_out(args: LogoutArgs) -> Result<Exit, Error> {
    let path = Profiles::path()?;
    let mut profiles = Profiles::load(&path)?;
    let profile = profiles.profiles.remove(&args.profile);
    let profile =
        profile.ok_or_else(|| Error::Input(format!("there is no profile `{}`", args.profile)))?;
    let url = parse_url(&profile.url)?;
    let retained = if args.keep_key { Some("") } else { reason_to_keep(&profile, &profiles) };
    let is_revoked = retained.is_none();
    if is_revoked {
        let client = Client::new(&Connection { url: url.clone(), tenant_id: None, api_key: None })?;
        let body = json!({"api_key": profile.api_key});
        // The revocation of a revoked key has no effect.
        client.post(["cli", "revoke"]).json(&body).idempotent().send().await?;
    }
    profiles.save(&path)?;
    let removed = json!({
        "profile": args.profile, "url": url.to_string(), "tenant_id": profile.tenant_id,
        "is_revoked": is_revoked,
    });
    let key = match retained {
        None => "revoked its API key".to_owned(),
        Some(reason) => format!("its API key is still valid{reason}"),
    };
    let text = format!("removed profile `{}`; {key}", args.profile);
    output::print_as(args.json, &removed.to_string(), &text)?;
    Ok(Exit::Success)
}

/// Returns why the key of a removed profile is not revoked, as the end of a sentence. `others` are the remaining
/// profiles.
fn reason_to_keep(profile: &Profile, others: &Profiles) -> Option<&'static str> {
    if profile.key_created_on.as_deref() != Some(&*code::machine_id()) {
        return Some(", because `govern login` did not create it on this machine");
    }
    let is_used = others.profiles.values().any(|other| other.api_key == profile.api_key);
    is_used.then_some(", because another profile has it")
}

/// Reads a key from standard input and checks that the service accepts it.
async fn existing_key(url: &Url, tenant: Option<TenantId>) -> Result<StoredKey, Error> {
    let tenant_id = tenant.ok_or_else(|| {
        Error::Input(
            "use --tenant, or the URL of a page of the tenant: https://…/t/ID/…".to_owned(),
        )
    })?;
    let api_key = prompt::secret("API key").map_err(|error| Error::Input(error.to_string()))?;
    let connection =
        Connection { url: url.clone(), tenant_id: Some(tenant_id), api_key: Some(api_key.clone()) };
    check(&connection).await?;
    Ok(StoredKey { tenant_id, api_key, name: None, expires_at: None, created_on: None })
}

/// Returns the URL of the service, and the tenant if `text` is the URL of a page of the console.
fn service_and_tenant(text: &str) -> Result<(Url, Option<TenantId>), Error> {
    // A page of the console may have a query.
    let mut url = parse_url(text.split(['?', '#']).next().unwrap_or_default())?;
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
    fn only_a_key_that_was_created_here_is_revoked() {
        let profile = |created_on: Option<&str>| Profile {
            url: "https://a.example".to_owned(),
            tenant_id: "00000000-0000-4000-8000-000000000001".parse().expect("an ID"),
            api_key: "svc_secret".to_owned(),
            key_created_on: created_on.map(str::to_owned),
        };
        let own = profile(Some(&code::machine_id()));
        let none = Profiles::default();
        assert_eq!(reason_to_keep(&own, &none), None);
        for retained in [profile(None), profile(Some("another machine"))] {
            assert!(reason_to_keep(&retained, &none).is_some(), "{retained:?}");
        }
        let copied = Profiles { profiles: [("copy".to_owned(), own.clone())].into() };
        assert!(reason_to_keep(&own, &copied).is_some());
    }

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
