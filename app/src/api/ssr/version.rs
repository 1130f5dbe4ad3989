//! What the page of a version is made of, and how its acts are done.

use contract::{
    error::ErrorCode,
    id::PolicyId,
    json::{Object, Value},
    policy::{PolicyVersion, Ratification, Seal, VersionStatus, WithReason},
    scope::{Right, Role},
};
use governance::{
    Cx, PageRequest, member,
    policy::{
        self,
        authored::Correction,
        version::{ActiveVersion, Subject},
    },
};

use super::{answer, governance, signed_in};
use crate::{
    problem::Problem,
    text::url,
    view::{
        acts::{Act, Offer, Standing, offers},
        form::ActForm,
        frame::Person,
        people::name_version,
        review::{RecordLine, SealedLine},
        version::{Sources, VersionPage},
    },
};

/// One version, with what the person may do.
pub(in crate::api) async fn read(
    cx: &Cx,
    id: PolicyId,
    number: u32,
) -> Result<VersionPage, Problem> {
    let policy = answer(policy::read(cx, id, None).await)?;
    let mut version = answer(policy::version::read(cx, id, number).await)?;
    name_version(&mut version, &answer(member::names(cx).await)?);
    let versions = answer(policy::version::all(cx, id).await)?;
    let session = governance::session::who(&governance(), &signed_in(&super::page())?).await;
    let newest = newest(cx, id, number).await?;
    let sources = Sources {
        canonical: canonical(&version)?,
        offers: offers_now(cx, &version, newest.is_some()).await?,
        answers: answered(cx, &version).await?,
        review: reviewed(newest, &version),
        may_write: cx.role().is_some_and(|role| role.may(Right::Author)),
        person: Person::from(&answer(session)?),
        key: cx.governance().approval_key_id().map(str::to_owned),
        policy,
        version,
        versions,
    };
    Ok(sources.into())
}

/// The bytes behind the digest: the rules as authored, in canonical form (receipts, section 3).
fn canonical(version: &PolicyVersion) -> Result<String, Problem> {
    Ok(rules(version)?.to_canonical())
}

/// The rules as authored.
fn rules(version: &PolicyVersion) -> Result<Value, Problem> {
    let tree = serde_json::to_value(version.rules.as_deref().unwrap_or_default());
    let tree = tree.and_then(serde_json::from_value::<Value>);
    answer(tree.map_err(|error| governance::Error::Bug(error.into())))
}

/// What the person may do. Who made the version, and what the tenant asks for, matter only to
/// whoever could ratify it.
async fn offers_now(
    cx: &Cx,
    version: &PolicyVersion,
    was_sealed: bool,
) -> Result<Vec<Offer>, Problem> {
    let role = cx.role().unwrap_or(Role::Viewer);
    let is_open = matches!(version.status, VersionStatus::Draft | VersionStatus::Submitted);
    let refused = if role.may(Right::Ratify) && is_open {
        answer(policy::version::prospects(cx, version.policy_id, version.version).await)?.ratify
    } else {
        None
    };
    let is = |reason: &str| {
        let details = refused.as_ref().and_then(|refusal| refusal.details.as_ref());
        details.and_then(|details| details.get("reason")?.as_str()) == Some(reason)
    };
    Ok(offers(Standing {
        role,
        status: version.status,
        is_active: version.is_active,
        was_sealed,
        was_active: version.activated_at.is_some(),
        is_unsent: is("VERSION_NOT_SUBMITTED"),
        has_unknown_maker: is("MAKER_UNKNOWN"),
        is_barred: refused.as_ref().map(|refusal| refusal.code)
            == Some(ErrorCode::MakerCheckerViolation),
        was_returned: is("VERSION_RETURNED"),
        review_required: is("REVIEW_REQUIRED"),
    }))
}

/// The newest submission of a version, with its record.
async fn newest(cx: &Cx, id: PolicyId, number: u32) -> Result<Option<SealedLine>, Problem> {
    let first = PageRequest { limit: 1, cursor: None };
    let submissions = policy::version::submissions(cx, id, number, &first).await;
    let newest = answer(submissions)?.items.into_iter().next();
    let names = answer(member::names(cx).await)?;
    Ok(newest.map(|submission| SealedLine::new(submission, &names)))
}

