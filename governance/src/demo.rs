//! The demo: three worked policies with their decisions, for an empty database.

use contract::{
    decision::RecordRequest,
    error::FieldError,
    form::FormDraft,
    id::{TenantId, UserId},
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
    form, operator,
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

/// A form for the first of them, but for the policy's id.
const FORM: &str = include_str!("../worked/form.json");

/// Fills a tenant: an author writes and submits each policy, the admin ratifies and activates it, the
/// key records its contexts. Then the author publishes a form for the first policy, and submits a second
/// version of it, which waits for the admin. Cut off at any moment, it goes on where it stopped when it is called again.
///
/// # Errors
/// A fault of ours when the worked policies are not what the service takes.
pub async fn fill(governance: &Governance, tenant: TenantId, key: &str) -> Result<()> {
    let opened = governance.key(key, tenant, governance.correlation_id()).await?;
    let admin_id = opened.caller.person().ok_or_else(|| Error::bug("a key without its admin"))?;
    let admin = person(governance, tenant, admin_id).await?;
    let first = worked(WORKED[0])?;
    if is_filled(&admin, &first).await? {
        return Ok(());
    }
    let author_id = operator::create_or_find_user(
        governance,
        tenant,
        &format!("author@{tenant}.demo.example"),
        operator::random_password(governance.chance()),
        Role::Author,
    )
    .await?;
    for text in WORKED {
        let worked = worked(text)?;
        let author = person(governance, tenant, author_id).await?;
        let admin = person(governance, tenant, admin_id).await?;
        in_force(&author, &admin, &worked).await?;
        for case in worked.get("contexts").and_then(Value::as_array).unwrap_or_default() {
            // Each call is an operation of its own, as a program's would be.
            let cx = governance.key(key, tenant, governance.correlation_id()).await?;
            record(&cx, case).await?;
        }
    }
    let author = person(governance, tenant, author_id).await?;
    published_form(&author, &first).await?;
    second_version(&author, &first).await
}

/// Publishes a form for a worked policy, unless the tenant has one.
async fn published_form(author: &Cx, worked: &Value) -> Result<()> {
    if !form::list(author, &PageRequest::default()).await?.items.is_empty() {
        return Ok(());
    }
    let policy = known(author, worked).await?;
    let policy = policy.ok_or_else(|| Error::bug("the demo's first policy is missing"))?;
    let Value::Object(mut draft) = self::worked(FORM)? else {
        return Err(Error::bug("the demo's form is no object"));
    };
    draft.insert("policy_id", policy.id.to_string());
    form::create(author, body::<FormDraft>(&draft.into())?).await?;
    Ok(())
}

/// Whether the last act was done: a second version was submitted. What became of it since then, or
/// of anything else, is for the people of the tenant.
async fn is_filled(admin: &Cx, first: &Value) -> Result<bool> {
    let policy = known(admin, first).await?.filter(|policy| policy.latest_version > 1);
    match policy {
        Some(policy) => Ok(version::read(admin, policy.id, 2).await?.submitted_at.is_some()),
        None => Ok(false),
    }
}

/// The tenant's policy with the code of a worked one.
async fn known(cx: &Cx, worked: &Value) -> Result<Option<Policy>> {
    let filter = PolicyFilter { q: Some(code(worked).to_owned()), ..PolicyFilter::default() };
    let found = policy::list(cx, filter, &PageRequest::default()).await?;
    Ok(found.items.into_iter().find(|policy| policy.code == code(worked)))
}

async fn person(governance: &Governance, tenant: TenantId, user_id: UserId) -> Result<Cx> {
    let now = governance.clock().now();
    let signed_in = SignedIn::of(user_id, now);
    governance.human(&signed_in, tenant, governance.correlation_id()).await
}

/// Brings a worked policy into force, with two people as maker-checker asks; does what is left to do
/// when it is known already.
async fn in_force(author: &Cx, admin: &Cx, worked: &Value) -> Result<()> {
    let id = if let Some(policy) = known(admin, worked).await? {
        policy.id
    } else {
        let policy =
            worked.get("policy").ok_or_else(|| Error::bug("a worked file without policy"))?;
        policy::create(author, body::<NewPolicy>(policy)?).await?.policy.id
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
async fn second_version(author: &Cx, worked: &Value) -> Result<()> {
    let policy = known(author, worked).await?;
    let policy = policy.ok_or_else(|| Error::bug("the demo's first policy is missing"))?;
    if policy.latest_version < 2 {
        let mut rules = rules(worked).to_vec();
        rules.pop();
        let reason = "The last rule moves to the contract management policy.";
        let draft = Value::Object(Object::from([
            ("rules", Value::Array(rules)),
            ("change_reason", Value::from(reason)),
            ("based_on_version", Value::from(1)),
        ]));
        version::create(author, policy.id, body::<NewVersion>(&draft)?).await?;
    }
    version::submit(author, policy.id, 2).await?;
    Ok(())
}

/// The rules of a worked policy.
fn rules(worked: &Value) -> &[Value] {
    let rules = worked.get("policy").and_then(|policy| policy.get("rules"));
    rules.and_then(Value::as_array).unwrap_or_default()
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
