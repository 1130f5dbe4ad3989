//! Benchmark fixture: tenants with ratified policies, and the requests that clients send.

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Map, Value, json};

use crate::{
    database::Database,
    load::{Connection, Request, request::NUMBER},
    sample::Sample,
    service::Service,
};

/// The number of rules that apply to a record.
pub(crate) const RULES: usize = 10;

/// The number of rules of the policy in shadow mode.
const SHADOW_RULES: usize = 1;

/// The number of tenants in runs with many tenants.
pub(crate) const TENANTS: usize = 64;

const EMAIL: &str = "ratifier@bench.example";
const PASSWORD: &str = "four words of my own";

#[derive(Debug)]
pub(crate) struct BenchFixture {
    pub(crate) service: Service,
    pub(crate) database: Database,
    pub(crate) tenant: Tenant,
    /// The tenants beyond the first.
    other_tenants: Vec<Tenant>,
    /// The cookie header of the ratifier's session.
    cookie: String,
    /// The newest policy of the first tenant.
    pub(crate) policy: String,
}

#[derive(Clone, Debug)]
pub(crate) struct Tenant {
    pub(crate) id: String,
    key: String,
}

impl Tenant {
    fn from_response(created: &Value, key: &str) -> Result<Self> {
        let text = |pointer| created.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
        let id = text("/tenant_id").context("a tenant without an id")?;
        Ok(Self { id, key: text(key).context("a tenant without a key")? })
    }

    fn header(&self) -> String {
        format!("x-service-tenant-id: {}\r\n", self.id)
    }

    /// Returns the headers of a request with the API key.
    pub(crate) fn headers(&self) -> String {
        format!("authorization: Bearer {}\r\n{}", self.key, self.header())
    }

    /// Returns a request that evaluates these fields against this many rules.
    pub(crate) fn evaluate(&self, rules: usize, fields: &Map<String, Value>) -> Request {
        let body = json!({"context": context(rules, "agent-7", fields)}).to_string();
        Request::new("POST", "/v1/decisions/evaluate", &self.headers(), Some(&body))
    }

    /// Returns a request that records a decision with a new idempotency key each time. It violates
    /// no rule.
    pub(crate) fn record(&self) -> Request {
        self.record_of("agent-7", 0)
    }

    /// Returns a request that records a decision of `actor`. An amount above 500,000 violates the
    /// first rule.
    pub(crate) fn record_of(&self, actor: &str, amount: u32) -> Request {
        let mut fields = Sample::NARROW.fields();
        fields["amount_0"] = amount.into();
        self.record_with(json!({"context": context(RULES, actor, &fields)}))
    }

    /// Returns a request that records a decision that violates the rule of the shadow policy.
    pub(crate) fn record_in_shadow_mode(&self) -> Request {
        let mut fields = Sample::NARROW.fields();
        fields["amount_0"] = 600_000.into();
        self.record_with(json!({"context": context(SHADOW_RULES, "agent-7", &fields)}))
    }

    /// Returns a request that records a decision in a chain.
    pub(crate) fn record_in_chain(&self, chain: &str) -> Request {
        let context = context(RULES, "agent-7", &Sample::NARROW.fields());
        self.record_with(json!({"context": context, "chain": {"chain_id": chain}}))
    }

    /// Returns a request with this body and a new idempotency key each time.
    fn record_with(&self, mut body: Value) -> Request {
        body["idempotency_key"] = format!("bench-{NUMBER}").into();
        self.post("/v1/decisions/record", &body)
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Request {
        Request::new("POST", path, &self.headers(), Some(&body.to_string()))
    }

    pub(crate) fn get(&self, path: &str) -> Request {
        Request::new("GET", path, &self.headers(), None)
    }
}

/// Returns the decision type that this many rules govern.
fn decision_type(rules: usize) -> String {
    format!("bench_{rules}")
}

fn context(rules: usize, actor: &str, fields: &Map<String, Value>) -> Value {
    json!({
        "decision_type": decision_type(rules), "fields": fields, "metadata": {"actor_id": actor},
    })
}

impl BenchFixture {
    /// Starts the service on an empty database and activates policies of 10 and of 100 rules.
    pub(crate) fn set_up(program: &Path) -> Result<Self> {
        let service = Service::start(program)?;
        let tenant = Tenant::from_response(&service.first_run()?, "/api_key")?;
        let database = Database::at(service.run_command(&["db", "url"])?);
        service.run_command(&[
            "user",
            "create",
            "--tenant",
            &tenant.id,
            "--email",
            EMAIL,
            "--password",
            PASSWORD,
            "--role",
            "ratifier",
        ])?;
        let mut connection = Connection::open(service.address)?;
        let cookie = sign_in(&mut connection)?;
        let other_tenants = Vec::new();
        let policy = String::new();
        let mut fixture = Self { service, database, tenant, other_tenants, cookie, policy };
        for rules in [RULES, 100] {
            fixture.policy = fixture.activate_policy(&fixture.tenant, rules)?;
        }
        Ok(fixture)
    }

