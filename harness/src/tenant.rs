//! The accounts with which a program creates and activates policies.

use std::net::SocketAddr;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use crate::{Connection, Request, Service};

/// The password of every account.
pub const PASSWORD: &str = "four words of my own";

/// A tenant and an API key with every scope.
#[derive(Clone, Debug)]
pub struct Tenant {
    /// The ID of the tenant.
    pub id: String,
    key: String,
}

impl Tenant {
    /// Returns the tenant of the first start of a service.
    pub fn first(service: &Service) -> Result<Self> {
        Self::from_json(&service.first_run()?, "/api_key")
    }

    /// Creates another tenant with an administrator.
    pub fn create(service: &Service, name: &str, email: &str) -> Result<Self> {
        let bootstrap = ["bootstrap", "--tenant", name, "--email", email, "--password", PASSWORD];
        let created = service.run(&[&bootstrap[..], &["--json"]].concat())?;
        Self::from_json(&serde_json::from_str(&created)?, "/api_key/plaintext_key")
    }

    fn from_json(created: &Value, key: &str) -> Result<Self> {
        let text = |pointer| created.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
        let id = text("/tenant_id").context("a tenant without an ID")?;
        Ok(Self { id, key: text(key).context("a tenant without a key")? })
    }

    /// Returns the same tenant with another API key.
    #[must_use]
    pub fn with_key(&self, key: String) -> Self {
        Self { id: self.id.clone(), key }
    }

    /// Returns the headers of a request with the API key.
    pub fn headers(&self) -> String {
        format!("authorization: Bearer {}\r\n{}", self.key, self.header())
    }

    /// Returns the header that names the tenant.
    fn header(&self) -> String {
        format!("x-service-tenant-id: {}\r\n", self.id)
    }

    /// Returns a request with the API key and a body.
    pub fn post(&self, path: &str, body: &Value) -> Request {
        Request::new("POST", path, &self.headers(), Some(&body.to_string()))
    }

    /// Returns a request with the API key.
    pub fn get(&self, path: &str) -> Request {
        Request::new("GET", path, &self.headers(), None)
    }
}

/// A signed-in person who ratifies the policies that an API key has written.
#[derive(Debug)]
pub struct Ratifier {
    address: SocketAddr,
    /// The header with the session.
    pub cookie: String,
}

impl Ratifier {
    /// The address with which the person signs in.
    pub const EMAIL: &str = "ratifier@harness.example";

    /// Creates the account in a tenant and signs in.
    pub fn create(service: &Service, tenant: &Tenant) -> Result<Self> {
        let create = ["user", "create", "--tenant", &tenant.id, "--email", Self::EMAIL];
        service.run(&[&create[..], &["--password", PASSWORD, "--role", "ratifier"]].concat())?;
        let mut ratifier = Self { address: service.address, cookie: String::new() };
        ratifier.sign_in()?;
        Ok(ratifier)
    }

    /// Signs in again: an idle session expires, and a ratification requires a recent sign-in.
    pub fn sign_in(&mut self) -> Result<()> {
        let body = json!({"email": Self::EMAIL, "password": PASSWORD}).to_string();
        let mut request = Request::new("POST", "/v1/session", "", Some(&body));
        let mut connection = Connection::open(self.address)?;
        let response = connection.send(&mut request)?;
        response.expect(200)?;
        self.cookie = response.cookie().context("no cookie was set")?;
        Ok(())
    }

    /// Creates a policy with the API key of the tenant, ratifies it and activates it. Returns its ID.
    pub fn activate(&self, tenant: &Tenant, policy: &Value) -> Result<String> {
        let own = format!("{}{}", self.cookie, tenant.header());
        let post = |path: &str, headers: &str, body: &Value, status| {
            let mut request = Request::new("POST", path, headers, Some(&body.to_string()));
            let mut connection = Connection::open(self.address)?;
            connection.send(&mut request)?.json::<Value>(status).with_context(|| path.to_owned())
        };
        let created = post("/v1/policies", &tenant.headers(), policy, 201)?;
        let id = created.pointer("/policy/id").and_then(Value::as_str).context("no policy")?;
        let version = format!("/v1/policies/{id}/versions/1");
        post(&format!("{version}/submit"), &tenant.headers(), &json!({}), 200)?;
        post(&format!("{version}/ratify"), &own, &json!({"expected_revision": 1}), 200)?;
        post(&format!("{version}/activate"), &own, &json!({}), 200)?;
        Ok(id.to_owned())
    }
}
