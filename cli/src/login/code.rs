//! The one-time code of the console, which the command exchanges for an API key (RFC 7636).

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use contract::api_key::ApiKeyCreated;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use url::Url;

use super::{StoredKey, prompt};
use crate::{client::Client, exit::Error, output, profile::Connection};

/// A started sign-in.
pub(super) struct Login<'a> {
    service: &'a Url,
    scopes: &'a [String],
    /// The secret that proves that the exchange comes from this process.
    verifier: String,
    /// The value that the redirect must return.
    pub(super) state: String,
}

impl<'a> Login<'a> {
    pub(super) fn start(service: &'a Url, scopes: &'a [String]) -> Result<Self, Error> {
        Ok(Self { service, scopes, verifier: random()?, state: random()? })
    }

    /// Returns the address of the page on which the user allows access. `port` is that of the redirect; without it, the
    /// page shows the code.
    pub(super) fn page(&self, port: Option<u16>) -> Url {
        let mut url = self.service.clone();
        if let Ok(mut path) = url.path_segments_mut() {
            path.pop_if_empty().push("cli-login");
        }
        let mut query = url.query_pairs_mut();
        if let Some(port) = port {
            query.append_pair("port", &port.to_string()).append_pair("state", &self.state);
        }
        query.append_pair("code_challenge", &challenge(&self.verifier));
        query.append_pair("name", &machine());
        if !self.scopes.is_empty() {
            query.append_pair("scopes", &self.scopes.join(","));
        }
        drop(query);
        url
    }

    /// Exchanges a code for a key.
    pub(super) async fn exchange(&self, code: &str, port: Option<u16>) -> Result<StoredKey, Error> {
        let connection = Connection { url: self.service.clone(), tenant_id: None, api_key: None };
        let mut body = json!({"code": code, "code_verifier": self.verifier});
        if let Some(port) = port {
            body["port"] = port.into();
        }
        let reply = Client::new(&connection)?.post(["cli", "token"]).json(&body).send().await?;
        let ApiKeyCreated { key, plaintext_key } = reply.read()?;
        Ok(StoredKey {
            tenant_id: key.tenant_id,
            api_key: plaintext_key,
            name: Some(key.name),
            expires_at: key.expires_at,
            created_on: Some(machine_id()),
        })
    }
}

/// Signs in without a redirect: the user copies the code from the page.
pub(super) async fn sign_in(service: &Url, scopes: &[String]) -> Result<StoredKey, Error> {
    let login = Login::start(service, scopes)?;
    output::note(&format!(
        "Open this address in a browser, allow access, and paste the code of the page here:\n  {}",
        login.page(None)
    ));
    let code = prompt::secret("Code").map_err(|error| Error::Input(error.to_string()))?;
    login.exchange(&code, None).await
}

/// Returns the base64url text of 32 random bytes.
fn random() -> Result<String, Error> {
    let mut bytes = [0; 32];
    let random = rustls::crypto::ring::default_provider().secure_random;
    random.fill(&mut bytes).map_err(|_| Error::Input("the system has no random numbers".into()))?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

/// Returns the challenge of a verifier (RFC 7636, section 4.2).
fn challenge(verifier: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(verifier))
}

/// Returns the ID of this machine, or its name if it has none.
pub(super) fn machine_id() -> String {
    let id = std::fs::read_to_string("/etc/machine-id").unwrap_or_default();
    if id.trim().is_empty() { machine() } else { id.trim().to_owned() }
}

/// Returns the name of this machine, which the page shows.
fn machine() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_challenge_is_that_of_the_standard() {
        // RFC 7636, appendix B.
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
        assert_eq!(challenge(verifier), "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
    }

    #[test]
    fn the_page_contains_the_request_and_no_verifier() {
        let service = Url::parse("https://a.example/govern/").expect("a URL");
        let scopes = ["policies:read".to_owned(), "policies:write".to_owned()];
        let login = Login::start(&service, &scopes).expect("random numbers");
        let page = login.page(Some(8085));
        let start = format!("https://a.example/govern/cli-login?port=8085&state={}&", login.state);
        assert!(page.as_str().starts_with(&start), "{page}");
        assert!(page.as_str().ends_with("&scopes=policies%3Aread%2Cpolicies%3Awrite"), "{page}");
        assert!(!page.as_str().contains(&login.verifier));
        assert!(!login.page(None).as_str().contains("port="));
        assert_ne!(Login::start(&service, &scopes).expect("random numbers").state, login.state);
    }
}
