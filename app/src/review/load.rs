//! Data of the review page, and recording of reviews.

use std::collections::BTreeMap;

use contract::{
    policy::{PolicyVersion, ReviewVerdict, VersionStatus},
    scope::Right,
};
use governance::{
    Cx,
    access::permission::{self, Permission},
    authoring::policy::{
        self,
        version::{
            Subject, VersionDetails,
            saved_review::{self, SavedReview},
        },
    },
};

use leptos::prelude::RenderHtml;

use super::{
    record::SubmissionLine,
    tab::{ReviewTab, ReviewUser, reviewers},
    view::{Change, ChangeScope, ReviewForm, ReviewPage, ReviewTarget, changes, same},
    words,
};
use crate::{
    comment::{
        load::{self as comment_load, VersionAddress},
        markup as comment_markup,
    },
    comparison::changes::{self as differences, SinceReview},
    problem::Problem,
    request::{self, directory, into_problem, redirect, set_rejected, take_rejected},
    text::url,
    version::load as versions,
};

/// Returns the review page with the changes of `scope`, and the comments next to each rule that differs or, in their
/// tab, all comments.
pub(crate) async fn page(
    cx: &Cx,
    at: VersionAddress,
    scope: ChangeScope,
    tab: ReviewTab,
) -> Result<ReviewPage, Problem> {
    let mut page = ReviewPage { tab, scope, ..read(cx, at).await? };
    let own = match tab {
        ReviewTab::Changes => scope.page(at.0, at.1, at.2),
        tab => tab.page(at.0, at.1, at.2),
    };
    let discussion = comment_load::discussion(cx, &page.version, own.clone()).await?;
    let since = differences::since_review(cx, &page.version, &discussion).await?;
    set_last_review(&mut page, since);
    let codes: Vec<&str> = page.changes.iter().map(|change| change.code.as_str()).collect();
    let with_comments = codes.iter().filter(|code| discussion.of_rule(code).next().is_some());
    let threads = with_comments
        .map(|code| ((*code).to_owned(), comment_markup::of_rule(&discussion, code).to_html()));
    Ok(ReviewPage {
        threads: threads.collect(),
        open_comments: discussion.open_count(),
        comment_count: discussion.count(),
        comments: match tab {
            ReviewTab::Changes => comment_markup::section(&discussion, &codes).to_html(),
            ReviewTab::Comments => comment_markup::section(&discussion, &[]).to_html(),
            ReviewTab::Clauses | ReviewTab::Timeline => String::new(),
        },
        rejected: take_rejected(&own).await,
        ..page
    })
}

/// Returns the page that confirms and records a review. It is blocked if the verdict `RETURN` has no reason.
pub(crate) async fn record_page(
    cx: &Cx,
    at: VersionAddress,
    verdict: ReviewVerdict,
) -> Result<ReviewPage, Problem> {
    // Every reviewer can open the page. Only recording signs.
    into_problem(cx.tenant(Permission { signs: false, ..permission::REVIEW }).map(drop))?;
    let page = read(cx, at).await?;
    let changed = page.draft.has_read_other(&page.version);
    let changed = changed.then(|| words::refusal::VERSION_CHANGED.to_owned());
    let lacks_reason = verdict == ReviewVerdict::Return && !page.draft.has_reason();
    let no_reason = lacks_reason.then(|| words::refusal::NO_REASON.to_owned());
    let rejected = take_rejected(&url::record(at.0, at.1, at.2, verdict)).await;
    Ok(ReviewPage {
        blocked_reason: page.blocked_reason.or(changed).or(no_reason),
        rejected,
        ..page
    })
}