    /// Returns `count` tenants, each with an active policy of 10 rules. Creates those that are
    /// missing.
    pub(crate) fn tenants(&mut self, count: usize) -> Result<Vec<Tenant>> {
        while self.other_tenants.len() + 1 < count {
            let tenant = self.create_tenant(self.other_tenants.len())?;
            self.other_tenants.push(tenant);
        }
        Ok(std::iter::once(&self.tenant).chain(&self.other_tenants).take(count).cloned().collect())
    }

    /// Signs the ratifier in again: an idle session expires, and a ratification requires a recent
    /// sign-in.
    pub(crate) fn renew_session(&mut self) -> Result<()> {
        self.cookie = sign_in(&mut Connection::open(self.service.address)?)?;
        Ok(())
    }

    fn create_tenant(&self, n: usize) -> Result<Tenant> {
        let email = format!("admin.{n}@bench.example");
        let name = format!("Tenant {n}");
        let created = self.service.run_command(&[
            "bootstrap",
            "--tenant",
            &name,
            "--email",
            &email,
            "--password",
            PASSWORD,
            "--json",
        ])?;
        let tenant =
            Tenant::from_response(&serde_json::from_str(&created)?, "/api_key/plaintext_key")?;
        // One ratifier for all tenants saves an account and a sign-in for each.
        self.database.sql(&format!(
            "INSERT INTO members SELECT (jsonb_populate_record(m, '{{\"tenant_id\": \"{}\"}}')).* \
             FROM members m JOIN users USING (user_id) WHERE email = '{EMAIL}' LIMIT 1",
            tenant.id
        ))?;
        self.activate_policy(&tenant, RULES)?;
        Ok(tenant)
    }

    /// Creates and activates a policy of this many rules. Returns its ID.
    fn activate_policy(&self, tenant: &Tenant, rules: usize) -> Result<String> {
        self.activate(tenant, rules, false)
    }

    /// Creates and activates a policy in shadow mode.
    pub(crate) fn activate_shadow_policy(&self, tenant: &Tenant) -> Result<()> {
        self.activate(tenant, SHADOW_RULES, true).map(drop)
    }

    /// Creates a policy of this many rules with the API key; the ratifier ratifies and activates it.
    /// Returns its ID.
    fn activate(&self, tenant: &Tenant, rules: usize, is_shadow: bool) -> Result<String> {
        let author = tenant.headers();
        let ratifier = format!("{}{}", self.cookie, tenant.header());
        let rule_values: Vec<Value> = (0..rules).map(|n| Sample::NARROW.rule(n)).collect();
        let policy = json!({
            "code": format!("BENCH-{rules}"), "name": format!("{rules} rules"),
            "decision_types": [decision_type(rules)], "rules": rule_values,
            "shadow_mode": is_shadow,
        });
        let created = self.post("/v1/policies", &author, &policy, 201)?;
        let id = created.pointer("/policy/id").and_then(Value::as_str).context("no policy")?;
        let version = format!("/v1/policies/{id}/versions/1");
        let revision = json!({"expected_revision": 1});
        self.post(&format!("{version}/submit"), &author, &json!({}), 200)?;
        self.post(&format!("{version}/ratify"), &ratifier, &revision, 200)?;
        self.post(&format!("{version}/activate"), &ratifier, &json!({}), 200)?;
        Ok(id.to_owned())
    }

    fn post(&self, path: &str, headers: &str, body: &Value, status: u16) -> Result<Value> {
        let mut request = Request::new("POST", path, headers, Some(&body.to_string()));
        self.send(&mut request, status).with_context(|| path.to_owned())
    }

    /// Sends a request and returns the JSON body of its response.
    pub(crate) fn send(&self, request: &mut Request, status: u16) -> Result<Value> {
        // A connection for each request: the service closes one that is idle for a minute, and
        // benchmarks take longer.
        let mut connection = Connection::open(self.service.address)?;
        let response = connection.send(request)?;
        response.expect(status)?;
        Ok(serde_json::from_slice(response.body())?)
    }

    /// Returns a request for a console page of a tenant, as the ratifier's browser sends it. The path
    /// starts with a slash, or is empty for the overview.
    pub(crate) fn page(&self, tenant: &Tenant, path: &str) -> Request {
        let headers = format!("accept: text/html\r\n{}", self.cookie);
        Request::new("GET", &format!("/t/{}{path}", tenant.id), &headers, None)
    }
}

/// Signs in and returns the cookie header.
fn sign_in(connection: &mut Connection) -> Result<String> {
    let body = json!({"email": EMAIL, "password": PASSWORD}).to_string();
    let response = connection.send(&mut Request::new("POST", "/v1/session", "", Some(&body)))?;
    response.expect(200)?;
    let cookie = response.header("set-cookie").context("no cookie was set")?;
    Ok(format!("cookie: {}\r\n", cookie.split(';').next().unwrap_or_default()))
}
