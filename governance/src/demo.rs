//! The demo: three sample policies with decisions, for an empty database.

use contract::{
    decision::RecordRequest,
    form::FormDraft,
    policy::{Policy, PolicyFilter, Ratification},
    read::{self, FromJson},
};

use crate::{
    SignedIn,
    access::operator,
    authoring::{
        policy::{self, rule_input::NewVersion, version},
        sample,
    },
    base::prelude::*,
    deciding::{decision, form},
};

pub const SAMPLES: [&str; 3] = sample::FILES;

/// A form for the first sample policy, without the policy ID.
const FORM: &str = include_str!("../samples/form.json");

/// Fills a tenant with the demo.
///
/// - An author writes and submits each policy; the admin ratifies and activates it.
/// - The API key records the sample contexts.
/// - The author publishes a form for the first policy.
/// - The author submits a second version of the first policy, which awaits ratification by the admin.
///
/// An interrupted run continues where it stopped when the function is called again.
///
/// # Errors
/// An internal error when the service refuses the samples.
pub async fn fill(governance: &Governance, tenant: TenantId, key: &str) -> Result<()> {
    let key_cx = governance.key(key, tenant, governance.correlation_id()).await?;
    let admin_id = key_cx.caller.person().or_bug("a key without its admin")?;
    let admin = user_cx(governance, tenant, admin_id).await?;
    let first = sample::parse(SAMPLES[0])?;
    if is_seeded(&admin, &first).await? {
        return Ok(());
    }
    let author_id = operator::create_or_find_user(
        governance,
        tenant,
        &format!("author@{tenant}.demo.example"),
        operator::random_password(governance.entropy()),
        Role::Author,
    )
    .await?;
    for text in SAMPLES {
        let sample = sample::parse(text)?;
        let author = user_cx(governance, tenant, author_id).await?;
        let admin = user_cx(governance, tenant, admin_id).await?;
        activate_sample(&author, &admin, &sample).await?;
        for case in sample.get("contexts").and_then(Value::as_array).unwrap_or_default() {
            // Each call is a separate operation, like a request of an API client.
            let cx = governance.key(key, tenant, governance.correlation_id()).await?;
            record(&cx, case).await?;
        }
    }
    let author = user_cx(governance, tenant, author_id).await?;
    let policy = find_sample_policy(&author, &first).await?;
    let policy = policy.or_bug("the demo's first policy is missing")?;
    publish_form(&author, policy.id).await?;
    submit_second_version(&author, &first, &policy).await
}

/// Publishes a form for the policy, unless the tenant already has a form.
async fn publish_form(author: &Cx, policy_id: PolicyId) -> Result<()> {
    if !form::list(author, &PageRequest::default()).await?.items.is_empty() {
        return Ok(());
    }
    let Value::Object(mut draft) = sample::parse(FORM)? else {
        return Err(Error::bug("the demo's form is not an object"));
    };
    draft.insert("policy_id", policy_id.to_string());
    form::create(author, body::<FormDraft>(&draft.into())?).await?;
    Ok(())
}

/// Returns whether the demo is complete, that is, a second version was submitted. Later changes by
/// members of the tenant do not matter.
async fn is_seeded(admin: &Cx, first: &Value) -> Result<bool> {
    let policy = find_sample_policy(admin, first).await?.filter(|policy| policy.latest_version > 1);
    match policy {
        Some(policy) => Ok(version::read(admin, policy.id, 2).await?.submitted_at.is_some()),
        None => Ok(false),
    }
}

/// Finds the tenant's policy that has the code of `sample`.
async fn find_sample_policy(cx: &Cx, sample: &Value) -> Result<Option<Policy>> {
    let filter = PolicyFilter { q: Some(code(sample).to_owned()), ..PolicyFilter::default() };
    let policies = policy::list(cx, filter, &PageRequest::default()).await?;
    Ok(policies.items.into_iter().find(|policy| policy.code == code(sample)))
}

async fn user_cx(governance: &Governance, tenant: TenantId, user_id: UserId) -> Result<Cx> {
    let now = governance.clock().now();
    let signed_in = SignedIn::new(user_id, now);
    governance.human(&signed_in, tenant, governance.correlation_id()).await
}

/// Activates a sample policy. The author and the admin are two users, as maker-checker requires. For an
/// existing policy, performs only the missing steps.
async fn activate_sample(author: &Cx, admin: &Cx, sample: &Value) -> Result<()> {
    let id = if let Some(policy) = find_sample_policy(admin, sample).await? {
        policy.id
    } else {
        policy::create(author, sample::new_policy(sample)?).await?.policy.id
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

/// Submits a second version without the last rule, for the admin to ratify.
async fn submit_second_version(author: &Cx, sample: &Value, policy: &Policy) -> Result<()> {
    if policy.latest_version < 2 {
        let mut rules = rules(sample).to_vec();
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

fn rules(sample: &Value) -> &[Value] {
    let rules = sample.get("policy").and_then(|policy| policy.get("rules"));
    rules.and_then(Value::as_array).unwrap_or_default()
}

fn code(sample: &Value) -> &str {
    sample.get("policy").and_then(|p| p.get("code")).and_then(Value::as_str).unwrap_or_default()
}

fn body<T: FromJson>(value: &Value) -> Result<T> {
    let to_bug = |errors: Vec<FieldError>| Error::bug(format!("sample policy: {errors:?}"));
    read::body(value).map_err(to_bug)
}
