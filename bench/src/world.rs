//! Tenants with policies that people approved, and the requests that systems make of them.

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::{
    database::Database,
    load::{Connection, Request, request::NUMBER},
    sample::Sample,
    service::Service,
};

/// What a record is decided with.
pub(crate) const RULES: usize = 10;

/// How many tenants there are when there are many.
pub(crate) const TENANTS: usize = 64;

const EMAIL: &str = "ratifier@bench.example";
const PASSWORD: &str = "four words of my own";

/// The service with its tenants.
#[derive(Debug)]
pub(crate) struct World {
    /// The service.
    pub(crate) service: Service,
    /// Its database.
    pub(crate) database: Database,
    /// The first tenant.
    pub(crate) tenant: Tenant,
    /// The others.
    neighbours: Vec<Tenant>,
    /// The header that signs the ratifier in.
    cookie: String,
}

/// A tenant with its key.
#[derive(Clone, Debug)]
pub(crate) struct Tenant {
    /// Its id.
    pub(crate) id: String,
    key: String,
}

impl Tenant {
    fn of(made: &Value, key: &str) -> Result<Self> {
        let text = |pointer| made.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
        let id = text("/tenant_id").context("a tenant without an id")?;
        Ok(Self { id, key: text(key).context("a tenant without a key")? })
    }

    fn header(&self) -> String {
        format!("x-service-tenant-id: {}\r\n", self.id)
    }

    /// The headers of a request that a system makes.
    pub(crate) fn headers(&self) -> String {
        format!("authorization: Bearer {}\r\n{}", self.key, self.header())
    }

    /// A context, evaluated against this many rules.
    pub(crate) fn evaluate(&self, rules: usize) -> Request {
        let body = json!({"context": context(rules, "agent-7", 0)}).to_string();
        Request::new("POST", "/v1/decisions/evaluate", &self.headers(), Some(&body))
    }

    /// A decision, recorded under a new key each time. All rules are kept.
    pub(crate) fn record(&self) -> Request {
        self.record_of("agent-7", 0)
    }

    /// A decision that the actor asks for; the first rule is broken by an amount of above 500,000.
    pub(crate) fn record_of(&self, actor: &str, amount: u32) -> Request {
        let context = context(RULES, actor, amount);
        let body = json!({"context": context, "idempotency_key": format!("bench-{NUMBER}")});
        Request::new("POST", "/v1/decisions/record", &self.headers(), Some(&body.to_string()))
    }

    /// A read.
    pub(crate) fn get(&self, path: &str) -> Request {
        Request::new("GET", path, &self.headers(), None)
    }
}

/// The kind of decision that this many rules govern.
fn decision_type(rules: usize) -> String {
    format!("bench_{rules}")
}

fn context(rules: usize, actor: &str, amount: u32) -> Value {
    let mut fields = Sample::NARROW.fields();
    fields["amount_0"] = amount.into();
    json!({
        "decision_type": decision_type(rules), "fields": fields, "metadata": {"actor_id": actor},
    })
}

impl World {
    /// Starts the service on an empty database, and puts policies of 10 and of 100 rules in force.
    pub(crate) fn set_up(program: &Path) -> Result<Self> {
        let service = Service::start(program)?;
        let tenant = Tenant::of(&service.first_run()?, "/api_key")?;
        let database = Database::at(service.tell(&["db", "url"])?);
        service.tell(&[
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
        let neighbours = Vec::new();
        let mut world = Self { service, database, tenant, neighbours, cookie };
        for rules in [RULES, 100] {
            world.put_in_force(&world.tenant.clone(), rules)?;
        }
        Ok(world)
    }

    /// As many tenants as there can be in a run, each with a policy of 10 rules in force.
    pub(crate) fn tenants(&mut self) -> Result<Vec<Tenant>> {
        while self.neighbours.len() + 1 < TENANTS {
            let neighbour = self.settle(self.neighbours.len())?;
            self.neighbours.push(neighbour);
        }
        Ok(std::iter::once(&self.tenant).chain(&self.neighbours).cloned().collect())
    }

    fn settle(&mut self, n: usize) -> Result<Tenant> {
        let email = format!("admin.{n}@bench.example");
        let name = format!("Neighbour {n}");
        let made = self.service.tell(&[
            "bootstrap",
            "--tenant",
            &name,
            "--email",
            &email,
            "--password",
            PASSWORD,
            "--json",
        ])?;
        let tenant = Tenant::of(&serde_json::from_str(&made)?, "/api_key/plaintext_key")?;
        // One ratifier for all: a person of each tenant's own would have to be made and signed in.
        self.database.sql(&format!(
            "INSERT INTO members SELECT (jsonb_populate_record(m, '{{\"tenant_id\": \"{}\"}}')).* \
             FROM members m JOIN users USING (user_id) WHERE email = '{EMAIL}' LIMIT 1",
            tenant.id
        ))?;
        self.put_in_force(&tenant, RULES)?;
        Ok(tenant)
    }

    /// A policy of this many rules, written by a system, ratified and activated by a person.
    fn put_in_force(&mut self, tenant: &Tenant, rules: usize) -> Result<()> {
        let own = tenant.headers();
        let person = format!("{}{}", self.cookie, tenant.header());
        let listed: Vec<Value> = (0..rules).map(|n| Sample::NARROW.rule(n)).collect();
        let policy = json!({
            "code": format!("BENCH-{rules}"), "name": format!("{rules} rules"),
            "decision_types": [decision_type(rules)], "rules": listed,
        });
        let made = self.post("/v1/policies", &own, &policy, 201)?;
        let id = made.pointer("/policy/id").and_then(Value::as_str).context("no policy")?;
        let version = format!("/v1/policies/{id}/versions/1");
        let revision = json!({"expected_revision": 1});
        self.post(&format!("{version}/submit"), &own, &json!({}), 200)?;
        self.post(&format!("{version}/ratify"), &person, &revision, 200)?;
        self.post(&format!("{version}/activate"), &person, &json!({}), 200)?;
        Ok(())
    }

    fn post(&mut self, path: &str, headers: &str, body: &Value, status: u16) -> Result<Value> {
        let mut request = Request::new("POST", path, headers, Some(&body.to_string()));
        self.ask(&mut request, status).with_context(|| path.to_owned())
    }

    /// The JSON that answers a request.
    pub(crate) fn ask(&mut self, request: &mut Request, status: u16) -> Result<Value> {
        // The service closes a connection on which nothing came for a minute: parts take longer.
        let mut connection = Connection::open(self.service.address)?;
        let answer = connection.ask(request)?;
        answer.expect(status)?;
        Ok(serde_json::from_slice(answer.body())?)
    }

    /// A page of the console within the first tenant, as the ratifier's browser asks for it.
    pub(crate) fn page(&self, path: &str) -> Request {
        let headers = format!("accept: text/html\r\n{}", self.cookie);
        Request::new("GET", &format!("/t/{}/{path}", self.tenant.id), &headers, None)
    }
}

/// The header that says who is signed in.
fn sign_in(connection: &mut Connection) -> Result<String> {
    let body = json!({"email": EMAIL, "password": PASSWORD}).to_string();
    let answer = connection.ask(&mut Request::new("POST", "/v1/session", "", Some(&body)))?;
    answer.expect(200)?;
    let cookie = answer.header("set-cookie").context("no cookie was set")?;
    Ok(format!("cookie: {}\r\n", cookie.split(';').next().unwrap_or_default()))
}