/// Returns the current state of a review, with the marks and comments that the user has entered.
async fn read(cx: &Cx, (_, id, number): VersionAddress) -> Result<ReviewPage, Problem> {
    let version = versions::read(cx, id, number).await?;
    let details = request::version(cx, id, number).await?;
    let (against, differing) = differing(cx, &details).await?;
    let stored = &details.version;
    let sealed = versions::submissions(&details, &directory(cx).await?.names);
    let may_review = cx.role().is_some_and(|role| role.has(Right::Review));
    let mut draft = ReviewForm::default();
    if may_review && let Some(saved) = into_problem(saved_review::read(cx, id, number).await)? {
        draft = saved.into();
    }
    let is_checked = details.settings.maker_checker_enabled;
    let person = cx.human().ok().map(|human| human.user_id.to_string());
    let checked_person = person.as_deref().filter(|_| is_checked);
    let refusal = blocked_reason(checked_person, stored, sealed.first());
    let user = person.map(|id| ReviewUser {
        id,
        name: version.person.name.clone(),
        may_record: may_review && refusal.is_none(),
    });
    Ok(ReviewPage {
        blocked_reason: refusal.map(str::to_owned),
        reviewers: reviewers(&sealed, user.as_ref(), is_checked),
        requires_review: details.settings.review_required,
        against,
        tab: ReviewTab::default(),
        scope: ChangeScope::All,
        same: same(&differing, stored.rules.as_deref().unwrap_or_default()),
        viewed: (draft.viewed_count(&differing), differing.len()),
        changes: differing,
        sealed,
        may_review,
        draft,
        rejected: None,
        threads: BTreeMap::new(),
        open_comments: 0,
        comment_count: 0,
        comments: String::new(),
        last_review: None,
        version,
    })
}

/// Adds the user's last review, and replaces the changes with those since then if the page shows only these. Marks
/// and comments of rules without a difference are left out.
fn set_last_review(page: &mut ReviewPage, since: Option<SinceReview>) {
    let since_changes = since.as_ref().map(|since| &*since.changes).unwrap_or_default();
    let differs =
        |is_same: &dyn Fn(&Change) -> bool| page.changes.iter().chain(since_changes).any(is_same);
    page.draft.viewed.retain(|mark| differs(&|change| change.mark == *mark));
    page.draft.comments.retain(|code, _| differs(&|change| change.code == *code));
    let Some(SinceReview { review, changes, same }) = since else { return };
    page.last_review = Some(review);
    if page.scope == ChangeScope::SinceReview {
        (page.changes, page.same) = (changes, same);
    }
}

/// Returns the marks of the changes that the page of the form shows.
async fn shown_marks(cx: &Cx, target: &ReviewTarget) -> Result<Vec<String>, Problem> {
    let details = request::version(cx, target.policy, target.version).await?;
    let since = match target.scope() {
        ChangeScope::All => None,
        ChangeScope::SinceReview => into_problem(details.since_own_review(cx).await)?,
    };
    let rules = details.version.rules.as_deref().unwrap_or_default();
    let shown = match since {
        Some(since) => changes(&since.diff, rules, policy::rule_digest),
        None => differing(cx, &details).await?.1,
    };
    Ok(shown.into_iter().map(|change| change.mark).collect())
}

/// Returns how the rules differ from those of the active version.
async fn differing(
    cx: &Cx,
    details: &VersionDetails,
) -> Result<(Option<u32>, Vec<Change>), Problem> {
    let diff = into_problem(details.diff(cx, None).await)?;
    let rules = details.version.rules.as_deref().unwrap_or_default();
    Ok((diff.against, changes(&diff, rules, policy::rule_digest)))
}

/// Returns why the user cannot record a review now. `person` is the ID of the user if maker-checker is on:
/// that user must not have sealed the submission.
fn blocked_reason(
    person: Option<&str>,
    version: &PolicyVersion,
    newest: Option<&SubmissionLine>,
) -> Option<&'static str> {
    let is_open = matches!(version.status, VersionStatus::Draft | VersionStatus::Submitted);
    match newest {
        _ if !is_open => Some(words::refusal::NOT_OPEN),
        None if version.status == VersionStatus::Submitted => Some(words::refusal::WITHOUT_REVIEW),
        None => Some(words::refusal::NOT_SEALED),
        Some(sealed) if sealed.record.is_some() => Some(words::refusal::HAS_RECORD),
        Some(sealed) if person.is_some() && sealed.by_id.as_deref() == person => {
            Some(words::refusal::OWN_SUBMISSION)
        }
        // A review covers only rules that the page shows.
        Some(sealed) if sealed.revision != version.draft_revision => {
            Some(words::refusal::DRAFT_CHANGED)
        }
        Some(_) => None,
    }
}