/// What a reviewer found in exactly this revision.
fn reviewed(newest: Option<SealedLine>, version: &PolicyVersion) -> Option<RecordLine> {
    newest.filter(|sealed| sealed.revision == version.draft_revision)?.record
}

/// The return that the next send answers, which the page chooses for the author.
async fn answered(cx: &Cx, version: &PolicyVersion) -> Result<Option<RecordLine>, Problem> {
    let owed = policy::version::owed_answer(cx, version.policy_id, version.version).await;
    let Some(submission) = answer(owed)? else { return Ok(None) };
    let names = answer(member::names(cx).await)?;
    Ok(SealedLine::new(submission, &names).record)
}

/// What the person has read of a version, as the form names it.
fn subject(form: &ActForm) -> Subject {
    Subject {
        number: form.version,
        revision: Some(form.revision),
        rules_digest: Some(form.digest.clone()),
        status: Some(form.status),
        active: form.replaces.as_ref().map(|version| ActiveVersion(version.parse().ok())),
    }
}

/// Does what the form says, unless the version is not what the person has read; returns the page that
/// shows it.
pub(in crate::api) async fn act(cx: &Cx, form: &ActForm) -> Result<String, Problem> {
    let (id, version) = (form.policy, subject(form));
    let text = form.text.trim().replace("\r\n", "\n");
    let done = match form.act {
        Act::Send => {
            let answers_record_id = form.answers.parse().ok();
            Box::pin(policy::version::send(cx, id, version, Seal { answers_record_id })).await
        }
        Act::Recall => policy::version::recall(cx, id, version).await,
        Act::Reject => {
            policy::version::reject(cx, id, version, WithReason { reason: reason(text)? }).await
        }
        Act::Ratify => {
            ticked(form)?;
            let note = (!text.is_empty()).then_some(text);
            let ratification = Ratification { expected_revision: form.revision, note };
            policy::version::ratify(cx, id, version, ratification).await
        }
        Act::Activate => {
            ticked(form)?;
            policy::version::activate(cx, id, version).await
        }
        Act::SetAside => {
            policy::version::set_aside(cx, id, version, WithReason { reason: reason(text)? }).await
        }
        Act::Delete => {
            answer(policy::version::delete(cx, id, version).await)?;
            return Ok(url::policy(form.tenant, id));
        }
        Act::Supersede => {
            let draft = supersede(cx, id, version, reason(text)?).await?;
            return Ok(url::edit_version(form.tenant, id, draft));
        }
    };
    answer(done).map(|_| form.done())
}

/// Opens a new draft with the same rules in place of the draft that the person has read; returns its
/// number.
async fn supersede(cx: &Cx, id: PolicyId, read: Subject, reason: String) -> Result<u32, Problem> {
    let version = answer(policy::version::read(cx, id, read.number).await)?;
    let body = Object::from([
        ("expected_revision", Value::from(read.revision.unwrap_or(version.draft_revision))),
        ("rules", rules(&version)?),
        ("change_reason", Value::from(reason)),
    ]);
    let correction = contract::read::body::<Correction>(&Value::Object(body));
    let correction =
        answer(correction.map_err(|errors| governance::error::invalid(&errors).into()))?;
    let superseded = policy::version::supersede(cx, id, read, correction).await;
    Ok(answer(superseded)?.draft.version)
}

/// The most characters of a reason (contract, section 4).
const REASON_MAX: usize = 500;

pub(super) fn reason(text: String) -> Result<String, Problem> {
    match text.chars().count() {
        1..=REASON_MAX => Ok(text),
        _ => Err(invalid("give a reason of 1 to 500 characters")),
    }
}

fn ticked(form: &ActForm) -> Result<(), Problem> {
    form.read
        .as_ref()
        .map(|_| ())
        .ok_or_else(|| invalid("tick the box that says what you have read"))
}

pub(super) fn invalid(message: &str) -> Problem {
    Problem {
        code: "VALIDATION_ERROR".into(),
        message: message.into(),
        status: 422,
        ..Problem::default()
    }
}
