//! The demo: three worked policies with their decisions, for an empty database.

use contract::{
    decision::RecordRequest,
    error::FieldError,
    id::{PolicyId, TenantId, UserId},
    json::{Limits, Object, Value},
    policy::Ratification,
    read::{self, Read},
    scope::Role,
};

use crate::{
    Governance, SignedIn,
    cx::Cx,
    decision,
    error::{Error, Result},
    operator::{self, Bootstrapped},
    policy::{
        self,
        authored::{NewPolicy, NewVersion},
        version,
    },
};

/// The worked policies, as they stand in the repository.
pub const WORKED: [&str; 3] = [
    include_str!("../worked/procurement.json"),
    include_str!("../worked/consumer-credit.json"),
    include_str!("../worked/ai-tool-calls.json"),
];

/// Fills a new tenant: an author writes and submits each policy, the admin ratifies and activates
/// it, the key records its contexts. At last the author submits a second version of the first
/// policy, which waits for the admin.
///
/// # Errors
/// A fault of ours when the worked policies are not what the service takes.
pub async fn fill(governance: &Governance, made: &Bootstrapped) -> Result<()> {
    let tenant = made.tenant_id;
    let password = operator::random_password(governance.chance());
    let author = operator::create_user(
        governance,
        tenant,
        &format!("author.{}@demo.example", &tenant.to_string()[..8]),
        password,
        Role::Author,
    )
    .await?;
    let author = person(governance, tenant, author.user_id).await?;
    let admin = person(governance, tenant, made.user_id).await?;
    let correlation_id = governance.correlation_id();
    let key = governance.key(&made.api_key.plaintext_key, tenant, correlation_id).await?;
    let mut first = None;
    for text in WORKED {
        let worked = parse(text)?;
        let id = in_force(&author, &admin, &worked).await?;
        for context in worked.get("contexts").and_then(Value::as_array).unwrap_or_default() {
            record(&key, context).await?;
        }
        first.get_or_insert((id, worked));
    }
    if let Some((id, worked)) = first {
        second_version(&author, id, &worked).await?;
    }
    Ok(())
}

async fn person(governance: &Governance, tenant: TenantId, user_id: UserId) -> Result<Cx> {
    let now = governance.clock().now();
    let signed_in = SignedIn { user_id, signed_in_at: now, confirmed_at: now, seen_at: now };
    governance.human(&signed_in, tenant, governance.correlation_id()).await
}

/// Brings a worked policy into force, with two people as maker-checker asks.
async fn in_force(author: &Cx, admin: &Cx, worked: &Value) -> Result<PolicyId> {
    let policy = worked.get("policy").ok_or_else(|| Error::bug("a worked file without policy"))?;
    let made = policy::create(author, body::<NewPolicy>(policy)?).await?;
    let id = made.policy.id;
    version::submit(author, id, 1).await?;
    let ratification = Ratification { expected_revision: 1, note: None };
    version::ratify(admin, id, 1, ratification).await?;
    version::activate(admin, id, 1).await?;
    Ok(id)
}

async fn record(key: &Cx, case: &Value) -> Result<()> {
    let name = case.get("name").and_then(Value::as_str).unwrap_or_default();
    let mut request = Object::from([("idempotency_key", Value::from(format!("demo: {name}")))]);
    for member in ["context", "actor"] {
        if let Some(value) = case.get(member) {
            request.insert(member, value.clone());
        }
    }
    let request = Value::Object(request);
    decision::record(key, &request, body::<RecordRequest>(&request)?).await?;
    Ok(())
}

/// Submits a version without the last rule, for the admin to judge.
async fn second_version(author: &Cx, id: PolicyId, worked: &Value) -> Result<()> {
    let rules = worked.get("policy").and_then(|policy| policy.get("rules"));
    let mut rules = rules.and_then(Value::as_array).unwrap_or_default().to_vec();
    rules.pop();
    let draft = Value::Object(Object::from([
        ("rules", Value::Array(rules)),
        ("change_reason", Value::from("The last rule moves to the contract management policy.")),
        ("based_on_version", Value::from(1)),
    ]));
    let made = version::create(author, id, body::<NewVersion>(&draft)?).await?;
    version::submit(author, id, made.version).await?;
    Ok(())
}

fn parse(text: &str) -> Result<Value> {
    Value::parse(text.as_bytes(), &Limits::BUNDLE_MEMBER)
        .map_err(|fault| Error::bug(format!("worked policy: {fault:?}")))
}

fn body<T: Read>(value: &Value) -> Result<T> {
    let say = |errors: Vec<FieldError>| Error::bug(format!("worked policy: {errors:?}"));
    read::body(value).map_err(say)
}
