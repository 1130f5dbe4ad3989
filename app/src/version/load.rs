//! Data of the version page, and the actions on a version.

use std::collections::BTreeMap;

use contract::{
    error::ErrorCode,
    id::PolicyId,
    json::{Object, Value},
    policy::{
        PolicyVersion, Ratification, ReasonBody, ReviewSubmission, ReviewVerdict, SealRequest,
        VersionStage,
    },
    scope::{Right, Role},
};
use governance::{
    Cx,
    authoring::policy::{
        self,
        rule_input::SupersedeInput,
        version::{ActiveVersion, Subject, SubmissionEvents, VersionDetails, VersionProgress},
    },
    base::{
        error::{ResourceKind, not_found},
        json::to_json,
    },
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
    let details = request::version(cx, id, number).await?;
    let mut version = details.version.clone();
    let names = &directory(cx).await?.names;
    name_version(&mut version, names);
    let tenants = user_tenants(&signed_in(&current_page())?).await?;
    let submissions = submissions(&details, names);
    let review = review_of_revision(submissions.first().cloned(), &version);
    let answers = details.requested_changes().cloned();
    let sources = Sources {
        // The bytes behind the digest. Source: receipts, section 3.
        canonical: rules(&version)?.to_canonical(),
        offers: current_actions(cx, &details, review.as_ref()),
        answers: answers.and_then(|submission| SubmissionLine::new(submission, names).record),
        review,
        submissions,
        may_write: cx.role().is_some_and(|role| role.has(Right::Author)),
        person: Person::from(tenants.session()),
        signed_in_for: cx
            .human()
            .map(|human| time::span(cx.now.millis().saturating_sub(human.confirmed_at.millis())))
            .unwrap_or_default(),
        key: cx.governance().approval_key_id().map(str::to_owned),
        policy: details.policy.clone(),
        stage: details.progress.get(&number).map_or(VersionStage::Draft, |own| own.stage),
        version,
        versions: details.versions.clone(),
    };
    Ok(sources.into())
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
    into_problem(to_json(version.rules.as_deref().unwrap_or_default()).map_err(Into::into))
}

/// Returns the actions available to the user. `review` is the record of the current revision.
fn current_actions(
    cx: &Cx,
    details: &VersionDetails,
    review: Option<&RecordLine>,
) -> Vec<AvailableAction> {
    let version = &details.version;
    let refused = details.ratification_refusal.as_ref();
    let has_reason = |reason: &str| refused.and_then(governance::Refusal::reason) == Some(reason);
    available_actions(ActionContext {
        role: cx.role().unwrap_or(Role::Viewer),
        status: version.status,
        is_active: version.is_active,
        was_sealed: details.submissions().next().is_some(),
        was_active: version.activated_at.is_some(),
        is_unsent: has_reason("VERSION_NOT_SUBMITTED"),
        has_unknown_maker: has_reason("MAKER_UNKNOWN"),
        is_blocked: refused.map(|refusal| refusal.code) == Some(ErrorCode::MakerCheckerViolation),
        was_returned: review.is_some_and(|record| record.verdict == ReviewVerdict::Return),
        review_required: has_reason("REVIEW_REQUIRED"),
    })
}

/// Returns the submissions of a version with their review records, newest first.
pub(crate) fn submissions(details: &VersionDetails, names: &Names) -> Vec<SubmissionLine> {
    let line = |submission: &ReviewSubmission| SubmissionLine::new(submission.clone(), names);
    details.submissions().map(line).collect()
}

/// Returns the review record of exactly this revision.
fn review_of_revision(
    newest_submission: Option<SubmissionLine>,
    version: &PolicyVersion,
) -> Option<RecordLine> {
    newest_submission.filter(|sealed| sealed.revision == version.draft_revision)?.record
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
