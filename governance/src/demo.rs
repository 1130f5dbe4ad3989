//! The demo: three worked policies with their decisions, for an empty database.

use contract::{
    decision::RecordRequest,
    error::FieldError,
    id::{PolicyId, TenantId, UserId},
    json::{Limits, Object, Value},
    policy::{Policy, PolicyFilter, Ratification, VersionStatus},
    read::{self, Read},
    scope::Role,
};

use crate::{
    Governance, SignedIn,
    cx::Cx,
    decision,
    error::{Error, Result},
    operator,
    page::PageRequest,
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

/// Fills a tenant: an author writes and submits each policy, the admin ratifies and activates it, the
/// key records its contexts. At last the author submits a second version of the first policy, which
/// waits for the admin. Cut off at any moment, it goes on where it stopped when it is called again.
///
/// # Errors
/// A fault of ours when the worked policies are not what the service takes.
pub async fn fill(governance: &Governance, tenant: TenantId, key: &str) -> Result<()> {
    let opened = governance.key(key, tenant, governance.correlation_id()).await?;
    let admin_id = opened.caller.person().ok_or_else(|| Error::bug("a key without its admin"))?;
    let admin = person(governance, tenant, admin_id).await?;
    let policies = policy::list(&admin, PolicyFilter::default(), &PageRequest::default()).await?;
    let first = worked(WORKED[0])?;
    let is_filled = |policy: &Policy| policy.code == code(&first) && policy.latest_version > 1;
    if policies.items.iter().any(is_filled) {
        return Ok(());
    }
    let author_id = operator::create_or_find_user(
        governance,
        tenant,
        &format!("author-{tenant}@demo.example"),
        operator::random_password(governance.chance()),
        Role::Author,
    )
    .await?;
    for text in WORKED {
        let worked = worked(text)?;
        let author = person(governance, tenant, author_id).await?;
        let admin = person(governance, tenant, admin_id).await?;
        let known = policies.items.iter().find(|policy| policy.code == code(&worked));
        in_force(&author, &admin, known, &worked).await?;
        for context in worked.get("contexts").and_then(Value::as_array).unwrap_or_default() {
            // Each call is an operation of its own, as a program's would be.
            let cx = governance.key(key, tenant, governance.correlation_id()).await?;
            record(&cx, context).await?;
        }
    }
    let policies = policy::list(&admin, PolicyFilter::default(), &PageRequest::default()).await?;
    let author = person(governance, tenant, author_id).await?;
    match policies.items.iter().find(|policy| policy.code == code(&first)) {
        Some(policy) => second_version(&author, policy.id, &first).await,
        None => Err(Error::bug("the demo's first policy is missing")),
    }
}

async fn person(governance: &Governance, tenant: TenantId, user_id: UserId) -> Result<Cx> {
    let now = governance.clock().now();
    let signed_in = SignedIn { user_id, signed_in_at: now, confirmed_at: now, seen_at: now };
    governance.human(&signed_in, tenant, governance.correlation_id()).await
}

/// Brings a worked policy into force, with two people as maker-checker asks; does what is left to do
/// when it is known already.
async fn in_force(author: &Cx, admin: &Cx, known: Option<&Policy>, worked: &Value) -> Result<()> {
    let id = match known {
        Some(policy) => policy.id,
        None => {
            let policy =
                worked.get("policy").ok_or_else(|| Error::bug("a worked file without policy"))?;
            policy::create(author, body::<NewPolicy>(policy)?).await?.policy.id
        }
    };
    let mut version = version::read(admin, id, 1).await?;
    if version.status == VersionStatus::Draft {
        version = version::submit(author, id, 1).await?;
    }
    if version.status == VersionStatus::Submitted {
        let expected_revision = version.draft_revision;
        let ratification = Ratification { expected_revision, note: None };
        version = version::ratify(admin, id, 1, ratification).await?;
    }
    if !version.is_active {
        version::activate(admin, id, 1).await?;
    }
    Ok(())
}

async fn record(cx: &Cx, case: &Value) -> Result<()> {
    let name = case.get("name").and_then(Value::as_str).unwrap_or_default();
    let mut request = Object::from([("idempotency_key", Value::from(format!("demo: {name}")))]);
    for member in ["context", "actor"] {
        if let Some(value) = case.get(member) {
            request.insert(member, value.clone());
        }
    }
    let request = Value::Object(request);
    decision::record(cx, &request, body::<RecordRequest>(&request)?).await?;
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

/// The code of a worked policy.
fn code(worked: &Value) -> &str {
    worked.get("policy").and_then(|p| p.get("code")).and_then(Value::as_str).unwrap_or_default()
}

fn worked(text: &str) -> Result<Value> {
    Value::parse(text.as_bytes(), &Limits::BUNDLE_MEMBER)
        .map_err(|fault| Error::bug(format!("worked policy: {fault:?}")))
}

fn body<T: Read>(value: &Value) -> Result<T> {
    let say = |errors: Vec<FieldError>| Error::bug(format!("worked policy: {errors:?}"));
    read::body(value).map_err(say)
}
