//! Data of the version page, and the actions on a version.

use std::{collections::BTreeMap, sync::Arc};

use contract::{
    error::ErrorCode,
    id::PolicyId,
    json::{Object, Value},
    policy::{
        PolicyVersion, Ratification, ReasonBody, ReviewSubmission, ReviewVerdict, SealRequest,
        VersionStage, VersionStatus,
    },
    scope::{Right, Role},
};
use governance::{
    Cx,
    authoring::policy::{
        self,
        rule_input::SupersedeInput,
        version::{ActiveVersion, Subject, SubmissionEvents, VersionProgress},
    },
    base::error::{ResourceKind, not_found},
};

use leptos::prelude::RenderHtml;

use super::{
    actions::{ActionContext, AvailableAction, VersionAction, available_actions},
    form::ActionForm,
    view::{Approval, Sources, VersionPage},
};
use crate::{
    comment::{load as comment_load, markup as comment_markup},
    comparison::changes,
    frame::view::Person,
    member::names::{Names, known, name_version},
    policy::view::{DraftDeleted, StagedVersion, Step, StepKind},
    problem::Problem,
    request::{self, current_page, directory, into_problem, signed_in, user_tenants},
    review::{
        record::{RecordLine, SubmissionLine},
        words as review_words,
    },
    text::{time, url},
};

/// Returns the version of a policy with its stage. `names` are the names of users.
pub(crate) fn staged(
    version: PolicyVersion,
    progress: &BTreeMap<u32, VersionProgress>,
    names: &Names,
) -> Result<StagedVersion, Problem> {
    let Some(progress) = progress.get(&version.version) else {
        return into_problem(Err(not_found(ResourceKind::Version).into()));
    };
    let events = |submission: &SubmissionEvents| {
        let step = |what, revision, at, by: &String| Step {
            what,
            revision,
            at,
            by: known(Some(by.clone()), names),
        };
        let revision = Some(submission.revision);
        let submitted = step(StepKind::Submitted, revision, submission.at, &submission.by);
        let review = submission.review.as_ref();
        let reviewed = review.map(|(verdict, at, by)| step((*verdict).into(), revision, *at, by));
        std::iter::once(submitted).chain(reviewed)
    };
    let reviews = progress.submissions.iter().flat_map(events).collect();
    Ok(StagedVersion { version, stage: progress.stage, reviews })
}

/// Returns one version, with the actions available to the user.
pub(crate) async fn read(cx: &Cx, id: PolicyId, number: u32) -> Result<VersionPage, Problem> {
    Ok(read_with_stages(cx, id, number).await?.0)
}

/// Returns one version as [`read`] does, and the stages of all versions of the policy, newest first.
pub(crate) async fn read_with_stages(
    cx: &Cx,
    id: PolicyId,
    number: u32,
) -> Result<(VersionPage, Vec<(u32, VersionStage)>), Problem> {
    let policy = into_problem(policy::read(cx, id, None).await)?;
    let mut version = Arc::unwrap_or_clone(request::version(cx, id, number).await?);
    let names = &directory(cx).await?.names;
    name_version(&mut version, names);
    let progress = into_problem(policy::version::progress(cx, id).await)?;
    let versions = into_problem(policy::version::all(cx, id).await)?;
    let tenants = user_tenants(&signed_in(&current_page())?).await?;
    let stage = |number: u32| Some((number, progress.get(&number)?.stage));
    let stages = versions.iter().filter_map(|version| stage(version.version)).collect();
    let submissions = submissions(cx, id, number).await?;
    let review = review_of_revision(submissions.first().cloned(), &version);
    let sources = Sources {
        // The bytes behind the digest. Source: receipts, section 3.
        canonical: rules(&version)?.to_canonical(),
        offers: current_actions(cx, &version, !submissions.is_empty(), review.as_ref()).await?,
        answers: required_answer(cx, &version).await?,
        review,
        submissions,
        may_write: cx.role().is_some_and(|role| role.has(Right::Author)),
        person: Person::from(tenants.session()),
        signed_in_for: cx
            .human()
            .map(|human| time::span(cx.now.millis().saturating_sub(human.confirmed_at.millis())))
            .unwrap_or_default(),
        key: cx.governance().approval_key_id().map(str::to_owned),
        policy,
        version: staged(version, &progress, names)?,
        versions,
    };
    Ok((sources.into(), stages))
}