/// Records a review, or saves marks and comments for later.
pub(crate) async fn record(
    cx: &Cx,
    target: ReviewTarget,
    mut form: ReviewForm,
) -> Result<(), Problem> {
    let page = target.page();
    if form.all.take().is_some() {
        form.viewed.extend(shown_marks(cx, &target).await?);
        form.viewed.sort_unstable();
        form.viewed.dedup();
        form.verdict.clear();
    }
    if let Err(problem) = save(cx, &target, &form).await {
        return set_rejected(problem, page, form.verdict).await;
    }
    if form.verdict.is_empty() {
        redirect(&page);
        return Ok(());
    }
    match record_confirmed(cx, &target, &form).await {
        Ok(Recorded::NotYet(verdict)) => {
            redirect(&target.record_page(verdict));
            Ok(())
        }
        Ok(Recorded::Done(verdict)) => {
            let done = url::verdict_word(verdict);
            let version = url::version(target.tenant, target.policy, target.version);
            redirect(&url::with_query(&version, &[("done", done)]));
            Ok(())
        }
        Err(problem) => {
            // After reauthentication the user returns to the page whose button required it.
            let confirm_page =
                form.verdict.parse().ok().filter(|_| problem.asks_for_confirmation());
            let page = confirm_page.map_or(page, |verdict| target.record_page(verdict));
            set_rejected(problem, page, form.verdict).await
        }
    }
}

/// Saves the marks and comments until the review is recorded.
pub(crate) async fn save(cx: &Cx, target: &ReviewTarget, form: &ReviewForm) -> Result<(), Problem> {
    let ReviewTarget { policy, version, submission, .. } = *target;
    let draft = SavedReview::from(form.clone());
    into_problem(saved_review::save(cx, policy, version, submission, &draft).await)
}

impl From<SavedReview> for ReviewForm {
    fn from(saved: SavedReview) -> Self {
        let SavedReview { revision, rules_digest, note, comments, viewed } = saved;
        Self { revision, digest: rules_digest, note, comments, viewed, ..Self::default() }
    }
}

impl From<ReviewForm> for SavedReview {
    fn from(form: ReviewForm) -> Self {
        let ReviewForm { revision, digest, note, comments, viewed, .. } = form;
        Self { revision, rules_digest: digest, note, comments, viewed }
    }
}

/// The result of submitting the review form.
enum Recorded {
    /// The review is valid and must be confirmed on its page.
    NotYet(ReviewVerdict),
    Done(ReviewVerdict),
}

async fn record_confirmed(
    cx: &Cx,
    target: &ReviewTarget,
    form: &ReviewForm,
) -> Result<Recorded, Problem> {
    let draft = form.read();
    let draft =
        into_problem(draft.map_err(|errors| governance::base::error::invalid(&errors).into()))?;
    let verdict = draft.verdict;
    if verdict == ReviewVerdict::Return && !form.has_reason() {
        return Err(Problem::of_form(words::refusal::GIVE_A_REASON));
    }
    if form.confirmed.is_none() {
        let version = into_problem(policy::version::read(cx, target.policy, target.version).await)?;
        form.check(&version)?;
        return Ok(Recorded::NotYet(verdict));
    }
    let read = Subject {
        number: target.version,
        revision: Some(form.revision),
        rules_digest: Some(form.digest.clone()),
        ..Subject::default()
    };
    into_problem(policy::version::record(cx, target.policy, read, target.submission, draft).await)?;
    Ok(Recorded::Done(verdict))
}
