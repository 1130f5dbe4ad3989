//! What the page of a review is made of, and how a review is recorded.

use contract::{
    id::{PolicyId, TenantId},
    page::LIMIT_MAX,
    policy::{PolicyVersion, ReviewVerdict, VersionStatus},
    scope::Right,
};
use governance::{Cx, PageRequest, member, policy, settings};

use super::{answer, go, keep, kept, session, store_fault, version as versions};
use crate::{
    problem::Problem,
    text::{url, words},
    view::review::{Change, ReviewForm, ReviewPage, ReviewPlace, SealedLine, changes, same},
};

/// The page of a review.
pub(in crate::api) async fn page(
    cx: &Cx,
    (tenant, id, number): (TenantId, PolicyId, u32),
) -> Result<ReviewPage, Problem> {
    let version = versions::read(cx, id, number).await?;
    let stored = answer(policy::version::read(cx, id, number).await)?;
    let (against, differing) = differing(cx, id, &stored).await?;
    let names = answer(member::names(cx).await)?;
    let newest = PageRequest { limit: LIMIT_MAX, cursor: None };
    let sealed = answer(policy::version::submissions(cx, id, number, &newest).await)?.items;
    let sealed: Vec<_> = sealed.into_iter().map(|one| SealedLine::new(one, &names)).collect();
    let page = url::review(tenant, id, number);
    let mut draft = drafted(&page).await.unwrap_or_default();
    draft.viewed.retain(|mark| differing.iter().any(|change| change.mark == *mark));
    let is_checked = answer(settings::read(cx).await)?.maker_checker_enabled;
    let person = cx.human().ok().filter(|_| is_checked).map(|human| human.user_id.to_string());
    let may_review = cx.role().is_some_and(|role| role.may(Right::Review));
    Ok(ReviewPage {
        barred: barred(person.as_deref(), &stored, sealed.first()).map(str::to_owned),
        against,
        same: same(&differing, stored.rules.as_deref().unwrap_or_default()),
        changes: differing,
        sealed,
        may_review,
        draft,
        kept: kept(&page).await,
        version,
    })
}

/// How the rules differ from those of the version that decides.
async fn differing(
    cx: &Cx,
    id: PolicyId,
    version: &PolicyVersion,
) -> Result<(Option<u32>, Vec<Change>), Problem> {
    let diff = answer(policy::version::diff(cx, id, version.version, None).await)?;
    let rules = version.rules.as_deref().unwrap_or_default();
    Ok((diff.against, changes(&diff, rules, policy::rule_digest)))
}

/// Why the person cannot record a review now; `person` is whoever must not have sealed it.
fn barred(
    person: Option<&str>,
    version: &PolicyVersion,
    newest: Option<&SealedLine>,
) -> Option<&'static str> {
    let is_open = matches!(version.status, VersionStatus::Draft | VersionStatus::Submitted);
    match newest {
        _ if !is_open => Some(words::review::refusal::NOT_OPEN),
        None if version.status == VersionStatus::Submitted => {
            Some(words::review::refusal::WITHOUT_REVIEW)
        }
        None => Some(words::review::refusal::NOT_SEALED),
        Some(sealed) if sealed.record.is_some() => Some(words::review::refusal::HAS_RECORD),
        Some(sealed) if person.is_some() && sealed.by_id.as_deref() == person => {
            Some(words::review::refusal::OWN)
        }
        // Nobody judges rules that are not on the page.
        Some(sealed) if sealed.revision != version.draft_revision => {
            Some(words::review::refusal::MOVED_ON)
        }
        Some(_) => None,
    }
}

/// Records a review, or keeps marks and remarks for later.
pub(in crate::api) async fn record(
    cx: &Cx,
    place: ReviewPlace,
    mut form: ReviewForm,
) -> Result<(), Problem> {
    let page = place.page();
    if form.all.take().is_some() {
        let version = answer(policy::version::read(cx, place.policy, place.version).await)?;
        let (_, differing) = differing(cx, place.policy, &version).await?;
        form.viewed = differing.into_iter().map(|change| change.mark).collect();
        form.verdict.clear();
    }
    remember(&page, &form).await?;
    if form.verdict.is_empty() {
        go(&page);
        return Ok(());
    }
    match recorded(cx, &place, &form).await {
        Ok(verdict) => {
            forget(&page).await?;
            let done = match verdict {
                ReviewVerdict::Accept => "accept",
                ReviewVerdict::Return => "return",
            };
            let version = url::version(place.tenant, place.policy, place.version);
            go(&url::with_query(&version, &[("done", done)]));
            Ok(())
        }
        Err(problem) => keep(problem, page, form.verdict).await,
    }
}

async fn recorded(
    cx: &Cx,
    place: &ReviewPlace,
    form: &ReviewForm,
) -> Result<ReviewVerdict, Problem> {
    let version = answer(policy::version::read(cx, place.policy, place.version).await)?;
    form.check(&version)?;
    let draft = form.read();
    let draft = answer(draft.map_err(|errors| governance::error::invalid(&errors).into()))?;
    let verdict = draft.verdict;
    if verdict == ReviewVerdict::Return && !form.has_reason() {
        return Err(asked(words::review::refusal::GIVE_A_REASON.to_owned()));
    }
    if verdict == ReviewVerdict::Accept && form.sure.is_none() {
        let (_, differing) = differing(cx, place.policy, &version).await?;
        let (unseen, remarks) = form.open(&differing);
        if unseen + remarks > 0 {
            return Err(asked(words::review::really(unseen, remarks)));
        }
    }
    let (id, number) = (place.policy, place.version);
    answer(policy::version::record(cx, id, number, place.submission, draft).await)?;
    Ok(verdict)
}

fn asked(message: String) -> Problem {
    Problem { code: "VALIDATION_ERROR".into(), message, status: 422, ..Problem::default() }
}

/// Keeps marks and remarks until they are recorded or the person signs out.
async fn remember(page: &str, form: &ReviewForm) -> Result<(), Problem> {
    match session() {
        Some(session) => session.insert(&key(page), form).await.map_err(|_| store_fault()),
        None => Ok(()),
    }
}

async fn drafted(page: &str) -> Option<ReviewForm> {
    session()?.get(&key(page)).await.ok()?
}

async fn forget(page: &str) -> Result<(), Problem> {
    let Some(session) = session() else { return Ok(()) };
    let gone = session.remove_value(&key(page)).await;
    gone.map(drop).map_err(|_| store_fault())
}

fn key(page: &str) -> String {
    format!("review {page}")
}
