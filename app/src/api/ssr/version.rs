//! What the page of a version is made of, and how its acts are done.

use contract::{
    error::ErrorCode,
    id::PolicyId,
    json::{Object, Value},
    policy::{PolicyVersion, Ratification, ReviewVerdict, Seal, VersionStatus, WithReason},
    scope::{Right, Role},
};
use governance::{
    Cx, PageRequest, member,
    policy::{self, authored::Correction},
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
    let sources = Sources {
        canonical: canonical(&version)?,
        offers: offers_now(cx, &version).await?,
        answers: answered(cx, &version).await?,
        review: reviewed(cx, &version).await?,
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
async fn offers_now(cx: &Cx, version: &PolicyVersion) -> Result<Vec<Offer>, Problem> {
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
        was_sent: version.submitted_at.is_some(),
        was_active: version.activated_at.is_some(),
        is_unsent: is("VERSION_NOT_SUBMITTED"),
        is_barred: refused.as_ref().map(|refusal| refusal.code)
            == Some(ErrorCode::MakerCheckerViolation),
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
async fn reviewed(cx: &Cx, version: &PolicyVersion) -> Result<Option<RecordLine>, Problem> {
    let newest = newest(cx, version.policy_id, version.version).await?;
    let same = newest.filter(|sealed| sealed.revision == version.draft_revision);
    Ok(same.and_then(|sealed| sealed.record))
}

/// How far the drafts before a draft are followed.
const LINKS_MAX: usize = 64;

/// The return that the next send answers: of the version's own last submission, else of the nearest
/// draft before it that was sealed. The service decides; this chooses for the author.
async fn answered(cx: &Cx, version: &PolicyVersion) -> Result<Option<RecordLine>, Problem> {
    let id = version.policy_id;
    let mut at = Some((version.version, version.supersedes_version));
    for _ in 0..=LINKS_MAX {
        let Some((number, before)) = at else { return Ok(None) };
        if let Some(sealed) = newest(cx, id, number).await? {
            return Ok(sealed.record.filter(|record| record.verdict == ReviewVerdict::Return));
        }
        at = match before {
            Some(before) => {
                let before = answer(policy::version::read(cx, id, before).await)?;
                Some((before.version, before.supersedes_version))
            }
            None => None,
        };
    }
    Ok(None)
}

/// Does what the form says, unless the version is not what the person has seen; tells the page that
/// shows it.
pub(in crate::api) async fn act(cx: &Cx, form: &ActForm) -> Result<String, Problem> {
    let (id, number) = (form.policy, form.version);
    let version = answer(policy::version::read(cx, id, number).await)?;
    form.check(&version)?;
    let text = form.text.trim().replace("\r\n", "\n");
    let done = match form.act {
        Act::Send => {
            let answers_record_id = form.answers.parse().ok();
            answer(policy::version::seal(cx, id, number, Seal { answers_record_id }).await)?;
            policy::version::submit(cx, id, number).await
        }
        Act::Recall => policy::version::recall(cx, id, number).await,
        Act::Reject => {
            policy::version::reject(cx, id, number, WithReason { reason: reason(text)? }).await
        }
        Act::Ratify => {
            ticked(form)?;
            let note = (!text.is_empty()).then_some(text);
            let ratification = Ratification { expected_revision: form.revision, note };
            policy::version::ratify(cx, id, number, ratification).await
        }
        Act::Activate => {
            ticked(form)?;
            policy::version::activate(cx, id, number).await
        }
        Act::SetAside => {
            policy::version::set_aside(cx, id, number, WithReason { reason: reason(text)? }).await
        }
        Act::Delete => {
            answer(policy::version::delete(cx, id, number).await)?;
            return Ok(url::policy(form.tenant, id));
        }
        Act::Supersede => {
            let draft = supersede(cx, &version, reason(text)?).await?;
            return Ok(url::edit_version(form.tenant, id, draft));
        }
    };
    answer(done).map(|_| form.done())
}

/// Goes on in a new draft with the same rules; tells its number.
async fn supersede(cx: &Cx, version: &PolicyVersion, reason: String) -> Result<u32, Problem> {
    let body = Object::from([
        ("expected_revision", Value::from(version.draft_revision)),
        ("rules", rules(version)?),
        ("change_reason", Value::from(reason)),
    ]);
    let correction = contract::read::body::<Correction>(&Value::Object(body));
    let correction =
        answer(correction.map_err(|errors| governance::error::invalid(&errors).into()))?;
    let (id, number) = (version.policy_id, version.version);
    let superseded = policy::version::supersede(cx, id, number, correction).await;
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
