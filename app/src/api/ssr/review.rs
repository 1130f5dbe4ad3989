//! What the page of a review is made of, and how a review is recorded.

use contract::{
    id::{PolicyId, TenantId},
    page::LIMIT_MAX,
    policy::{PolicyVersion, ReviewVerdict, VersionStatus},
    scope::Right,
};
use governance::{
    Cx, PageRequest, member,
    permission::{self, Permission},
    policy::{self, version::Subject},
    settings,
};

use super::{answer, go, keep, kept, session, store_fault, version as versions};
use crate::{
    problem::Problem,
    text::{url, words},
    view::review::{Change, ReviewForm, ReviewPage, ReviewPlace, SealedLine, changes, same},
};

/// A version: its tenant, its policy, its number.
type At = (TenantId, PolicyId, u32);

/// The page of a review.
pub(in crate::api) async fn page(cx: &Cx, at: At) -> Result<ReviewPage, Problem> {
    let page = read(cx, at).await?;
    Ok(ReviewPage { kept: kept(&url::review(at.0, at.1, at.2)).await, ..page })
}

/// The page that records what a review found. It is barred for a return that gives no reason.
pub(in crate::api) async fn sheet(
    cx: &Cx,
    at: At,
    verdict: ReviewVerdict,
) -> Result<ReviewPage, Problem> {
    // Whoever reviews may look; the press itself signs.
    answer(cx.tenant(Permission { signs: false, ..permission::REVIEW }).map(drop))?;
    let page = read(cx, at).await?;
    let moved = page.draft.has_read_other(&page.version);
    let moved = moved.then(|| words::review::refusal::MOVED_ON_WHILE_READ.to_owned());
    let is_bare = verdict == ReviewVerdict::Return && !page.draft.has_reason();
    let bare = is_bare.then(|| words::review::refusal::NO_REASON.to_owned());
    let kept = kept(&url::record(at.0, at.1, at.2, verdict)).await;
    Ok(ReviewPage { barred: page.barred.or(moved).or(bare), kept, ..page })
}

/// A review as it stands, with what the person has marked and written so far.
async fn read(cx: &Cx, (tenant, id, number): At) -> Result<ReviewPage, Problem> {
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
        kept: None,
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
        Ok(Recorded::NotYet(verdict)) => {
            go(&place.sheet(verdict));
            Ok(())
        }
        Ok(Recorded::Done(verdict)) => {
            forget(&page).await?;
            let done = url::verdict_word(verdict);
            let version = url::version(place.tenant, place.policy, place.version);
            go(&url::with_query(&version, &[("done", done)]));
            Ok(())
        }
        Err(problem) => {
            // Whoever gives the password again comes back to the press that asked for it.
            let sheet = form.verdict.parse().ok().filter(|_| problem.asks_for_confirmation());
            let page = sheet.map_or(page, |verdict| place.sheet(verdict));
            keep(problem, page, form.verdict).await
        }
    }
}

/// What a press came to.
enum Recorded {
    /// It can be recorded, once a page has repeated all of it.
    NotYet(ReviewVerdict),
    /// It is.
    Done(ReviewVerdict),
}

async fn recorded(cx: &Cx, place: &ReviewPlace, form: &ReviewForm) -> Result<Recorded, Problem> {
    let draft = form.read();
    let draft = answer(draft.map_err(|errors| governance::error::invalid(&errors).into()))?;
    let verdict = draft.verdict;
    if verdict == ReviewVerdict::Return && !form.has_reason() {
        return Err(asked(words::review::refusal::GIVE_A_REASON.to_owned()));
    }
    if form.confirmed.is_none() {
        let version = answer(policy::version::read(cx, place.policy, place.version).await)?;
        form.check(&version)?;
        return Ok(Recorded::NotYet(verdict));
    }
    let read = Subject {
        number: place.version,
        revision: Some(form.revision),
        rules_digest: Some(form.digest.clone()),
        ..Subject::default()
    };
    answer(policy::version::record(cx, place.policy, read, place.submission, draft).await)?;
    Ok(Recorded::Done(verdict))
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