/// Returns the approval of a version, or `None` if it was not ratified.
pub(crate) async fn approval(cx: &Cx, version: &VersionPage) -> Result<Option<Approval>, Problem> {
    let ratified = version.steps.iter().find(|step| step.what == StepKind::Ratified);
    let Some(ratified) = ratified else { return Ok(None) };
    let stored = policy::version::approval(cx, version.policy, version.version).await;
    let stored = match into_problem(stored) {
        Err(problem) if problem.status == 404 => return Ok(None),
        stored => stored?,
    };
    Ok(Some(Approval {
        digest: stored.approval_digest,
        key: stored.approval.get("kid").and_then(Value::as_str).map(str::to_owned),
        at: ratified.at,
        is_anchored: stored.transparency_anchor.is_some(),
    }))
}

/// Returns the comments on a version as HTML, for the page of the version.
pub(crate) async fn comments(
    cx: &Cx,
    version: &VersionPage,
    page: String,
) -> Result<String, Problem> {
    let discussion = comment_load::discussion(cx, version, page).await?;
    Ok(comment_markup::section(&discussion, &[]).to_html())
}

/// Returns what a submission of the version contains, as HTML. It is empty if the version cannot be submitted.
pub(crate) async fn submission(cx: &Cx, version: &VersionPage) -> Result<String, Problem> {
    if !version.allows(VersionAction::Send) {
        return Ok(String::new());
    }
    changes::submission(cx, version).await
}

fn rules(version: &PolicyVersion) -> Result<Value, Problem> {
    let tree = serde_json::to_value(version.rules.as_deref().unwrap_or_default());
    let tree = tree.and_then(serde_json::from_value::<Value>);
    into_problem(tree.map_err(|error| governance::Error::Bug(error.into())))
}

/// Returns the actions available to the user. `review` is the record of the current revision. The makers of the
/// version and the tenant's settings are checked only for users who can ratify.
async fn current_actions(
    cx: &Cx,
    version: &PolicyVersion,
    was_sealed: bool,
    review: Option<&RecordLine>,
) -> Result<Vec<AvailableAction>, Problem> {
    let role = cx.role().unwrap_or(Role::Viewer);
    let is_open = matches!(version.status, VersionStatus::Draft | VersionStatus::Submitted);
    let refused = if role.has(Right::Ratify) && is_open {
        into_problem(
            policy::version::action_availability(cx, version.policy_id, version.version).await,
        )?
        .ratify
    } else {
        None
    };
    let has_reason = |reason: &str| {
        let details = refused.as_ref().and_then(|refusal| refusal.details.as_ref());
        details.and_then(|details| details.get("reason")?.as_str()) == Some(reason)
    };
    Ok(available_actions(ActionContext {
        role,
        status: version.status,
        is_active: version.is_active,
        was_sealed,
        was_active: version.activated_at.is_some(),
        is_unsent: has_reason("VERSION_NOT_SUBMITTED"),
        has_unknown_maker: has_reason("MAKER_UNKNOWN"),
        is_blocked: refused.as_ref().map(|refusal| refusal.code)
            == Some(ErrorCode::MakerCheckerViolation),
        was_returned: review.is_some_and(|record| record.verdict == ReviewVerdict::Return),
        review_required: has_reason("REVIEW_REQUIRED"),
    }))
}

/// Returns the submissions of a version with their review records, newest first.
pub(crate) async fn submissions(
    cx: &Cx,
    id: PolicyId,
    number: u32,
) -> Result<Vec<SubmissionLine>, Problem> {
    let submissions = request::submissions(cx, id, number).await?;
    let names = &directory(cx).await?.names;
    let line = |submission: &ReviewSubmission| SubmissionLine::new(submission.clone(), names);
    Ok(submissions.iter().map(line).collect())
}

/// Returns the review record of exactly this revision.
fn review_of_revision(
    newest_submission: Option<SubmissionLine>,
    version: &PolicyVersion,
) -> Option<RecordLine> {
    newest_submission.filter(|sealed| sealed.revision == version.draft_revision)?.record
}

/// Returns the requested changes that the next submission must reference. The page selects them for the
/// author.
async fn required_answer(cx: &Cx, version: &PolicyVersion) -> Result<Option<RecordLine>, Problem> {
    let submission =
        policy::version::requested_changes(cx, version.policy_id, version.version).await;
    let Some(submission) = into_problem(submission)? else { return Ok(None) };
    let names = &directory(cx).await?.names;
    Ok(SubmissionLine::new(submission, names).record)
}

