//! What the page of a version is made of, and how its acts are done.

use contract::{
    error::ErrorCode,
    id::PolicyId,
    json::Value,
    policy::{PolicyVersion, Ratification, VersionStatus, WithReason},
    scope::{Right, Role},
};
use governance::{Cx, member, policy};

use super::{answer, governance, signed_in};
use crate::{
    problem::Problem,
    view::{
        acts::{Act, Offer, Standing, offers},
        form::ActForm,
        frame::Person,
        people::name_version,
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
        may_write: cx.role().is_some_and(|role| role.may(Right::Author)),
        person: Person::from(&answer(session)?),
        policy,
        version,
        versions,
    };
    Ok(sources.into())
}

/// The bytes behind the digest: the rules as authored, in canonical form (receipts, section 3).
fn canonical(version: &PolicyVersion) -> Result<String, Problem> {
    let tree = serde_json::to_value(version.rules.as_deref().unwrap_or_default());
    let tree = tree.and_then(serde_json::from_value::<Value>);
    let tree = tree.map_err(|error| governance::Error::Bug(error.into()));
    Ok(answer(tree)?.to_canonical())
}

/// What the person may do. Who made the version, and what the tenant asks for, matter only to
/// whoever could ratify it.
async fn offers_now(cx: &Cx, version: &PolicyVersion) -> Result<Vec<Offer>, Problem> {
    let role = cx.role().unwrap_or(Role::Viewer);
    let mut standing = Standing {
        role,
        status: version.status,
        is_active: version.is_active,
        was_sent: version.submitted_at.is_some(),
        is_barred: false,
        review_required: false,
    };
    if role.may(Right::Ratify) && version.status == VersionStatus::Submitted {
        let prospects = policy::version::prospects(cx, version.policy_id, version.version).await;
        let refused = answer(prospects)?.ratify.map(|refusal| refusal.code);
        standing.is_barred = refused == Some(ErrorCode::MakerCheckerViolation);
        standing.review_required = refused == Some(ErrorCode::InvalidTransition);
    }
    Ok(offers(standing))
}

/// Does what the form says, unless the version is not what the person has seen.
pub(in crate::api) async fn act(cx: &Cx, form: &ActForm) -> Result<(), Problem> {
    let (id, number) = (form.policy, form.version);
    form.check(&answer(policy::version::read(cx, id, number).await)?)?;
    let text = form.text.trim().to_owned();
    let done = match form.act {
        Act::Submit => policy::version::submit(cx, id, number).await,
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
        Act::Delete => return answer(policy::version::delete(cx, id, number).await),
    };
    answer(done).map(|_| ())
}

/// The most characters of a reason (contract, section 4).
const REASON_MAX: usize = 500;

fn reason(text: String) -> Result<String, Problem> {
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

fn invalid(message: &str) -> Problem {
    Problem {
        code: "VALIDATION_ERROR".into(),
        message: message.into(),
        status: 422,
        ..Problem::default()
    }
}