/// Returns the version as the user has read it, from the form.
fn subject(form: &ActionForm) -> Subject {
    Subject {
        number: form.version,
        revision: Some(form.revision),
        rules_digest: Some(form.digest.clone()),
        status: Some(form.status),
        active: form.replaces.as_ref().map(|version| ActiveVersion(version.parse().ok())),
    }
}

/// Performs the action of the form, unless the version differs from the one that the user has read. Returns
/// the page that shows the result.
pub(crate) async fn act(cx: &Cx, form: &ActionForm) -> Result<String, Problem> {
    let (id, version) = (form.policy, subject(form));
    let text = form.text.trim().replace("\r\n", "\n");
    let result = match form.act {
        VersionAction::Send => {
            require_same_rules_confirmation(cx, form).await?;
            let answers_record_id = form.answers.parse().ok();
            Box::pin(policy::version::send(cx, id, version, SealRequest { answers_record_id }))
                .await
        }
        VersionAction::Recall => policy::version::recall(cx, id, version).await,
        VersionAction::Reject => {
            policy::version::reject(cx, id, version, ReasonBody { reason: reason(text)? }).await
        }
        VersionAction::Ratify => {
            require_read_confirmation(form)?;
            let note = (!text.is_empty()).then_some(text);
            let ratification = Ratification { expected_revision: form.revision, note };
            policy::version::ratify(cx, id, version, ratification).await
        }
        VersionAction::Activate => {
            require_read_confirmation(form)?;
            policy::version::activate(cx, id, version).await
        }
        VersionAction::SetAside => {
            policy::version::set_aside(cx, id, version, ReasonBody { reason: reason(text)? }).await
        }
        VersionAction::Delete => {
            into_problem(policy::version::delete(cx, id, version).await)?;
            let page = url::policy(form.tenant, id);
            request::set_result(&page, &DraftDeleted).await?;
            return Ok(page);
        }
        VersionAction::Supersede => {
            let draft = supersede(cx, id, version, reason(text)?).await?;
            return Ok(url::edit_version(form.tenant, id, draft));
        }
    };
    into_problem(result).map(|_| form.done())
}

/// Opens a new draft with the same rules, which replaces the draft that the user has read. Returns the
/// version number of the new draft.
async fn supersede(cx: &Cx, id: PolicyId, read: Subject, reason: String) -> Result<u32, Problem> {
    let version = into_problem(policy::version::read(cx, id, read.number).await)?;
    let body = Object::from([
        ("expected_revision", Value::from(read.revision.unwrap_or(version.draft_revision))),
        ("rules", rules(&version)?),
        ("change_reason", Value::from(reason)),
    ]);
    let correction = contract::read::body::<SupersedeInput>(&Value::Object(body));
    let correction = into_problem(
        correction.map_err(|errors| governance::base::error::invalid(&errors).into()),
    )?;
    let superseded = policy::version::supersede(cx, id, read, correction).await;
    Ok(into_problem(superseded)?.draft.version)
}

/// The maximum length of a reason in characters. Source: contract, section 4.
const REASON_MAX: usize = 500;

pub(crate) fn reason(text: String) -> Result<String, Problem> {
    match text.chars().count() {
        1..=REASON_MAX => Ok(text),
        _ => Err(Problem::of_form("enter a reason of 1 to 500 characters")),
    }
}

/// Returns an error if the active version has the rules that the user submits, and the user did not confirm it.
async fn require_same_rules_confirmation(cx: &Cx, form: &ActionForm) -> Result<(), Problem> {
    let versions = into_problem(policy::version::all(cx, form.policy).await)?;
    let has_same_rules = |other: &PolicyVersion| {
        other.is_active && other.version != form.version && other.rules_digest == form.digest
    };
    if form.same_rules.is_none() && versions.iter().any(has_same_rules) {
        return Err(Problem::of_form(review_words::refusal::SAME_RULES));
    }
    Ok(())
}

fn require_read_confirmation(form: &ActionForm) -> Result<(), Problem> {
    form.read
        .as_ref()
        .map(|_| ())
        .ok_or_else(|| Problem::of_form("confirm that you have read the rules"))
}
